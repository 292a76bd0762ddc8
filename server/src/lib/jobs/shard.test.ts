import assert from 'node:assert/strict'
import { test } from 'node:test'
import { periodicId, placeOf } from './job.ts'

test('a lane always has the same place, and different kinds never share a lane', () => {
  const place = placeOf({ kind: 'webhook.deliver', businessId: null, lane: 'whk_1' })
  assert.deepEqual(placeOf({ kind: 'webhook.deliver', businessId: null, lane: 'whk_1' }), place)
  assert.notEqual(
    placeOf({ kind: 'event.fanout', businessId: null, lane: 'whk_1' }).laneId,
    place.laneId,
  )
  assert.match(
    place.laneId,
    /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  )
})

test('lanes are spread evenly over all 256 shards', () => {
  const shards = new Map<number, number>()
  for (let i = 0; i < 25_600; i++) {
    const { shard } = placeOf({ kind: 'k', businessId: null, lane: String(i) })
    shards.set(shard, (shards.get(shard) ?? 0) + 1)
  }
  assert.equal(shards.size, 256)
  for (const n of shards.values()) assert.ok(n > 50 && n < 160, String(n))
})

test('spreading a lane changes the shards of its jobs but not the lane id', () => {
  const whole = placeOf({ kind: 'campaign.chunk', businessId: null, lane: 'bus_1' })
  const chunks = Array.from({ length: 50 }, (_, i) =>
    placeOf({ kind: 'campaign.chunk', businessId: null, lane: 'bus_1', spread: String(i) }),
  )
  assert.ok(chunks.every(({ laneId }) => laneId === whole.laneId))
  assert.ok(new Set(chunks.map(({ shard }) => shard)).size > 30)
})

test('each periodic kind has one fixed job id', () => {
  assert.equal(periodicId('sweep.codes'), periodicId('sweep.codes'))
  assert.notEqual(periodicId('sweep.codes'), periodicId('sweep.links'))
})
