import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownBuffer, releaseBuffer } from './message-buffers.ts'

test('a returned buffer is reused, at the length of the new message', () => {
  const first = ownBuffer(30_000)
  releaseBuffer(first)
  const second = ownBuffer(20)
  assert.equal(second.length, 20)
  assert.equal(second.buffer, first.buffer)
})

test('messages in use never share a buffer', () => {
  const inHand = Array.from({ length: 200 }, () => ownBuffer(1_000))
  assert.equal(new Set(inHand.map(({ buffer }) => buffer)).size, 200)
  for (const message of inHand) releaseBuffer(message)
  const again = Array.from({ length: 200 }, () => ownBuffer(1_000))
  assert.equal(new Set(again.map(({ buffer }) => buffer)).size, 200)
})

test('a buffer returned twice is available only once', () => {
  const message = ownBuffer(1_000)
  releaseBuffer(message)
  releaseBuffer(message)
  assert.notEqual(ownBuffer(1_000).buffer, ownBuffer(1_000).buffer)
})

test('large and foreign buffers are not kept for reuse', () => {
  const large = ownBuffer(65 * 1024)
  assert.equal(large.length, 65 * 1024)
  releaseBuffer(large)
  const other = Buffer.from('a message that somebody else made')
  releaseBuffer(other)
  const next = ownBuffer(10)
  assert.notEqual(next.buffer, large.buffer)
  assert.notEqual(next.buffer, other.buffer)
})
