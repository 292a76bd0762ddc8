import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commonWords } from './common-words.ts'

const same = (texts: readonly string[], expected: string) => {
  for (const [n, text] of texts.entries()) {
    assert.equal(commonWords(text, `ana.smith${n}@bakery.de`), expected)
  }
}

test('refusals that differ only by ids, addresses and hosts have the same common words', () => {
  same(
    [
      '550-5.7.26 Your email was blocked, because the sender is unauthenticated. 5b1f17b1804b1-43d1 - gsmtp',
      '550-5.7.26 Your email was blocked, because the sender is unauthenticated. ffacd0b85a97d-38 - gsmtp',
    ],
    '550-5.7.26 Your email was blocked, because the sender is unauthenticated. … - gsmtp',
  )
  same(
    [
      '554 5.7.1 <ana.smith0@bakery.de>: [192.0.2.1] is listed',
      '554 5.7.1 <ana.smith1@bakery.de>: [192.0.2.77] is listed',
    ],
    '554 5.7.1 … is listed',
  )
})

test('the recipient is left out, however the server writes the name', () => {
  const words = commonWords(
    '552 mailbox of ANA.SMITH is full, see user=ana.smith',
    'ana.smith@x.de',
  )
  assert.equal(words, '552 mailbox of … is full, see …')
})

test('a text without an end is read and kept to a limit', () => {
  const words = commonWords('spam '.repeat(1_000_000), 'a@x.de')
  assert.equal(words.length, 160)
  assert.ok(words.endsWith('…'))
  assert.equal(commonWords('a'.repeat(5_000), 'b@x.de'), '…')
})
