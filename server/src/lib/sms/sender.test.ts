import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRefusal } from '../../core/errors.ts'
import { canBeAnswered, readSmsSender } from './sender.ts'

test('phone numbers, short codes, names and messaging services are valid senders', () => {
  const service = `MG${'0a'.repeat(16)}`
  const fine = [
    ['+33 6 12 34 56 78', '+33612345678'],
    [' 12345 ', '12345'],
    ['Shop 24', 'Shop 24'],
    ['x'.repeat(11), 'x'.repeat(11)],
    [service, service],
  ] as const
  for (const [typed, read] of fine) assert.equal(readSmsSender(typed), read)
})

test('any other sender is refused, and the refusal says what is valid', () => {
  for (const typed of ['', '12', '123456789', '+1', 'x'.repeat(12), 'Café', 'a\nb', '...']) {
    const read = readSmsSender(typed)
    assert.ok(isRefusal(read) && /short code/.test(read.message), typed)
  }
})

test('texts from a name cannot be answered', () => {
  assert.equal(canBeAnswered('Shop'), false)
  for (const sender of ['+33612345678', '12345', `MG${'0a'.repeat(16)}`]) {
    assert.equal(canBeAnswered(sender), true)
  }
})
