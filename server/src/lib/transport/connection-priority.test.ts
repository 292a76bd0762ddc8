import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { createConnectionPriority } from './connection-priority.ts'

/** Takes connections and holds them until the test ends; `held` has the names of the holders. */
function holders(lines: number) {
  const turns = createConnectionPriority(lines)
  const held: string[] = []
  const never = new Promise<void>(() => {})
  return {
    held,
    async take(turn: 'urgent' | 'normal' | 'bulk', name: string) {
      void turns.take(turn, () => {
        held.push(name)
        return never
      })
      await turnOfLoop()
    },
  }
}

test('bulk mail leaves one connection free for other mail', async () => {
  const { held, take } = holders(3)
  for (const name of ['news 1', 'news 2', 'news 3']) await take('bulk', name)
  assert.deepEqual(held, ['news 1', 'news 2'])
  await take('normal', 'receipt 1')
  await take('normal', 'receipt 2')
  assert.deepEqual(held, ['news 1', 'news 2', 'receipt 1'])
  await take('urgent', 'sign-in link')
  assert.equal(held.at(-1), 'sign-in link')
})

test('other mail may use all connections, and a single connection is open to every kind of mail', async () => {
  const many = holders(2)
  for (const name of ['one', 'two', 'three']) await many.take('normal', name)
  assert.deepEqual(many.held, ['one', 'two'])
  const single = holders(1)
  await single.take('bulk', 'news')
  assert.deepEqual(single.held, ['news'])
})
