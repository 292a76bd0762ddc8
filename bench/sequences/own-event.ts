/** From an own event to the mail that it sets off, beside a campaign. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Id } from '../../server/src/core/ids.ts'
import { sql } from '../../server/src/lib/db/db.ts'
import type { Database } from '../../server/src/lib/db/types.ts'
import { draftFor, sendOff } from '../../tests/support/businesses/campaign-drafts.ts'
import { until } from '../../tests/support/time/eventually.ts'
import { startProviderRelay } from '../campaigns/provider-relay.ts'
import { campaignWords } from '../campaigns/words.ts'
import { createArrivals, quantile } from '../support/arrivals.ts'
import { atMost, type Figure, number } from '../support/bench.ts'
import { sizes } from '../support/sizes.ts'
import { openTestbed } from '../support/testbed.ts'
import {
  addPeople,
  connections,
  domain,
  mailStep,
  settleBusinesses,
  startSequence,
  track,
} from './place.ts'

const { contacts, seconds } = sizes.sequences.besideCampaign
const everyMs = 200
/** A mail that has not arrived within this time counts with it. */
const mostMs = 60_000

export async function ownEvent(tell: (line: string) => void): Promise<Figure[]> {
  const arrivals = createArrivals()
  const relay = await startProviderRelay({ answerTo: () => undefined, accepted: arrivals.came })
  const testbed = await openTestbed({
    SMTP_URL: relay.url(`?pool=${connections}&warmup=no`),
    SENDER_GATE: 'off',
    MAIL_FROM: `News <hello@${domain}>`,
    CANARY_SECONDS: '0',
  })
  try {
    const { db } = testbed
    const { businessId, tokens } = await settleBusinesses(testbed, 20)
    const [token = ''] = tokens
    const events = Math.ceil((seconds * 1000) / everyMs)
    await addPeople(testbed, businessId, contacts)
    const campaignId = await draftFor(db, businessId, campaignWords)
    const mail = await mailStep(testbed, token)
    await startSequence(testbed, token, {
      name: 'At once',
      enter: { on: 'own_event', event: 'at_once' },
      steps: [mail],
    })
    await db.run(sql`vacuum analyze`)
    await sendOff({ db, businessId, campaignId })
    // The campaign is not to them.
    await until(() => isFrozen(db, campaignId), 'the audience is frozen')
    await addPeople(testbed, businessId, events)
    const people = await db.all<{ email: string }>(sql`
      select email from contacts where business_id = ${businessId} order by id desc limit ${events}
    `)
    const waits: number[] = []
    let missing = 0
    const one = async (email: string, n: number) => {
      const arrived = arrivals.of(email)
      await track(testbed, tokens[n % tokens.length] ?? '', { event: 'at_once', emails: [email] })
      const answered = performance.now()
      const at = await Promise.race([arrived, sleep(mostMs, undefined, { ref: false })])
      if (at === undefined) missing++
      waits.push(at === undefined ? mostMs : Math.max(0, at - answered))
    }
    const began = performance.now()
    const all: Promise<void>[] = []
    for (const [n, { email }] of people.entries()) {
      await sleep(Math.max(0, began + n * everyMs - performance.now()))
      all.push(one(email, n))
    }
    await Promise.all(all)
    const { left } = await db.one<{ left: number }>(sql`
      select count(*)::int as left from campaign_recipients
      where business_id = ${businessId} and campaign_id = ${campaignId}
        and state in ('pending', 'taken')
    `)
    tell(`own event to mail: ${number(quantile(waits, 0.5))} ms; the campaign has ${left} left`)
    const to = `from an own event to the relay's 250 beside a campaign`
    return [
      atMost(`${to}, p50`, quantile(waits, 0.5), 2_000, ' ms'),
      atMost(`${to}, p99`, quantile(waits, 0.99), 10_000, ' ms'),
      { name: 'of those mails, not arrived', value: number(missing) },
      { name: 'of the campaign, still to be sent at the end', value: number(left) },
    ]
  } finally {
    await testbed.close()
    await relay.stop()
  }
}

async function isFrozen(db: Database, campaignId: Id<'campaign'>): Promise<boolean> {
  const { at } = await db.one<{ at: Date | null }>(sql`
    select frozen_at as at from campaigns where id = ${campaignId}
  `)
  return at !== null
}
