/**
 * kill -9 while a campaign is sent, paused and resumed at random: in the end every recipient is in
 * one final state, and the sink has got nothing twice.
 */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  pauseCampaign,
  resumeCampaign,
} from '../../../../server/src/campaigns/sending/transitions.ts'
import { type Id, parseId } from '../../../../server/src/core/ids.ts'
import { sql } from '../../../../server/src/lib/db/db.ts'
import {
  type CampaignPlace,
  draftIn,
  sendOff,
  standings,
} from '../../../support/businesses/campaign-drafts.ts'
import { endLeases } from '../../../support/jobs/end-leases.ts'
import { startSmtpSink } from '../../../support/mail/smtp-sink.ts'
import { freePort } from '../../../support/network/port.ts'
import { migratedDataDir } from '../data-dir.ts'
import { type Random, seededRandom } from '../random.ts'
import { startService } from '../service-process.ts'
import { assertDurable } from '../verify.ts'

export interface CampaignLoopOptions {
  recipients: number
  kills: number
  /** Connections to the relay. */
  connections: number
  /** Messages a second at most, so that the kills interrupt some. */
  rate?: number
  seed: number
  /** Whether the dead worker's leases end at once, instead of by themselves. */
  endsLeases?: boolean
  onKill?: (done: number, ended: number) => void
}

export interface CampaignReport {
  recipients: number
  kills: number
  pauses: number
  /** Recipients by state and reason. */
  standings: Record<string, number>
  /** The messages that the sink accepted, and those that it accepted a second time. */
  received: number
  twice: number
  /** Recipients recorded as sent, whose message is not at the sink. */
  lost: number
  /** Messages at the sink whose recipient is recorded as neither sent nor unknown. */
  untold: number
  /** Recipients whose row disagrees with their message. */
  apart: number
  unknown: number
}

const goesOnWithin = 120_000

export async function campaignLoop(options: CampaignLoopOptions): Promise<CampaignReport> {
  const { recipients, kills, connections, rate, seed, endsLeases, onKill } = options
  const random = seededRandom(seed)
  const sink = await startSmtpSink({ keep: true })
  const dataDir = await migratedDataDir()
  const limit = rate === undefined ? '' : `&rate=${rate}`
  const env = {
    SMTP_URL: sink.url(`?pool=${connections}&warmup=no${limit}`),
    SENDER_GATE: 'off',
    MAIL_FROM: 'hello@shop.example',
    CANARY_SECONDS: '1',
  }
  const start = (port: number) => startService({ dataDir: dataDir.path, port, env })
  let service = await start(await freePort())
  const db = await dataDir.open()
  try {
    await assertDurable(db)
    const campaign = await draftIn(db, recipients)
    await sendOff(campaign)
    let pauses = 0
    for (let n = 1; n <= kills; n++) {
      pauses += await unrest(campaign, random, random.whole(1_500, 4_000))
      await service.kill()
      onKill?.(n, await countEnded(campaign))
      if (endsLeases) await endLeases(db)
      service = await start(service.port)
    }
    await completed(campaign)
    const states = await messageStates(campaign)
    return {
      recipients,
      kills,
      pauses,
      standings: await standings(campaign),
      ...accountFor(states, await sink.messageIds()),
      apart: await countApart(campaign),
    }
  } finally {
    await db.end()
    await service.stop()
    await sink.stop()
    await dataDir.remove()
  }
}

/** Pauses and resumes for a while; returns the number of pauses. */
async function unrest(campaign: CampaignPlace, random: Random, ms: number): Promise<number> {
  let pauses = 0
  for (const until = performance.now() + ms; performance.now() < until; ) {
    await sleep(random.whole(100, 900))
    if (random.next() < 0.5) continue
    await steer(campaign, 'pause')
    pauses++
    await sleep(random.whole(0, 400))
    await steer(campaign, 'resume')
  }
  return pauses
}

/** A completed campaign refuses this, which is fine. */
function steer({ db, businessId, campaignId }: CampaignPlace, action: 'pause' | 'resume') {
  const asked = { businessId, id: campaignId }
  return db.tx(async (tx) => {
    if (action === 'pause') await pauseCampaign(tx, asked, 'requested', new Date())
    else await resumeCampaign(tx, asked, new Date())
  })
}

async function completed(campaign: CampaignPlace): Promise<void> {
  let ended = -1
  let since = performance.now()
  for (;;) {
    const { state } = await campaign.db.one<{ state: string }>(sql`
      select state from campaigns where id = ${campaign.campaignId}
    `)
    if (state === 'completed') return
    const n = await countEnded(campaign)
    if (n > ended) since = performance.now()
    ended = n
    assert.ok(performance.now() - since < goesOnWithin, `${state}: ${n} at their end, and no more`)
    await sleep(200)
  }
}

async function countEnded({ db, campaignId }: CampaignPlace): Promise<number> {
  const { n } = await db.one<{ n: number }>(sql`
    select count(*)::int as n from campaign_recipients
    where campaign_id = ${campaignId} and state not in ('pending', 'taken')
  `)
  return n
}

async function messageStates({ db, campaignId }: CampaignPlace): Promise<Map<string, string>> {
  const rows = await db.all<{ id: Id<'message'>; state: string }>(sql`
    select id, state from messages where campaign_id = ${campaignId}
  `)
  return new Map(rows.map(({ id, state }) => [id, state]))
}

/** Counts rows without the message that they name, or with another outcome than its own. */
async function countApart({ db, campaignId }: CampaignPlace): Promise<number> {
  const { n } = await db.one<{ n: number }>(sql`
    select count(*)::int as n
    from (select * from campaign_recipients where campaign_id = ${campaignId}) r
    full join (select * from messages where campaign_id = ${campaignId}) m on m.id = r.message_id
    where r.message_id is null and (m.id is not null or r.state <> 'skipped')
      or r.state is distinct from case m.state when 'accepted' then 'sent' else m.state end
      and m.id is not null
  `)
  return n
}

function accountFor(states: ReadonlyMap<string, string>, received: string[]) {
  const times = new Map<string, number>()
  for (const name of received) {
    const id = parseId('message', name.split('@')[0] ?? '') ?? name
    times.set(id, (times.get(id) ?? 0) + 1)
  }
  const ofState = (state: string) => [...states].filter(([, its]) => its === state)
  const told = new Set([...ofState('accepted'), ...ofState('unknown')].map(([id]) => id))
  return {
    received: received.length,
    twice: [...times.values()].filter((n) => n > 1).length,
    lost: ofState('accepted').filter(([id]) => !times.has(id)).length,
    untold: [...times.keys()].filter((id) => !told.has(id)).length,
    unknown: ofState('unknown').length,
  }
}
