import type { Id } from '../../core/ids.ts'
import type { RecordFinding } from './record.ts'

export const domainStatuses = ['pending', 'verified', 'degraded'] as const
/**
 * `verified` once DKIM was found right twice in a row; `degraded` when it was not found for
 * a day after that: it goes on sending, but no marketing.
 */
export type DomainStatus = (typeof domainStatuses)[number]

/** What the last check found, by the record's id. */
export type Report = Readonly<Record<string, RecordFinding>>

export interface Domain {
  id: Id<'domain'>
  businessId: Id<'business'>
  /** Lower case, IDN in A-labels. */
  name: string
  /** The part that was registered: `shop.example` of `mail.shop.example`. */
  registrable: string
  status: DomainStatus
  /** DKIM found right so many times in a row, the last time then. */
  passes: number
  passedAt: Date | null
  /** DKIM found wrong so many times in a row, the first time then. */
  misses: number
  missingSince: Date | null
  /** Another business holds the name, and its records are found too. */
  heldElsewhere: boolean
  verifiedAt: Date | null
  checkedAt: Date | null
  nextCheckAt: Date
  report: Report
  revision: number
  createdAt: Date
  keys: DomainKey[]
}

export type Slot = 1 | 2

/**
 * `coming`: to be published, not used yet. `leaving`: no longer used, still published for
 * mail on its way. `revoked`: to be published empty, or not at all.
 */
export type KeyState = 'active' | 'coming' | 'leaving' | 'revoked'

/** The public side of a slot. */
export interface DomainKey {
  slot: Slot
  state: KeyState
  /** Base64, as the record's `p=` has it. */
  rsaPublic: string
  ed25519Public: string | null
  /** Of a coming key: found right since then. */
  seenAt: Date | null
  ttlSeconds: number
  leavesAt: Date | null
  createdAt: Date
}

/** What the operator's settings give every domain. */
export interface DomainSettings {
  /** A zone of the operator into which domains point, so that keys change without their owners. */
  zone: string | undefined
  /** Where bounces are taken. */
  bounceHost: string
  /** `include:spf.relay.example`: what SPF must allow. */
  spf: string
  /** Where opens and clicks are taken. */
  trackingHost: string
  /** Whether new keys come in pairs: RSA, which all verify, and ed25519, which is short. */
  ed25519: boolean
  /** `strict`: a business sends from its verified domains alone. */
  gate: 'strict' | 'off'
  /** Sender of mail whose business has none, where the gate is off. */
  mailFrom: string
}

/** Taken for the TTL of a record that says less: clocks and resolvers are not exact. */
export const leastTtlSeconds = 60

/** Checks that callers may ask for, of one business in an hour; polling does not count. */
export const checksPerHour = 60

/** The key in use; every domain has one. */
export function activeKey({ name, keys }: Pick<Domain, 'name' | 'keys'>): DomainKey {
  const active = keys.find(({ state }) => state === 'active')
  if (!active) throw new Error(`the domain ${name} has no key in use`)
  return active
}
