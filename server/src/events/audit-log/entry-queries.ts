/** Statements that read the audit log. */

import type { Id } from '../../core/ids.ts'
import { replanned, sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { AuditFilter, AuditPlace, ListedEntry, RecentAsked, RecentEntry } from './entry.ts'

/** Planned for the filters that are there, so that each finds its index. */
export function selectEntries(
  db: Db,
  businessId: Id<'business'>,
  filter: AuditFilter & { before: AuditPlace | null; limit: number },
): Promise<ListedEntry[]> {
  const { before, userId, connectionId, operation, since, until } = filter
  return db.all<ListedEntry>(
    replanned(sql`
    select a.id, a.created_at as "createdAt", a.action, a.subject, a.details,
      a.user_id as "userId", u.email, a.connection_id as "connectionId",
      coalesce(k.name, client.name) as "connectionName", k.id is not null as "isKey",
      a.call_id as "callId"
    from (
      select * from audit_entries
      where business_id = ${businessId}
        and (${before === null} or (created_at, id)
          < (${before?.createdAt ?? null}::timestamptz, ${before?.id ?? null}::uuid))
        and (${userId}::uuid is null or user_id = ${userId})
        and (${connectionId}::uuid is null or connection_id = ${connectionId})
        and (${operation}::text is null or action = ${operation})
        and (${since}::timestamptz is null or created_at >= ${since})
        and (${until}::timestamptz is null or created_at < ${until})
      order by created_at desc, id desc
      limit ${filter.limit}
    ) as a
    left join users u on u.id = a.user_id
    left join connections c on c.id = a.connection_id
    left join oauth_clients client on client.id = c.client_id
    left join api_keys k on k.business_id = a.business_id and k.id = a.connection_id
    order by a.created_at desc, a.id desc
  `),
  )
}

/** The latest entries of one connection in one business. */
export function selectRecent(
  db: Db,
  businessId: Id<'business'>,
  { connectionId, limit }: Pick<RecentAsked, 'connectionId' | 'limit'>,
): Promise<RecentEntry[]> {
  return db.all<RecentEntry>(sql`
    select id, business_id as "businessId", action, subject, created_at as "createdAt"
    from audit_entries
    where business_id = ${businessId} and connection_id = ${connectionId}
    order by created_at desc, id desc limit ${limit}
  `)
}

/** The people in the log, with one step through the index for each. */
export function selectPeople(
  db: Db,
  businessId: Id<'business'>,
  limit: number,
): Promise<{ userId: Id<'user'>; email: string | null }[]> {
  return db.all(sql`
    with recursive seen as (
      (
        select user_id from audit_entries
        where business_id = ${businessId} and user_id is not null order by user_id limit 1
      )
      union all
      select (
        select user_id from audit_entries
        where business_id = ${businessId} and user_id > seen.user_id order by user_id limit 1
      ) from seen where user_id is not null
    )
    select seen.user_id as "userId", u.email
    from (select user_id from seen where user_id is not null limit ${limit}) as seen
    left join users u on u.id = seen.user_id
    order by u.email
  `)
}

/** The connections in the log, in the same way. */
export function selectConnections(
  db: Db,
  businessId: Id<'business'>,
  limit: number,
): Promise<Pick<ListedEntry, 'connectionId' | 'connectionName' | 'isKey'>[]> {
  return db.all(sql`
    with recursive seen as (
      (
        select connection_id from audit_entries
        where business_id = ${businessId} and connection_id is not null
        order by connection_id desc limit 1
      )
      union all
      select (
        select connection_id from audit_entries
        where business_id = ${businessId} and connection_id < seen.connection_id
        order by connection_id desc limit 1
      ) from seen where connection_id is not null
    )
    select seen.connection_id as "connectionId", coalesce(k.name, client.name) as "connectionName",
      k.id is not null as "isKey"
    from (select connection_id from seen where connection_id is not null limit ${limit}) as seen
    left join connections c on c.id = seen.connection_id
    left join oauth_clients client on client.id = c.client_id
    left join api_keys k on k.business_id = ${businessId} and k.id = seen.connection_id
    order by seen.connection_id desc
  `)
}

/** The operations in the log, in the same way. */
export async function selectOperations(
  db: Db,
  businessId: Id<'business'>,
  limit: number,
): Promise<string[]> {
  const rows = await db.all<{ action: string }>(sql`
    with recursive seen as (
      (select action from audit_entries where business_id = ${businessId} order by action limit 1)
      union all
      select (
        select action from audit_entries where business_id = ${businessId} and action > seen.action
        order by action limit 1
      ) from seen where action is not null
    )
    select action from seen where action is not null limit ${limit}
  `)
  return rows.map(({ action }) => action)
}
