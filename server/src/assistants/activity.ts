/**
 * What connections did in a business: their entries of the audit log, the contacts they wrote, and
 * what they saved last, grouped by operation. Each has the call that takes it back, where one does.
 */
import { refuse } from '../core/errors.ts'
import { formatId, type Id, parseId } from '../core/ids.ts'
import { type BusinessContext, operation } from '../core/operation.ts'
import { untrusted } from '../core/untrusted.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { type Static, Type } from '../lib/schema/schema.ts'
import { days, later } from '../lib/time/clock.ts'
import { mayStop } from './stopped-work.ts'

/** How far back one can look, in days: events are kept as long. */
const mostDaysBack = 30

/** How many things of a group are listed, newest first. All of them are counted. */
const mostItems = 10

/** How many entries, and how many events of the business, are read; newest first. */
const mostRead = { entries: 2_000, events: 20_000, saves: 2_000 }

const undoField = Type.Union([
  Type.Object({
    tool: Type.String(),
    arguments: Type.Record(Type.String(), Type.Union([Type.String(), Type.Boolean()])),
  }),
  Type.Null(),
])

const groupField = Type.Object({
  operation: Type.String(),
  count: Type.Integer(),
  first_at: Type.String(),
  last_at: Type.String(),
  items: Type.Array(
    Type.Object({
      id: Type.Union([Type.String(), Type.Null()]),
      at: Type.String(),
      undo: undoField,
    }),
  ),
})

type Group = Static<typeof groupField>

export const activity = operation({
  name: 'meta.activity',
  title: 'What a connection did',
  area: 'business',
  summary:
    'What this connection did since a moment (24 hours unless since is given), grouped by operation, with ids and the calls that undo it. Owners see every connection with all. Changes nothing.',
  reach: 'business',
  scope: 'meta:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/activity',
  input: {
    since: Type.Optional(
      Type.String({ maxLength: 40, description: `ISO 8601, at most ${mostDaysBack} days ago.` }),
    ),
    connection_id: Type.Optional(
      Type.String({
        pattern: '^cnx_[0-9a-hjkmnp-tv-z]{26}$',
        description: 'Your own without it.',
      }),
    ),
    all: Type.Optional(Type.Boolean({ description: 'Every connection, for owners.' })),
  },
  output: Type.Object({
    since: Type.String(),
    complete: Type.Boolean(),
    connections: Type.Array(
      Type.Object({
        connection_id: Type.String(),
        untrusted: untrusted({ name: Type.String() }),
        groups: Type.Array(groupField),
      }),
    ),
  }),

  async run(context, input) {
    const { db, business, now } = context
    const since = readSince(input.since, now)
    const request = { connections: await chosenConnections(context, input), since }
    const [entries, events, saves] = await Promise.all([
      selectEntries(db, business.id, request),
      selectContactEvents(db, business.id, request),
      selectSaves(db, business.id, request),
    ])
    const deeds = [...entries, ...saves]
    const undoOf = await undosOf(db, business.id, deeds)
    const groups = groupsOf(deeds, undoOf)
    for (const { connectionId, type, count, firstAt, lastAt, ids } of events.groups) {
      ofConnection(groups, connectionId).push({
        operation: type,
        count,
        first_at: firstAt.toISOString(),
        last_at: lastAt.toISOString(),
        items: ids.map(({ id, at }) => ({ id, at: new Date(at).toISOString(), undo: null })),
      })
    }
    const names = await selectNames(db, business.id, [...groups.keys()])
    return {
      since: since.toISOString(),
      complete: entries.length < mostRead.entries && events.isComplete,
      connections: [...groups].map(([id, list]) => ({
        connection_id: formatId('connection', id),
        untrusted: { name: names.get(id) ?? '' },
        groups: list.toSorted((a, b) => (a.last_at < b.last_at ? 1 : -1)),
      })),
    }
  },
})

function readSince(text: string | undefined, now: Date): Date {
  const earliest = later(now, -days(mostDaysBack))
  if (text === undefined) return later(now, -days(1))
  const since = new Date(text)
  if (Number.isNaN(since.getTime())) {
    throw refuse('invalid_request', 'since takes a moment such as 2026-11-30T09:00:00Z.', {
      field: 'since',
      data: { reason: 'no_moment' },
    })
  }
  return since < earliest ? earliest : since
}

/** Null for all connections of the business. A person in the app sees their own without choosing. */
async function chosenConnections(
  { db, principal, business }: BusinessContext,
  { connection_id, all = false }: { connection_id?: string; all?: boolean },
): Promise<Id<'connection'>[] | null> {
  const isPerson = principal.connectionId === null
  const seesOthers = business.role === 'owner' || (isPerson && mayStop(business))
  if (all) {
    if (seesOthers) return null
    throw refuse('role_required', 'Only owners see what every connection did.', {
      field: 'all',
      data: { role: 'owner' },
      fix: { tool: 'meta.activity', arguments: {} },
    })
  }
  if (connection_id === undefined) {
    return principal.connectionId === null
      ? connectionsOfPerson(db, principal.userId)
      : [principal.connectionId]
  }
  const id = parseId('connection', connection_id)
  if (id && id === principal.connectionId) return [id]
  if (id && seesOthers && (await actsIn(db, business.id, id))) return [id]
  const own = isPerson ? await connectionsOfPerson(db, principal.userId) : []
  if (id && own.includes(id)) return [id]
  throw refuse('not_found', `You see no connection ${connection_id}.`, {
    field: 'connection_id',
    fix: { tool: 'meta.activity', arguments: {} },
  })
}

/** Also of one that acted here before its owner took it away. */
async function actsIn(db: Db, businessId: Id<'business'>, id: Id<'connection'>): Promise<boolean> {
  const row = await db.maybe(sql`
    select 1 from connections c
    where c.id = ${id} and (
      ${businessId} = any (c.business_ids) or exists (
        select from audit_entries a where a.business_id = ${businessId} and a.connection_id = c.id
      )
    )
  `)
  return row !== undefined
}

async function connectionsOfPerson(db: Db, userId: Id<'user'>): Promise<Id<'connection'>[]> {
  const rows = await db.all<{ id: Id<'connection'> }>(
    sql`select id from connections where user_id = ${userId} and revoked_at is null`,
  )
  return rows.map(({ id }) => id)
}

interface Deed {
  connectionId: Id<'connection'>
  operation: string
  subject: string | null
  at: Date
}

type Groups = Map<Id<'connection'>, Group[]>

function ofConnection(groups: Groups, id: Id<'connection'>): Group[] {
  const list = groups.get(id) ?? []
  groups.set(id, list)
  return list
}

function groupsOf(
  deeds: readonly Deed[],
  undoOf: (deed: Deed) => Static<typeof undoField>,
): Groups {
  const groups: Groups = new Map()
  const byOperation = Map.groupBy(deeds, ({ connectionId, operation: name }) =>
    [connectionId, name].join(' '),
  )
  for (const list of byOperation.values()) {
    const sorted = list.toSorted((a, b) => b.at.getTime() - a.at.getTime())
    const [latest, earliest] = [sorted[0] as Deed, sorted.at(-1) as Deed]
    ofConnection(groups, latest.connectionId).push({
      operation: latest.operation,
      count: list.length,
      first_at: earliest.at.toISOString(),
      last_at: latest.at.toISOString(),
      items: sorted.slice(0, mostItems).map((deed) => ({
        id: deed.subject,
        at: deed.at.toISOString(),
        undo: undoOf(deed),
      })),
    })
  }
  return groups
}

interface Undoing {
  kind: keyof typeof statesOf
  /** By the state of the thing. */
  calls: Record<string, string>
  /** Arguments beside its id. */
  also?: Record<string, string | boolean>
}

/** The call that undoes or stops something, by its operation and the state it is in now. */
const undoing: Record<string, Undoing> = {
  'campaign.deploy': {
    kind: 'campaign',
    calls: {
      scheduled: 'campaign.unschedule',
      awaiting_approval: 'campaign.unschedule',
      deployed: 'campaign.pause',
    },
  },
  'sequence.start': {
    kind: 'sequence',
    calls: { running: 'sequence.pause', awaiting_approval: 'sequence.stop' },
  },
  'feed.start': {
    kind: 'feed',
    calls: { running: 'feed.pause', awaiting_approval: 'feed.delete' },
  },
  'import.confirm': {
    kind: 'import',
    calls: { running: 'import.cancel', paused: 'import.cancel', done: 'import.undo' },
  },
  'email.send': { kind: 'message', calls: { scheduled: 'message.cancel' } },
  'sms.send': { kind: 'message', calls: { scheduled: 'message.cancel' } },
  'message.propose': { kind: 'batch', calls: { waiting: 'proposal.cancel' } },
  'removal.order': { kind: 'removal', calls: { waiting: 'removal.cancel' } },
  'webhook.save': {
    kind: 'webhook',
    calls: { active: 'webhook.delete' },
  },
  'contact.tag': { kind: 'tagging', calls: { standing: 'contact.tag' }, also: { undo: true } },
}

interface StateRow {
  id: string
  state: string
}

const statesOf = {
  campaign: (db: Db, businessId: Id<'business'>, ids: string[]): Promise<StateRow[]> =>
    db.all(sql`
      select id, state from campaigns where business_id = ${businessId} and id = any (${ids}::uuid[])
    `),
  feed: (db: Db, businessId: Id<'business'>, ids: string[]): Promise<StateRow[]> =>
    db.all(sql`
      select id, status as state from feeds
      where business_id = ${businessId} and id = any (${ids}::uuid[]) and deleted_at is null
    `),
  sequence: (db: Db, businessId: Id<'business'>, ids: string[]): Promise<StateRow[]> =>
    db.all(sql`
      select id, status as state from sequences
      where business_id = ${businessId} and id = any (${ids}::uuid[])
    `),
  import: (db: Db, businessId: Id<'business'>, ids: string[]): Promise<StateRow[]> =>
    db.all(sql`
      select id, state from imports where business_id = ${businessId} and id = any (${ids}::uuid[])
    `),
  message: (db: Db, businessId: Id<'business'>, ids: string[]): Promise<StateRow[]> =>
    db.all(sql`
      select id, state from messages where business_id = ${businessId} and id = any (${ids}::uuid[])
    `),
  batch: (db: Db, businessId: Id<'business'>, ids: string[]): Promise<StateRow[]> =>
    db.all(sql`
      select distinct batch_id as id, 'waiting' as state from proposals
      where business_id = ${businessId} and batch_id = any (${ids}::uuid[]) and state = 'waiting'
    `),
  removal: (db: Db, businessId: Id<'business'>, ids: string[]): Promise<StateRow[]> =>
    db.all(sql`
      select id, coalesce(outcome, 'waiting') as state from held_removals
      where business_id = ${businessId} and id = any (${ids}::uuid[])
    `),
  tagging: (db: Db, businessId: Id<'business'>, ids: string[]): Promise<StateRow[]> =>
    db.all(sql`
      select id, 'standing' as state from taggings
      where business_id = ${businessId} and id = any (${ids}::uuid[]) and undo_asked_at is null
    `),
  webhook: (db: Db, businessId: Id<'business'>, ids: string[]): Promise<StateRow[]> =>
    db.all(sql`
      select id, 'active' as state from webhooks
      where business_id = ${businessId} and id = any (${ids}::uuid[]) and deleted_at is null
    `),
}

async function undosOf(
  db: Db,
  businessId: Id<'business'>,
  deeds: readonly Deed[],
): Promise<(deed: Deed) => Static<typeof undoField>> {
  const ids = new Map<keyof typeof statesOf, Set<string>>()
  for (const { operation: name, subject } of deeds) {
    const kind = undoing[name]?.kind
    const id = kind && subject !== null && parseId(kind, subject)
    if (id) ids.set(kind, (ids.get(kind) ?? new Set()).add(id))
  }
  const states = new Map<string, string>()
  for (const [kind, list] of ids) {
    for (const { id, state } of await statesOf[kind](db, businessId, [...list]))
      states.set(id, state)
  }
  return ({ operation: name, subject }) => {
    const rule = undoing[name]
    const id = rule && subject !== null && parseId(rule.kind, subject)
    const tool = id && rule.calls[states.get(id) ?? '']
    if (!tool) return null
    return { tool, arguments: { [`${rule.kind}_id`]: subject, ...rule.also } }
  }
}

interface ActivityRequest {
  /** Null for every connection. */
  connections: Id<'connection'>[] | null
  since: Date
}

function selectEntries(
  db: Db,
  businessId: Id<'business'>,
  { connections, since }: ActivityRequest,
): Promise<Deed[]> {
  return db.all(sql`
    select connection_id as "connectionId", action as operation, subject, created_at as at
    from audit_entries
    where business_id = ${businessId} and connection_id is not null and created_at >= ${since}
      and (${connections}::uuid[] is null or connection_id = any (${connections}::uuid[]))
    order by created_at desc, id desc limit ${mostRead.entries}
  `)
}

interface ContactEvents {
  connectionId: Id<'connection'>
  type: string
  count: number
  firstAt: Date
  lastAt: Date
  ids: { id: string; at: string }[]
}

/** Contacts that connections wrote, of which the audit log has none. No index finds their events. */
async function selectContactEvents(
  db: Db,
  businessId: Id<'business'>,
  { connections, since }: ActivityRequest,
): Promise<{ groups: ContactEvents[]; isComplete: boolean }> {
  const { read, start } = await db.one<{ read: number; start: Date | null }>(sql`
    select count(*)::int as read, min(created_at) as start from (
      select created_at from events
      where business_id = ${businessId} and created_at >= ${since}
      order by created_at desc limit ${mostRead.events}
    ) recent
  `)
  const groups = await db.all<ContactEvents>(sql`
    select connection_id as "connectionId", type, count(*)::int as count,
      min(created_at) as "firstAt", max(created_at) as "lastAt",
      coalesce(
        json_agg(
          json_build_object('id', body::json -> 'data' ->> 'contact_id', 'at', created_at)
          order by place
        ) filter (
          where place <= ${mostItems} and body::json -> 'data' ->> 'contact_id' is not null
        ),
        '[]'
      ) as ids
    from (
      select connection_id, type, created_at, body, row_number() over (
          partition by connection_id, type order by created_at desc, id desc
        ) as place
      from events
      where business_id = ${businessId} and created_at >= ${start ?? since}
        and connection_id is not null and type in ('contact.created', 'contact.updated')
        and (${connections}::uuid[] is null or connection_id = any (${connections}::uuid[]))
    ) found
    group by connection_id, type
  `)
  return { groups, isComplete: read < mostRead.events }
}

/** What connections saved last: forms, templates, segments, campaigns and automations. */
async function selectSaves(
  db: Db,
  businessId: Id<'business'>,
  { connections, since }: ActivityRequest,
): Promise<Deed[]> {
  const rows = await db.all<{
    connectionId: Id<'connection'>
    kind: 'form' | 'template' | 'segment' | 'campaign' | 'sequence' | 'feed'
    id: string
    at: Date
  }>(sql`
    select s.connection_id as "connectionId", kinds.kind, s.object_id as id, s.saved_at as at
    from last_saves s
    cross join lateral (
      select 'form' as kind from forms where business_id = ${businessId} and id = s.object_id
      union all
      select 'template' from templates where business_id = ${businessId} and id = s.object_id
      union all
      select 'segment' from segments where business_id = ${businessId} and id = s.object_id
      union all
      select 'campaign' from campaigns where business_id = ${businessId} and id = s.object_id
      union all
      select 'sequence' from sequences where business_id = ${businessId} and id = s.object_id
      union all
      select 'feed' from feeds where business_id = ${businessId} and id = s.object_id
    ) kinds
    where s.business_id = ${businessId} and s.connection_id is not null and s.saved_at >= ${since}
      and (${connections}::uuid[] is null or s.connection_id = any (${connections}::uuid[]))
    order by s.saved_at desc limit ${mostRead.saves}
  `)
  return rows.map(({ kind, id, at, connectionId: by }) => ({
    connectionId: by,
    operation: `${kind}.save`,
    subject: formatId(kind, id as Id<typeof kind>),
    at,
  }))
}

/** What the apps call themselves, a stranger's text, and the names of keys. */
async function selectNames(
  db: Db,
  businessId: Id<'business'>,
  ids: readonly Id<'connection'>[],
): Promise<Map<Id<'connection'>, string>> {
  const rows = await db.all<{ id: Id<'connection'>; name: string | null }>(sql`
    select c.id, coalesce(k.name, client.name) as name
    from connections c
    left join oauth_clients client on client.id = c.client_id
    left join api_keys k on k.business_id = ${businessId} and k.id = c.id
    where c.id = any (${[...ids]}::uuid[])
  `)
  return new Map(rows.map(({ id, name }) => [id, name ?? '']))
}
