/**
 * What the operator does about an app: `crier clients disable`, `enable` and `remove`. The app is
 * named by its client id or by a redirect URI, which stands for every client that comes back there.
 * Live connections end at once: their next call gets 401 and their next refresh 400.
 */

import { withAccessChange } from '../../core/access-changes.ts'
import { type Refusal, refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { sql, sqlWithin } from '../../lib/db/db.ts'
import type { Database, Tx } from '../../lib/db/types.ts'
import { isLoopback } from './redirect-uri.ts'
import { hostedDefaults, matchesRule, ruleFault } from './redirects.ts'

export interface ClientChange {
  /** The client id or the redirect URI that was changed. */
  target: string
  kind: 'client' | 'redirect_uri'
  /** How many live connections were ended. */
  ended: number
}

/** Refuses the app from now on, and ends its connections. */
export async function disableClients(
  db: Database,
  target: string,
  now: Date,
): Promise<ClientChange> {
  return db.tx(async (tx) => {
    if (await disableClient(tx, target, now)) {
      return { target, kind: 'client', ended: await endConnectionsOf(tx, target, now) }
    }
    const rule = ruleOf(target)
    await tx.run(sql`
      insert into allowed_redirects (uri, created_at, disabled_at) values (${rule}, ${now}, ${now})
      on conflict (uri) do update set
        disabled_at = coalesce(allowed_redirects.disabled_at, excluded.disabled_at)
    `)
    return { target, kind: 'redirect_uri', ended: await endConnectionsTo(tx, rule, now) }
  })
}

/** Lets the app connect again. What was ended stays ended: people authorize anew. */
export async function enableClients(db: Database, target: string): Promise<ClientChange> {
  return db.tx(async (tx) => {
    const clients = await tx.run(sql`
      update oauth_clients set disabled_at = null where id = ${target} and removed_at is null
    `)
    if (clients === 1) return { target, kind: 'client', ended: 0 }
    // A rule that was made to refuse goes; one that allowed before allows again.
    const refusing = await tx.run(sql`
      delete from allowed_redirects where uri = ${target} and disabled_at = created_at
    `)
    const rules = await tx.run(sql`
      update allowed_redirects set disabled_at = null
      where uri = ${target} and disabled_at is not null
    `)
    if (refusing + rules === 1) return { target, kind: 'redirect_uri', ended: 0 }
    throw unknownTarget(target, 'that was disabled')
  })
}

/**
 * Removes the client, or the rule that `crier clients allow` added, for good. What is built in or
 * stands in a setting cannot be removed here, but disabled.
 */
export async function removeClients(
  db: Database,
  target: string,
  { configured, now }: { configured: readonly string[]; now: Date },
): Promise<ClientChange> {
  return db.tx(async (tx) => {
    const removed = await tx.run(sql`
      update oauth_clients set
        removed_at = ${now}, disabled_at = coalesce(disabled_at, ${now})
      where id = ${target} and removed_at is null
    `)
    if (removed === 1) {
      return { target, kind: 'client', ended: await endConnectionsOf(tx, target, now) }
    }
    if (hostedDefaults.includes(target) || configured.includes(target)) {
      const source = configured.includes(target) ? 'stands in ALLOWED_REDIRECTS' : 'is built in'
      const text = `${target} ${source} and cannot be removed. Refuse it with: crier clients disable ${target}`
      throw refuse('conflict', text, { field: 'target' })
    }
    const rules = await tx.run(sql`delete from allowed_redirects where uri = ${target}`)
    if (rules === 0) throw unknownTarget(target, 'that could be removed')
    return { target, kind: 'redirect_uri', ended: await endConnectionsTo(tx, target, now) }
  })
}

async function disableClient(tx: Tx, id: string, now: Date): Promise<boolean> {
  const changed = await tx.run(sql`
    update oauth_clients set disabled_at = coalesce(disabled_at, ${now})
    where id = ${id} and removed_at is null
  `)
  return changed === 1
}

/** A redirect URI that can be refused: one that belongs to apps, and not to people's machines. */
function ruleOf(target: string): string {
  if (!target.includes(':/')) throw unknownTarget(target, 'known here')
  const fault = ruleFault(target)
  if (fault) throw refuse('invalid_redirect_uri', `${target} ${fault}.`, { field: 'target' })
  if (!isLoopback(target)) return target
  const text = `${target} is loopback, where every program on a person's own machine comes back. Disable one client by its id instead: crier clients list`
  throw refuse('invalid_redirect_uri', text, { field: 'target' })
}

function unknownTarget(target: string, which: string): Refusal {
  const text = `${target} is no client id and no redirect URI ${which}. See: crier clients list`
  return refuse('not_found', text, { field: 'target' })
}

/** Returns how many connections of the client were live. */
async function endConnectionsOf(tx: Tx, clientId: string, now: Date): Promise<number> {
  await tx.run(sql`delete from authorization_codes where client_id = ${clientId}`)
  const live = await tx.all<{ id: Id<'connection'> }>(sql`
    select id from connections where client_id = ${clientId} and revoked_at is null
  `)
  return endAll(tx, live, now)
}

/** Ends the connections that were made by way of a redirect URI. */
async function endConnectionsTo(tx: Tx, rule: string, now: Date): Promise<number> {
  const prefix = rule.endsWith('*') ? rule.slice(0, -1) : rule
  const codes = await tx.all<{ uri: string }>(sql`
    select distinct redirect_uri as uri from authorization_codes
    where starts_with(redirect_uri, ${prefix})
  `)
  const uris = codes.map(({ uri }) => uri).filter((uri) => matchesRule(rule, uri))
  await tx.run(sql`delete from authorization_codes where redirect_uri = any (${uris}::text[])`)
  const live = await tx.all<{ id: Id<'connection'>; uri: string }>(sql`
    select id, redirect_uri as uri from connections
    where revoked_at is null and starts_with(redirect_uri, ${prefix})
  `)
  return endAll(
    tx,
    live.filter(({ uri }) => matchesRule(rule, uri)),
    now,
  )
}

function endAll(tx: Tx, live: readonly { id: Id<'connection'> }[], now: Date): Promise<number> {
  const ids = live.map(({ id }) => id)
  const ending = sqlWithin`
    update connections set revoked_at = ${now}, revoked_by = 'operator'
    where id = any (${ids}::uuid[]) and revoked_at is null
    returning id as subject
  `
  return tx.run(withAccessChange(ending, now))
}
