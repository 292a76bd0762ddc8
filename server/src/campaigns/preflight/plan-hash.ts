/**
 * The plan hash: a short form of the parts of a plan, so that a deploy can report what has changed
 * since. It is signed, so that it can only come from a preview.
 */

import { createHash } from 'node:crypto'
import { type Refusal, refuse } from '../../core/errors.ts'
import { formatId, type Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Utm } from '../../core/utm.ts'
import { keysOf } from '../../templates/compiled-source.ts'
import type { Audience } from '../campaign.ts'
import type { RenderedContent } from './rendered.ts'

/** The parts of a plan that a deploy compares. */
export interface PlanParts {
  recipients: number
  content: string
  sender: string
  audience: string
}

/** What is added to the links is part of the content, and so is a look that changed since its save. */
export function contentPrint(variants: readonly RenderedContent[], utm: Utm | undefined): string {
  const content = variants.map(({ versionId, share, restyled }) =>
    restyled ? [versionId, share, keysOf(restyled.compiled)] : [versionId, share],
  )
  return print(utm === undefined ? content : [...content, utm])
}

export function audiencePrint(audience: Audience, topic: string | null): string {
  return print(topic === null ? audience : { ...audience, topic })
}

/** A fingerprint of the sender's address. */
export function senderPrint(from: string): string {
  return print(from)
}

export function planHash(hmac: Hmac, campaignId: Id<'campaign'>, parts: PlanParts): string {
  const { recipients, content, sender, audience } = parts
  const body = `${recipients}-${content}-${sender}-${audience}`
  return `${body}-${signature(hmac, campaignId, body)}`
}

/** Reads the plan; undefined if no preview of this campaign issued the hash. */
export function readPlanHash(
  hmac: Hmac,
  campaignId: Id<'campaign'>,
  hash: string,
): PlanParts | undefined {
  const match = /^((\d{1,10})-([0-9a-f]{12})-([0-9a-f]{12})-([0-9a-f]{12}))-([0-9a-f]{24})$/.exec(
    hash,
  )
  if (!match) return undefined
  const [, body = '', recipients, content = '', sender = '', audience = '', mac] = match
  if (mac !== signature(hmac, campaignId, body)) return undefined
  return { recipients: Number(recipients), content, sender, audience }
}

function print(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12)
}

function signature(hmac: Hmac, campaignId: Id<'campaign'>, body: string): string {
  return hmac('campaign.plan', `${campaignId} ${body}`).toString('hex').slice(0, 24)
}

/** A change of the number of recipients up to this percentage is tolerated: people come and go. */
const toleratedPercent = 1

interface Difference {
  what: 'recipients' | 'content' | 'sender' | 'audience'
  before?: number
  now?: number
}

export function driftOf(before: PlanParts, now: PlanParts): Difference[] {
  const changed = (['content', 'sender', 'audience'] as const).filter(
    (field) => before[field] !== now[field],
  )
  const moved = Math.abs(now.recipients - before.recipients) * 100
  const isMore = moved > before.recipients * toleratedPercent
  return [
    ...(isMore
      ? [{ what: 'recipients' as const, before: before.recipients, now: now.recipients }]
      : []),
    ...changed.map((field) => ({ what: field })),
  ]
}

export function drifted(campaignId: Id<'campaign'>, differences: Difference[]): Refusal {
  const sentences = differences.map(({ what: changedPart, before, now }) => {
    return before === undefined
      ? `the ${changedPart} was changed`
      : `recipients were ${before} and are ${now} now`
  })
  const text = `The plan has drifted: ${sentences.join('; ')}. Nothing was sent. Look at it again, and deploy by the new plan_hash.`
  return refuse('conflict', text, {
    field: 'plan_hash',
    data: { reason: 'changed_meanwhile', drift: differences },
    fix: { tool: 'campaign.preview', arguments: { campaign_id: formatId('campaign', campaignId) } },
  })
}
