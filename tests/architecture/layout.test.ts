/** The names of files that define operations, and the page of flaky tests. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { serverFiles, textOf } from './sources.ts'

/** `campaign.list` in `list.ts`; with more nouns, `suppression.list` in `list-suppressions.ts`. */
test('the file of an operation is named after its action', () => {
  const operations = serverFiles.flatMap((file) => {
    const text = textOf(file)
    if (!/\boperation\(\{\s/.test(text)) return []
    const names = [...text.matchAll(/^\s+name: '([a-z]+)\.([a-z_]+)',$/gm)]
    return names.map(([name = '', , action = '']) => ({ file, name: name.trim(), action }))
  })
  assert.ok(operations.length > 50, `only ${operations.length} operations were seen`)
  for (const { file, name, action } of operations) {
    const stem = path.basename(file, '.ts')
    const wanted = action.replaceAll('_', '-')
    assert.ok(stem === wanted || stem.startsWith(`${wanted}-`), `${file} defines ${name}`)
  }
})

test('no test is listed twice as flaky', () => {
  const rows = textOf('docs/flaky.md').match(/^\| \d{4}-\d\d-\d\d \|.*$/gm) ?? []
  const tests = rows.map((row) => row.slice('| 2026-01-01 '.length))
  const twice = tests.filter((row, index) => tests.indexOf(row) !== index)
  assert.deepEqual(twice, [], 'mend or remove these tests, and take them off docs/flaky.md')
})
