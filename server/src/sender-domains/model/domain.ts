import type { Id } from '../../core/ids.ts'
import type { RecordFinding } from './record.ts'

export const domainStatuses = ['pending', 'verified', 'degraded'] as const
/**
 * `verified` once DKIM was correct twice in a row. `degraded` if it was then missing for a day: the
 * domain still sends, but no marketing.
 */
export type DomainStatus = (typeof domainStatuses)[number]

/** The results of the last check, by record id. */
export type Report = Readonly<Record<string, RecordFinding>>

export interface Domain {
  id: Id<'domain'>
  businessId: Id<'business'>
  /** Lower case, with IDN as A-labels. */
  name: string
  /** The registered part: `shop.example` of `mail.shop.example`. */
  registrable: string
  status: DomainStatus
  /** How many checks in a row found DKIM correct, and the time of the last check. */
  passes: number
  passedAt: Date | null
  /** How many checks in a row found DKIM wrong, and the time of the first check. */
  misses: number
  missingSince: Date | null
  /** Whether another business holds the name although this domain's records are found too. */
  heldElsewhere: boolean
  verifiedAt: Date | null
  /** Set where a connected app added it, and no person has: it is not the business's own yet. */
  awaitsPerson: boolean
  checkedAt: Date | null
  nextCheckAt: Date
  report: Report
  revision: number
  createdAt: Date
  keys: DomainKey[]
}

export type Slot = 1 | 2

/**
 * `coming`: to be published, not used yet. `leaving`: no longer used, still published for mail on
 * its way. `revoked`: to be published empty, or removed.
 */
export type KeyState = 'active' | 'coming' | 'leaving' | 'revoked'

/** The public half of a slot's key. */
export interface DomainKey {
  slot: Slot
  state: KeyState
  /** Base64, as in the record's `p=`. */
  rsaPublic: string
  ed25519Public: string | null
  /** For a coming key: the time since which its record has been correct. */
  seenAt: Date | null
  ttlSeconds: number
  leavesAt: Date | null
  createdAt: Date
}

/** Settings of the operator that apply to every domain. */
export interface DomainSettings {
  /** The operator's zone that domains point to, so that keys can change without domain owners. */
  zone: string | undefined
  /** The host that receives bounces. */
  bounceHost: string
  /** Mechanisms that SPF must allow, such as `include:spf.relay.example`. */
  spf: string
  /** The host that receives opens and clicks. */
  trackingHost: string
  /** Whether new keys come in pairs: RSA, which all can verify, and ed25519, which is short. */
  ed25519: boolean
  /** `strict`: a business sends only from its verified domains. */
  gate: 'strict' | 'off'
  /** The sender of businesses without their own sender, if the gate is off. */
  mailFrom: string
  /** Whether a relay keeps our return path, so that its records are of use. */
  ownReturnPath: boolean
  /** No relay is set: all mail stays in the built-in inbox. */
  staysHere?: boolean
  /** What the providers behind the relays need besides: their names, with the records. */
  providers: readonly string[]
}

/** The minimum TTL that is assumed, because clocks and resolvers are inexact. */
export const leastTtlSeconds = 60

/** The most checks that callers may request per business and hour, besides automatic ones. */
export const checksPerHour = 60

/** The key in use. Every domain has one. */
export function activeKey({ name, keys }: Pick<Domain, 'name' | 'keys'>): DomainKey {
  const active = keys.find(({ state }) => state === 'active')
  if (!active) throw new Error(`the domain ${name} has no key in use`)
  return active
}
