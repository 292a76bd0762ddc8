import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import v8 from 'node:v8'
import { runInNewContext } from 'node:vm'
import { trimMemory } from './message-buffers.ts'
import { messageIn, newBuffers, takeBuffer } from './shared-buffers.ts'

test('what one writes the other reads, and a buffer is free again once it was left', () => {
  const buffers = newBuffers()
  const buffer = takeBuffer(buffers, 5)
  assert.ok(buffer)
  buffer.bytes.write('hello')
  const message = messageIn(buffers, buffer.n, 5)
  assert.equal(message.toString(), 'hello')
  assert.notEqual(takeBuffer(buffers, 5)?.n, buffer.n)
  trimMemory(message)
  assert.equal(takeBuffer(buffers, 5)?.n, buffer.n)
  // Said twice it counts once: the buffer is another message's by now.
  trimMemory(message)
  assert.notEqual(takeBuffer(buffers, 5)?.n, buffer.n)
})

test('buffers do not touch, and there are so many and so large', () => {
  const buffers = newBuffers()
  const all = Array.from({ length: 64 }, () => takeBuffer(buffers, 64 * 1024))
  for (const [n, buffer] of all.entries()) buffer?.bytes.fill(n + 1)
  for (const [n, buffer] of all.entries()) assert.ok(buffer?.bytes.every((byte) => byte === n + 1))
  assert.equal(takeBuffer(buffers, 1), undefined)
  assert.equal(takeBuffer(newBuffers(), 64 * 1024 + 1), undefined)
})

test('a message that nobody holds any more leaves its buffer by itself', async () => {
  v8.setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  const buffers = newBuffers()
  const taken = Array.from({ length: 64 }, () => takeBuffer(buffers, 10)?.n ?? -1)
  // Within a function of its own, whose values are gone with it.
  const lose = () => {
    for (const n of taken) messageIn(buffers, n, 10)
  }
  lose()
  for (let tries = 0; tries < 50 && !takeBuffer(buffers, 10); tries++) {
    gc()
    await turnOfLoop()
  }
  assert.ok(takeBuffer(buffers, 10))
})
