import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLog } from '../../../../tests/support/silent-log.ts'
import { stoppable } from './stop-signals.ts'

function someService(asked = new AbortController()) {
  const done: string[] = []
  const { promise: drained, resolve: endDrain } = Promise.withResolvers<void>()
  const running = stoppable({
    drain() {
      done.push('drain')
      return drained
    },
    async close() {
      done.push('close')
    },
    async giveUp() {
      done.push('give up')
    },
    stopSignal: asked.signal,
    stopMs: 50,
    log: silentLog,
  })
  return { running, asked, done, endDrain }
}

test('a signal has it drain before it closes, however long that takes beside its limit', async () => {
  const { running, asked, done, endDrain } = someService()
  asked.abort('SIGTERM')
  await new Promise((resolve) => setTimeout(resolve, 200))
  assert.deepEqual(done, ['drain'])
  endDrain()
  await running.stopped
  assert.deepEqual(done, ['drain', 'close'])
})

test('who stops it by hand, or while it starts, has nobody to drain', async () => {
  const byHand = someService()
  await byHand.running.stop()
  assert.deepEqual(byHand.done, ['close'])
  const asked = new AbortController()
  asked.abort('SIGTERM')
  const early = someService(asked)
  await early.running.stopped
  assert.deepEqual(early.done, ['close'])
})
