/**
 * The red button: stops all sending of a business at one press. Its campaigns and automations are
 * paused in the same transaction, its messages wait, and a person resumes all of it. The operations
 * are the app's alone, so no connection can undo a stop.
 */
import { endStops, saveStops, stopsOf } from '../accounts/stops/stops.ts'
import { formatId, type Id } from '../core/ids.ts'
import { type Origin, operation } from '../core/operation.ts'
import { untrusted } from '../core/untrusted.ts'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import {
  auditStop,
  type Done,
  mayEnd,
  mayStop,
  onlyAdmins,
  pauseWork,
  resumeWork,
  workFields,
} from './stopped-work.ts'

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
      const by = { stoppedBy: principal.userId }
      const done = await stopSending(tx, {
        businessId: business.id,
        withMessages,
        ...by,
        origin,
        now,
      })
      const connections = with_connections ? await listConnectionsOf(tx, business.id, null) : []
      const stops = connections.map(({ id }) => ({ ...by, stoppedId: id, withMessages: false }))
      if (stops.length > 0) await saveStops(tx, business.id, stops, now)
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
      return resumeSending(tx, { businessId: business.id, origin, now })
    })
  },
})

interface SendingStop {
  businessId: Id<'business'>
  withMessages: boolean
  /** Null for the operator. */
  stoppedBy: Id<'user'> | null
  origin?: Origin
  now: Date
}

/** Stops all sending of a business: by its button, or by the operator's command. */
export async function stopSending(
  tx: Tx,
  { businessId, withMessages, stoppedBy, origin, now }: SendingStop,
): Promise<Done> {
  const work = { businessId, origin, now }
  const done = await pauseWork(tx, work)
  await auditStop(tx, work, 'sending.stop', { with_messages: withMessages, ...done })
  await saveStops(tx, businessId, [{ stoppedId: businessId, withMessages, stoppedBy }], now)
  return done
}

export async function resumeSending(
  tx: Tx,
  { businessId, origin, now }: Pick<SendingStop, 'businessId' | 'origin' | 'now'>,
): Promise<Done> {
  const work = { businessId, origin, now }
  await endStops(tx, businessId, [businessId], now)
  const done = await resumeWork(tx, work)
  await auditStop(tx, work, 'sending.resume', done)
  return done
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
