import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { createPause } from './reader.ts'

test('nothing passes during a pause, and what waits passes after it', async () => {
  const pause = createPause()
  await pause.pass()
  const order: string[] = []
  const work = Promise.withResolvers<void>()
  const pausing = pause.during(async () => {
    await work.promise
    order.push('worked')
  })
  const passing = pause.pass().then(() => order.push('passed'))
  for (let turn = 0; turn < 5; turn++) await turnOfLoop()
  assert.deepEqual(order, [])
  work.resolve()
  await Promise.all([pausing, passing])
  assert.deepEqual(order, ['worked', 'passed'])
})

test('work that throws ends the pause too', async () => {
  const pause = createPause()
  const failing = pause.during(() => Promise.reject(new Error('of the work')))
  await assert.rejects(failing, /of the work/)
  await pause.pass()
})
