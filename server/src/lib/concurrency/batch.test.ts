import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuse } from '../../core/errors.ts'
import { createBatcher, ofBusinesses } from './batch.ts'

/** A flush that ends when the test decides. */
function heldFlush() {
  const flushes: { items: number[]; finish(): void; fail(error: Error): void }[] = []
  const arrived: (() => void)[] = []
  return {
    flushes,
    flush: (items: number[]) => {
      const { promise, resolve, reject } = Promise.withResolvers<number[]>()
      flushes.push({ items, finish: () => resolve(items.map((n) => n * 10)), fail: reject })
      for (const wake of arrived.splice(0)) wake()
      return promise
    },
    async started(n: number) {
      while (flushes.length < n) await new Promise<void>((wake) => arrived.push(wake))
    },
  }
}

const turn = () => new Promise((wake) => setImmediate(wake))

test('a single call is flushed at once and gets its own outcome', async () => {
  const batch = createBatcher({ flush: async (items: number[]) => items.map(String), maxItems: 8 })
  assert.equal(await batch(7), '7')
})

test('calls of one turn of the event loop are flushed together, in order', async () => {
  const sizes: number[] = []
  const batch = createBatcher({
    flush: async (items: number[]) => {
      sizes.push(items.length)
      return items.map((n) => n + 1)
    },
    maxItems: 100,
  })
  assert.deepEqual(await Promise.all([1, 2, 3].map(batch)), [2, 3, 4])
  assert.deepEqual(sizes, [3])
})

test('calls that arrive during a flush wait for it and are then flushed together', async () => {
  const held = heldFlush()
  const batch = createBatcher({ flush: held.flush, maxItems: 100 })
  const first = batch(1)
  await held.started(1)
  const later = [2, 3, 4].map(batch)
  await turn()
  assert.equal(held.flushes.length, 1)
  held.flushes[0]?.finish()
  await held.started(2)
  assert.deepEqual(held.flushes[1]?.items, [2, 3, 4])
  held.flushes[1]?.finish()
  assert.deepEqual(await Promise.all([first, ...later]), [10, 20, 30, 40])
})

test('the next flush starts before the callers of the last one continue', async () => {
  const held = heldFlush()
  const batch = createBatcher({ flush: held.flush, maxItems: 100 })
  const flushesWhenTold: number[] = []
  const first = batch(1).then(() => flushesWhenTold.push(held.flushes.length))
  await held.started(1)
  const second = batch(2).then(() => flushesWhenTold.push(held.flushes.length))
  held.flushes[0]?.finish()
  await first
  held.flushes[1]?.finish()
  await second
  assert.deepEqual(flushesWhenTold, [2, 2])
})

test('a flush never has more than maxItems, and no call is lost', async () => {
  const sizes: number[] = []
  const batch = createBatcher({
    flush: async (items: number[]) => {
      sizes.push(items.length)
      await turn()
      return items
    },
    maxItems: 10,
  })
  const wanted = Array.from({ length: 95 }, (_, i) => i)
  assert.deepEqual(await Promise.all(wanted.map(batch)), wanted)
  assert.ok(
    sizes.every((n) => n <= 10),
    String(sizes),
  )
  assert.equal(sizes.length, 10)
})

test('as many flushes run at once as inFlight allows', async () => {
  const held = heldFlush()
  const batch = createBatcher({ flush: held.flush, maxItems: 2, inFlight: 3 })
  const all = [1, 2, 3, 4, 5, 6, 7].map(batch)
  await held.started(3)
  await turn()
  assert.equal(held.flushes.length, 3)
  held.flushes[1]?.finish()
  await held.started(4)
  for (const flush of held.flushes) flush.finish()
  assert.deepEqual(await Promise.all(all), [10, 20, 30, 40, 50, 60, 70])
})

test('an Error among the outcomes rejects its own call, and a Refusal is returned', async () => {
  const no = refuse('conflict', 'Taken.')
  const batch = createBatcher<string, unknown>({
    flush: async (items) =>
      items.map((item) => (item === 'bad' ? new TypeError('bad') : item === 'no' ? no : item)),
    maxItems: 8,
  })
  const [bad, taken, fine] = await Promise.allSettled(['bad', 'no', 'fine'].map(batch))
  assert.equal(bad?.status, 'rejected')
  assert.deepEqual(taken, { status: 'fulfilled', value: no })
  assert.deepEqual(fine, { status: 'fulfilled', value: 'fine' })
})

test('a row that breaks its flush fails alone, and the other rows succeed', async () => {
  const batch = createBatcher({
    flush: async (items: number[]) => {
      if (items.includes(13)) throw Object.assign(new Error('check'), { code: '23514' })
      return items
    },
    maxItems: 100,
  })
  const outcomes = await Promise.allSettled(Array.from({ length: 30 }, (_, i) => batch(i)))
  assert.deepEqual(
    outcomes.flatMap((outcome, i) => (outcome.status === 'rejected' ? [i] : [])),
    [13],
  )
})

test('a row that waits alone does not delay the next flush', async () => {
  const lock = Promise.withResolvers<void>()
  const batch = createBatcher({
    flush: async (items: string[]) => {
      if (items.length > 1 && items.includes('locked')) throw new Error('lock_timeout')
      if (items.includes('locked')) await lock.promise
      return items
    },
    maxItems: 100,
  })
  const locked = batch('locked')
  assert.equal(await batch('neighbour'), 'neighbour')
  assert.equal(await batch('newcomer'), 'newcomer')
  lock.resolve()
  assert.equal(await locked, 'locked')
})

test('an outage fails the whole flush at once, without retrying each row', async () => {
  let flushes = 0
  const batch = createBatcher({
    flush: (_items: number[]): Promise<number[]> => {
      flushes++
      throw Object.assign(new Error('the server is shutting down'), { code: '57P01' })
    },
    maxItems: 100,
  })
  const outcomes = await Promise.allSettled([1, 2, 3].map(batch))
  assert.ok(outcomes.every((outcome) => outcome.status === 'rejected'))
  assert.equal(flushes, 1)
})

test('with eachAlone off, the error of a flush rejects all its calls', async () => {
  let flushes = 0
  const batch = createBatcher({
    flush: async (_items: number[]): Promise<number[]> => {
      flushes++
      throw new Error('no')
    },
    maxItems: 100,
    eachAlone: false,
  })
  const outcomes = await Promise.allSettled([1, 2].map(batch))
  assert.ok(outcomes.every((outcome) => outcome.status === 'rejected'))
  assert.equal(flushes, 1)
})

test('a flush that returns too few outcomes is an error, not a wrong result', async () => {
  const batch = createBatcher({ flush: async () => [] as number[], maxItems: 8 })
  await assert.rejects(batch(1), /gave 0 outcomes/)
})

test('the batcher continues after a failed flush', async () => {
  let down = true
  const batch = createBatcher({
    flush: async (items: number[]) => {
      if (down)
        throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' })
      return items
    },
    maxItems: 8,
  })
  await assert.rejects(batch(1))
  down = false
  assert.equal(await batch(2), 2)
})

test('on a distributed database each flush has the items of one business', async () => {
  const { flushes, flush, started } = heldFlush()
  const businessOf = ofBusinesses({ isDistributed: () => true }, (n: number) =>
    n < 10 ? 'one' : 'ten',
  )
  const batch = createBatcher({ flush, maxItems: 8, businessOf })
  const all = Promise.all([1, 11, 2, 12].map(batch))
  await started(2)
  assert.deepEqual(
    flushes.map(({ items }) => items),
    [
      [1, 2],
      [11, 12],
    ],
  )
  for (const { finish } of flushes) finish()
  assert.deepEqual(await all, [10, 110, 20, 120])
  assert.equal(
    ofBusinesses({ isDistributed: () => false }, () => 'one'),
    undefined,
  )
})

test('no more than six businesses are flushed at once', async () => {
  const { flushes, flush, started } = heldFlush()
  const batch = createBatcher({ flush, maxItems: 8, businessOf: (n: number) => String(n) })
  const all = Promise.all([1, 2, 3, 4, 5, 6, 7].map(batch))
  await started(6)
  await turn()
  assert.equal(flushes.length, 6)
  flushes[0]?.finish()
  await started(7)
  for (const { finish } of flushes) finish()
  assert.deepEqual(await all, [10, 20, 30, 40, 50, 60, 70])
})

test('a business rests between its flushes, also for callers one after the other', async () => {
  const restMs = 200
  const flush = async (items: number[]) => items
  const batch = createBatcher({ flush, maxItems: 8, restMs, businessOf: () => 'one' })
  await batch(1)
  const answeredAt = performance.now()
  await batch(2)
  // The timer may be a millisecond early.
  assert.ok(performance.now() - answeredAt >= restMs - 2)
})
