/**
 * Idempotency keys: one row per business and key, written by the transaction that does
 * the work and holding its answer. Who comes second waits for that transaction to end
 * (PostgreSQL holds up the insert of an equal key), then finds the answer, or, where the
 * first was rolled back, does the work itself.
 */

import { createHash } from 'node:crypto'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import { hours, later } from '../lib/time/clock.ts'
import { type Fix, type Refusal, refuse } from './errors.ts'
import type { Id } from './ids.ts'

export const keysLastMs = hours(24)

export interface KeyedCall {
  businessId: Id<'business'>
  key: string
  /** Of the operation's name and arguments: what the key stands for. */
  bodyHash: Buffer
  /** The call as it should be made where the key turns out to be another's. */
  withOwnKey(): Fix | undefined
}

/**
 * Runs `work` once for its key, whoever asks and however often within 24 hours. What
 * the first caller gets went through JSON too, so that all get the same.
 */
export async function once<T>(
  tx: Tx,
  call: KeyedCall,
  now: Date,
  work: () => Promise<T | Refusal>,
): Promise<T | Refusal> {
  for (;;) {
    if ((await claimKey(tx, call, now)) === 1) {
      const answer = await work()
      if (answer instanceof Error) return answer
      const json = JSON.stringify(answer) ?? 'null'
      await storeAnswer(tx, call, json)
      return JSON.parse(json) as T
    }
    const stored = await findAnswer(tx, call)
    // Swept away between the two statements: the key is free again.
    if (!stored) continue
    if (stored.bodyHash.equals(call.bodyHash)) return stored.answer as T
    const fix = call.withOwnKey()
    return refuse(
      'conflict',
      `The idempotency key "${call.key}" was used for another call, with other arguments, within the last 24 hours. Give this call a key of its own.`,
      {
        field: 'idempotency_key',
        data: { idempotency_key: call.key },
        ...(fix && { fix }),
      },
    )
  }
}

/** The same for arguments that differ only in the order of their keys. */
export function hashOfCall(operation: string, input: object): Buffer {
  const ordered = JSON.stringify([operation, input], (_key, value: unknown) =>
    isPlainObject(value) ? Object.fromEntries(Object.entries(value).sort(byName)) : value,
  )
  return createHash('sha256').update(ordered).digest()
}

/** Forgets keys that have had their day, some at a time; gives how many. */
export async function sweepIdempotencyKeys(db: Db, now: Date): Promise<number> {
  let swept = 0
  for (;;) {
    const some = await deleteKeys(db, later(now, -keysLastMs))
    swept += some
    if (some < keysPerDelete) return swept
  }
}

const keysPerDelete = 5000

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1)

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function claimKey(tx: Tx, { businessId, key, bodyHash }: KeyedCall, now: Date): Promise<number> {
  return tx.run(sql`
    insert into idempotency_keys (business_id, key, body_hash, created_at)
    values (${businessId}, ${key}, ${bodyHash}, ${now})
    on conflict (business_id, key) do update
    set body_hash = excluded.body_hash, answer = null, created_at = excluded.created_at
    where idempotency_keys.created_at <= ${later(now, -keysLastMs)}
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
      for update skip locked
    )
  `)
}
