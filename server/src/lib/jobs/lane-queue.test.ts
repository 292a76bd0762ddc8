import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLaneQueue, type WaitingLane } from './claim.ts'
import { serviceBusiness } from './job.ts'

const lane = (laneId: string, priority = 1): WaitingLane => ({
  businessId: serviceBusiness,
  shard: 7,
  laneId,
  priority,
})
const all = () => 'take' as const
const names = (lanes: WaitingLane[]) => lanes.map(({ laneId }) => laneId).join(' ')

test('urgent lanes go first, then lanes in order of arrival, and a lane announced twice is queued once', () => {
  const queue = createLaneQueue()
  for (const its of [lane('a'), lane('bulk', 2), lane('b'), lane('urgent', 0), lane('a')]) {
    queue.add(its)
  }
  assert.equal(queue.size, 4)
  assert.equal(names(queue.take(2, all)), 'urgent a')
  queue.add(lane('a'))
  assert.equal(names(queue.take(9, all)), 'b a bulk')
  assert.equal(queue.size, 0)
})

test('lanes of the same name in two shards are two lanes', () => {
  const queue = createLaneQueue()
  queue.add(lane('spread'))
  queue.add({ ...lane('spread'), shard: 8 })
  assert.equal(queue.take(9, all).length, 2)
})

test('a lane waiting for capacity keeps its place, and a lane of a foreign shard is dropped', () => {
  const queue = createLaneQueue()
  for (const name of ['full', 'foreign', 'last']) queue.add(lane(name))
  const fates = { full: 'wait', foreign: 'drop' } as Record<string, 'wait' | 'drop'>
  assert.equal(names(queue.take(9, ({ laneId }) => fates[laneId] ?? 'take')), 'last')
  queue.add(lane('later'))
  assert.equal(names(queue.take(9, all)), 'full later')
})

test('the lane queue counts the lanes that a look found until they have had their turn', () => {
  const queue = createLaneQueue()
  queue.add(lane('told'))
  queue.add({ ...lane('found'), found: true })
  queue.add({ ...lane('told'), found: true })
  queue.add(lane('found'))
  assert.equal(queue.found, 2)
  queue.take(1, all)
  assert.equal(queue.found, 1)
  queue.take(1, () => 'drop')
  assert.equal(queue.found, 0)
})

test('the lane queue accepts no more lanes than its maximum and reports whether it did', () => {
  const queue = createLaneQueue()
  const taken = Array.from({ length: 5_000 }, (_, i) => queue.add(lane(String(i))))
  assert.equal(taken.filter(Boolean).length, queue.size)
  assert.ok(queue.size < 5_000)
  assert.equal(queue.add(lane('0')), true, 'one that is in it may be told again')
})
