import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import type { Told } from '../../../tests/support/threads/answering.ts'
import { createThread, isStopped, type ThreadOptions } from './thread.ts'

const module = new URL('../../../tests/support/threads/answering.ts', import.meta.url)

function answering(options: Partial<ThreadOptions> = {}) {
  let threads = 0
  const thread = createThread<Told, string>({
    module,
    heapMb: 64,
    data: () => `thread ${++threads}`,
    ...options,
  })
  return { ...thread, ask: (told: Told, ms = 5_000) => thread.ask(told, ms) }
}

test('a question that takes too long has its thread stopped, and the others a new one', async (t) => {
  const thread = answering()
  t.after(() => thread.close())
  assert.equal(await thread.ask({ n: 0 }), 'thread 1 0')
  const questions = Array.from({ length: 20 }, (_, n) => ({ n, strangersMs: n === 7 ? 60_000 : 0 }))
  const answers = await Promise.all(questions.map((one) => thread.ask(one, 300)))
  for (const [n, answer] of answers.entries()) {
    if (n === 7) assert.ok(isStopped(answer) && answer.stopped === 'deadline')
    // Those in front may have been answered before, or once more.
    else {
      const threads = n < 7 ? ['thread 1', 'thread 2'] : ['thread 2']
      assert.ok(!isStopped(answer) && threads.some((one) => answer === `${one} ${n}`))
    }
  }
})

test('work of our own takes no time of the question, and waiting for others does not', async (t) => {
  const thread = answering()
  t.after(() => thread.close())
  await thread.ask({ n: 0 })
  const slow = Array.from({ length: 8 }, (_, n) => ({ n, strangersMs: 100, oursMs: 100 }))
  const answers = await Promise.all([
    thread.ask({ n: 100, oursMs: 700 }, 250),
    ...slow.map((one) => thread.ask(one, 500)),
  ])
  assert.deepEqual(
    answers,
    [100, 0, 1, 2, 3, 4, 5, 6, 7].map((n) => `thread 1 ${n}`),
  )
})

test('what others finish later holds nobody up', async (t) => {
  const thread = answering()
  t.after(() => thread.close())
  const order: number[] = []
  await Promise.all(
    [{ n: 1, laterMs: 300 }, { n: 2, laterMs: 1 }, { n: 3 }].map(async (told) => {
      assert.equal(await thread.ask(told), `thread 1 ${told.n}`)
      order.push(told.n)
    }),
  )
  assert.equal(order.at(-1), 1)
})

test('one that was warmed has loaded before the first question, and ends if none comes', async (t) => {
  const thread = answering({ idleMs: 500 })
  t.after(() => thread.close())
  const started: Worker[] = []
  const note = (worker: Worker) => void started.push(worker)
  process.on('worker', note)
  t.after(() => process.off('worker', note))
  thread.warm()
  thread.warm()
  assert.equal(await thread.ask({ n: 1 }), 'thread 1 1')
  thread.warm()
  assert.equal(started.length, 1)
  const [first] = started
  assert.ok(first)
  await once(first, 'exit')
  assert.equal(await thread.ask({ n: 2 }), 'thread 2 2')
})

test('a thread that was closed answers no more, and says so', async () => {
  const thread = answering()
  const asked = thread.ask({ n: 1, strangersMs: 60_000 })
  await thread.close()
  for (const answer of [await asked, await thread.ask({ n: 2 })]) {
    assert.ok(isStopped(answer) && answer.stopped === 'closed')
  }
})
