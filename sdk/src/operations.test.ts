import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operationsOver } from './generated/operations.ts'

type Called = [name: string, args: object | undefined, options: object | undefined]

function recorded(): {
  called: Called[]
  call: <T>(...args: [string, object?, object?]) => Promise<T>
} {
  const called: Called[] = []
  return {
    called,
    call: async <T>(name: string, args?: object, options?: object) => {
      called.push([name, args, options])
      return { name } as T
    },
  }
}

test('each method calls its own operation with its arguments and options', async () => {
  const { called, call } = recorded()
  const { signal } = new AbortController()
  const operations = operationsOver(call)
  await operations.meta.changes({ limit: 7 }, { signal })
  assert.deepEqual(called, [['meta.changes', { limit: 7 }, { signal }]])
})

test('every method calls the operation of its name, and can be called without optional arguments', async () => {
  const { called, call } = recorded()
  for (const [noun, verbs] of Object.entries(operationsOver(call))) {
    for (const [verb, method] of Object.entries(verbs as Record<string, (i?: object) => unknown>)) {
      await method()
      assert.equal(called.at(-1)?.[0], `${noun}.${verb}`)
    }
  }
  assert.ok(called.length >= 4)
})

test('the results and arguments of operations are typed', async () => {
  const { call } = recorded()
  const operations = operationsOver(call)
  const answer = await operations.meta.changes({ types: ['form.submitted'] })
  const cursor: string = answer.next_cursor
  assert.equal(cursor, undefined)
  // @ts-expect-error: there is no such type of event.
  await operations.meta.changes({ types: ['form.nonsense'] })
})
