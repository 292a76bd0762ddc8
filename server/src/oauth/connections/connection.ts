/** A connection as its owner sees it. */

import type { Id } from '../../core/ids.ts'
import type { Origin, Scope } from '../../core/operation.ts'

export interface ConnectionSummary {
  id: Id<'connection'>
  /** A stranger's text: escape it, and say that nobody verified it. */
  clientName: string
  redirectHost: string
  scopes: Scope[]
  /** Scopes that were granted, and that it does not have as long as it only reads. */
  withheldScopes: Scope[]
  /** Null if it has no limit of its own. */
  recipientsPerDay: number | null
  transactionalPerDay: number | null
  /** Whether addresses and numbers are masked for it at the tool endpoint. */
  seesMasked: boolean
  takesDataOut: boolean
  /** The businesses that it reaches now: granted ones of which the person is still a member. */
  businesses: { id: Id<'business'>; name: string }[]
  createdAt: Date
  /** The time of the last call, to within the seconds between two flushes. */
  lastUsedAt: Date | null
  /** How often a rotated-out refresh token was reused too late to be a race. */
  lateReuses: number
  lastLateReuseAt: Date | null
  /** How often the code that created it was sent again. */
  codeReuses: number
  lastCodeReuseAt: Date | null
}

/** A call of a connection. Its arguments are not kept, and so it holds nothing about people. */
export interface RecentCall {
  operation: string
  /** `ok`, or the code of the refusal. */
  outcome: string
  at: string
  request_id: string
}

/**
 * The cause of a connection's end: its person, its client, the operator, or a late reuse of a token
 * or code. For an API key also its end date, or that its maker left the business.
 */
export type RevokedBy =
  | 'user'
  | 'client'
  | 'operator'
  | 'late_reuse'
  | 'code_reuse'
  | 'expiry'
  | 'maker_left'
  /** The person’s address was changed when it was made, and that was undone. */
  | 'address_undone'
  /** Every business that it reached was closed. */
  | 'closing'

export interface Revocation {
  connectionId: Id<'connection'>
  by: RevokedBy
  /** If given, only a connection of this person is ended. */
  userId?: Id<'user'>
  now: Date
}

/** A revocation by the person themselves. */
export interface OwnRevocation {
  connectionId: Id<'connection'>
  userId: Id<'user'>
  origin: Origin
  now: Date
}

/** What a connection or a key may do. A field that is undefined stays as it is. */
export interface Limits {
  isReadOnly?: boolean | undefined
  /** Null: without a limit of its own, which a key always has. */
  recipientsPerDay?: number | null | undefined
  /** The same for transactional messages. */
  transactionalPerDay?: number | null | undefined
}

/** What a person sets for a connection of theirs. */
export interface OwnLimits extends Limits {
  connectionId: Id<'connection'>
  userId: Id<'user'>
  /** The businesses that it keeps. It never gets back one that it lost. */
  businessIds?: readonly Id<'business'>[] | undefined
  seesMasked?: boolean | undefined
  takesDataOut?: boolean | undefined
  now: Date
}

/** What a connection may do now. */
export interface CurrentLimits {
  recipientsPerDay: number | null
  transactionalPerDay: number | null
  seesMasked?: boolean
  takesDataOut?: boolean
  withheldScopes: Scope[]
}
