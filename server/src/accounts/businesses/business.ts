import { type Refusal, refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Role, Tier } from '../../core/operation.ts'
import { hasUnseen } from '../../lib/text/visible-text.ts'

export interface Texting {
  name: string
  /** How to reach it, in its own words. */
  help: string | null
  /** `Ana's Shop <hello@shop.example>`, where it has one. */
  sender: string | null
  /** A BCP 47 tag such as `pt-BR`. */
  language: string
}

export interface SenderProfile {
  name: string
  postalAddress: string | null
  /** `Ana's Shop <hello@shop.example>`, where it has one. */
  sender: string | null
  /** Where answers go, where that is not the sender. */
  replyTo?: string | null
  /** `#rrggbb`, of buttons in mail that is generated. */
  colour?: string | null
  /** Whom its texts are from, where it has a sender of its own. */
  smsSender: string | null
  /** An IANA name, in which its mail gives dates. */
  timeZone: string
  trackOpens: boolean
  trackClicks: boolean
  /** A BCP 47 tag such as `pt-BR`. */
  language: string
}

/** What a business lets campaigns do. */
export interface Deploying {
  name: string
  tier: Tier
  timeZone: string
  postalAddress: string | null
  /** Recipients up to which a connection deploys alone; null for no limit. */
  deployLimit: number | null
  /** Whoever deploys a campaign does not approve it too, not even as a person in the app. */
  twoPeople: boolean
}

export interface Business {
  id: Id<'business'>
  name: string
  tier: Tier
  /** An IANA name such as `Europe/Paris`. */
  timeZone: string
  /** A BCP 47 tag such as `pt-BR`. */
  language: string
  postalAddress: string | null
  createdAt: Date
}

/** A business as one of its members sees it. */
export interface Membership {
  id: Id<'business'>
  name: string
  role: Role
}

const longestName = 100

/** A name as people see it: one line, nothing unseen in it, never empty. */
export function businessName(text: string): string | Refusal {
  const name = text.normalize('NFC').replace(/\s+/gu, ' ').trim()
  const fine = name !== '' && name.length <= longestName && !hasUnseen(name)
  return fine
    ? name
    : refuse('invalid_request', `A business has a name of 1 to ${longestName} characters.`, {
        field: 'name',
      })
}
