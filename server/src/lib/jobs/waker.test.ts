import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWaker } from './waker.ts'

test('a wait ends by itself when its time is up', async () => {
  const start = performance.now()
  await createWaker().wait(20)
  assert.ok(performance.now() - start >= 15)
})

test('news ends the wait at once', async () => {
  const waker = createWaker()
  const waiting = waker.wait(60_000)
  waker.wake()
  await waiting
})

test('news that came before the wait is not lost, and counts once', async () => {
  const waker = createWaker()
  waker.wake()
  waker.wake()
  await waker.wait(60_000)
  let ended = false
  const second = waker.wait(60_000).then(() => {
    ended = true
  })
  await new Promise((wake) => setImmediate(wake))
  assert.equal(ended, false)
  waker.wake()
  await second
})

test('news that may gather ends a wait when its least time is over, and not before', async () => {
  const waker = createWaker()
  const start = performance.now()
  const waiting = waker.wait(60_000, 40)
  waker.wakeSoon()
  waker.wakeSoon()
  await waiting
  const took = performance.now() - start
  assert.ok(took >= 35 && took < 10_000, `${took} ms`)
})

test('news that may gather does not wait where the least time is over, or was none', async () => {
  const waker = createWaker()
  waker.wakeSoon()
  await waker.wait(60_000, -5)
  const waiting = waker.wait(60_000)
  waker.wakeSoon()
  await waiting
})

test('news at once ends a wait in which other news gathers', async () => {
  const waker = createWaker()
  waker.wakeSoon()
  const waiting = waker.wait(120_000, 60_000)
  waker.wake()
  await waiting
})
