import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAllowance } from './queues.ts'

const rules = { bytesPerSecond: 10_000, muchBytes: 500 }

/** The milliseconds until each began, and the most that ran at once. */
async function beginnings(works: { name: string; bytes: number; after?: number | 'the first' }[]) {
  const allowance = createAllowance(rules)
  const from = performance.now()
  let running = 0
  let most = 0
  const ended = Promise.withResolvers<void>()
  const begun = await Promise.all(
    works.map(async ({ name, bytes, after = 0 }) => {
      if (after === 'the first') await ended.promise
      else await sleep(after)
      const work = async () => {
        const at = performance.now() - from
        most = Math.max(most, ++running)
        await sleep(10)
        running--
        // It is counted in the same turn.
        setImmediate(ended.resolve)
        return at
      }
      return allowance.take(name, work, () => bytes)
    }),
  )
  return { begun, most }
}

test('work after a large amount waits until that is worked off, one after the other', async () => {
  const much = { name: 'a', bytes: 1_000 }
  const { begun, most } = await beginnings([
    much,
    ...Array.from({ length: 3 }, () => ({ ...much, after: 'the first' as const })),
  ])
  const [first = 0, ...later] = begun
  assert.ok(first < 400, begun.join(', '))
  for (const [n, at] of later.entries()) assert.ok(at >= 105 * (n + 1), begun.join(', '))
  assert.equal(most, 1)
})

test('work under another name, or after a small amount, does not wait', async () => {
  const { begun } = await beginnings([
    { name: 'a', bytes: 20_000 },
    { name: 'b', bytes: 499, after: 40 },
    { name: 'b', bytes: 499, after: 80 },
  ])
  for (const at of begun) assert.ok(at < 400, begun.join(', '))
})

test('an amount exactly at the threshold is counted', async () => {
  const { begun } = await beginnings([
    { name: 'a', bytes: 500 },
    { name: 'a', bytes: 1, after: 20 },
  ])
  assert.ok((begun[1] ?? 0) >= 59, begun.join(', '))
})

test('concurrent large amounts run side by side, and are worked off as a sum', async () => {
  const { begun, most } = await beginnings([
    { name: 'a', bytes: 1_000 },
    { name: 'a', bytes: 1_000 },
    { name: 'a', bytes: 1, after: 60 },
  ])
  assert.equal(most, 2)
  assert.ok((begun[2] ?? 0) >= 205, begun.join(', '))
})

test('work that fails is not counted, and the next work runs', async () => {
  const allowance = createAllowance(rules)
  const failing = allowance.take(
    'a',
    () => Promise.reject(new Error('no')),
    () => 1_000_000,
  )
  await assert.rejects(failing, /no/)
  assert.equal(
    await allowance.take(
      'a',
      async () => 7,
      () => 1_000,
    ),
    7,
  )
  const again = allowance.take(
    'a',
    () => Promise.reject(new Error('no')),
    () => 1,
  )
  await assert.rejects(again, /no/)
  assert.equal(
    await allowance.take(
      'a',
      async () => 8,
      () => 1,
    ),
    8,
  )
})
