/** Every statement on API keys. Their last use and principals are those of connections. */

import { withAccessChange } from '../../core/access-changes.ts'
import type { Id } from '../../core/ids.ts'
import type { Role, Scope } from '../../core/operation.ts'
import { sql, sqlWithin } from '../../lib/db/db.ts'
import type { Db, Sql, Tx } from '../../lib/db/types.ts'
import type { CurrentLimits, RevokedBy } from '../connections/connection.ts'
import type { ApiKey } from './api-key.ts'

export interface KeyToSave {
  id: Id<'connection'>
  userId: Id<'user'>
  hash: Buffer
  name: string
  scopes: readonly Scope[]
  role: Role
  networks: readonly string[]
  recipientsPerDay: number
  transactionalPerDay: number | null
  expiresAt: Date | null
  /** Whether it acts in the business's twin, which exists then. */
  isTest: boolean
}

export async function insertKey(
  tx: Tx,
  businessId: Id<'business'>,
  key: KeyToSave,
  now: Date,
): Promise<void> {
  await tx.run(sql`
    insert into connections
      (id, user_id, scopes, business_ids, role, recipients_per_day, transactional_per_day,
        created_at, is_test)
    values (${key.id}, ${key.userId}, ${[...key.scopes]}, array[${businessId}::uuid], ${key.role},
      ${key.recipientsPerDay}, ${key.transactionalPerDay}, ${now}, ${key.isTest})
  `)
  await tx.run(sql`
    insert into api_keys (business_id, id, hash, name, made_by, networks, created_at, expires_at)
    values (${businessId}, ${key.id}, ${key.hash}, ${key.name}, ${key.userId},
      ${[...key.networks]}, ${now}, ${key.expiresAt})
  `)
}

/** Returns the keys that have not ended, newest first. */
export function selectKeys(db: Db, businessId: Id<'business'>, limit: number): Promise<ApiKey[]> {
  return db.all(sql`
    select k.id, k.name, u.email as "madeBy", c.scopes, c.role, k.networks,
      c.withheld_scopes as "withheldScopes",
      c.recipients_per_day as "recipientsPerDay",
      c.transactional_per_day as "transactionalPerDay", k.created_at as "createdAt",
      k.expires_at as "expiresAt", c.last_used_at as "lastUsedAt", c.is_test as "isTest",
      m.held_at is not null as "isHeld", k.made_by as "madeById"
    from api_keys k
    join connections c on c.id = k.id
    join users u on u.id = k.made_by
    left join memberships m on m.business_id = k.business_id and m.user_id = c.user_id
    where k.business_id = ${businessId} and c.revoked_at is null
    order by k.id desc
    limit ${limit}
  `)
}

/** What a live key of the business may do now, locked. Undefined if there is none. */
export function lockKey(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'connection'>,
): Promise<CurrentLimits | undefined> {
  return tx.maybe(sql`
    select c.recipients_per_day as "recipientsPerDay",
      c.transactional_per_day as "transactionalPerDay", c.withheld_scopes as "withheldScopes"
    from api_keys k join connections c on c.id = k.id
    where k.business_id = ${businessId} and k.id = ${id} and c.revoked_at is null
    for no key update of c
  `)
}

export async function isKeyOf(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'connection'>,
): Promise<boolean> {
  const key = await db.maybe(sql`
    select k.id from api_keys k join connections c on c.id = k.id
    where k.business_id = ${businessId} and k.id = ${id} and c.revoked_at is null
  `)
  return key !== undefined
}

export async function countKeys(db: Db, businessId: Id<'business'>): Promise<number> {
  const { keys } = await db.one<{ keys: number }>(sql`
    select count(*) as keys from api_keys k join connections c on c.id = k.id
    where k.business_id = ${businessId} and c.revoked_at is null
  `)
  return keys
}

/** Ends the connections of all keys that the statement selects. */
function ending(keys: Sql, by: RevokedBy, now: Date): Sql {
  const update = sqlWithin`
    update connections set revoked_at = ${now}, revoked_by = ${by}
    where id in (${keys}) and revoked_at is null
    returning id as subject
  `
  return withAccessChange(update, now)
}

/** Returns false if the business has no such live key. */
export async function endKey(
  tx: Tx,
  businessId: Id<'business'>,
  { id, now }: { id: Id<'connection'>; now: Date },
): Promise<boolean> {
  const key = sql`select id from api_keys where business_id = ${businessId} and id = ${id}`
  return (await tx.run(ending(key, 'user', now))) === 1
}

/** Returns the names of live keys of a business that this person made. */
export async function selectKeysOf(
  tx: Tx,
  businessId: Id<'business'>,
  userId: Id<'user'>,
): Promise<string[]> {
  const rows = await tx.all<{ name: string }>(sql`
    select k.name from api_keys k join connections c on c.id = k.id
    where k.business_id = ${businessId} and k.made_by = ${userId} and c.revoked_at is null
    order by k.id
  `)
  return rows.map(({ name }) => name)
}

export function endKeysOf(
  tx: Tx,
  businessId: Id<'business'>,
  { userId, now }: { userId: Id<'user'>; now: Date },
): Promise<number> {
  const keys = sql`
    select id from api_keys where business_id = ${businessId} and made_by = ${userId}
  `
  return tx.run(ending(keys, 'maker_left', now))
}

/** Ends keys that have expired, so that everything that depends on them (webhooks) ends too. */
export function endExpiredKeys(db: Db, now: Date, limit: number): Promise<number> {
  const keys = sql`
    select k.id from api_keys k join connections c on c.id = k.id
    where k.expires_at <= ${now} and c.revoked_at is null
    limit ${limit}
  `
  return db.run(ending(keys, 'expiry', now))
}

export interface NoticeOfEnd {
  to: string
  maker: string
  businessName: string
}

/** The notice to an owner about a maker who left. Undefined if the person is no longer an owner. */
export function selectNotice(
  db: Db,
  businessId: Id<'business'>,
  { ownerId, makerId }: { ownerId: Id<'user'>; makerId: Id<'user'> },
): Promise<NoticeOfEnd | undefined> {
  return db.maybe(sql`
    select owner.email as to, maker.email as maker, b.name as "businessName"
    from memberships m
    join users owner on owner.id = m.user_id
    join users maker on maker.id = ${makerId}
    join businesses b on b.id = m.business_id
    where m.business_id = ${businessId} and m.user_id = ${ownerId} and m.role = 'owner'
  `)
}

export interface FoundKey {
  connectionId: Id<'connection'>
  networks: string[]
  expiresAt: Date | null
}

export function findKeys(db: Db, hashes: Buffer[]): Promise<(FoundKey & { hash: Buffer })[]> {
  return db.all(sql`
    select id as "connectionId", networks, expires_at as "expiresAt", hash
    from api_keys where hash = any (${hashes}::bytea[])
  `)
}
