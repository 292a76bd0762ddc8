/**
 * Idempotency keys: one row per business and key, written by the transaction that does the work
 * and holding its answer. A second call with the same key waits for that transaction to end
 * (PostgreSQL blocks the insert of an equal key). Then it finds the stored answer, or, where the
 * first call was rolled back, does the work itself.
 */

import { createHash } from 'node:crypto'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import { isObject } from '../lib/text/i-json.ts'
import { hours, later } from '../lib/time/clock.ts'
import { type Fix, orThrow, refuse } from './errors.ts'
import type { Id } from './ids.ts'

export const keyLifetimeMs = hours(24)

export interface KeyedCall {
  businessId: Id<'business'>
  key: string
  /** A hash of the operation's name and arguments: the key stands for these and no others. */
  bodyHash: Buffer
  /**
   * The same call under a key of its own, suggested where this key was already used for another
   * call.
   */
  withOwnKey(): Fix | undefined
}

/**
 * Runs `work` once per key within 24 hours, however many calls use the key. The first caller's
 * result goes through JSON too, so that every caller gets the same value.
 */
export async function runOncePerKey<T>(
  tx: Tx,
  call: KeyedCall,
  now: Date,
  work: () => Promise<T>,
): Promise<T> {
  for (;;) {
    if ((await claimKey(tx, call, now)) === 1) {
      // What is stored is answered to every repetition, so a refusal is never stored.
      const answer = orThrow(await work())
      const json = JSON.stringify(answer) ?? 'null'
      await storeAnswer(tx, call, json)
      return JSON.parse(json) as T
    }
    const stored = await findAnswer(tx, call)
    // The row was swept between the two statements, so the key is free again.
    if (!stored) continue
    if (stored.bodyHash.equals(call.bodyHash)) return stored.answer as T
    const fix = call.withOwnKey()
    throw refuse(
      'conflict',
      `The idempotency key "${call.key}" was used for another call, with other arguments, within the last 24 hours. Use a new key for this call.`,
      {
        field: 'idempotency_key',
        data: { reason: 'call_repeated', idempotency_key: call.key },
        ...(fix && { fix }),
      },
    )
  }
}

/** Hashes a call so that the order of the arguments' keys makes no difference. */
export function hashOfCall(operation: string, input: object): Buffer {
  const ordered = JSON.stringify([operation, input], (_key, value: unknown) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).sort(byName)) : value,
  )
  return createHash('sha256').update(ordered).digest()
}

/** Deletes a batch of keys past their lifetime; returns how many were deleted. */
export async function sweepIdempotencyKeys(db: Db, now: Date): Promise<number> {
  let swept = 0
  for (;;) {
    const deleted = await deleteKeys(db, later(now, -keyLifetimeMs))
    swept += deleted
    if (deleted < keysPerDelete) return swept
  }
}

const keysPerDelete = 5000

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1)

function claimKey(tx: Tx, { businessId, key, bodyHash }: KeyedCall, now: Date): Promise<number> {
  return tx.run(sql`
    insert into idempotency_keys (business_id, key, body_hash, created_at)
    values (${businessId}, ${key}, ${bodyHash}, ${now})
    on conflict (business_id, key) do update
    set body_hash = excluded.body_hash, answer = null, created_at = excluded.created_at
    where idempotency_keys.created_at <= ${later(now, -keyLifetimeMs)}
  `)
}

function storeAnswer(tx: Tx, { businessId, key }: KeyedCall, json: string): Promise<number> {
  return tx.run(sql`
    update idempotency_keys set answer = ${json}
    where business_id = ${businessId} and key = ${key}
  `)
}

function findAnswer(tx: Tx, { businessId, key }: KeyedCall) {
  return tx.maybe<{ bodyHash: Buffer; answer: unknown }>(sql`
    select body_hash as "bodyHash", answer from idempotency_keys
    where business_id = ${businessId} and key = ${key}
  `)
}

function deleteKeys(db: Db, before: Date): Promise<number> {
  return db.run(sql`
    delete from idempotency_keys where (business_id, key) in (
      select business_id, key from idempotency_keys
      where created_at <= ${before} order by created_at limit ${keysPerDelete}
    )
  `)
}
