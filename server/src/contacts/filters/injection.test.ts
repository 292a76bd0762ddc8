/** Hostile text as every name, key, value and seed: it is searched for, and never becomes SQL. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../../tests/support/businesses/business.ts'
import { saveAll, toSave } from '../../../../tests/support/businesses/contacts.ts'
import { type Caller, callerIn } from '../../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { isRefusal } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { contactFieldsList } from '../fields/fields.ts'
import { contactList } from '../list.ts'
import { segmentExplain } from '../segments/explain.ts'
import { segmentSave } from '../segments/save.ts'
import { compileFilter } from './compile.ts'
import { attributeField, everyOperator, type Filter, type Operator } from './filter.ts'
import { readFilter } from './read.ts'

const hostile = [
  "'; drop table contacts; --",
  "' or '1'='1",
  "') or true --",
  '"; select pg_sleep(5); --',
  '\\',
  "\\'; delete from contacts where true; --",
  "E'\\x27 or true",
  '$1',
  '$999',
  '$$; drop table contacts; $$',
  '%',
  '_',
  '%_\\',
  '*/ or true /*',
  '{"a":1}',
  '{NULL}',
  '$.** ? (@ == "a")',
  '") ? (true) //',
  '@.a || true',
  'null',
  'c.business_id',
  'line\nbreak\ttab',
  '\u2028\u202e\uff07',
  '😀'.repeat(8),
  '1); commit; begin; --',
]

let database: TestDatabase
let businessId: Id<'business'>
let caller: Caller
const clock = new ManualClock()

before(async () => {
  database = await testDatabase()
  businessId = await newBusiness(database.db)
  caller = callerIn({ db: database.db, clock }, businessId)
  const people = hostile.map((text, n) =>
    toSave(businessId, {
      email: `p${n}@example.com`,
      name: text,
      attributes: { [text]: text, same: text },
      tags: [text],
    }),
  )
  const outcomes = await saveAll(database.db, people)
  assert.deepEqual(outcomes.filter(isRefusal), [])
})
after(() => database.drop())

/** A value that the operator accepts, with the text in it where one fits. */
function valueFor(op: Operator, text: string): unknown {
  if (op === 'exists' || op === 'missing') return undefined
  if (op === 'in' || op === 'not_in') return [text, 'other']
  if (['gt', 'gte', 'lt', 'lte'].includes(op)) return 5
  if (op === 'between') return [1, 5]
  if (['before', 'after', 'on'].includes(op)) return '2026-11-01'
  if (['within', 'older_than', 'upcoming', 'anniversary'].includes(op)) return '7 days'
  return text
}

function fieldCondition(field: string, op: Operator, text: string): Filter {
  const value = valueFor(op, text)
  return { field, op, ...(value !== undefined && { value }) } as Filter
}

/** Every condition that can hold a text, with this one in it. */
function conditionsWith(text: string): Filter[] {
  return [
    ...everyOperator.flatMap((op) => [
      fieldCondition(attributeField(text), op, text),
      fieldCondition(attributeField('same'), op, text),
    ]),
    ...(['is', 'is_not', 'in', 'not_in', 'contains', 'starts_with', 'ends_with'] as const).flatMap(
      (op) =>
        ['email', 'email_domain', 'phone', 'name', 'language', 'source'].map((field) =>
          fieldCondition(field, op, text),
        ),
    ),
    { tag: text },
    { sample: 50, seed: text },
    { did: 'message.clicked', link: `https://example.com/${encodeURIComponent(text)}?q=${text}` },
    { and: [{ tag: text }, { or: [{ tag: text }, { not: { tag: text } }] }] },
  ]
}

const textOf = (filter: Filter) =>
  compileFilter(filter, { businessId, now: clock.now(), zone: 'Europe/Paris' }).text

test('the SQL text of a filter is the same whatever the values in it are', () => {
  for (const text of hostile) {
    const plain = conditionsWith('plain')
    for (const [n, filter] of conditionsWith(text).entries()) {
      readFilter(filter)
      assert.equal(textOf(filter), textOf(plain[n] as Filter), JSON.stringify(filter))
    }
  }
})

interface Page {
  contacts: { email: string }[]
}

test('each hostile text is found as plain text, under every operator', async () => {
  const everybody = hostile.map((_, n) => `p${n}@example.com`)
  for (const [n, text] of hostile.entries()) {
    const own = `p${n}@example.com`
    const others = everybody.filter((entry) => entry !== own)
    for (const [filter, expected] of [
      [fieldCondition(attributeField('same'), 'is', text), [own]],
      [fieldCondition(attributeField('same'), 'in', text), [own]],
      [fieldCondition(attributeField('same'), 'is_not', text), others],
      [fieldCondition(attributeField('same'), 'not_in', text), others],
      [fieldCondition(attributeField(text), 'exists', text), [own]],
      [fieldCondition(attributeField(text), 'missing', text), others],
      [fieldCondition('name', 'is', text), [own]],
      [{ tag: text }, [own]],
    ] as const) {
      const page = await caller.get<Page>(contactList, { filter, limit: 100 })
      const found = page.contacts.map(({ email }) => email)
      assert.deepEqual(found.sort(), [...expected].sort(), JSON.stringify(filter))
    }
    for (const [op, holds] of [
      ['contains', (entry: string) => entry.includes(text.toLowerCase())],
      ['starts_with', (entry: string) => entry.startsWith(text.toLowerCase())],
      ['ends_with', (entry: string) => entry.endsWith(text.toLowerCase())],
    ] as const) {
      const filter = fieldCondition(attributeField('same'), op, text)
      const page = await caller.get<Page>(contactList, { filter, limit: 100 })
      const expected = everybody.filter((_, i) => holds(hostile[i]?.toLowerCase() ?? ''))
      const found = page.contacts.map(({ email }) => email)
      assert.deepEqual(found.sort(), expected.sort(), JSON.stringify(filter))
    }
  }
})

test('no hostile text breaks a preview, an explanation or a name, and no contact is lost', async () => {
  for (const text of hostile) {
    const filter = { or: conditionsWith(text).slice(0, 45) }
    const { preview } = await caller.get<{ preview: { count: number } }>(segmentSave, {
      filter,
      dry_run: true,
    })
    assert.ok(preview.count >= 1)
    const explained = await caller.get<{ count: number }>(segmentExplain, {
      filter: { and: [{ tag: text }, { not: { field: 'name', op: 'contains', value: text } }] },
    })
    assert.equal(explained.count, 0)
    if (!text.includes('\n')) {
      const saved = await caller.get<{ name: string }>(segmentSave, {
        name: text,
        filter: { tag: text },
      })
      assert.equal(saved.name, text.trim())
    }
  }
  const { fields } = await caller.get<{ fields: { field: string; contacts: number }[] }>(
    contactFieldsList,
  )
  assert.equal(fields.length, hostile.length + 1)
  assert.ok(fields.every(({ contacts }) => contacts === 1 || contacts === hostile.length))
  const all = await caller.get<Page>(contactList, { limit: 100 })
  assert.equal(all.contacts.length, hostile.length)
})

test('a text that PostgreSQL cannot store is refused before it reaches the database', async () => {
  for (const filter of [{ tag: 'a\0b' }, { field: 'attributes.a\0', op: 'exists' }]) {
    assert.equal((await caller.refused(contactList, { filter })).code, 'invalid_request')
  }
})
