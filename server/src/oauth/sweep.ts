/** Deletes expired rows of the authorization server, in batches that hold no lock for long. */

import { deleteAccessChanges } from '../core/access-changes.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { days, hours, later } from '../lib/time/clock.ts'
import { endExpiredKeys } from './api-keys/key-queries.ts'
import { forgetCalls } from './connections/recent-use.ts'

interface Swept {
  codes: number
  refreshTokens: number
  clients: number
  accessChanges: number
  /** API keys that expired. */
  keys: number
  /** Connections whose latest calls were too old to keep. */
  calls: number
}

const batch = 1000
/** The most batches of one sweep. The next sweep continues. */
const batches = 100
const idleClients = days(30)
/** How long changes are kept. Caches live only for seconds, but the clocks of nodes differ. */
const accessChanges = hours(1)

/**
 * Rotated-out refresh tokens stay for the 30 days of their lifetime, so that late reuse is detected
 * for as long as anyone would try it. A client that was ever connected stays.
 */
export async function sweepOAuth(db: Db, now: Date): Promise<Swept> {
  return {
    codes: await inBatches((limit) => deleteExpiredCodes(db, now, limit)),
    refreshTokens: await inBatches((limit) => deleteExpiredTokens(db, now, limit)),
    clients: await inBatches((limit) => deleteIdleClients(db, later(now, -idleClients), limit)),
    accessChanges: await deleteAccessChanges(db, later(now, -accessChanges)),
    keys: await inBatches((limit) => endExpiredKeys(db, now, limit)),
    calls: await inBatches((limit) => forgetCalls(db, now, limit)),
  }
}

async function inBatches(remove: (limit: number) => Promise<number>): Promise<number> {
  let total = 0
  for (let i = 0; i < batches; i++) {
    const removed = await remove(batch)
    total += removed
    if (removed < batch) break
  }
  return total
}

/** Leaves rows in use to the next sweep, as the statements below do. */
function deleteExpiredCodes(db: Db, now: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from authorization_codes where hash in (
      select hash from authorization_codes where expires_at <= ${now}
      order by expires_at limit ${limit} for update skip locked
    )
  `)
}

function deleteExpiredTokens(db: Db, now: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from refresh_tokens where hash in (
      select hash from refresh_tokens where expires_at <= ${now}
      order by expires_at limit ${limit} for update skip locked
    )
  `)
}

/**
 * Deletes clients registered before `before` that have neither a connection nor a code. An exchange
 * that is creating a connection has locked the client's row, so that client is skipped.
 */
function deleteIdleClients(db: Db, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from oauth_clients where id in (
      select id from oauth_clients client
      where created_at < ${before}
        and (disabled_at is null or (removed_at is not null and kind = 'dynamic'))
        and not exists (select 1 from connections where client_id = client.id)
        and not exists (select 1 from authorization_codes where client_id = client.id)
      order by created_at limit ${limit} for update skip locked
    )
  `)
}
