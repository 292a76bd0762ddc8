import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import type { TaskForThread } from '../../../../tests/support/threads/answering.ts'
import { createThread, isStopped, type ThreadOptions } from './thread.ts'
import { createTimeBudget } from './time-budget.ts'

const module = new URL('../../../../tests/support/threads/answering.ts', import.meta.url)

function answering(options: Partial<ThreadOptions> = {}) {
  let threads = 0
  const thread = createThread<TaskForThread, string>({
    module,
    heapMb: 64,
    mostWaiting: { each: 100, all: 150 },
    data: () => `thread ${++threads}`,
    ...options,
  })
  const ask = (told: TaskForThread, deadlineMs = 5_000, tenant = 'a') => {
    return thread.ask(told, { tenant, deadlineMs })
  }
  return { ...thread, ask }
}

test('a question over its deadline has its thread stopped, and the others get a new thread', async (t) => {
  const thread = answering()
  t.after(() => thread.close())
  assert.equal(await thread.ask({ n: 0 }), 'thread 1 0')
  const questions = Array.from({ length: 20 }, (_, n) => ({ n, strangersMs: n === 7 ? 60_000 : 0 }))
  const answers = await Promise.all(questions.map((question) => thread.ask(question, 300)))
  for (const [n, answer] of answers.entries()) {
    if (n === 7) assert.ok(isStopped(answer) && answer.stopped === 'deadline')
    // Earlier questions were answered before the stop, or again after it.
    else {
      const threads = n < 7 ? ['thread 1', 'thread 2'] : ['thread 2']
      assert.ok(!isStopped(answer) && threads.some((text) => answer === `${text} ${n}`))
    }
  }
})

test('our own work and waiting for other questions do not count against a question’s deadline', async (t) => {
  const thread = answering()
  t.after(() => thread.close())
  await thread.ask({ n: 0 })
  const slow = Array.from({ length: 8 }, (_, n) => ({ n, strangersMs: 100, oursMs: 100 }))
  const answers = await Promise.all([
    thread.ask({ n: 100, oursMs: 700 }, 250),
    ...slow.map((entry) => thread.ask(entry, 500)),
  ])
  assert.deepEqual(
    answers,
    [100, 0, 1, 2, 3, 4, 5, 6, 7].map((n) => `thread 1 ${n}`),
  )
})

test('a question that finishes later does not hold up the others', async (t) => {
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

test('a warmed thread has loaded before the first question and ends if no question comes', async (t) => {
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

test('a closed thread answers no more questions and says so', async () => {
  const thread = answering()
  const asked = thread.ask({ n: 1, strangersMs: 60_000 })
  await thread.close()
  for (const answer of [await asked, await thread.ask({ n: 2 })]) {
    assert.ok(isStopped(answer) && answer.stopped === 'closed')
  }
})

test('tenants share the time evenly, however many and however slow one tenant’s questions are', async (t) => {
  const thread = answering()
  t.after(() => thread.close())
  await thread.ask({ n: 0 })
  const order: string[] = []
  const ask = async (tenant: string, n: number, strangersMs: number) => {
    await thread.ask({ n, strangersMs }, 5_000, tenant)
    order.push(tenant)
  }
  const flood = Array.from({ length: 40 }, (_, n) => ask('floods', n, 40))
  // The thread works on the first of them, and some more were already sent to it.
  await new Promise((resolve) => setTimeout(resolve, 20))
  await Promise.all(Array.from({ length: 10 }, (_, n) => ask('another', n, 1)))
  const before = order.filter((tenant) => tenant === 'floods').length
  assert.ok(before <= 6, `${before} questions of the flood were answered before the others`)
  await Promise.all(flood)
})

test('a tenant with one question at a time waits little for the questions of another tenant', async (t) => {
  const thread = answering()
  t.after(() => thread.close())
  await thread.ask({ n: 0 })
  let many = 0
  const flood = Array.from({ length: 60 }, async (_, n) => {
    await thread.ask({ n, strangersMs: 20 }, 5_000, 'many')
    many++
  })
  for (let n = 0; n < 10; n++) await thread.ask({ n, strangersMs: 20 }, 5_000, 'one')
  assert.ok(many <= 40, `10 of the one, ${many} of the many`)
  await Promise.all(flood)
})

test('the deadline counts the time that the thread computes, not elapsed time', async (t) => {
  const thread = answering()
  t.after(() => thread.close())
  await thread.ask({ n: 0 })
  assert.equal(await thread.ask({ n: 1, stillMs: 900 }, 300), 'thread 1 1')
  const from = performance.now()
  const over = await thread.ask({ n: 2, strangersMs: 60_000 }, 300)
  assert.ok(isStopped(over) && over.stopped === 'deadline')
  assert.ok(performance.now() - from >= 299, 'it had its time')
})

test('a thread that is idle for ten times its deadline is stopped nevertheless', async (t) => {
  const thread = answering()
  t.after(() => thread.close())
  await thread.ask({ n: 0 })
  const over = await thread.ask({ n: 1, stillMs: 60_000 }, 100)
  assert.ok(isStopped(over) && over.stopped === 'deadline')
  assert.equal(await thread.ask({ n: 2 }), 'thread 2 2')
})

test('the number of waiting questions is limited for each tenant and for all together', async (t) => {
  const thread = answering({ mostWaiting: { each: 3, all: 5 } })
  t.after(() => thread.close())
  await thread.ask({ n: 0 })
  const ask = (tenant: string) => thread.ask({ n: 1, strangersMs: 1 }, 5_000, tenant)
  const answers = await Promise.all('aaaabbbbc'.split('').map(ask))
  const told = answers.map((answer) => (isStopped(answer) ? answer.stopped : 'answered'))
  const [of, busy] = ['answered', 'all full']
  assert.deepEqual(told, [of, of, of, 'full', of, of, busy, busy, busy])
})

test('a tenant that has used up its budget is refused, with its waiting questions, and others are not', async (t) => {
  const thread = answering({ budget: createTimeBudget(200) })
  t.after(() => thread.close())
  await thread.ask({ n: 0 })
  const ask = (tenant: string) => thread.ask({ n: 1, strangersMs: 150 }, 5_000, tenant)
  const answers = await Promise.all('aaaaaab'.split('').map(ask))
  const told = answers.map((answer) => (isStopped(answer) ? answer.stopped : 'answered'))
  assert.equal(told.at(-1), 'answered')
  const refused = answers.filter(isStopped)
  assert.ok(refused.length >= 3 && refused.length <= 4, told.join())
  for (const { stopped, retryAfter } of refused) {
    assert.equal(stopped, 'budget')
    assert.ok(retryAfter !== undefined && retryAfter >= 1 && retryAfter <= 120)
  }
  const later = await ask('a')
  assert.ok(isStopped(later) && later.stopped === 'budget')
})

test('tenants that share a budget are refused together when it is used up, and others are not', async (t) => {
  const sharedBudget = (tenant: string) => (tenant === 'old' ? undefined : 'young')
  const thread = answering({ budget: createTimeBudget(1_000), sharedBudget })
  t.after(() => thread.close())
  await thread.ask({ n: 0 }, 5_000, 'old')
  const ask = (tenant: string) => thread.ask({ n: 1, strangersMs: 600 }, 5_000, tenant)
  const answers = await Promise.all(['a', 'b', 'c', 'd', 'old'].map(ask))
  const outcomes = answers.map((answer) => (isStopped(answer) ? answer.stopped : 'answered'))
  const shared = 'shared budget'
  assert.deepEqual(outcomes, ['answered', 'answered', shared, shared, 'answered'])
  const later = await ask('e')
  assert.ok(isStopped(later) && later.stopped === shared)
  assert.ok(later.retryAfter !== undefined && later.retryAfter >= 1 && later.retryAfter <= 120)
})

test('after a stop a tenant waits for the others and has less time, and after two it is refused', async (t) => {
  const thread = answering({ afterStop: { ms: 60_000, deadlineMs: 100 } })
  t.after(() => thread.close())
  await thread.ask({ n: 0 }, 5_000, 'b')
  const stopped = await thread.ask({ n: 1, strangersMs: 60_000 }, 300)
  assert.ok(isStopped(stopped) && stopped.stopped === 'deadline')

  // The first question that another asks keeps the thread busy until all of these wait.
  const order: string[] = []
  const ask = async (tenant: string, n: number, strangersMs: number) => {
    const answer = await thread.ask({ n, strangersMs }, 5_000, tenant)
    order.push(isStopped(answer) ? `${tenant} ${answer.stopped}` : `${tenant} ${n}`)
    return answer
  }
  const [, , , over] = await Promise.all([
    ask('b', 2, 200),
    ask('a', 3, 0),
    ask('b', 4, 200),
    ask('a', 5, 60_000),
    ask('a', 6, 0),
    ask('b', 7, 200),
  ])
  const refused = 'a after stops'
  assert.deepEqual(order, ['b 2', 'b 4', 'b 7', 'a 3', refused, refused])
  assert.ok(isStopped(over) && over.retryAfter !== undefined)
  assert.ok(over.retryAfter >= 1 && over.retryAfter <= 60)
  const later = await thread.ask({ n: 8 })
  assert.ok(isStopped(later) && later.stopped === 'after stops')
})

test('a minute after a stop, here less, a tenant is an equal of the others again', async (t) => {
  const thread = answering({ afterStop: { ms: 1_000, deadlineMs: 100 } })
  t.after(() => thread.close())
  const stop = () => thread.ask({ n: 1, strangersMs: 60_000 }, 200)
  await stop()
  await stop()
  const refused = await thread.ask({ n: 2 })
  assert.ok(isStopped(refused) && refused.stopped === 'after stops')
  await sleep(1_100)
  assert.equal(isStopped(await thread.ask({ n: 3, strangersMs: 300 }, 5_000)), false)
})

test('a question that cannot be copied to the thread fails alone, and the others are answered', async (t) => {
  const thread = answering()
  t.after(() => thread.close())
  await thread.ask({ n: 0 })
  const notCopied = { n: 1, within: () => undefined } as TaskForThread
  const answers = await Promise.allSettled([
    thread.ask({ n: 2 }),
    thread.ask(notCopied),
    thread.ask({ n: 3 }),
  ])
  assert.deepEqual(
    answers.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  assert.equal(await thread.ask({ n: 4 }), 'thread 1 4')
})
