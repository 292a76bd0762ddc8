/** The names of files that define operations, headers that name files, and the page of flaky tests. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { serverFiles, textOf } from './sources.ts'

/**
 * `campaign.list` in `list.ts`; beside another noun's `list.ts`, `suppression.list` in
 * `list-suppressions.ts`. A file with several operations bears the noun: `suppressions.ts`, or the
 * name of the one that lists what the others are about: `form.held` in `held.ts`.
 */
test('a file is named after its one operation, or after the noun of several', () => {
  const operations = serverFiles.flatMap((file) => {
    const text = textOf(file)
    if (!/\boperation\(\{\s/.test(text)) return []
    // The write of a set bears the name of its operation.
    const names = new Set(
      Array.from(text.matchAll(/^\s+name: '([a-z_]+\.[a-z_]+)',$/gm), ([, name = '']) => name),
    )
    return [...names].map((name) => {
      const [noun = '', action = ''] = name.split('.')
      return { file, noun, action }
    })
  })
  assert.ok(operations.length > 50, `only ${operations.length} operations were seen`)
  for (const [file, all] of Map.groupBy(operations, (entry) => entry.file)) {
    const stem = path.basename(file, '.ts')
    const dashed = (name: string) => name.replaceAll('_', '-')
    const fits =
      all.length === 1
        ? all.some(({ action }) => stem === dashed(action) || stem.startsWith(`${dashed(action)}-`))
        : all.every(({ noun }) => [dashed(noun), `${dashed(noun)}s`].includes(stem)) ||
          all[0]?.action === stem
    const names = all.map(({ noun, action }) => `${noun}.${action}`).join(', ')
    assert.ok(fits, `${file} defines ${names}`)
  }
})

test('no test is listed twice as flaky', () => {
  const rows = textOf('docs/flaky.md').match(/^\| \d{4}-\d\d-\d\d \|.*$/gm) ?? []
  const tests = rows.map((row) => row.slice('| 2026-01-01 '.length))
  const twice = tests.filter((row, index) => tests.indexOf(row) !== index)
  assert.deepEqual(twice, [], 'mend or remove these tests, and take them off docs/flaky.md')
})

/** A header that says in which order its folder is read. */
const readingOrder = /^\/\*\*.*(?:read the folder in|in which a reader needs them)/i

/** The files of a noun's folder that the reading order in its header leaves out. */
function leftOut(nounFile: string, header: string): string[] {
  const folder = path.dirname(nounFile)
  return serverFiles
    .filter((file) => path.dirname(file) === folder && file !== nounFile && file.endsWith('.ts'))
    .map((file) => path.basename(file))
    .filter((name) => !header.includes(`\`${name}\``))
}

test('a header that gives the reading order of a folder names each of its files', () => {
  const headers = serverFiles.flatMap((file) => {
    const text = textOf(file)
    const header = text.slice(0, text.indexOf('*/')).replaceAll(/\n \* ?/g, ' ')
    return readingOrder.test(header) ? [{ file, header }] : []
  })
  assert.ok(headers.length >= 12, `only ${headers.length} reading orders were seen`)
  const missing = headers.flatMap(({ file, header }) =>
    leftOut(file, header).map((name) => `${file}: ${name}`),
  )
  assert.deepEqual(missing, [], 'name these files where a reader needs them')
})
