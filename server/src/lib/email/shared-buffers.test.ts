import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { collectGarbage } from '../../../../tests/support/processes/collect-garbage.ts'
import { messageIn, newBuffers, releaseBuffer, takeBuffer } from './message-buffers.ts'

test('a buffer is shared between writer and reader, and free again once released', () => {
  const buffers = newBuffers()
  const buffer = takeBuffer(buffers, 5)
  assert.ok(buffer)
  buffer.bytes.write('hello')
  const message = messageIn(buffers, buffer.n, 5)
  assert.equal(message.toString(), 'hello')
  assert.notEqual(takeBuffer(buffers, 5)?.n, buffer.n)
  releaseBuffer(message)
  assert.equal(takeBuffer(buffers, 5)?.n, buffer.n)
  // A second release does not count: the buffer may belong to another message by now.
  releaseBuffer(message)
  assert.notEqual(takeBuffer(buffers, 5)?.n, buffer.n)
})

test('shared buffers do not overlap, and are limited in number and size', () => {
  const buffers = newBuffers()
  const all = Array.from({ length: 64 }, () => takeBuffer(buffers, 64 * 1024))
  for (const [n, buffer] of all.entries()) buffer?.bytes.fill(n + 1)
  for (const [n, buffer] of all.entries()) assert.ok(buffer?.bytes.every((byte) => byte === n + 1))
  assert.equal(takeBuffer(buffers, 1), undefined)
  assert.equal(takeBuffer(newBuffers(), 64 * 1024 + 1), undefined)
})

test('the shared buffer of a garbage-collected message is freed', async () => {
  const buffers = newBuffers()
  const taken = Array.from({ length: 64 }, () => takeBuffer(buffers, 10)?.n ?? -1)
  // A function of its own, so that its values are collectable after it returns.
  const lose = () => {
    for (const n of taken) messageIn(buffers, n, 10)
  }
  lose()
  for (let tries = 0; tries < 50 && !takeBuffer(buffers, 10); tries++) {
    collectGarbage()
    await turnOfLoop()
  }
  assert.ok(takeBuffer(buffers, 10))
})
