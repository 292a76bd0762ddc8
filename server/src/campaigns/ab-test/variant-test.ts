/**
 * A/B tests: two or more variants of a campaign, each sent to a part of a sample of the audience;
 * the others wait for the winner. Every recipient gets exactly one variant. The evidence says how
 * likely it is that a variant is better.
 */

import { isRefusal, orRefusal, refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Origin, Tier } from '../../core/operation.ts'
import { schemaCheck } from '../../core/schema-check.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { type Static, Type } from '../../lib/schema/schema.ts'
import { differenceInterval, quantileFor, shareInterval } from '../../lib/statistics/proportions.ts'
import type { Templates } from '../../templates/compile.ts'
import {
  type CheckedContent,
  checkContent,
  saveOwned,
  versionContent,
} from '../../templates/owned.ts'
import type { TemplateSource } from '../../templates/source.ts'
import type { Clocks } from '../audience/clocks.ts'
import { findVariants, insertVariants } from '../campaign.ts'
import type { RunKey } from '../campaign-run.ts'
import { type ContentInput, contentInput } from '../content.ts'

export const testLimits = {
  /** The most variants besides the first. */
  variants: 4,
  sample: { least: 2, most: 100, usual: 20 },
  minutes: { least: 10, most: 10_080, usual: 240 },
} as const

/**
 * The full schema; the listed tool has only a short description, since the list has no room for
 * more.
 */
const setUp = Type.Object(
  {
    variants: Type.Array(contentInput, { maxItems: testLimits.variants }),
    sample_percent: Type.Optional(
      Type.Integer({ minimum: testLimits.sample.least, maximum: testLimits.sample.most }),
    ),
    winner_by: Type.Optional(Type.Enum(['clicks', 'opens'])),
    after_minutes: Type.Optional(
      Type.Integer({ minimum: testLimits.minutes.least, maximum: testLimits.minutes.most }),
    ),
  },
  { additionalProperties: false },
)

const choice = Type.Object(
  { winner: Type.Integer({ minimum: 0, maximum: testLimits.variants }) },
  { additionalProperties: false },
)

export const testInput = Type.Optional(
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    description:
      'A/B: {variants: [what differs], sample_percent, winner_by: clicks|opens, after_minutes}, or {winner}.',
  }),
)

const checkSetUp = schemaCheck(setUp, 'ab')
const checkChoice = schemaCheck(choice, 'ab')

export type TestWish = Static<typeof setUp>

/** Reads a test to set up, or the number of the variant that a person chose. */
export function readTest(ab: Record<string, unknown>): TestWish | number {
  const refusal = 'winner' in ab ? checkChoice(ab) : checkSetUp(ab)
  if (refusal) {
    const { field, ...details } = refusal.details
    const path = field ? `ab.${field}` : 'ab'
    throw refuse(refusal.code, `In ab: ${refusal.message}`, { ...details, field: path })
  }
  return 'winner' in ab ? Number(ab['winner']) : (ab as TestWish)
}

export interface TestPlan {
  /** The percentage of recipients who get one of the variants at once. */
  sample: number
  decidedBy: 'clicks' | 'opens'
  /** Minutes after the freeze. */
  afterMinutes: number
}

interface CheckedTest {
  plan: TestPlan
  contents: CheckedContent[]
}

interface Parties {
  db: Db
  templates: Templates
}

/** Each variant is the first one with its own changes applied. */
export async function checkTest(
  parties: Parties,
  { variants, sample_percent, winner_by, after_minutes }: TestWish,
  { first, business }: { first: CheckedContent; business: { id: Id<'business'>; tier: Tier } },
): Promise<CheckedTest> {
  if (business.tier === 'free' && variants.length > 0) {
    const text = 'A/B tests need the tier growth; this business has free.'
    throw refuse('tier_required', text, { field: 'ab', data: { tier: 'growth' } })
  }
  const contents: CheckedContent[] = []
  for (const [n, variant] of variants.entries()) {
    const target = { before: first, businessId: business.id }
    const content = await orRefusal(() => checkContent(parties, variant, target))
    const field = `ab.variants[${n}]`
    if (isRefusal(content))
      throw refuse(content.code, content.message, { ...content.details, field })
    if (JSON.stringify(content.source) === JSON.stringify(first.source)) {
      const text = `${field} is the same as the campaign's: provide a different value.`
      throw refuse('invalid_request', text, { field, data: { reason: 'same_variant' } })
    }
    contents.push(content)
  }
  const plan = {
    sample: sample_percent ?? testLimits.sample.usual,
    decidedBy: winner_by ?? 'clicks',
    afterMinutes: after_minutes ?? testLimits.minutes.usual,
  } as const
  return { plan, contents }
}

/**
 * The draft's test, to be set up again over new content: each other variant keeps what it says
 * otherwise than the first one did.
 */
export async function standingTest(
  db: Db,
  { businessId, campaignId }: { businessId: Id<'business'>; campaignId: Id<'campaign'> },
  before: TemplateSource,
): Promise<TestWish | undefined> {
  const test = await findTest(db, { businessId, campaignId })
  if (!test) return undefined
  const [, ...others] = await findVariants(db, businessId, campaignId)
  const contents = others.map(({ versionId }) => versionContent(db, businessId, versionId))
  const variants = (await Promise.all(contents)).map((row) => ownParts(row?.source, before))
  const { sample: sample_percent, decidedBy: winner_by, afterMinutes: after_minutes } = test
  return { variants, sample_percent, winner_by, after_minutes }
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

function ownParts(source: TemplateSource | undefined, first: TemplateSource): ContentInput {
  const own: Record<string, unknown> = { ...source }
  const its: Record<string, unknown> = { ...first }
  const parts = Object.keys({ ...its, ...own })
  const differing = parts.filter((part) => JSON.stringify(own[part]) !== JSON.stringify(its[part]))
  const gone = (part: string) => (part === 'blocks' ? [] : '')
  return Object.fromEntries(differing.map((part) => [part, own[part] ?? gone(part)]))
}

interface Owner {
  businessId: Id<'business'>
  campaignId: Id<'campaign'>
  origin: Origin
  now: Date
}

/**
 * Replaces the campaign's test; an empty list of variants ends it. The caller has locked the
 * campaign.
 */
export async function saveTest(
  tx: Tx,
  { businessId, campaignId, origin, now }: Owner,
  { plan, contents }: CheckedTest,
): Promise<void> {
  const key = { businessId, campaignId }
  await deleteOtherVariants(tx, businessId, campaignId)
  if (contents.length === 0) return void (await deleteTest(tx, key))
  const variants = []
  for (const [n, content] of contents.entries()) {
    const saved = await saveOwned(tx, businessId, { campaignId, content, origin, now })
    variants.push({ position: n + 1, share: 1, ...saved })
  }
  await insertVariants(tx, businessId, campaignId, variants)
  await upsertTest(tx, key, plan)
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

function deleteTest(tx: Tx, { businessId, campaignId }: RunKey): Promise<number> {
  return tx.run(sql`
    delete from campaign_tests where business_id = ${businessId} and campaign_id = ${campaignId}
  `)
}

/** Deletes all variants but the first; the template versions stay. */
function deleteOtherVariants(
  tx: Tx,
  businessId: Id<'business'>,
  campaignId: Id<'campaign'>,
): Promise<number> {
  return tx.run(sql`
    delete from campaign_variants
    where business_id = ${businessId} and campaign_id = ${campaignId} and position > 0
  `)
}

export const testView = Type.Object({
  sample_percent: Type.Integer(),
  winner_by: Type.Enum(['clicks', 'opens']),
  after_minutes: Type.Integer(),
  winner: Type.Union([Type.Integer(), Type.Null()]),
  sent_to_others: Type.Union([Type.Integer(), Type.Null()]),
  by_hand: Type.Boolean(),
  beyond_chance: Type.Boolean(),
  decided_at: Type.Union([Type.String(), Type.Null()]),
  results: Type.Optional(
    Type.Array(
      Type.Object({
        variant: Type.Integer(),
        sent: Type.Integer(),
        acted: Type.Integer(),
        low: Type.Number(),
        high: Type.Number(),
      }),
    ),
  ),
  leader: Type.Optional(Type.Integer()),
  lead: Type.Optional(
    Type.Object({
      low: Type.Number(),
      high: Type.Number(),
    }),
  ),
})

/** `current` are the results so far; a decided test shows those that it was decided on. */
export function viewOfTest(test: VariantTest, current?: readonly VariantResult[]) {
  const results = test.evidence ?? (test.winner === null ? current : undefined)
  const verdict = results && results.length > 1 ? judge(results) : undefined
  const isNamed = test.byHand || test.isBeyondChance === true
  return {
    sample_percent: test.sample,
    winner_by: test.decidedBy,
    after_minutes: test.afterMinutes,
    winner: isNamed ? test.winner : null,
    sent_to_others: test.winner,
    by_hand: test.byHand,
    beyond_chance: test.isBeyondChance ?? verdict?.isBeyondChance ?? false,
    decided_at: test.decidedAt?.toISOString() ?? null,
    ...(verdict && { results: verdict.results, leader: verdict.leader, lead: verdict.lead }),
  }
}

/** How many people a variant reached, and how many of them clicked or opened. */
export interface VariantResult {
  variant: number
  sent: number
  acted: number
}

interface Verdict {
  results: (VariantResult & { low: number; high: number })[]
  /** The variant with the highest share; of equal ones the first, which is the author's own. */
  leader: number
  /** By how much its share is larger than that of the variant which comes nearest to it. */
  lead: { low: number; high: number }
  isBeyondChance: boolean
}

type Count = { variant: number; metric: string; amount: number }

/** People alone: visits of machines have counters of their own. */
export function resultsOf(
  variants: readonly { position: number }[],
  counts: readonly Count[],
  decidedBy: 'clicks' | 'opens',
): VariantResult[] {
  const amount = (variant: number, metric: string) =>
    counts.find((count) => count.variant === variant && count.metric === metric)?.amount ?? 0
  return variants.map(({ position }) => ({
    variant: position,
    sent: amount(position, 'sent'),
    acted: amount(position, decidedBy === 'clicks' ? 'clicked' : 'opened'),
  }))
}

/** Where one of several variants leads, that is judged over all pairs of them together. */
export function judge(results: readonly VariantResult[]): Verdict {
  const z = quantileFor(results.length)
  const share = ({ sent, acted }: VariantResult) => ({ of: sent, did: acted })
  const rate = ({ sent, acted }: VariantResult) => acted / Math.max(1, sent)
  const [first, ...others] = results
  if (!first) throw new Error('an A/B test without variants')
  const leader = others.reduce((best, other) => (rate(other) > rate(best) ? other : best), first)
  const leads = results
    .filter((result) => result !== leader)
    .map((result) => differenceInterval(share(leader), share(result), z))
  const lead = leads.reduce((least, interval) => (interval.low < least.low ? interval : least), {
    low: Infinity,
    high: Infinity,
  })
  return {
    results: results.map((result) => ({ ...result, ...shareInterval(share(result), z) })),
    leader: leader.variant,
    lead: leads.length === 0 ? { low: 0, high: 0 } : lead,
    isBeyondChance: leads.length > 0 && lead.low > 0,
  }
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
