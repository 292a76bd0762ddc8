import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lazily } from './lazily.ts'

test('a lazy part is created once, at its first use, for all concurrent callers', async () => {
  let made = 0
  const part = lazily(async () => ++made)
  assert.equal(made, 0)
  assert.deepEqual(await Promise.all([part.get(), part.get()]), [1, 1])
  assert.equal(await part.get(), 1)
})

test('a failed creation is not cached', async () => {
  let tries = 0
  const part = lazily(async () => {
    if (++tries === 1) throw new Error('not yet')
    return tries
  })
  await assert.rejects(part.get(), /not yet/)
  assert.equal(await part.get(), 2)
})

test('a part that was never used is not created in order to be closed', async () => {
  let made = 0
  const closed: number[] = []
  const part = lazily(async () => ++made)
  const close = () => part.ifMade(async (n) => void closed.push(n))
  await close()
  assert.deepEqual([made, closed], [0, []])
  await part.get()
  await close()
  assert.deepEqual(closed, [1])
})
