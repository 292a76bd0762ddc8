/** What one contact becomes by taking in another: no database, no clock. */
import type { Refusal } from '../../core/errors.ts'
import {
  type Channel,
  type ConsentStatus,
  type ContactValues,
  channels,
  eachText,
} from '../model/contact.ts'
import { type ConsentChange, differences, tooMuch } from '../saving/apply-changes.ts'

export interface Joined {
  values: ContactValues
  changed: string[]
  consents: ConsentChange[]
  /** Addresses that there is no room for: a contact has one of each kind. */
  leftOut: { email?: string; phone?: string }
}

const addressOn = { email: 'email', sms: 'phone' } as const

/**
 * What stays keeps its own values and takes what it lacks. Consent belongs to the address that
 * was agreed to; but who left, on either of the two, has left.
 */
export function join(
  kept: ContactValues,
  other: ContactValues,
  evidence: string,
): Joined | Refusal {
  const consent = { ...kept.consent }
  const consents: ConsentChange[] = []
  for (const channel of channels) {
    const action = consentOn(channel, kept, other)
    if (action === consent[channel]) continue
    consent[channel] = action
    consents.push({ channel, action, evidence: { source: evidence } })
  }
  const values: ContactValues = {
    email: kept.email ?? other.email,
    phone: kept.phone ?? other.phone,
    ...eachText((field) => kept[field] ?? other[field]),
    attributes: { ...other.attributes, ...kept.attributes },
    tags: [...new Set([...kept.tags, ...other.tags])].sort(),
    consent,
  }
  const wrong = tooMuch(values)
  if (wrong) return wrong
  const leftOut = {
    ...(other.email !== null && other.email !== values.email && { email: other.email }),
    ...(other.phone !== null && other.phone !== values.phone && { phone: other.phone }),
  }
  return { values, changed: differences(kept, values), consents, leftOut }
}

function consentOn(channel: Channel, kept: ContactValues, other: ContactValues): ConsentStatus {
  const both = [kept.consent[channel], other.consent[channel]]
  if (both.includes('unsubscribed')) return 'unsubscribed'
  return (kept[addressOn[channel]] === null ? other : kept).consent[channel]
}
