/**
 * Identifies the caller of every call anew, so that a revocation, a lost membership and a changed
 * tier take effect at once. It is the service's hottest read. Waiting requests are collected and
 * share one query. The result is cached for seconds, and each call checks whether any of it has
 * changed since, with one small query for all waiting calls.
 */

import { reachableBusinessesOf } from '../../accounts/businesses/memberships.ts'
import { type AccessChange, type Subject, selectAccessChanges } from '../../core/access-changes.ts'
import { type Id, twinOf } from '../../core/ids.ts'
import {
  type Principal,
  type Reach,
  type Role,
  roles,
  type Scope,
  scopes,
  type Tier,
} from '../../core/operation.ts'
import { createBatcher } from '../../lib/concurrency/batch.ts'
import { replanned, sql, ids as uuids } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'

/** Returns the principals of live connections, without ended or unknown connections. */
export async function principalsOf(
  db: Db,
  connectionIds: readonly Id<'connection'>[],
): Promise<Map<Id<'connection'>, Principal>> {
  const rows = await selectPrincipals(db, [...new Set(connectionIds)])
  return new Map(rows.map((row) => [row.connectionId, principal(row)]))
}

/** `elapsed` returns milliseconds on a monotonic clock. */
export function createPrincipalReader(db: Db, elapsed = () => performance.now()) {
  const cache = createPrincipalCache(elapsed)

  /** Queries changes once for all waiting requests. Cached principals are then valid for them. */
  const lookForChanges = createBatcher<undefined, undefined>({
    maxItems: 1000,
    eachAlone: false,
    async flush(requests) {
      cache.forget(await selectAccessChanges(db, cache.position()))
      return requests
    },
  })

  /**
   * Requests that wait at one moment share a query. Several small queries are better than one for
   * all. With one, all responses leave and all next requests arrive at the same time, while the
   * other core is idle (30 % of the machine idle became 18 %).
   */
  const read = createBatcher<Id<'connection'>, Principal | undefined>({
    maxItems: 24,
    inFlight: 3,
    eachAlone: false,
    async flush(ids) {
      const keep = cache.keeper()
      const principals = await principalsOf(db, ids)
      keep(principals)
      return ids.map((id) => principals.get(id))
    },
  })

  return async (id: Id<'connection'>): Promise<Principal | undefined> => {
    if (!cache.get(id)) return read(id)
    await lookForChanges(undefined)
    return cache.get(id) ?? read(id)
  }
}

/**
 * Milliseconds after which an entry expires, so that a change made by hand in the database takes
 * effect too.
 */
const keptFor = 10_000

/** The most cached items: connections and their businesses count, some 200 bytes each. */
const mostItems = 30_000

interface CachedPrincipal {
  principal: Principal
  readAt: number
}

/**
 * A cache of principals. An entry may be used for a call if a database query made after the call arrived
 * reports no change to the principal since it was read. Changes are numbered in the order of their commits
 * (`core/access-changes.ts`).
 */
export function createPrincipalCache(elapsed: () => number) {
  // In the order in which they were read.
  const all = new Map<Id<'connection'>, CachedPrincipal>()
  let size = 0
  let position = 0

  const remove = (id: Id<'connection'>, { principal }: CachedPrincipal): void => {
    all.delete(id)
    size -= sizeOf(principal)
  }
  const put = (id: Id<'connection'>, principal: Principal, readAt: number): void => {
    const before = all.get(id)
    if (before) remove(id, before)
    all.set(id, { principal, readAt })
    size += sizeOf(principal)
  }
  const removeOldest = (): void => {
    for (const [id, entry] of all) {
      if (size <= mostItems && entry.readAt > elapsed() - keptFor) return
      remove(id, entry)
    }
  }

  return {
    get(id: Id<'connection'>): Principal | undefined {
      const entry = all.get(id)
      return entry && entry.readAt > elapsed() - keptFor ? entry.principal : undefined
    },
    /** The position up to which all changes are known. */
    position: () => position,
    /** Drops the entries that the changes affect, and advances the position. */
    forget(changes: readonly AccessChange[]): void {
      if (changes.length === 0) return
      const subjects = new Set(changes.map(({ subject }) => subject))
      for (const [id, entry] of all) if (isAbout(subjects, id, entry)) remove(id, entry)
      for (const change of changes) position = Math.max(position, change.position)
    },
    /**
     * Call this before reading principals, and call the result with them. If changes arrive in
     * between, they may have happened after the read and will not be reported again, so the
     * principals are not cached.
     */
    keeper() {
      const [from, readAt] = [position, elapsed()]
      return (principals: ReadonlyMap<Id<'connection'>, Principal>): void => {
        if (position !== from) return
        for (const [id, principal] of principals) put(id, principal, readAt)
        removeOldest()
      }
    },
  }
}

const sizeOf = ({ businesses }: Principal) => 1 + businesses.length

function isAbout(
  subjects: ReadonlySet<Subject>,
  id: Id<'connection'>,
  { principal: { userId, businesses } }: CachedPrincipal,
): boolean {
  return (
    subjects.has(id) ||
    subjects.has(userId) ||
    businesses.some((business) => subjects.has(business.id))
  )
}

/** A connection, or a person signed in to the app. */
type Actor = Id<'connection'> | Id<'user'>

/** Returns the businesses that each actor reaches now, without ended connections and where they are held. */
export async function reachOf(
  db: Db,
  actors: readonly Actor[],
): Promise<Map<Actor, ReadonlySet<Id<'business'>>>> {
  const connections = await principalsOf(db, actors as readonly Id<'connection'>[])
  // Nearly always empty: an id belongs to a connection or a person.
  const others = actors.filter((id) => !connections.has(id as Id<'connection'>)) as Id<'user'>[]
  const people = others.length > 0 ? await reachableBusinessesOf(db, others) : []
  const all: [Actor, Reach[]][] = [...people]
  for (const [id, { businesses }] of connections) all.push([id, [...businesses]])
  return new Map(
    all.map(([id, reach]) => [
      id,
      new Set(reach.flatMap((business) => (business.isHeld ? [] : [business.id]))),
    ]),
  )
}

/** A test key acts in the twins of its businesses alone. */
const inTest = (reach: Reach): Reach => ({ ...reach, id: twinOf(reach.id) })

function principal(row: PrincipalRow): Principal {
  const businesses = row.role === null ? reachIn(row.businesses) : atMost(row.role, row.businesses)
  const reach = row.stoppedIn === null ? businesses : withStops(businesses, row.stoppedIn)
  return {
    connectionId: row.connectionId,
    userId: row.userId,
    scopes: scopesOf(row.scopes),
    businesses: row.isTest ? reach.map(inTest) : reach,
    ...(row.role !== null && { isApiKey: true as const }),
    ...(row.isTest && { isTest: true as const }),
    ...(row.recipientsPerDay !== null && { recipientsPerDay: row.recipientsPerDay }),
    ...(row.transactionalPerDay !== null && { transactionalPerDay: row.transactionalPerDay }),
    ...(row.seesMasked && { seesMasked: true as const }),
    ...(!row.takesDataOut && { keepsDataIn: true as const }),
  }
}

function withStops(businesses: readonly Reach[], stoppedIn: string): Reach[] {
  const ids = new Set(stoppedIn.split(' '))
  return businesses.map((reach) => (ids.has(reach.id) ? { ...reach, isStopped: true } : reach))
}

/** An API key acts with its own role, or with its maker's role if that has become lower. */
function atMost(role: Role, json: string): Reach[] {
  return reachIn(json).map((reach) =>
    roles.indexOf(reach.role) > roles.indexOf(role) ? { ...reach, role } : reach,
  )
}

type ReachRow = [id: Id<'business'>, name: string, tier: Tier, role: Role, isHeld?: true]

/** Sorts by age, oldest business first, because ids grow with time. */
function reachIn(json: string): Reach[] {
  const rows = JSON.parse(json) as ReachRow[]
  const reach = rows.map(
    ([id, name, tier, role, isHeld]): Reach =>
      isHeld ? { id, name, tier, role, isHeld } : { id, name, tier, role },
  )
  // The rows mostly arrive in that order, and sorting costs more than checking.
  const inOrder = reach.every(({ id }, i) => i === 0 || (reach[i - 1] as Reach).id < id)
  return inOrder ? reach : reach.sort((a, b) => (a.id < b.id ? -1 : 1))
}

const scopesByText = new Map<string, ReadonlySet<Scope>>()

/** Parses a set of scopes and caches it. There are few sets, and every call has one. */
function scopesOf(text: string): ReadonlySet<Scope> {
  const found = scopesByText.get(text)
  if (found) return found
  const named = new Set(text.split(' '))
  const read = new Set(scopes.filter((scope) => named.has(scope)))
  // The bound matters if a caller tries every order of the scopes.
  if (scopesByText.size < 1000) scopesByText.set(text, read)
  return read
}

/** What the statement reads that every call of the service waits for. */
interface PrincipalRow {
  connectionId: Id<'connection'>
  userId: Id<'user'>
  /** Separated by spaces, because the driver is slow with arrays. */
  scopes: string
  /** For an API key: its greatest role. */
  role: Role | null
  /** The most recipients it may reach in 24 hours. Every API key has such a limit. */
  recipientsPerDay: number | null
  /** The most to whom it may send transactional messages in 24 hours. */
  transactionalPerDay: number | null
  seesMasked: boolean
  takesDataOut: boolean
  /** The businesses in which a person stopped it, separated by spaces; null for none. */
  stoppedIn: string | null
  isTest: boolean
  /** JSON: an array of `[id, name, tier, role]`, with `true` after them where it is held, in no order. */
  businesses: string
}

/**
 * Live connections with the granted businesses in which the person is still a member. One row per
 * connection, with its businesses as JSON, costs half as much as a row for each business. The SQL
 * writes the JSON itself: a sorted `json_agg` of `json_build_array` looks up the type of each value
 * in the catalogue and took 20 µs of PostgreSQL for a connection of two businesses, while this
 * takes 14. A few ids are compared one by one. For many, `in (select unnest …)` hashes, so that a
 * grant of 500 businesses takes 1.5 ms instead of 5 with `= any (…)`. The ids are a query of their
 * own, so that a plan costs the same for any number of them. Otherwise PostgreSQL planned it for
 * each call, because single calls make that look cheap: for 16 connections, 27 µs each became 12.
 */
function selectPrincipals(db: Db, ids: readonly Id<'connection'>[]): Promise<PrincipalRow[]> {
  return db.all<PrincipalRow>(
    replanned(sql`
    select c.id as "connectionId", c.user_id as "userId",
      array_to_string(c.scopes, ' ') as scopes, c.role,
      c.recipients_per_day as "recipientsPerDay",
      c.transactional_per_day as "transactionalPerDay",
      c.sees_masked as "seesMasked", c.takes_data_out as "takesDataOut", c.is_test as "isTest",
      (
        select string_agg(s.business_id::text, ' ') from sending_stops s
        where s.business_id = any (c.business_ids) and s.stopped_id = c.id
      ) as "stoppedIn",
      '[' || array_to_string(array(
        select '["' || b.id || '",' || to_json(b.name) || ',"' || b.tier || '","' || m.role
          || case when m.held_at is null then '"]' else '",true]' end
        from memberships m join businesses b on b.id = m.business_id
        where m.user_id = c.user_id and b.closed_at is null and case
          when cardinality(c.business_ids) < 20 then m.business_id = any (c.business_ids)
          else m.business_id in (select unnest(c.business_ids))
        end
      ), ',') || ']' as businesses
    from connections c
    where c.id = any ((select ${uuids(ids)}::uuid[])::uuid[]) and c.revoked_at is null
  `),
  )
}
