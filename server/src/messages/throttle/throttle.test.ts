import assert from 'node:assert/strict'
import { test } from 'node:test'
import { days, later, seconds } from '../../lib/time/clock.ts'
import { type Limits, lease, newStream, type QuotaRequest, type Stream } from './throttle.ts'

const start = new Date('2026-11-20T22:00:00Z')
const open: Limits = { rate: undefined, connections: 20, warmUp: false }
const wish = (changes: Partial<QuotaRequest> = {}): QuotaRequest => ({
  messages: 100,
  marketing: 0,
  unused: { messages: 0, marketing: 0 },
  slower: false,
  ...changes,
})

test('without limits a lease grants all requested messages over all connections', () => {
  const { lease: given } = lease(newStream(start, open), wish({ marketing: 40 }), {
    limits: open,
    now: start,
  })
  assert.deepEqual(given, {
    messages: 100,
    marketing: 40,
    inFlight: 20,
    pausedUntil: undefined,
    moreMarketingAt: undefined,
  })
})

test('a rate holds however often leases are requested, and at most two seconds of it are saved up', () => {
  const limits = { ...open, rate: 10 }
  let stream = newStream(start, limits)
  let sent = 0
  for (let ms = 0; ms <= 10_000; ms += 100) {
    const next = lease(stream, wish(), { limits, now: later(start, ms) })
    stream = next.stream
    sent += next.lease.messages
  }
  assert.equal(sent, 10 + 10 * 10)
  const rested = lease(stream, wish(), { limits, now: later(start, days(1)) })
  assert.equal(rested.lease.messages, 20)
})

test('a slowdown signal halves the messages in flight, once per moment, down to one', () => {
  let stream = newStream(start, open)
  const caps: number[] = []
  for (let at = 0; at <= 60; at += 3) {
    const next = lease(stream, wish({ slower: true }), {
      limits: open,
      now: later(start, seconds(at)),
    })
    stream = next.stream
    caps.push(next.lease.inFlight)
  }
  assert.deepEqual([...new Set(caps)], [10, 5, 2, 1])
})

test('after half a minute of calm, each lease allows one more message in flight', () => {
  const slowed = lease(newStream(start, open), wish({ slower: true }), { limits: open, now: start })
  const capAfter = (stream: Stream, s: number) =>
    lease(stream, wish(), { limits: open, now: later(start, seconds(s)) })
  assert.equal(capAfter(slowed.stream, 29).lease.inFlight, 10)
  let { stream } = slowed
  for (let s = 30; s < 45; s++) ({ stream } = capAfter(stream, s))
  assert.equal(stream.inFlight, 20)
})

test('a paused stream grants no messages until the pause is over', () => {
  const pausedUntil = later(start, seconds(10))
  const stream = { ...newStream(start, open), pausedUntil }
  const held = lease(stream, wish({ marketing: 5 }), { limits: open, now: start }).lease
  assert.deepEqual([held.messages, held.marketing, held.pausedUntil], [0, 0, pausedUntil])
  const over = lease(stream, wish(), { limits: open, now: pausedUntil }).lease
  assert.equal(over.messages, 100)
})

test('a new domain may send little marketing at first and more each day', () => {
  const limits = { ...open, warmUp: true }
  const sentOn = (stream: Stream, day: number) => {
    const now = later(start, days(day))
    let sent = 0
    let last = stream
    for (;;) {
      const next = lease(last, wish({ marketing: 50 }), { limits, now })
      last = next.stream
      sent += next.lease.marketing
      if (next.lease.moreMarketingAt || sent > 1_000_000) {
        return { sent, stream: last, more: next.lease.moreMarketingAt }
      }
    }
  }
  const first = sentOn(newStream(start, limits), 0)
  assert.equal(first.sent, 200)
  assert.deepEqual(first.more, new Date('2026-11-21T00:00:00Z'))
  const second = sentOn(first.stream, 1)
  assert.equal(second.sent, 500)
  assert.equal(sentOn(second.stream, 9).sent, 120_000)
  assert.ok(sentOn(second.stream, 10).sent > 1_000_000, 'then it is known')
})

test('the unused part of a lease is given back', () => {
  const limits = { ...open, warmUp: true }
  const first = lease(newStream(start, limits), wish({ marketing: 50 }), { limits, now: start })
  const unused = { messages: 0, marketing: 30 }
  const second = lease(first.stream, wish({ marketing: 50, unused }), { limits, now: start })
  assert.equal(second.stream.sentThatDay, 70)
})
