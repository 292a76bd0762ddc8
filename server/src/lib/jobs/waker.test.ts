import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWaker } from './worker.ts'

test('a wait ends by itself when its time is up', async () => {
  const start = performance.now()
  await createWaker().wait(20)
  assert.ok(performance.now() - start >= 15)
})

test('an urgent wake ends the wait at once', async () => {
  const waker = createWaker()
  const waiting = waker.wait(60_000)
  waker.wake()
  await waiting
})

test('a wake before the wait is not lost, and several wakes count once', async () => {
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

test('a soft wake ends a wait after its minimum time and not before', async () => {
  const waker = createWaker()
  const start = performance.now()
  const waiting = waker.wait(60_000, 40)
  waker.wakeSoon()
  waker.wakeSoon()
  await waiting
  const took = performance.now() - start
  assert.ok(took >= 35 && took < 10_000, `${took} ms`)
})

test('a soft wake ends a wait at once if the minimum time is over or was not set', async () => {
  const waker = createWaker()
  waker.wakeSoon()
  await waker.wait(60_000, -5)
  const waiting = waker.wait(60_000)
  waker.wakeSoon()
  await waiting
})

test('an urgent wake ends a wait during which a soft wake is pending', async () => {
  const waker = createWaker()
  waker.wakeSoon()
  const waiting = waker.wait(120_000, 60_000)
  waker.wake()
  await waiting
})
