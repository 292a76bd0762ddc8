/** The languages in which the service speaks to recipients are the same wherever they are listed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recipientLanguages } from 'crier-server/core/recipient-words/languages.ts'
import { textOf } from './sources.ts'

/** The tags between the brackets that follow the first match. */
function listIn(file: string, beginning: RegExp): string[] {
  const text = textOf(file)
  const start = text.search(beginning)
  assert.ok(start >= 0, `${file} has no list ${beginning}`)
  const list = text.slice(text.indexOf('[', start), text.indexOf(']', start))
  return [...list.matchAll(/'([a-z]{2})'/g)].map(([, tag = '']) => tag)
}

test('the app offers the languages in which the service speaks to recipients', () => {
  const expected = recipientLanguages.toSorted()
  assert.deepEqual(
    listIn('web/src/parts/recipient-languages.ts', /const recipientTags =/),
    expected,
  )
})
