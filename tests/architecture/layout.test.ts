/** The names of files that define operations. */
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
