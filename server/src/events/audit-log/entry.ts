/** Entries of the audit log as owners read them, and what they choose entries by. */

import { refuse } from '../../core/errors.ts'
import { formatId, type Id, parseId } from '../../core/ids.ts'
import { untrusted } from '../../core/untrusted.ts'
import { replanned, sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'
import type { AuditEntry } from '../audit.ts'

export interface AuditFilter {
  userId: Id<'user'> | null
  connectionId: Id<'connection'> | null
  operation: string | null
  since: Date | null
  until: Date | null
}

/** Entries are in the order of their time, and those of one moment in the order of their ids. */
export interface AuditPlace {
  createdAt: Date
  id: Id<'audit'>
}

/** An entry as the person sees it whose connection it came through. */
export interface RecentEntry extends AuditPlace {
  businessId: Id<'business'>
  action: string
  subject: string | null
}

export interface RecentAsked {
  connectionId: Id<'connection'>
  businesses: readonly Id<'business'>[]
  limit: number
}

export interface ListedEntry extends AuditPlace {
  action: string
  subject: string | null
  details: NonNullable<AuditEntry['details']>
  userId: Id<'user'> | null
  email: string | null
  connectionId: Id<'connection'> | null
  /** The name of the key, or what the app calls itself: a stranger's text. */
  connectionName: string | null
  isKey: boolean
  callId: Id<'request'> | null
}

const moment = () => Type.Optional(Type.String({ maxLength: 40, description: 'ISO 8601, UTC.' }))

export const filterInput = {
  user_id: Type.Optional(Type.String({ maxLength: 40, description: 'usr_…' })),
  connection_id: Type.Optional(
    Type.String({ maxLength: 40, description: 'cnx_…, also of a key.' }),
  ),
  operation: Type.Optional(Type.String({ maxLength: 60, description: 'Such as campaign.deploy.' })),
  since: moment(),
  until: moment(),
}

export interface FilterInput {
  user_id?: string | undefined
  connection_id?: string | undefined
  operation?: string | undefined
  since?: string | undefined
  until?: string | undefined
}

export function readFilter(input: FilterInput): AuditFilter {
  const { user_id, connection_id, operation, since, until } = input
  const userId = user_id === undefined ? null : parseId('user', user_id)
  if (userId === undefined) throw wrongId('user_id', 'usr_…')
  const connectionId = connection_id === undefined ? null : parseId('connection', connection_id)
  if (connectionId === undefined) throw wrongId('connection_id', 'cnx_…')
  const from = momentOf(since)
  if (from === undefined) throw wrongMoment('since')
  const end = momentOf(until)
  if (end === undefined) throw wrongMoment('until')
  return { userId, connectionId, operation: operation ?? null, since: from, until: end }
}

/** Null for none, and undefined for a text that is no moment in UTC as JavaScript writes it. */
function momentOf(text: string | undefined): Date | null | undefined {
  if (text === undefined) return null
  const moment = new Date(text)
  if (Number.isNaN(moment.getTime())) return undefined
  const spelt = moment.toISOString()
  return text === spelt || text === spelt.replace('.000Z', 'Z') ? moment : undefined
}

const wrongId = (field: string, form: string) =>
  refuse('invalid_request', `${field} must be an id: ${form}`, {
    field,
    data: { reason: 'wrong_form' },
  })

const wrongMoment = (field: string) =>
  refuse('invalid_request', `${field} must be a moment such as 2026-11-30T09:00:00Z.`, {
    field,
    data: { reason: 'no_moment' },
  })

export const connectionView = Type.Object({
  connection_id: Type.String(),
  is_key: Type.Boolean({ description: 'An API key; otherwise a connected app.' }),
  untrusted: untrusted({ name: Type.String() }),
})

export const personView = Type.Object({
  user_id: Type.String(),
  email: Type.Union([Type.String(), Type.Null()]),
})

export const entryView = Type.Object({
  entry_id: Type.String(),
  created_at: Type.String(),
  operation: Type.String(),
  subject: Type.Union([Type.String(), Type.Null()], {
    description: 'The id of what it was done to.',
  }),
  subject_name: Type.Union([Type.String(), Type.Null()], {
    description:
      'What that is called now: a campaign’s name, a person’s, a webhook’s URL. Null once it is gone.',
  }),
  details: Type.Record(
    Type.String(),
    Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
  ),
  person: Type.Union([personView, Type.Null()], {
    description: 'Null for what the service did by itself.',
  }),
  connection: Type.Union([connectionView, Type.Null()], {
    description: 'Null for what a person did in the app.',
  }),
  request_id: Type.Union([Type.String(), Type.Null()]),
})

export function viewOfEntry(entry: ListedEntry, names: ReadonlyMap<string, string>) {
  const { userId, email, callId } = entry
  return {
    entry_id: formatId('audit', entry.id),
    created_at: entry.createdAt.toISOString(),
    operation: entry.action,
    subject: entry.subject,
    subject_name: names.get(entry.subject ?? '') ?? null,
    details: entry.details,
    person: userId && { user_id: formatId('user', userId), email },
    connection: viewOfConnection(entry),
    request_id: callId && formatId('request', callId),
  }
}

export function viewOfConnection({
  connectionId,
  connectionName,
  isKey,
}: Pick<ListedEntry, 'connectionId' | 'connectionName' | 'isKey'>) {
  if (connectionId === null) return null
  return {
    connection_id: formatId('connection', connectionId),
    is_key: isKey,
    untrusted: { name: connectionName ?? '' },
  }
}

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
