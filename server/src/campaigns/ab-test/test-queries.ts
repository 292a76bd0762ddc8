/** Statements about A/B tests. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { Clocks } from '../audience/clocks.ts'
import type { RunKey } from '../model/run-queries.ts'
import type { VariantResult } from './evidence.ts'

export interface TestPlan {
  /** The percentage of recipients who get one of the variants at once. */
  sample: number
  decidedBy: 'clicks' | 'opens'
  /** Minutes after the freeze. */
  afterMinutes: number
}

export interface VariantTest extends TestPlan {
  /** The variant that the others get, whether it won or leads by chance. */
  winner: number | null
  byHand: boolean
  /** Null while it is undecided. */
  isBeyondChance: boolean | null
  /** On what it was decided; null while undecided, and of tests from before that was stored. */
  evidence: VariantResult[] | null
  decidedAt: Date | null
  releasedAt: Date | null
}

export function findTest(
  db: Db,
  { businessId, campaignId }: RunKey,
): Promise<VariantTest | undefined> {
  return db.maybe(sql`
    select sample, decided_by as "decidedBy", after_minutes as "afterMinutes", winner,
      by_hand as "byHand", is_beyond_chance as "isBeyondChance", evidence, decided_at as "decidedAt", released_at as "releasedAt"
    from campaign_tests where business_id = ${businessId} and campaign_id = ${campaignId}
  `)
}

export function upsertTest(
  tx: Tx,
  { businessId, campaignId }: RunKey,
  plan: TestPlan,
): Promise<number> {
  return tx.run(sql`
    insert into campaign_tests (business_id, campaign_id, sample, decided_by, after_minutes, by_hand)
    values (${businessId}, ${campaignId}, ${plan.sample}, ${plan.decidedBy}, ${plan.afterMinutes},
      false)
    on conflict (business_id, campaign_id) do update
    set sample = excluded.sample, decided_by = excluded.decided_by,
      after_minutes = excluded.after_minutes
  `)
}

export function deleteTest(tx: Tx, { businessId, campaignId }: RunKey): Promise<number> {
  return tx.run(sql`
    delete from campaign_tests where business_id = ${businessId} and campaign_id = ${campaignId}
  `)
}

/** Deletes all variants but the first; the template versions stay. */
export function deleteOtherVariants(
  tx: Tx,
  businessId: Id<'business'>,
  campaignId: Id<'campaign'>,
): Promise<number> {
  return tx.run(sql`
    delete from campaign_variants
    where business_id = ${businessId} and campaign_id = ${campaignId} and position > 0
  `)
}

/** Records the decision unless there is one already. */
export function setWinner(
  tx: Tx,
  { businessId, campaignId }: RunKey,
  decision: {
    winner: number
    byHand: boolean
    isBeyondChance: boolean
    evidence: readonly VariantResult[]
    now: Date
  },
): Promise<number> {
  return tx.run(sql`
    update campaign_tests set winner = ${decision.winner}, by_hand = ${decision.byHand},
      is_beyond_chance = ${decision.isBeyondChance},
      evidence = ${JSON.stringify(decision.evidence)}::jsonb, decided_at = ${decision.now}
    where business_id = ${businessId} and campaign_id = ${campaignId} and winner is null
  `)
}

/** The time zones among the first of the recipients who wait. */
export function zonesOfHeld(
  tx: Tx,
  { businessId, campaignId }: RunKey,
  limit: number,
): Promise<{ zone: string }[]> {
  return tx.all(sql`
    select distinct c.attributes ->> 'time_zone' as zone
    from (
      select contact_id from campaign_recipients
      where business_id = ${businessId} and campaign_id = ${campaignId}
        and due_at = 'infinity' and state = 'pending'
      order by contact_id limit ${limit}
    ) held
    join contacts c on c.business_id = ${businessId} and c.id = held.contact_id
    where c.attributes ->> 'time_zone' is not null
  `)
}

interface Release extends Clocks {
  winner: number
  limit: number
  now: Date
}

/**
 * Assigns the winner to at most `limit` of the waiting recipients: at once, or at their own hour if
 * that is still to come. Returns how many there were.
 */
export function releaseHeld(
  tx: Tx,
  { businessId, campaignId }: RunKey,
  { winner, limit, clocks, otherwise, now }: Release,
): Promise<number> {
  return tx.run(sql`
    update campaign_recipients r set variant = ${winner},
      due_at = greatest(${now}::timestamptz, held.hour), updated_at = ${now}
    from (
      select waiting.contact_id, coalesce(clocks.at, ${otherwise}::timestamptz) as hour
      from (
        select contact_id from campaign_recipients
        where business_id = ${businessId} and campaign_id = ${campaignId}
          and due_at = 'infinity' and state = 'pending'
        order by contact_id limit ${limit}
      ) waiting
      left join contacts c on c.business_id = ${businessId} and c.id = waiting.contact_id
      left join unnest(
        ${clocks.map((clock) => clock.zone)}::text[], ${clocks.map((clock) => clock.at)}::timestamptz[]
      ) as clocks (zone, at) on clocks.zone = c.attributes ->> 'time_zone'
    ) held
    where r.business_id = ${businessId} and r.campaign_id = ${campaignId}
      and r.contact_id = held.contact_id
  `)
}

export function markReleased(
  tx: Tx,
  { businessId, campaignId }: RunKey,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update campaign_tests set released_at = ${now}
    where business_id = ${businessId} and campaign_id = ${campaignId}
  `)
}
