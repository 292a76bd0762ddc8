import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../../tests/support/businesses/business.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { createSmtpTransport } from '../../lib/email/smtp/transport.ts'
import { days, hours, later } from '../../lib/time/clock.ts'
import { shownWarmUp } from '../../sender-domains/operations/warm-up.ts'
import { pauseStream, refusalsToPause } from '../throttle/pause-stream.ts'
import { createThrottle } from '../throttle/throttle.ts'
import { onlyRelay } from './relays.ts'
import { createWarmUpOf } from './warm-up.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

/** A relay that is never connected to, with its throttle. */
function relayAt(url: string) {
  const { db } = database
  const clock = new ManualClock('2026-11-20T10:00:00Z')
  const transport = createSmtpTransport(url)
  const { route } = transport
  const throttle = createThrottle({ db, clock, route, limits: transport })
  const relays = onlyRelay(transport, throttle)
  const warmUpOf = createWarmUpOf({ db, clock, relays })
  const send = async (domain: string, provider: string, times: number) => {
    for (let n = 0; n < times; n++) {
      const pass = await throttle.enter({ domain, kind: 'marketing', provider })
      if ('leave' in pass) pass.leave(false)
    }
  }
  return { clock, route, warmUpOf, send }
}

test('each provider’s allowance of today, its days left and what holds it are told', async () => {
  const { clock, route, warmUpOf, send } = relayAt('smtp://127.0.0.1:1?pool=20')
  const businessId = await newBusiness(database.db)
  const shown = async () => (await warmUpOf(businessId, 'shop.test'))?.providers
  assert.deepEqual(await shown(), [])
  await send('shop.test', 'gmail', 201)
  clock.forward(days(1))
  await send('shop.test', 'yahoo', 201)
  await send('other.test', 'apple', 1)
  const now = clock.now()
  const stream = { route, senderDomain: 'shop.test', kind: 'marketing', provider: 'gmail' } as const
  await database.db.tx(async (tx) => {
    for (let n = 0; n < refusalsToPause; n++) await pauseStream(tx, stream, now)
  })
  assert.deepEqual(await shown(), [
    {
      provider: 'yahoo',
      today: 200,
      sentToday: 200,
      daysLeft: 10,
      held: { by: 'allowance', until: new Date('2026-11-22T00:00:00Z') },
    },
    {
      provider: 'gmail',
      today: 500,
      sentToday: 0,
      daysLeft: 9,
      held: { by: 'refusals', until: later(now, hours(1)) },
    },
  ])
  clock.forward(days(9))
  const [gmail] = (await shown())?.filter(({ provider }) => provider === 'gmail') ?? []
  assert.deepEqual(gmail, { provider: 'gmail', today: null, sentToday: 0, daysLeft: 0 })
})

test('a relay without warm-up tells none, and a domain that is not proved neither', async () => {
  const { warmUpOf } = relayAt('smtp://127.0.0.1:2?warmup=no')
  const businessId = await newBusiness(database.db)
  assert.equal(await warmUpOf(businessId, 'shop.test'), undefined)
  const warm = relayAt('smtp://127.0.0.1:1').warmUpOf
  const shown = (status: 'pending' | 'verified') =>
    shownWarmUp(warm, businessId, { name: 'new.test', status })
  assert.equal(await shown('pending'), undefined)
  assert.deepEqual((await shown('verified'))?.providers, [])
})
