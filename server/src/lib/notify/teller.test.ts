import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../core/ids.ts'
import { type LaneNews, placeOf, shardCount } from '../jobs/job.ts'
import { createTeller, gapMs, lanesOfPayload, mostLanes, newsIn, payloadOf } from './notifier.ts'

const dueAt = new Date('2026-11-25T10:00:00.123Z')

function news(n: number, from = 0): LaneNews[] {
  return Array.from({ length: n }, (_, i) => ({
    ...placeOf({ kind: 'any', businessId: null, lane: String(from + i) }),
    priority: 1,
    dueAt,
  }))
}

/** Keeps what was sent, and when. */
function sender(send = async () => {}) {
  const sent: { news: LaneNews[]; at: number }[] = []
  const teller = createTeller((told) => {
    sent.push({ news: told, at: performance.now() })
    return send()
  })
  return { ...teller, sent }
}

test('the first is told at once, and what follows in one piece after the gap', async () => {
  const { tell, stop, sent } = sender()
  tell(news(1))
  assert.equal(sent.length, 1, 'at once')
  for (let i = 1; i <= 50; i++) tell(news(1, i))
  await stop()
  assert.deepEqual(
    sent.map((entry) => entry.news.length),
    [1, 50],
  )
  const [first, second] = sent
  assert.ok((second?.at ?? 0) - (first?.at ?? 0) >= gapMs - 1)
})

test('one is on its way at a time, however long it takes', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  const { tell, stop, sent } = sender(() => answered)
  tell(news(1))
  tell(news(5, 1))
  await new Promise((resolve) => setTimeout(resolve, gapMs * 5))
  assert.equal(sent.length, 1)
  answer()
  await stop()
  assert.equal(sent.length, 2)
})

test('a lane is told of once, with the earliest time', async () => {
  const { tell, stop, sent } = sender()
  tell(news(1))
  const [lane] = news(1, 1) as [LaneNews]
  const earlier = new Date(dueAt.getTime() - 5)
  tell([lane])
  tell([{ ...lane, dueAt: earlier }])
  tell([lane])
  await stop()
  assert.deepEqual(sent[1]?.news, [{ ...lane, dueAt: earlier }])
})

test('more than a payload holds goes in several, and no more than so many wait', async () => {
  const { tell, stop, sent } = sender()
  tell(news(mostLanes + 1))
  await stop()
  assert.equal(Math.max(...sent.map((entry) => entry.news.length)), lanesOfPayload)
  const lanes = new Set(sent.flatMap((entry) => entry.news.map(({ laneId }) => laneId)))
  assert.equal(lanes.size, mostLanes)
})

test('a failure is forgotten, and the next news are told', async () => {
  const { tell, stop, sent } = sender(async () => {
    throw new Error('the database is away')
  })
  tell(news(1))
  await stop()
  tell(news(1))
  await stop()
  assert.equal(sent.length, 2)
})

test('a full payload fits a notification, and is read as it was written', () => {
  const businessId = newId('business')
  const full = news(lanesOfPayload).map((lane) => ({ ...lane, businessId, shard: shardCount - 1 }))
  const payload = payloadOf(full)
  assert.ok(Buffer.byteLength(payload) < 8_000, `${Buffer.byteLength(payload)} bytes`)
  assert.deepEqual(newsIn(payload), full)
})

test('of what another version wrote nothing is believed that cannot be', () => {
  const [good] = news(1) as [LaneNews]
  const { shard, laneId } = good
  const strange = [
    [shardCount, laneId, 1, 0],
    [-1, laneId, 1, 0],
    [shard, "'; drop table jobs", 1, 0],
    [shard, laneId, 'high', 0],
    [shard, laneId, 1, 9e15],
    [shard, laneId, 1],
    [shard, laneId, 1, 0, 'bus_1'],
    { shard },
    null,
  ]
  assert.deepEqual(newsIn(JSON.stringify(strange)), [])
  for (const payload of ['', 'look', '{}', 'null', '[[', '7']) assert.deepEqual(newsIn(payload), [])
  const beside = JSON.parse(payloadOf([good]))
  assert.deepEqual(newsIn(JSON.stringify([...strange, ...beside])), [good])
  const ofBusiness = { ...good, businessId: newId('business') }
  assert.equal(JSON.parse(payloadOf([ofBusiness]))[0].length, 5, 'version 1.1 reads four of five')
})
