/**
 * A/B tests: two or more variants of a campaign, each sent to a part of a sample of the audience;
 * the others wait for the winner. Every recipient gets exactly one variant.
 */

import { isRefusal, orRefusal, refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Origin, Tier } from '../../core/operation.ts'
import { schemaCheck } from '../../core/schema-check.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { type Static, Type } from '../../lib/schema/schema.ts'
import type { Templates } from '../../templates/compile.ts'
import {
  type CheckedContent,
  checkContent,
  saveOwned,
  versionContent,
} from '../../templates/owned.ts'
import type { TemplateSource } from '../../templates/source.ts'
import { type ContentInput, contentInput } from '../model/content.ts'
import { findVariants, insertVariants } from '../model/queries.ts'
import {
  deleteOtherVariants,
  deleteTest,
  findTest,
  type TestPlan,
  upsertTest,
} from './test-queries.ts'

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

export interface CheckedTest {
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
