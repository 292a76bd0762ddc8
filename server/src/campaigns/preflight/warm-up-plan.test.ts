import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysFor, isWarming, planOfProviders } from './warm-up-plan.ts'

const days = [200, 500, 1_000]
const line = (provider: string, sentToday: number, daysLeft: number) => ({
  provider,
  sentToday,
  daysLeft,
  today: daysLeft > 0 ? 200 : null,
})

test('a campaign takes the days that its largest provider needs, from where its warm-up stands', () => {
  assert.equal(daysFor(200, undefined, days), 1)
  assert.equal(daysFor(201, undefined, days), 2)
  assert.equal(daysFor(1_700, undefined, days), 3)
  // After the last day there is no limit.
  assert.equal(daysFor(1_000_000, undefined, days), 4)
  assert.equal(daysFor(500, { sentToday: 1, daysLeft: 2 }, days), 2)
  assert.equal(daysFor(1_000_000, { sentToday: 9, daysLeft: 0 }, days), 1)
})

test('the providers that take the longest come first', () => {
  const recipients = new Map([
    ['shop.test', 3],
    ['gmail', 900],
    ['yahoo', 700],
  ])
  const providers = [line('gmail', 500, 0), line('yahoo', 200, 3)]
  assert.deepEqual(planOfProviders(recipients, { days, providers }), [
    { provider: 'yahoo', recipients: 700, days: 3 },
    { provider: 'gmail', recipients: 900, days: 1 },
    { provider: 'shop.test', recipients: 3, days: 1 },
  ])
})

test('a sender warms up until the large providers know it, whatever single domains do', () => {
  assert.equal(isWarming({ days, providers: [] }), true)
  assert.equal(isWarming({ days, providers: [line('gmail', 0, 1), line('yahoo', 0, 0)] }), true)
  assert.equal(isWarming({ days, providers: [line('gmail', 0, 0), line('new.test', 0, 3)] }), false)
})
