import { refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Role, Tier } from '../../core/operation.ts'
import type { Utm } from '../../core/utm.ts'
import { hasUnseen } from '../../lib/text/visible-text.ts'
import type { PageLook } from './brand.ts'

/** Who may be tracked: everyone who did not object, only those who agreed, or nobody. */
export const trackingPolicies = ['everyone', 'agreed', 'nobody'] as const
export type TrackingPolicy = (typeof trackingPolicies)[number]

/** The facts about a business that its texts contain. */
export interface SmsProfile {
  name: string
  /** How to get help, in the business's own words. */
  help: string | null
  /** `Ana's Shop <hello@shop.example>`; null where the business set none. */
  sender: string | null
  /** A BCP 47 tag such as `pt-BR`. */
  language: string
}

export interface SenderProfile {
  name: string
  postalAddress: string | null
  /** `Ana's Shop <hello@shop.example>`; null where the business set none. */
  sender: string | null
  /** The address for replies, if it is not the sender's. */
  replyTo?: string | null
  /** The colour of buttons in generated mail, `#rrggbb`. */
  colour?: string | null
  /** The page that says how it uses personal data. */
  privacyUrl?: string | null
  /** How its pages look. */
  look?: PageLook
  /** The sender of its texts, if it has one of its own. */
  smsSender: string | null
  /** The IANA name of the time zone in which its mail shows dates. */
  timeZone: string
  trackOpens: boolean
  trackClicks: boolean
  /** Whether either is recorded for transactional mail too. */
  trackTransactional: boolean
  /** Whose opens and clicks are recorded, where they are recorded at all. */
  tracking: TrackingPolicy
  /** A BCP 47 tag such as `pt-BR`. */
  language: string
  /** Set for a business that was closed, which takes nobody back. */
  closedAt?: Date | null
}

/** The limits that a business sets on campaigns. */
export interface DeploySettings {
  name: string
  tier: Tier
  timeZone: string
  postalAddress: string | null
  /** The most recipients that a connection may deploy to without approval; null for no limit. */
  deployLimit: number | null
  /** Whether the person who deploys a campaign may not approve it as well, not even in the app. */
  twoPeople: boolean
  /** UTM parameters of campaigns that set none; null for none. */
  utm: Utm | null
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

/** The public archive as it is set; what is absent is off or not set. */
export interface ArchiveSetting {
  on?: boolean
  title?: string
  description?: string
  /** The form by which readers subscribe, `frm_…`. */
  form_id?: string
}

/** An archive that is on, with what its pages say of the business. */
export interface Archive {
  name: string
  language: string
  colour: string | null
  look?: PageLook
  timeZone: string
  postalAddress: string | null
  title: string | null
  description: string | null
  formId: string | null
  /** Counts the changes of settings, of which some are in mails. */
  settingsVersion: number
  /** When a setting, or a campaign's choice, last changed. */
  changedAt: Date
}

/** A business as one of its members sees it. */
export interface Membership {
  id: Id<'business'>
  name: string
  role: Role
}

const longestName = 100

/** Checks a business's name: one line without invisible characters, never empty. */
export function businessName(text: string): string {
  const name = text.normalize('NFC').replace(/\s+/gu, ' ').trim()
  const fine = name !== '' && name.length <= longestName && !hasUnseen(name)
  if (fine) return name
  throw refuse('invalid_request', `A business has a name of 1 to ${longestName} characters.`, {
    field: 'name',
    data: { reason: 'wrong_business_name', limit: longestName },
  })
}

/** How much marketing one person gets: at most `max` messages in `per`, at least `gap` apart. */
export interface Caps {
  max: number
  /** Such as `7 days`. */
  per: string
  /** Such as `1 hour`. */
  gap?: string
  /** What comes first where not all fits. */
  priority: ('sequence' | 'campaign')[]
}
