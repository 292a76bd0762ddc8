import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { singleLine } from './single-line.ts'

test('a text is composed, and has single spaces, whether it was so before or not', () => {
  const unit = fc.constantFrom(
    'a',
    'Z',
    '~',
    '!',
    ' ',
    '\t',
    '\n',
    '\u00a0',
    '\u007f',
    'é',
    'e\u0301',
  )
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      const words = text.normalize('NFC').split(/\s+/u).filter(Boolean)
      assert.equal(singleLine(text), words.join(' '))
    }),
  )
})
