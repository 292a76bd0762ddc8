import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createOverlap } from './overlap.ts'

/** A row with a position under a lock, which each transaction moves by one. */
function positionUnderLock() {
  let position = 0
  let free = Promise.resolve()
  const stored = { commits: [] as number[], attempts: [] as number[] }
  return {
    stored,
    /** Commits as number `n` only after `n - 1`, as a chunk does whose bytes follow another's. */
    async commit(n: number, { sent, fails = false }: { sent: () => void; fails?: boolean }) {
      stored.attempts.push(n)
      const { promise, resolve } = Promise.withResolvers<void>()
      const before = free
      free = promise
      try {
        await before
        if (position !== n) return false
        sent()
        await sleep(5)
        if (fails) throw new Error('division by zero')
        position++
        stored.commits.push(n)
        return true
      } finally {
        resolve()
      }
    },
  }
}

test('transactions commit in their order, each begun while the one before it commits', async () => {
  const { commit, stored } = positionUnderLock()
  const overlap = createOverlap()
  let open = 0
  let most = 0
  for (let n = 0; n < 20; n++) {
    assert.equal(
      await overlap.run(async (sent) => {
        most = Math.max(most, ++open)
        const saved = await commit(n, { sent })
        open--
        return saved
      }),
      true,
    )
  }
  assert.equal(await overlap.end(), true)
  assert.deepEqual(
    stored.commits,
    Array.from({ length: 20 }, (_, n) => n),
  )
  assert.equal(stored.attempts.length, 20)
  assert.equal(most, 2)
})

test('a transaction behind one that is repeated is attempted once more, and loses nothing', async () => {
  const { commit, stored } = positionUnderLock()
  const overlap = createOverlap()
  for (let n = 0; n < 10; n++) {
    const fails = n % 3 === 1
    await overlap.run(async (sent) => {
      try {
        return await commit(n, { sent, fails })
      } catch {
        // The repeat comes later than the transaction that waits for the lock.
        await sleep(20)
        return commit(n, { sent })
      }
    })
  }
  assert.equal(await overlap.end(), true)
  assert.deepEqual(
    stored.commits,
    Array.from({ length: 10 }, (_, n) => n),
  )
  assert.ok(stored.attempts.length > 13, 'some were attempted a second time')
})

test('after one that another worker has overtaken, nothing is saved', async () => {
  const { commit, stored } = positionUnderLock()
  const overlap = createOverlap()
  assert.equal(await overlap.run((sent) => commit(0, { sent })), true)
  assert.equal(await overlap.run((sent) => commit(5, { sent })), true, 'the one before it is saved')
  assert.equal(await overlap.run((sent) => commit(6, { sent })), false)
  assert.equal(await overlap.end(), false)
  assert.deepEqual(stored.commits, [0])
})

test('an error of a transaction reaches the one after it, and the end', async () => {
  const { commit } = positionUnderLock()
  const overlap = createOverlap()
  await overlap.run((sent) => commit(0, { sent, fails: true }))
  await assert.rejects(
    overlap.run((sent) => commit(1, { sent })),
    /division by zero/,
  )
  await assert.rejects(overlap.end(), /division by zero/)
})
