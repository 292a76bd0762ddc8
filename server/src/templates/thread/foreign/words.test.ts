import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plain, Words } from './words.ts'

const bold = { ...plain, bold: true }

test('words keep their marks, and signs with a meaning lose it', () => {
  const words = new Words()
  words.add([{ words: 'A ' }, { field: '{{ contact.name }}' }], plain)
  words.add([{ words: ' is  ' }], plain)
  words.add([{ words: 'very ' }], bold)
  words.add([{ words: 'g*od [x] \\* a\\b' }], { ...plain, italic: true, underline: true })
  words.break()
  words.add([{ words: ' next' }], { ...bold, href: 'https://e.com' })
  words.endParagraph()
  words.add([{ words: '  ' }], plain)
  words.endParagraph()
  words.add([{ words: 'See ' }, { slot: '[[X]]' }], { ...plain, href: 'https://e.com' })
  assert.deepEqual(words.take(), [
    'A {{ contact.name }} is [very]{b} [g\\*od \\[x\\] \\\\\\* a\\b]{i u}\n[next](https://e.com){b}',
    '[[X]] [See](https://e.com)',
  ])
  assert.deepEqual(words.take(), [])
})
