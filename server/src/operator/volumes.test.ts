/** What an owner states that a domain sent before, the operator's answer, and what is then sent. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import { callerIn, testVault } from '../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { volumeFinding } from '../checks/check-domains.ts'
import { pastVolume } from '../config/past-volume.ts'
import { readConfig } from '../config.ts'
import { type Id, newId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import { createResolver } from '../lib/dns/resolver.ts'
import { createSmtpTransport } from '../lib/email/smtp/transport.ts'
import { days } from '../lib/time/clock.ts'
import { onlyRelay } from '../messages/relays/relays.ts'
import { createWarmUpOf } from '../messages/relays/warm-up.ts'
import { createThrottle, headStartOf, warmUpDays } from '../messages/throttle/throttle.ts'
import { makeKeys } from '../sender-domains/keys/key-pair.ts'
import { putKeys } from '../sender-domains/keys/key-queries.ts'
import { takeClaim } from '../sender-domains/model/claim-queries.ts'
import { type DomainStatus, leastTtlSeconds } from '../sender-domains/model/domain.ts'
import { insertDomain } from '../sender-domains/model/queries.ts'
import { domainSettingsOf } from '../sender-domains/model/settings.ts'
import { domainStateVolume } from '../sender-domains/operations/state-volume.ts'
import { domainStatus } from '../sender-domains/operations/status.ts'
import type { DomainView } from '../sender-domains/operations/view.ts'
import { operatorOver } from './operator.ts'

const url = 'smtp://127.0.0.1:1?pool=20'
const config = readConfig({ SMTP_URL: url, MAIL_FROM: 'crier@operator.test' })

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

/** An owner of a domain, their operator, and the relay over which its marketing goes. */
async function sceneOf(name: string, status: DomainStatus = 'verified') {
  const { db } = database
  const clock = new ManualClock('2026-11-20T10:00:00Z')
  const businessId = await newBusiness(db)
  await placeDomain({ businessId, name, status, now: clock.now() })
  const transport = createSmtpTransport(url)
  const limits = { ...transport, rate: undefined }
  const relays = onlyRelay(transport, createThrottle({ db, clock, route: transport.route, limits }))
  const warmUpOf = createWarmUpOf({ db, clock, relays })
  const facility = {
    resolver: createResolver({ servers: [{ address: '127.0.0.1', port: 1 }] }),
    vault: testVault,
    settings: domainSettingsOf(config),
  }
  const caller = callerIn({ db, clock }, businessId)
  const shown = domainStatus(facility, warmUpOf)
  return {
    clock,
    businessId,
    caller,
    volumes: operatorOver({ db, config, clock }).volumes,
    state: (emails_per_day: number, more: object = {}) =>
      caller.get<{ past_volume: object }>(domainStateVolume, {
        domain: name,
        emails_per_day,
        ...more,
      }),
    refusedTo: (emails_per_day: number) =>
      caller.refused(domainStateVolume, { domain: name, emails_per_day }),
    async status() {
      const { domains } = await caller.get<{ domains: DomainView[] }>(shown, { domain: name })
      return domains[0] ?? assert.fail()
    },
    /** How many mails of marketing the provider gets today before the rest is put off. */
    async sendTo(provider: string, most: number) {
      // A new throttle knows nothing of an earlier lease, as that of a worker a second later.
      const throttle = createThrottle({ db, clock, route: transport.route, limits })
      for (let sent = 0; sent < most; sent++) {
        const pass = await throttle.enter({ domain: name, kind: 'marketing', provider })
        if ('until' in pass) return sent
        pass.leave(false)
      }
      return most
    },
    audit: () =>
      db.all<{ action: string; details: object }>(sql`
        select action, details from audit_entries where business_id = ${businessId} order by id
      `),
  }
}

async function placeDomain({
  businessId,
  name,
  status,
  now,
}: {
  businessId: Id<'business'>
  name: string
  status: DomainStatus
  now: Date
}): Promise<void> {
  const id = newId('domain')
  const keys = await makeKeys(testVault, id, { slot: 1, ed25519: false })
  await database.db.tx(async (tx) => {
    const domain = {
      id,
      businessId,
      name,
      registrable: name,
      status,
      passes: 2,
      misses: 0,
      report: {},
      passedAt: now,
      missingSince: null,
      heldElsewhere: false,
      verifiedAt: now,
      awaitsPerson: false,
      checkedAt: now,
      nextCheckAt: now,
      revision: 1,
      createdAt: now,
    }
    await insertDomain(tx, domain, now)
    await putKeys(
      tx,
      { businessId, domainId: id },
      { ...keys, state: 'active', ttlSeconds: leastTtlSeconds },
      now,
    )
    if (status !== 'pending') await takeClaim(tx, { name, domainId: id }, now)
  })
}

test('the warm-up begins at the last day that allows no more than was sent before', () => {
  assert.equal(pastVolume.least, warmUpDays[1], 'less would skip no day')
  const starts = [0, 499, 500, 999, 1_000, 119_999, 120_000, pastVolume.most].map(headStartOf)
  assert.deepEqual(starts, [0, 0, 1, 1, 2, 8, 9, 9])
})

test('an approved volume lets known and new providers begin at the matching day', async () => {
  const { clock, volumes, state, status, sendTo, audit } = await sceneOf('warm.test')
  assert.equal(await sendTo('gmail', 300), 200)
  assert.deepEqual((await status()).warm_up?.new_provider, { today: 200, days_left: 10 })
  const note = 'Two years elsewhere'
  const { past_volume } = await state(1_000, { note })
  const stated_at = clock.now().toISOString()
  const stated = { state: 'waiting', emails_per_day: 1_000, note, stated_at }
  assert.deepEqual(past_volume, stated)
  assert.equal(await sendTo('yahoo', 300), 200, 'a statement alone allows nothing')
  assert.deepEqual(
    (await volumes.list()).map(({ domain, emails_per_day }) => [domain, emails_per_day]),
    [['warm.test', 1_000]],
  )
  const found = await volumeFinding(database.db)
  assert.deepEqual([found?.outcome, found?.text], ['warn', '1 statement waits for your answer'])

  const answer = await volumes.approve('WARM.test')
  assert.deepEqual(answer, { domain: 'warm.test', approved_per_day: 1_000, begins_at_day: 3 })
  assert.deepEqual(await volumes.list(), [])
  assert.equal(await volumeFinding(database.db), undefined)
  const { past_volume: shown, warm_up } = await status()
  const decided_at = clock.now().toISOString()
  assert.deepEqual(shown, { ...stated, state: 'approved', approved_per_day: 1_000, decided_at })
  assert.deepEqual(warm_up?.new_provider, { today: 1_000, days_left: 8 })
  assert.deepEqual(
    warm_up?.providers.map(({ provider, today, days_left }) => [provider, today, days_left]),
    [
      ['gmail', 1_000, 8],
      ['yahoo', 1_000, 8],
    ],
  )
  assert.equal(await sendTo('gmail', 900), 800, '200 went out before')
  assert.equal(await sendTo('apple', 1_100), 1_000)

  clock.forward(days(3))
  assert.equal((await status()).warm_up?.new_provider.today, 1_000, 'new is new on any day')
  assert.equal(await sendTo('microsoft', 1_100), 1_000)
  const apple = (await status()).warm_up?.providers.find(({ provider }) => provider === 'apple')
  assert.deepEqual([apple?.today, apple?.days_left], [8_000, 5])
  assert.deepEqual(await audit(), [
    { action: 'domain.state_volume', details: { emails_per_day: 1_000 } },
    { action: 'operator.approve_volume', details: { emails_per_day: 1_000 } },
  ])
})

test('the operator approves less than was stated, and a later approval never goes back', async () => {
  const { clock, volumes, state, status, sendTo } = await sceneOf('less.test')
  await state(50_000)
  await assert.rejects(volumes.approve('less.test', { perDay: '499' }), /from 500 to 10000000/)
  await assert.rejects(volumes.approve('less.test', { perDay: '1.5e3x' }), /whole number/)
  const { begins_at_day } = await volumes.approve('less.test', { perDay: '500' })
  assert.equal(begins_at_day, 2)
  assert.equal((await status()).past_volume?.approved_per_day, 500)
  assert.equal(await sendTo('gmail', 600), 500)
  clock.forward(days(4))
  await state(1_000)
  await volumes.approve('less.test')
  const { warm_up } = await status()
  assert.equal(warm_up?.providers[0]?.today, 8_000, 'gmail is further on')
  assert.equal(warm_up?.new_provider.today, 1_000)
})

test('an approval that is taken back leaves no head start, and what is further on stays', async () => {
  const { clock, volumes, state, status, sendTo, audit } = await sceneOf('back.test')
  await assert.rejects(volumes.withdraw('back.test'), /No statement about back\.test waits/)
  assert.equal(await sendTo('gmail', 300), 200)
  await state(4_000)
  await assert.rejects(volumes.withdraw('back.test'), /No statement about back\.test is approved/)
  clock.forward(days(1))
  await volumes.approve('back.test')
  assert.equal(await sendTo('yahoo', 4_100), 4_000)
  clock.forward(days(1))
  const answer = 'I meant 400.'
  assert.deepEqual(await volumes.withdraw('back.test', { answer }), {
    domain: 'back.test',
    withdrawn: true,
    answer,
  })
  const { past_volume, warm_up } = await status()
  assert.deepEqual([past_volume?.state, past_volume?.answer], ['refused', answer])
  assert.deepEqual(warm_up?.new_provider, { today: 200, days_left: 10 })
  assert.deepEqual(
    warm_up?.providers.map(({ provider, today }) => [provider, today]),
    [
      ['gmail', 500],
      ['yahoo', 500],
    ],
    'the second day since the approval',
  )
  assert.equal(await sendTo('yahoo', 600), 500)
  assert.equal(await sendTo('apple', 300), 200)
  assert.equal((await audit()).at(-1)?.action, 'operator.withdraw_volume')

  clock.forward(days(7))
  await state(1_000)
  await volumes.approve('back.test')
  await volumes.withdraw('back.test')
  const gmail = (await status()).warm_up?.providers.find(({ provider }) => provider === 'gmail')
  assert.equal(gmail?.today, 60_000, 'the ninth day by itself')
})

test('a refusal changes nothing but the answer that the owner reads, and they may state again', async () => {
  const { volumes, state, refusedTo, status, sendTo, audit } = await sceneOf('cold.test')
  await state(2_000)
  const again = await refusedTo(3_000)
  assert.deepEqual([again.code, again.details.field], ['conflict', 'emails_per_day'])
  assert.match(again.message, /2000 emails per day from cold\.test is waiting/)
  await state(2_000)
  await assert.rejects(volumes.refuse('cold.test', { answer: 'x'.repeat(501) }), /1 to 500/)
  await volumes.refuse('cold.test', { answer: 'x'.repeat(500) })
  assert.deepEqual([(await status()).past_volume?.state, await volumes.list()], ['refused', []])
  assert.equal((await status()).past_volume?.answer?.length, 500)
  assert.equal(await sendTo('gmail', 300), 200)
  await assert.rejects(volumes.approve('cold.test'), /No statement about cold\.test waits/)
  await assert.rejects(volumes.refuse('nobody.test'), /No business has verified nobody\.test/)
  await state(3_000)
  const { state: now, answer } = (await status()).past_volume ?? assert.fail()
  assert.deepEqual([now, answer], ['waiting', undefined])
  assert.deepEqual(
    (await audit()).map(({ action }) => action),
    ['domain.state_volume', 'operator.refuse_volume', 'domain.state_volume'],
  )
})

test('a domain that is not verified, or is another business’s, takes no statement', async () => {
  const pending = await sceneOf('pending.test', 'pending')
  const unproved = await pending.refusedTo(2_000)
  assert.deepEqual([unproved.code, unproved.details.field], ['conflict', 'domain'])
  assert.match(unproved.message, /pending\.test is not verified/)
  const other = await sceneOf('other.test')
  const foreign = { domain: 'other.test', emails_per_day: 2_000 }
  const unknown = await pending.caller.refused(domainStateVolume, foreign)
  assert.equal(unknown.code, 'not_found')
  const editor = callerIn({ db: database.db, clock: other.clock }, other.businessId, {
    role: 'editor',
  })
  assert.equal((await editor.refused(domainStateVolume, foreign)).code, 'role_required')
  assert.equal((await other.status()).past_volume, undefined)
})

test('a statement is refused beyond its bounds, and with keys that are unknown', async () => {
  const { state, refusedTo, caller } = await sceneOf('edge.test')
  const { least, most, noteLength } = pastVolume
  for (const wrong of [least - 1, most + 1, 1_000.5]) {
    const { code, details } = await refusedTo(wrong)
    assert.deepEqual([code, details.field], ['invalid_request', 'emails_per_day'])
  }
  const stated = { domain: 'edge.test', emails_per_day: least }
  for (const [field, value] of [
    ['note', 'x'.repeat(noteLength + 1)],
    ['note', ''],
    ['approved', least],
  ] as const) {
    const refused = await caller.refused(domainStateVolume, { ...stated, [field]: value })
    assert.deepEqual([refused.code, refused.details.field], ['invalid_request', field])
  }
  await state(least, { note: 'x'.repeat(noteLength) })
})
