import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysFor, isWarming, planOfProviders } from './warm-up.ts'

const days = [200, 500, 1_000]
const newProvider = { today: 200, daysLeft: 3 }
const line = (provider: string, sentToday: number, daysLeft: number) => ({
  provider,
  sentToday,
  daysLeft,
  today: daysLeft > 0 ? 200 : null,
})

test('a campaign takes the days that its largest provider needs, from where its warm-up stands', () => {
  const fresh = { sentToday: 0, daysLeft: 3 }
  assert.equal(daysFor(200, fresh, days), 1)
  assert.equal(daysFor(201, fresh, days), 2)
  assert.equal(daysFor(1_700, fresh, days), 3)
  // After the last day there is no limit.
  assert.equal(daysFor(1_000_000, fresh, days), 4)
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
  assert.deepEqual(planOfProviders(recipients, { days, providers, newProvider }), [
    { provider: 'yahoo', recipients: 700, days: 3 },
    { provider: 'gmail', recipients: 900, days: 1 },
    { provider: 'shop.test', recipients: 3, days: 1 },
  ])
})

test('a provider that is new to the domain begins where the domain’s past volume lets it', () => {
  const ahead = {
    days,
    providers: [line('yahoo', 0, 3)],
    newProvider: { today: 1_000, daysLeft: 1 },
  }
  const recipients = new Map([
    ['gmail', 1_000],
    ['yahoo', 700],
  ])
  assert.deepEqual(
    planOfProviders(recipients, ahead).map(({ provider, days: count }) => [provider, count]),
    [
      ['yahoo', 2],
      ['gmail', 1],
    ],
  )
})

test('a sender warms up until the large providers know it, whatever single domains do', () => {
  const isWarmingWith = (providers: ReturnType<typeof line>[]) =>
    isWarming({ days, providers, newProvider })
  assert.equal(isWarmingWith([]), true)
  assert.equal(isWarming({ days, providers: [], newProvider: { today: null, daysLeft: 0 } }), false)
  assert.equal(isWarmingWith([line('gmail', 0, 1), line('yahoo', 0, 0)]), true)
  assert.equal(isWarmingWith([line('gmail', 0, 0), line('new.test', 0, 3)]), false)
})
