/** Statements stay fit for a distributed database; statements.txt lists the exceptions. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { textForBusiness } from 'crier-server/lib/db/distribution.ts'
import { rules } from './statement-rules.ts'
import { businessTables, statements, statementsOf, tablesOf, whole } from './statements.ts'

/** By rule, the names of the statements that may break it. */
function readExceptions(): ReadonlyMap<string, readonly string[]> {
  const text = readFileSync(path.join(import.meta.dirname, 'statements.txt'), 'utf8')
  const found = new Map<string, string[]>()
  let names: string[] = []
  for (const line of text.split('\n').filter((part) => part !== '' && !part.startsWith('#'))) {
    if (line.startsWith('  ')) names.push(line.trim())
    else {
      names = []
      found.set(line, names)
    }
  }
  return found
}
const exceptions = readExceptions()

test('the check finds the SQL statements and the tables of businesses', () => {
  assert.ok(statements.length > 300, `only ${statements.length} statements were found`)
  assert.ok(businessTables.size > 40, `only ${businessTables.size} tables were found`)
  const names = statements.map(({ name }) => name)
  assert.deepEqual(names, [...new Set(names)])
  assert.deepEqual([...exceptions.keys()].toSorted(), Object.keys(rules).toSorted())
})

for (const [rule, breaks] of Object.entries(rules)) {
  test(`every SQL statement keeps the rule ${rule} or is listed in statements.txt`, () => {
    const found = statements.filter(({ text }) => breaks(text)).map(({ name }) => name)
    assert.deepEqual(
      found.toSorted(),
      [...(exceptions.get(rule) ?? [])].toSorted(),
      'Write the statement for one business (`business_id = $1`), or take its name out of statements.txt where it no longer breaks the rule. The list may only shrink.',
    )
  })
}

test('an SQL statement that breaks a rule is detected', () => {
  // Each `?` stands for an interpolated value.
  const hole = '$' + '{value}'
  const broken: Record<string, string> = {
    'business-named': 'select name from contacts where id = ?',
    'no-stable-function-in-update':
      'update contacts c set tags = new.tags::text[] from new where c.business_id = ?',
    'no-parameter-in-conflict':
      'insert into forms (business_id) select x from y on conflict (business_id) do update set a = 1 where forms.at < ?',
    'set-inserted-on-its-node':
      'insert into forms (id, business_id) select * from unnest(?::uuid[]) as new (id)',
    'queue-joined-by-business':
      'select 1 from jobs j join messages m on m.business_id = ? and j.id = m.job_id',
  }
  for (const [rule, text] of Object.entries(broken)) {
    const asked = `const one = () => sql\`${text.replaceAll('?', hole)} -- a comment\``
    const [found] = whole(statementsOf('x.ts', asked))
    assert.equal(found?.name, 'x.ts one')
    assert.ok(!found?.text.includes('comment'))
    assert.ok(rules[rule]?.(found?.text ?? ''), rule)
  }
  const fine = 'select name from contacts where business_id = $ and id = $'
  assert.deepEqual(tablesOf(fine), ['contacts'])
  for (const breaks of Object.values(rules)) assert.ok(!breaks(fine))
  const set = 'unnest($::uuid[], $::text[]) as asked (business_id, email)'
  const byEmail = `select c.id from ${set} cross join lateral (select id from contacts where email = asked.email`
  assert.ok(rules['business-named']?.(`${byEmail}) c`))
  const named = `${byEmail} and business_id = asked.business_id) c`
  assert.ok(!rules['business-named']?.(named))
  assert.equal(
    textForBusiness(named, '$'),
    `${byEmail} and business_id = asked.business_id and business_id = $) c`,
  )
  const joined = `select m.id from ${set} join messages m on m.business_id = asked.business_id join contacts c on c.id = m.contact_id`
  assert.ok(rules['business-named']?.(joined), 'one of two tables is not named by the set')
})
