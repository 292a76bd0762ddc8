import assert from 'node:assert/strict'
import { test } from 'node:test'
import { giveBack, roomFor } from './message-buffers.ts'

test('what was given back is used again, as long as the message that asks', () => {
  const first = roomFor(30_000)
  giveBack(first)
  const second = roomFor(20)
  assert.equal(second.length, 20)
  assert.equal(second.buffer, first.buffer)
})

test('messages in hand never share room', () => {
  const inHand = Array.from({ length: 200 }, () => roomFor(1_000))
  assert.equal(new Set(inHand.map(({ buffer }) => buffer)).size, 200)
  for (const message of inHand) giveBack(message)
  const again = Array.from({ length: 200 }, () => roomFor(1_000))
  assert.equal(new Set(again.map(({ buffer }) => buffer)).size, 200)
})

test('given back twice it is there once', () => {
  const message = roomFor(1_000)
  giveBack(message)
  giveBack(message)
  assert.notEqual(roomFor(1_000).buffer, roomFor(1_000).buffer)
})

test('large messages, and buffers of others, are not kept', () => {
  const large = roomFor(65 * 1024)
  assert.equal(large.length, 65 * 1024)
  giveBack(large)
  const other = Buffer.from('a message that somebody else made')
  giveBack(other)
  const next = roomFor(10)
  assert.notEqual(next.buffer, large.buffer)
  assert.notEqual(next.buffer, other.buffer)
})
