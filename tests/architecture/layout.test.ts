/** The size limits of files and folders, and the names of files. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { filesBelow, isTest, serverFiles, textOf } from './sources.ts'

const workspaces = ['server', 'sdk', 'cli', 'web', 'tests', 'bench', 'scripts', 'examples']

test('no source file is longer than 300 lines, and the median is at most 100', () => {
  const files = workspaces.flatMap(filesBelow)
  const lengths = files.map((file) => ({ file, lines: textOf(file).split('\n').length - 1 }))
  const long = lengths.filter(({ lines }) => lines > 300)
  assert.deepEqual(long, [])
  const code = lengths
    .filter(({ file }) => !isTest(file) && !file.startsWith('tests/'))
    .map(({ lines }) => lines)
    .sort((a, b) => a - b)
  const median = code[code.length >> 1] ?? 0
  assert.ok(median <= 100, `the median file has ${median} lines`)
})

test('no folder holds more than 20 source files, not counting tests', () => {
  const sources = workspaces.flatMap(filesBelow).filter((file) => !isTest(file))
  const folders = Map.groupBy(sources, (file) => path.dirname(file))
  assert.ok(folders.size > 100, `only ${folders.size} folders were seen`)
  const crowded = [...folders].filter(([, files]) => files.length > 20)
  assert.deepEqual(
    crowded.map(([folder, files]) => `${folder}: ${files.length}`),
    [],
    'sort its files into folders by what they are for',
  )
})

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
