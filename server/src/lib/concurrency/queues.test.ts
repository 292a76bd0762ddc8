import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { createQueues } from './queues.ts'

/** Tasks that end when the test tells them to. */
function works() {
  const running = new Map<string, PromiseWithResolvers<void>>()
  const begun: string[] = []
  return {
    begun,
    work: (name: string) => () => {
      begun.push(name)
      const end = Promise.withResolvers<void>()
      running.set(name, end)
      return end.promise
    },
    end: async (name: string, fault?: Error) => {
      if (fault) running.get(name)?.reject(fault)
      else running.get(name)?.resolve()
      await turnOfLoop()
    },
  }
}

test('work under one name runs one after another, in the order of its calls', async () => {
  const { begun, work, end } = works()
  const queues = createQueues()
  const all = ['a', 'b', 'c'].map((name) => queues.take('one', work(name)))
  await turnOfLoop()
  assert.deepEqual(begun, ['a'])
  await end('a')
  assert.deepEqual(begun, ['a', 'b'])
  await end('b')
  await end('c')
  await Promise.all(all)
})

test('as much work runs at once as allowed, and work under another name does not wait', async () => {
  const { begun, work, end } = works()
  const queues = createQueues(2)
  const all = ['a', 'b', 'c', 'd'].map((name) => queues.take('one', work(name)))
  all.push(queues.take('other', work('o')))
  await turnOfLoop()
  assert.deepEqual(begun, ['a', 'b', 'o'])
  await end('b')
  assert.deepEqual(begun, ['a', 'b', 'o', 'c'])
  for (const name of ['a', 'c', 'd', 'o']) await end(name)
  await Promise.all(all)
})

test('work that fails passes its turn on', async () => {
  const { begun, work, end } = works()
  const queues = createQueues()
  const failed = assert.rejects(queues.take('one', work('a')), /broke/)
  const next = queues.take('one', work('b'))
  await turnOfLoop()
  await end('a', new Error('broke'))
  assert.deepEqual(begun, ['a', 'b'])
  await end('b')
  await Promise.all([failed, next])
})
