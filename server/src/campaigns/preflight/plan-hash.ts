/**
 * The name of a plan: what it was made of, in short, so that whoever deploys by it can be told
 * what has changed since. It is signed, so that it comes from a preview and from nothing else.
 */
import { createHash } from 'node:crypto'
import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Audience, Variant } from '../model/campaign.ts'

/** What a deploy holds a plan to. */
export interface PlanParts {
  recipients: number
  content: string
  sender: string
  audience: string
}

export function contentPrint(variants: readonly Variant[]): string {
  return print(variants.map(({ versionId, share }) => [versionId, share]))
}

export function audiencePrint(audience: Audience): string {
  return print(audience)
}

/** Of the address it comes from. */
export function senderPrint(from: string): string {
  return print(from)
}

export function planHash(hmac: Hmac, campaignId: Id<'campaign'>, parts: PlanParts): string {
  const { recipients, content, sender, audience } = parts
  const body = `${recipients}-${content}-${sender}-${audience}`
  return `${body}-${signature(hmac, campaignId, body)}`
}

/** What the plan was; undefined where no preview of this campaign gave it. */
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
