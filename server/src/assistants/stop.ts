/**
 * Stopping at one press: a connection, or all sending of a business. Its campaigns and automations
 * are paused in the same transaction, its messages wait, and a person resumes all of it. The
 * operations are the app's alone, and so no connection can undo a stop.
 */
import { endStops, type Stop, saveStops, stopsOf } from '../accounts/stops/stops.ts'
import { pauseCampaign, resumeCampaign } from '../campaigns/sending/transitions.ts'
import { refuse } from '../core/errors.ts'
import { formatId, type Id, parseId } from '../core/ids.ts'
import { type Origin, operation, type Principal, type Reach, roles } from '../core/operation.ts'
import { untrusted } from '../core/untrusted.ts'
import { recordAudit } from '../events/audit.ts'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import { noSuchConnection } from '../oauth/connections/connections.ts'
import { wakeAt } from '../sequences/enter.ts'

const connectionInput = { connection_id: Type.String({ description: 'cnx_…' }) }

const workFields = {
  campaigns: Type.Integer({ description: 'Campaigns that were paused or resumed.' }),
  automations: Type.Integer({ description: 'Automations that were paused or resumed.' }),
}

export const sendingGet = operation({
  name: 'sending.get',
  title: 'See what is stopped',
  summary:
    'Whether all sending of the business is stopped, and its connections with those that are stopped: for approvers all of them, for others their own.',
  reach: 'business',
  scope: 'meta:read',
  role: 'viewer',
  tier: 'free',
  appOnly: true,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/sending',
  input: {},
  output: Type.Object({
    stopped_at: Type.Union([Type.String(), Type.Null()]),
    with_messages: Type.Boolean({
      description: 'Whether messages that connections and API keys send wait too.',
    }),
    may_resume: Type.Boolean(),
    connections: Type.Array(
      Type.Object({
        connection_id: Type.String(),
        untrusted: untrusted({ name: Type.String() }),
        redirect_host: Type.String({ description: 'Where the app receives its codes.' }),
        is_yours: Type.Boolean(),
        last_used_at: Type.Union([Type.String(), Type.Null()]),
        stopped_at: Type.Union([Type.String(), Type.Null()]),
        may_resume: Type.Boolean(),
      }),
    ),
  }),

  async run({ db, business, principal }) {
    const owner = mayStop(business) ? null : principal.userId
    const [stops, connections] = await Promise.all([
      stopsOf(db, business.id),
      listConnectionsOf(db, business.id, owner),
    ])
    const stopOf = new Map(stops.map((stop) => [stop.stoppedId, stop]))
    const all = stopOf.get(business.id)
    return {
      stopped_at: all?.stoppedAt.toISOString() ?? null,
      with_messages: all?.withMessages ?? false,
      may_resume: all !== undefined && mayEnd(all, { principal, business }),
      connections: connections.map(({ id, userId, name, redirectUri, lastUsedAt }) => {
        const stop = stopOf.get(id)
        return {
          connection_id: formatId('connection', id),
          untrusted: { name },
          redirect_host: new URL(redirectUri).host,
          is_yours: userId === principal.userId,
          last_used_at: lastUsedAt?.toISOString() ?? null,
          stopped_at: stop?.stoppedAt.toISOString() ?? null,
          may_resume: stop !== undefined && mayEnd(stop, { principal, business }),
        }
      }),
    }
  },
})

export const sendingStop = operation({
  name: 'sending.stop',
  title: 'Stop all sending',
  summary:
    'Pauses all campaigns and automations of the business at once and holds marketing that is queued; with_messages also holds what connections and API keys send, and with_connections stops each connection too.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'approver',
  tier: 'free',
  appOnly: true,
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  rest: 'POST /v1/sending/stop',
  input: {
    with_messages: Type.Optional(Type.Boolean()),
    with_connections: Type.Optional(Type.Boolean()),
  },
  output: Type.Object({ ...workFields, connections: Type.Integer() }),

  run({ business, principal, origin, now, write }, input) {
    const { with_messages: withMessages = false, with_connections = false } = input
    return write(async (tx) => {
      const work = { businessId: business.id, origin, now }
      const done = await pauseWork(tx, work)
      const connections = with_connections ? await listConnectionsOf(tx, business.id, null) : []
      const by = { stoppedBy: principal.userId }
      await audit(tx, work, 'sending.stop', { with_messages: withMessages, ...done })
      await saveStops(
        tx,
        business.id,
        [
          { ...by, stoppedId: business.id, withMessages },
          ...connections.map(({ id }) => ({ ...by, stoppedId: id, withMessages: false })),
        ],
        now,
      )
      return { ...done, connections: connections.length }
    })
  },
})

export const sendingResume = operation({
  name: 'sending.resume',
  title: 'Resume all sending',
  summary:
    'Ends the stop of all sending: campaigns and automations that it paused go on where they were. Connections that are stopped stay so.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'approver',
  tier: 'free',
  appOnly: true,
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: true },
  rest: 'POST /v1/sending/resume',
  input: {},
  output: Type.Object(workFields),

  run({ business, principal, origin, now, write }) {
    return write(async (tx) => {
      const stops = await stopsOf(tx, business.id)
      const stop = stops.find(({ stoppedId }) => stoppedId === business.id)
      if (!stop) return { campaigns: 0, automations: 0 }
      if (!mayEnd(stop, { principal, business })) throw onlyAdmins()
      const work = { businessId: business.id, origin, now }
      await endStops(tx, business.id, [business.id], now)
      const done = await resumeWork(tx, work)
      await audit(tx, work, 'sending.resume', done)
      return done
    })
  },
})

export const connectionStop = operation({
  name: 'connection.stop',
  title: 'Stop an assistant',
  summary:
    'Stops a connection at once, one’s own or, for approvers, one of their business: its calls are refused, its messages wait, and its campaigns and automations are paused. A person resumes it.',
  reach: 'person',
  scope: 'meta:read',
  role: 'viewer',
  tier: 'free',
  appOnly: true,
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  rest: 'POST /v1/connections/:connection_id/stop',
  input: connectionInput,
  output: Type.Object({ connection_id: Type.String(), ...workFields }),

  run({ principal, origin, now, write }, { connection_id }) {
    return write(async (tx) => {
      const connection = await lockConnection(tx, connection_id)
      const isOwn = connection.userId === principal.userId
      const businesses = principal.businesses.filter(
        (business) => connection.businessIds.includes(business.id) && (isOwn || mayStop(business)),
      )
      if (businesses.length === 0) throw noSuchConnection(connection_id)
      const done = { campaigns: 0, automations: 0 }
      const stop = { stoppedId: connection.id, withMessages: false, stoppedBy: principal.userId }
      for (const { id: businessId } of businesses) {
        const work = { businessId, connectionId: connection.id, origin, now }
        add(done, await pauseWork(tx, work))
        await audit(tx, work, 'connection.stop', {})
      }
      for (const { id } of businesses) await saveStops(tx, id, [stop], now)
      return { connection_id, ...done }
    })
  },
})

export const connectionResume = operation({
  name: 'connection.resume',
  title: 'Resume an assistant',
  summary:
    'Ends the stop of a connection: it may call again, and what the stop paused goes on. Who stopped it may do so, and admins and owners.',
  reach: 'person',
  scope: 'meta:read',
  role: 'viewer',
  tier: 'free',
  appOnly: true,
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: true },
  rest: 'POST /v1/connections/:connection_id/resume',
  input: connectionInput,
  output: Type.Object({ connection_id: Type.String(), ...workFields }),

  run({ principal, origin, now, write }, { connection_id }) {
    return write(async (tx) => {
      const connection = await lockConnection(tx, connection_id)
      const isOwn = connection.userId === principal.userId
      const businesses = principal.businesses.filter(
        (business) => connection.businessIds.includes(business.id) && (isOwn || mayStop(business)),
      )
      if (businesses.length === 0) throw noSuchConnection(connection_id)
      const stops: (Stop & { business: Reach })[] = []
      for (const business of businesses) {
        const stop = (await stopsOf(tx, business.id)).find((row) => row.stoppedId === connection.id)
        if (stop) stops.push({ ...stop, business })
      }
      const endable = stops.filter(({ business, ...stop }) => mayEnd(stop, { principal, business }))
      if (endable.length === 0 && stops.length > 0) throw onlyAdmins()
      const done = { campaigns: 0, automations: 0 }
      for (const { business } of endable) {
        const work = { businessId: business.id, connectionId: connection.id, origin, now }
        await endStops(tx, business.id, [connection.id], now)
        add(done, await resumeWork(tx, work))
        await audit(tx, work, 'connection.resume', {})
      }
      return { connection_id, ...done }
    })
  },
})

function mayStop({ role }: Pick<Reach, 'role'>): boolean {
  return roles.indexOf(role) >= roles.indexOf('approver')
}

/** Whoever pressed the button may undo it; otherwise an admin or owner does. */
function mayEnd(
  { stoppedBy }: Pick<Stop, 'stoppedBy'>,
  { principal, business }: { principal: Principal; business: Pick<Reach, 'role'> },
): boolean {
  return stoppedBy === principal.userId || roles.indexOf(business.role) >= roles.indexOf('admin')
}

function onlyAdmins() {
  const text = 'Another member stopped it, so an admin or owner resumes it.'
  return refuse('role_required', text, { data: { role: 'admin' } })
}

interface Work {
  businessId: Id<'business'>
  /** Set for what one connection ordered; otherwise all. */
  connectionId?: Id<'connection'>
  origin: Origin
  now: Date
}

type Done = { campaigns: number; automations: number }

function add(sum: Done, { campaigns, automations }: Done): void {
  sum.campaigns += campaigns
  sum.automations += automations
}

/** Pauses what runs. Once it commits, nothing more of it is sent. */
async function pauseWork(tx: Tx, { businessId, connectionId, origin, now }: Work): Promise<Done> {
  const ordered = connectionId ?? null
  const campaigns = await tx.all<{ id: Id<'campaign'> }>(sql`
    select id from campaigns
    where business_id = ${businessId} and state = 'deployed'
      and (${ordered}::uuid is null or connection_id = ${ordered})
    order by id for no key update
  `)
  for (const { id } of campaigns)
    await pauseCampaign(tx, { businessId, id, origin }, 'stopped', now)
  const automations = await tx.run(sql`
    update sequences s set status = 'paused', pause_reason = 'stopped', updated_at = ${now}
    where business_id = ${businessId} and status = 'running' and (${ordered}::uuid is null or exists (
      select from sequence_versions v
      where v.business_id = s.business_id and v.sequence_id = s.id
        and v.version = s.running_version and v.connection_id = ${ordered}
    ))
  `)
  return { campaigns: campaigns.length, automations }
}

/** Resumes what a stop paused, unless another stop still holds it. */
async function resumeWork(tx: Tx, { businessId, connectionId, origin, now }: Work): Promise<Done> {
  const ordered = connectionId ?? null
  const campaigns = await tx.all<{ id: Id<'campaign'> }>(sql`
    select id from campaigns c
    where business_id = ${businessId} and state = 'paused' and pause_reason = 'stopped'
      and (${ordered}::uuid is null or connection_id = ${ordered})
      and not exists (
        select from sending_stops s
        where s.business_id = ${businessId} and s.stopped_id in (${businessId}, c.connection_id)
      )
    order by id for no key update
  `)
  for (const { id } of campaigns) await resumeCampaign(tx, { businessId, id, origin }, now)
  const automations = await tx.all<{ id: Id<'sequence'> }>(sql`
    update sequences q set status = 'running', pause_reason = null, updated_at = ${now}
    from sequence_versions v
    where q.business_id = ${businessId} and q.status = 'paused' and q.pause_reason = 'stopped'
      and v.business_id = q.business_id and v.sequence_id = q.id and v.version = q.running_version
      and (${ordered}::uuid is null or v.connection_id = ${ordered})
      and not exists (
        select from sending_stops s
        where s.business_id = ${businessId} and s.stopped_id in (${businessId}, v.connection_id)
      )
    returning q.id
  `)
  for (const { id } of automations) {
    await wakeAt(tx, { businessId, sequenceId: id }, { at: now, now })
  }
  return { campaigns: campaigns.length, automations: automations.length }
}

function audit(
  tx: Tx,
  { businessId, connectionId, origin, now }: Work,
  action: string,
  details: Record<string, boolean | number>,
): Promise<void> {
  const subject = connectionId
    ? formatId('connection', connectionId)
    : formatId('business', businessId)
  return recordAudit(tx, [{ businessId, action, subject, details, origin }], now)
}

interface StoppableConnection {
  id: Id<'connection'>
  userId: Id<'user'>
  /** A stranger's text. */
  name: string
  redirectUri: string
  lastUsedAt: Date | null
}

/** Apps connected to the business, latest used first. API keys have a page of their own. */
function listConnectionsOf(
  db: Db,
  businessId: Id<'business'>,
  userId: Id<'user'> | null,
): Promise<StoppableConnection[]> {
  return db.all(sql`
    select c.id, c.user_id as "userId", client.name, c.redirect_uri as "redirectUri",
      c.last_used_at as "lastUsedAt"
    from memberships m
    join connections c on c.user_id = m.user_id
    join oauth_clients client on client.id = c.client_id
    where m.business_id = ${businessId} and (${userId}::uuid is null or m.user_id = ${userId})
      and c.revoked_at is null and ${businessId} = any (c.business_ids)
    order by c.last_used_at desc nulls last, c.id limit 200
  `)
}

interface LockedConnection {
  id: Id<'connection'>
  userId: Id<'user'>
  businessIds: Id<'business'>[]
}

async function lockConnection(tx: Tx, text: string): Promise<LockedConnection> {
  const id = parseId('connection', text)
  const found =
    id &&
    (await tx.maybe<LockedConnection>(sql`
      select id, user_id as "userId", business_ids as "businessIds" from connections
      where id = ${id} and revoked_at is null for no key update
    `))
  if (!found) throw noSuchConnection(text)
  return found
}
