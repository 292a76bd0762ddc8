import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { listenForStop, oneSignalMs } from './stop-signals.ts'

function someProgram() {
  const exits: number[] = []
  const program = Object.assign(new EventEmitter(), { exit: (code: number) => exits.push(code) })
  let now = 1_000
  const signals = listenForStop(program, () => now)
  return {
    exits,
    signals,
    program,
    signal(name: string, at: number) {
      now = 1_000 + at
      program.emit(name, name)
    },
  }
}

test('signals within two seconds count as one, and a later one ends the process at once', async () => {
  const { exits, signals, signal } = someProgram()
  let done = 0
  signals.beforeEnd(async () => void done++)
  assert.equal(signals.stopSignal.aborted, false)
  signal('SIGINT', 0)
  assert.equal(signals.stopSignal.reason, 'SIGINT')
  signal('SIGINT', 1)
  signal('SIGTERM', oneSignalMs - 1)
  await sleep(1)
  assert.deepEqual([exits, done], [[], 0])
  signal('SIGINT', oneSignalMs)
  // npm forwards the same signal as well.
  signal('SIGINT', oneSignalMs + 1)
  await sleep(1)
  assert.deepEqual([exits, done], [[130], 1])
})

test('a second signal ends the process even if the shutdown work hangs or fails', async () => {
  for (const work of [() => new Promise<void>(() => {}), () => Promise.reject(new Error('no'))]) {
    const { exits, signals, signal } = someProgram()
    signals.beforeEnd(work)
    signal('SIGTERM', 0)
    signal('SIGHUP', oneSignalMs)
    for (let i = 0; i < 300 && exits.length === 0; i++) await sleep(10)
    assert.deepEqual(exits, [129])
  }
})

test('after stopListening, no signal listeners remain', () => {
  const { program, signals } = someProgram()
  signals.stopListening()
  assert.deepEqual(program.eventNames(), [])
})

test('where SIGHUP means something else, it requests no stop', () => {
  const program = Object.assign(new EventEmitter(), { exit: () => {} })
  const signals = listenForStop(program, () => 0, { exceptHangup: true })
  assert.deepEqual(program.eventNames(), ['SIGINT', 'SIGTERM'])
  signals.stopListening()
  assert.deepEqual(program.eventNames(), [])
})
