/** Each statement of docs/contract.md names tests that exist, by file and name. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { filesBelow, textOf } from './sources.ts'

const root = path.join(import.meta.dirname, '../..')
const page = textOf('docs/contract.md')

interface Statement {
  number: string
  tests: { file: string; name: string }[]
}

const statements: Statement[] = page
  .split(/^- \*\*/m)
  .slice(1)
  .map((text) => ({
    number: /^\d+\.\d+/.exec(text)?.[0] ?? '',
    tests: [...text.matchAll(/^ {2}- `(\S+)`: (.+)$/gm)].map(([, file = '', name = '']) => ({
      file,
      name,
    })),
  }))

/** Whether the file defines a test of this name, in whatever quotes. */
function isTested({ file, name }: { file: string; name: string }): boolean {
  if (!existsSync(path.join(root, file))) return false
  const text = textOf(file)
  return ["'", '"', '`'].some((quote) => text.includes(`test(${quote}${name}${quote}`))
}

test('each statement of the contract is held by tests that exist', () => {
  assert.ok(statements.length > 50, `only ${statements.length} statements were seen`)
  for (const { number, tests } of statements) {
    assert.ok(tests.length > 0, `${number} names no test`)
    const missing = tests.filter((named) => !isTested(named))
    assert.deepEqual(missing, [], `${number}: mend the file or the name in docs/contract.md`)
  }
})

test('the statements of the contract are numbered by their sections, without gaps', () => {
  const sections = page.split(/^## /m).slice(1)
  const expected = sections.flatMap((section, index) =>
    (section.match(/^- \*\*/gm) ?? []).map((_, at) => `${index + 1}.${at + 1}`),
  )
  assert.deepEqual(
    statements.map(({ number }) => number),
    expected,
  )
})

test('a comment cites the contract by the number of a statement or section', () => {
  const numbers = new Set(statements.map(({ number }) => number))
  const sections = new Set([...numbers].map((number) => number.split('.', 1)[0]))
  const files = ['server/src', 'sdk/src', 'cli/src', 'web/src'].flatMap(filesBelow)
  const wrong = files.flatMap((file) =>
    [
      ...textOf(file).matchAll(
        /\bcontract,\s+(?:\*\s+)?"|\bcontract(?:\s+\*)?\s+(\d[\d.]*\d|\d)\b/gi,
      ),
    ]
      .filter(([, cited]) => cited === undefined || !(numbers.has(cited) || sections.has(cited)))
      .map(([text]) => `${file}: ${text}`),
  )
  assert.deepEqual(wrong, [], 'cite a number of docs/contract.md, such as "contract 10.5"')
})

test('a test that does not exist is noticed', () => {
  const file = path.relative(root, import.meta.filename)
  assert.ok(isTested({ file, name: 'a test that does not exist is noticed' }))
  assert.ok(!isTested({ file, name: 'a test that is not here' }))
  assert.ok(!isTested({ file: 'tests/none.test.ts', name: 'a test' }))
})
