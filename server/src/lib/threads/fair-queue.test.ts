import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFairQueue } from './fair-queue.ts'

type Served = { tenant: string; item: number }

/** Serves up to `most` items, each at its tenant's cost. */
function serve(
  queue: ReturnType<typeof createFairQueue<number>>,
  costs: Record<string, number>,
  most = Number.POSITIVE_INFINITY,
): Served[] {
  const served: Served[] = []
  while (served.length < most) {
    const taken = queue.take()
    if (!taken) break
    queue.settle(taken, costs[taken.tenant] ?? 0)
    served.push({ tenant: taken.tenant, item: taken.item })
  }
  return served
}

const countOf = (served: Served[], tenant: string) =>
  served.filter((entry) => entry.tenant === tenant).length

test('time is shared evenly, so that a tenant with slow questions has fewer of them answered', () => {
  const queue = createFairQueue<number>()
  for (let n = 0; n < 200; n++) {
    queue.add('slow', n)
    queue.add('quick', n)
  }
  const served = serve(queue, { slow: 30, quick: 3 }, 110)
  const [slow, quick] = [countOf(served, 'slow'), countOf(served, 'quick')]
  assert.ok(slow >= 9 && slow <= 12, `${slow} slow ones`)
  assert.equal(quick, 110 - slow)
})

test('a tenant’s questions stay in order, also when unserved ones are put back', () => {
  const queue = createFairQueue<number>()
  for (let n = 0; n < 6; n++) queue.add('a', n)
  const taken = [queue.take(), queue.take(), queue.take()].flatMap((entry) => entry ?? [])
  for (const one of taken.toReversed()) {
    queue.settle(one, 0)
    queue.putBack(one)
  }
  assert.equal(queue.size, 6)
  const order = serve(queue, { a: 1 }).map(({ item }) => item)
  assert.deepEqual(order, [0, 1, 2, 3, 4, 5])
})

test('an absent tenant saves up no time, and a tenant in debt does not lose the debt by pausing', () => {
  const queue = createFairQueue<number>()
  for (let n = 0; n < 100; n++) queue.add('busy', n)
  assert.equal(countOf(serve(queue, { busy: 10 }, 50), 'busy'), 50)
  for (let n = 0; n < 100; n++) queue.add('fresh', n)
  const shared = serve(queue, { busy: 10, fresh: 10 }, 40)
  assert.ok(Math.abs(countOf(shared, 'fresh') - 20) <= 2, `${countOf(shared, 'fresh')} of 40`)

  // A tenant with one slow question at a time.
  queue.add('pauses', 0)
  let pauses = 0
  let others = 0
  for (let n = 0; n < 30; n++) {
    const taken = queue.take()
    if (!taken) break
    queue.settle(taken, taken.tenant === 'pauses' ? 100 : 10)
    if (taken.tenant !== 'pauses') others++
    else if (queue.size > 0) {
      pauses++
      queue.add('pauses', pauses)
    }
  }
  assert.ok(pauses <= 3, `${pauses} slow ones in ${others} quick ones`)
})

test('removing a tenant returns all its questions, and the other tenants’ questions stay', () => {
  const queue = createFairQueue<number>()
  for (let n = 0; n < 3; n++) queue.add('a', n)
  queue.add('b', 7)
  assert.deepEqual(queue.remove('a'), [0, 1, 2])
  assert.equal(queue.sizeOf('a'), 0)
  assert.deepEqual(queue.remove('nobody'), [])
  assert.deepEqual(queue.clear(), [7])
  assert.equal(queue.take(), undefined)
})

test('a tenant that is set behind is served only while no other waits, until that ends', () => {
  const queue = createFairQueue<number>()
  queue.setBehind('slow')
  for (let n = 0; n < 4; n++) queue.add('slow', n)
  for (let n = 0; n < 3; n++) queue.add('a', n)
  for (let n = 0; n < 3; n++) queue.add('b', n)
  const first = serve(queue, { slow: 1, a: 100, b: 100 }, 7)
  assert.deepEqual(
    first.map(({ tenant }) => tenant),
    ['a', 'b', 'a', 'b', 'a', 'b', 'slow'],
  )
  // Time while the others were away gives it no place in front of them.
  for (let n = 3; n < 5; n++) queue.add('a', n)
  assert.equal(serve(queue, { slow: 1, a: 100 }, 1)[0]?.tenant, 'a')
  queue.endBehind('slow')
  assert.equal(serve(queue, { slow: 1, a: 100 }, 1)[0]?.tenant, 'slow')
})
