/** Words that code and pages replaced by the field's terms; docs/architecture.md has the glossary. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { pages } from '../docs/fences.ts'
import { filesBelow, textOf } from './sources.ts'

const folders = ['server', 'sdk', 'cli', 'web', 'bench', 'scripts', 'tests', 'examples']

/** This file names the retired words. */
const self = path.join('tests/architecture', path.basename(import.meta.filename))
const sources = folders.flatMap(filesBelow).filter((file) => file !== self)

/** Each retired word as it may appear in a name or a comment, with the term that replaces it. */
const retired: readonly (readonly [RegExp, string])[] = [
  [/\bfar[ -]?ends?\b/i, 'remote server'],
  [/parcel/i, 'prepared message'],
  [/letterhead/i, 'sender profile'],
  [/way-?out/i, 'unsubscribe link, or check'],
  [/scatter/i, 'split batch'],
  [/\bobey/i, 'handle a keyword'],
  [/\btake(Text|Mail|Reports)\b/, 'receiveSms, ingestBounce, ingestReports'],
  [/taken?Apart|taken apart/, 'split, parse'],
  [/askedApart|asked apart/, 'evaluate each condition by itself'],
  [/openOut|opened out/, 'expand'],
  [/sayable/i, 'renderable'],
  [/give-?back/i, 'trim memory'],
  [/presum(e|ing)/i, 'optimistic'],
  [/\bblind\b/, 'pipelined'],
  [/\bparked\b|laid aside/, 'dead'],
]

/** Types are named for what they are; these words say nothing about that. */
const emptyTypeNames =
  /\b(?:interface|type|class)\s+(Asked|Asking|Given|Those|These|One|Placed|Whom|Whose|Theirs|Heard|Fate|Bag|Held|Lost|Cut|Kept|Taken|Before|Where|When|Way)\b/

test('no file, name, comment, name of a test or page uses a retired word', () => {
  for (const folder of [...folders, 'web/src']) {
    assert.ok(
      sources.some((file) => file.startsWith(`${folder}/`)),
      `no file of ${folder} was seen`,
    )
  }
  assert.ok(pages.length > 10, 'the pages for readers were not seen')
  const found = [...sources, ...pages].flatMap((file) => {
    // The name of the file counts as text, too.
    const lines = [path.basename(file), ...textOf(file).split('\n')]
    return lines.flatMap((line, i) =>
      retired
        .filter(([word]) => word.test(line))
        .map(([word, term]) => `${file}:${i} has ${word}: write ${term}`),
    )
  })
  assert.deepEqual(found, [])
})

test('no type has a name that says nothing about it', () => {
  const found = sources.flatMap((file) => {
    const name = emptyTypeNames.exec(textOf(file))?.[1]
    return name === undefined ? [] : [`${file}: ${name}`]
  })
  assert.deepEqual(found, [])
})

test('retired words are detected in a name, a comment and a type', () => {
  const sample = 'const openOut = 1 // at the far end\ninterface Asked {'
  const words = retired.filter(([word]) => word.test(sample)).map(([, term]) => term)
  assert.deepEqual(words, ['remote server', 'expand'])
  assert.equal(emptyTypeNames.exec(sample)?.[1], 'Asked')
})
