/** Computes what a contact becomes when another is merged into it. Pure: no database, no clock. */
import type { Refusal } from '../../core/errors.ts'
import { differences, refuseTooMuch } from '../changes.ts'
import { type ConsentChange, chosen } from '../consent/consent.ts'
import {
  type Channel,
  type ConsentStatus,
  type ContactValues,
  channels,
  eachText,
  saidOfTopic,
  type TopicsOfChannel,
} from '../contact.ts'

export interface MergeResult {
  values: ContactValues
  changed: string[]
  consents: ConsentChange[]
  /** Addresses that do not fit, because a contact has one of each kind. */
  leftOut: { email?: string; phone?: string }
}

const addressOn = { email: 'email', sms: 'phone' } as const

/** `pendingSince`: as of a stored contact. */
type MergedContact = ContactValues & { pendingSince?: Date | null }

/**
 * The contact that stays keeps its own values and gains those that it lacks. Consent belongs to the
 * address for which it was given, but an opt-out of either contact remains.
 */
export function mergeContacts(
  kept: MergedContact,
  other: MergedContact,
  evidence: string,
): MergeResult | Refusal {
  const consent = { ...kept.consent }
  const topics: Partial<Record<Channel, TopicsOfChannel>> = {}
  const consents: ConsentChange[] = []
  const source = { source: evidence }
  for (const channel of channels) {
    const joined = topicsOn(channel, kept, other)
    if (Object.keys(joined).length > 0) topics[channel] = joined
    for (const [topic, action] of Object.entries(joined)) {
      if (saidOfTopic(kept.topics, channel, topic) === action) continue
      consents.push({ channel, topic, action, evidence: source })
    }
    const action: ConsentStatus = hasLeftAll(channel, kept, joined)
      ? 'unsubscribed'
      : consentOn(channel, kept, other)
    if (action === consent[channel]) continue
    consent[channel] = action
    consents.push({ channel, action, evidence: source })
  }
  const tracking = trackingOf(kept, other)
  if (tracking !== consent.tracking) {
    consent.tracking = tracking
    consents.push({ channel: 'tracking', action: tracking, evidence: source })
  }
  const values: ContactValues = {
    email: kept.email ?? other.email,
    phone: kept.phone ?? other.phone,
    ...eachText((field) => kept[field] ?? other[field]),
    attributes: { ...other.attributes, ...kept.attributes },
    tags: [...new Set([...kept.tags, ...other.tags])].sort(),
    consent,
    topics,
  }
  const wrong = refuseTooMuch(values)
  if (wrong) return wrong
  const leftOut = {
    ...(other.email !== null && other.email !== values.email && { email: other.email }),
    ...(other.phone !== null && other.phone !== values.phone && { phone: other.phone }),
  }
  return { values, changed: differences(kept, values), consents, leftOut }
}

function consentOn(channel: Channel, kept: MergedContact, other: MergedContact): ConsentStatus {
  const both = [kept.consent[channel], other.consent[channel]]
  if (both.includes('unsubscribed')) return 'unsubscribed'
  if (channel === 'email' && (kept.pendingSince || other.pendingSince)) return 'unsubscribed'
  return (kept[addressOn[channel]] === null ? other : kept).consent[channel]
}

/** An objection of either contact remains; else the staying contact's choice comes first. */
function trackingOf({ consent: kept }: ContactValues, { consent: other }: ContactValues) {
  if (other.tracking === 'unsubscribed') return other.tracking
  return kept.tracking === 'none' ? other.tracking : kept.tracking
}

/** Choices come from the contact whose address is used; a topic that either one left stays left. */
function topicsOn(channel: Channel, kept: ContactValues, other: ContactValues): TopicsOfChannel {
  const own = (kept[addressOn[channel]] === null ? other : kept).topics[channel] ?? {}
  const both = [kept.topics[channel] ?? {}, other.topics[channel] ?? {}]
  const left = both.flatMap((topics) =>
    Object.entries(topics).filter(([, status]) => status === 'unsubscribed'),
  )
  return { ...own, ...Object.fromEntries(left) }
}

/** Whether the contact had agreed to topics alone, and the merge leaves none of them. */
function hasLeftAll(channel: Channel, kept: ContactValues, joined: TopicsOfChannel): boolean {
  if (kept.consent[channel] !== 'subscribed') return false
  return chosen(kept.topics[channel]).length > 0 && chosen(joined).length === 0
}
