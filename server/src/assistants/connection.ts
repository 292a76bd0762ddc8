/** Stopping one assistant, or another app or key, and resuming it. */
import { endStops, type Stop, saveStops, stopsOf } from '../accounts/stops/stops.ts'
import { type Id, parseId } from '../core/ids.ts'
import { operation, type Principal, type Reach } from '../core/operation.ts'
import { sql } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import { noSuchConnection } from '../oauth/connections/connections.ts'
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

const connectionInput = { connection_id: Type.String({ description: 'cnx_…' }) }

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
      const businesses = businessesWithin(principal, connection)
      if (businesses.length === 0) throw noSuchConnection(connection_id)
      const done = { campaigns: 0, automations: 0 }
      const stop = { stoppedId: connection.id, withMessages: false, stoppedBy: principal.userId }
      for (const { id: businessId } of businesses) {
        const work = { businessId, connectionId: connection.id, origin, now }
        add(done, await pauseWork(tx, work))
        await auditStop(tx, work, 'connection.stop', {})
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
      const businesses = businessesWithin(principal, connection)
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
        await auditStop(tx, work, 'connection.resume', {})
      }
      return { connection_id, ...done }
    })
  },
})

function add(sum: Done, { campaigns, automations }: Done): void {
  sum.campaigns += campaigns
  sum.automations += automations
}

interface LockedConnection {
  id: Id<'connection'>
  userId: Id<'user'>
  businessIds: Id<'business'>[]
}

/** Where the person may stop it: everywhere if it is their own, else where they approve. */
function businessesWithin(
  { userId, businesses }: Principal,
  connection: LockedConnection,
): readonly Reach[] {
  const isOwn = connection.userId === userId
  return businesses.filter(
    (business) => connection.businessIds.includes(business.id) && (isOwn || mayStop(business)),
  )
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
