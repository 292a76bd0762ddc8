/**
 * Limits on attempts by strangers, such as sign-in mail to one address. They hold across nodes and
 * restarts, in any window of time, and exactly: of twenty simultaneous attempts exactly `limit`
 * pass. Subjects are stored as HMACs, so that no address is stored.
 */

import ipaddr from 'ipaddr.js'
import type { Vault } from '../crypto/vault.ts'
import { sql } from '../db/db.ts'
import type { Db } from '../db/types.ts'
import { type Refusal, refuse } from '../schema/refusal.ts'
import { later } from '../time/clock.ts'

export interface Attempt {
  /** The action, such as `sign-in-mail.address`. Each purpose is counted separately. */
  purpose: string
  /** The subject that is counted, in one spelling: a lower-case address, a `networkOf`. */
  subject: string
  /** Attempts that pass in any window; some hundreds at most, since each is stored. */
  limit: number
  windowMs: number
  now: Date
}

/**
 * Counts the attempt if the limit allows it, and returns a Refusal if not. A refused attempt does
 * not count. Inside a transaction it counts only if that commits.
 */
export async function countAttempt(
  db: Db,
  vault: Pick<Vault, 'hmac'>,
  attempt: Attempt,
): Promise<Refusal | undefined> {
  const { limit, windowMs, now } = attempt
  const key = vault.hmac(`attempt:${attempt.purpose}`, attempt.subject)
  const { counted, times } = await countTime(db, key, attempt)
  if (counted) return undefined
  // The attempt whose expiry makes room is the limit-th last. It is missing where all attempts were
  // made while this statement ran.
  const blocking = times?.at(-limit) ?? now
  const wait = blocking.getTime() + windowMs - now.getTime()
  const retryAfter = Math.max(1, Math.ceil(wait / 1000))
  return refuse('rate_limited', `Too many attempts. Wait ${inWords(retryAfter)} and try again.`, {
    retryAfter,
  })
}

/** Takes back an attempt that `countAttempt` counted, such as one that succeeded. */
export function takeBackAttempt(
  db: Db,
  vault: Pick<Vault, 'hmac'>,
  { purpose, subject, now }: Pick<Attempt, 'purpose' | 'subject' | 'now'>,
): Promise<number> {
  const key = vault.hmac(`attempt:${purpose}`, subject)
  return db.run(sql`
    update attempt_windows set times = array_remove(times, ${now}::timestamptz) where key = ${key}
  `)
}

function countTime(db: Db, key: Buffer, { limit, windowMs, now }: Attempt) {
  const expiry = later(now, windowMs)
  const windowStart = later(now, -windowMs)
  // A refused attempt writes nothing, so repeated attempts cost only a read.
  return db.one<{ counted: boolean; times: Date[] | null }>(sql`
    with counted as (
      insert into attempt_windows as seen (key, times, expires_at)
      values (${key}, array[${now}::timestamptz], ${expiry})
      on conflict (key) do update
      set times = (seen.times || excluded.times)[greatest(1, cardinality(seen.times) + 2 - ${limit}::int):],
          expires_at = excluded.expires_at
      where cardinality(seen.times) < ${limit}::int
        or seen.times[cardinality(seen.times) + 1 - ${limit}::int] <= ${windowStart}
      returning key
    )
    select exists (select from counted) as counted,
      (select times from attempt_windows where key = ${key}) as times
  `)
}

/** Deletes attempts that no window reaches any more; returns the number of deleted subjects. */
export function sweepAttempts(db: Db, now: Date): Promise<number> {
  return db.run(sql`delete from attempt_windows where expires_at <= ${now}`)
}

/**
 * The subject for limits per network: the address itself for IPv4, and the /64 for IPv6, of which
 * every home has 2^64 addresses.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/64`).toString()}/64`
}

function inWords(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  return `${Math.ceil(seconds / 60)} minutes`
}
