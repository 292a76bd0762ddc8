/**
 * Removals that wait for 24 hours because a connection ordered them (`accounts/removals`): listed for
 * everybody, cancelled by any editor, completed at once by a person in the app, and otherwise by a
 * job when their time has come.
 */
import {
  type RemovalAction,
  type RemovalPayload,
  removalJob,
  removalsUrl,
} from '../accounts/removals/removal.ts'
import { eraseContact } from '../contacts/erase.ts'
import { mergeHeld } from '../contacts/merge.ts'
import type { PersonalData } from '../contacts/personal-data.ts'
import { isRefusal, orRefusal, type Refusal, refuse } from '../core/errors.ts'
import { formatId, type Id, parseId } from '../core/ids.ts'
import { type Hmac, type Origin, operation } from '../core/operation.ts'
import { untrusted } from '../core/untrusted.ts'
import { recordAudit } from '../events/audit.ts'
import { sql } from '../lib/db/db.ts'
import type { Database, Tx } from '../lib/db/types.ts'
import type { Job, JobKinds } from '../lib/jobs/job.ts'
import { Type } from '../lib/schema/schema.ts'
import { type Clock, hours, minutes } from '../lib/time/clock.ts'
import type { DomainSettings } from '../sender-domains/model/domain.ts'
import { removeDomain } from '../sender-domains/operations/remove.ts'

/** What a removal needs of the domains whose data it removes. */
export interface RemovalDeps {
  traces: readonly PersonalData[]
  domains: { settings: DomainSettings }
}

const nullable = (field: ReturnType<typeof Type.String>) => Type.Union([field, Type.Null()])

const contactField = Type.Union([
  Type.Object({
    contact_id: Type.String(),
    email: nullable(Type.String()),
    phone: nullable(Type.String()),
  }),
  Type.Null(),
])

/** The most removals of one list. A connection that orders more shows that something is wrong. */
const mostListed = 200

const outcomes = ['done', 'cancelled', 'gone'] as const

export const removalList = operation({
  name: 'removal.list',
  title: 'See removals on hold',
  area: 'business',
  summary:
    'What connections ordered to erase, merge or remove, and what waits for 24 hours before it is done. removal.cancel takes one back; a person completes it in the app. Changes nothing.',
  reach: 'business',
  scope: 'audience:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/removals',
  input: {},
  output: Type.Object({
    removals: Type.Array(
      Type.Object({
        removal_id: Type.String(),
        operation: Type.String(),
        contact: contactField,
        other_contact: contactField,
        domain: nullable(Type.String()),
        ordered_at: Type.String(),
        due_at: Type.String(),
        waits_for_person: Type.Boolean(),
        connection_id: Type.String(),
        untrusted: untrusted({ name: Type.String() }),
      }),
    ),
    url: Type.String(),
  }),

  async run({ db, business, now, appUrl }) {
    const rows = await db.all<ListedRow>(sql`
      select r.id, r.action, r.domain, r.ordered_at as "orderedAt", r.due_at as "dueAt",
        r.connection_id as "connectionId", coalesce(client.name, '') as name,
        r.contact_id as "contactId", c.email, c.phone, r.other_contact_id as "otherContactId",
        o.email as "otherEmail", o.phone as "otherPhone"
      from held_removals r
      left join connections x on x.id = r.connection_id
      left join oauth_clients client on client.id = x.client_id
      left join contacts c on c.business_id = ${business.id} and c.id = r.contact_id
      left join contacts o on o.business_id = ${business.id} and o.id = r.other_contact_id
      where r.business_id = ${business.id} and r.ended_at is null
      order by r.due_at, r.id limit ${mostListed}
    `)
    const contactView = (id: Id<'contact'> | null, email: string | null, phone: string | null) =>
      id === null ? null : { contact_id: formatId('contact', id), email, phone }
    return {
      removals: rows.map((row) => ({
        removal_id: formatId('removal', row.id),
        operation: row.action,
        contact: contactView(row.contactId, row.email, row.phone),
        other_contact: contactView(row.otherContactId, row.otherEmail, row.otherPhone),
        domain: row.domain,
        ordered_at: row.orderedAt.toISOString(),
        due_at: row.dueAt.toISOString(),
        waits_for_person: row.dueAt <= now,
        connection_id: formatId('connection', row.connectionId),
        untrusted: { name: row.name },
      })),
      url: removalsUrl(appUrl, business.id),
    }
  },
})

interface ListedRow {
  id: Id<'removal'>
  action: RemovalAction
  domain: string | null
  orderedAt: Date
  dueAt: Date
  connectionId: Id<'connection'>
  /** A stranger's text. */
  name: string
  contactId: Id<'contact'> | null
  email: string | null
  phone: string | null
  otherContactId: Id<'contact'> | null
  otherEmail: string | null
  otherPhone: string | null
}

const removalIdInput = Type.String({
  description: 'rmv_…',
  pattern: '^rmv_[0-9a-hjkmnp-tv-z]{26}$',
})

export const removalCancel = operation({
  name: 'removal.cancel',
  title: 'Cancel a removal on hold',
  area: 'business',
  summary:
    'Takes back an erasure, a merge or the removal of a domain that waits for its 24 hours: nothing is removed. Cancelled again, it answers the same.',
  reach: 'business',
  scope: 'audience:write',
  role: 'editor',
  tier: 'free',
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  rest: 'POST /v1/removals/:removal_id/cancel',
  input: { removal_id: removalIdInput },
  output: Type.Object({ removal_id: Type.String(), outcome: Type.Enum(outcomes) }),

  run({ business, origin, now, write }, { removal_id }) {
    return write(async (tx) => {
      const removal = await lockRemoval(tx, business.id, removal_id)
      if (!removal) throw noSuchRemoval(removal_id)
      if (removal.outcome === 'cancelled') return { removal_id, outcome: 'cancelled' as const }
      if (removal.outcome !== null) throw removalOver(removal_id, removal.outcome)
      await endRemoval(tx, business.id, { id: removal.id, outcome: 'cancelled', now })
      const entry = {
        businessId: business.id,
        action: 'removal.cancel',
        subject: removal_id,
        origin,
      }
      await recordAudit(tx, [entry], now)
      return { removal_id, outcome: 'cancelled' as const }
    })
  },
})

export function removalComplete(deps: RemovalDeps) {
  return operation({
    name: 'removal.complete',
    title: 'Complete a removal on hold',
    summary: 'Does at once what a connection ordered to erase, merge or remove.',
    reach: 'business',
    scope: 'audience:write',
    role: 'admin',
    tier: 'free',
    appOnly: true,
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    rest: 'POST /v1/removals/:removal_id/complete',
    input: { removal_id: removalIdInput },
    output: Type.Object({ removal_id: Type.String(), outcome: Type.Enum(outcomes) }),

    run({ business, hmac, origin, now, write }, { removal_id }) {
      return write(async (tx) => {
        const removal = await lockRemoval(tx, business.id, removal_id)
        if (!removal) throw noSuchRemoval(removal_id)
        if (removal.outcome === 'cancelled') throw removalOver(removal_id, removal.outcome)
        if (removal.outcome !== null) return { removal_id, outcome: removal.outcome }
        const work = { businessId: business.id, removal, hmac, origin, now }
        return { removal_id, outcome: await completeRemoval(tx, deps, work) }
      })
    },
  })
}

interface RemovalJobDeps extends RemovalDeps {
  db: Database
  clock: Clock
  vault: { hmac: Hmac }
}

export function removalJobs(deps: RemovalJobDeps): JobKinds {
  return {
    [removalJob]: {
      retryDelays: [minutes(1), minutes(5), hours(1), hours(6)],
      run: (job) => completeDue(deps, job as Job<RemovalPayload>),
    },
  }
}

/** What a connection ordered that has been stopped or revoked since waits for a person. */
async function completeDue(deps: RemovalJobDeps, { payload }: Job<RemovalPayload>): Promise<void> {
  const { business_id: businessId, removal_id } = payload
  const now = deps.clock.now()
  await deps.db.tx(async (tx) => {
    const removal = await lockRemoval(tx, businessId, formatId('removal', removal_id))
    if (!removal || removal.outcome !== null) return
    const trusted = await tx.maybe(sql`
      select from connections c
      where c.id = ${removal.connectionId} and c.revoked_at is null
        and ${businessId} = any (c.business_ids) and not exists (
          select from sending_stops s
          where s.business_id = ${businessId} and s.stopped_id = c.id
        )
    `)
    if (!trusted) return
    const { connectionId, userId, callId } = removal
    const origin = { connectionId, userId, callId: callId ? formatId('request', callId) : '' }
    await completeRemoval(tx, deps, { businessId, removal, hmac: deps.vault.hmac, origin, now })
  })
}

interface StoredRemoval {
  id: Id<'removal'>
  action: RemovalAction
  contactId: Id<'contact'> | null
  otherContactId: Id<'contact'> | null
  domain: string | null
  connectionId: Id<'connection'>
  userId: Id<'user'>
  callId: Id<'request'> | null
  outcome: Outcome | null
}

type Outcome = 'done' | 'cancelled' | 'gone'

interface Completing {
  businessId: Id<'business'>
  removal: StoredRemoval
  hmac: Hmac
  origin: Origin
  now: Date
}

/** What is no longer there to be removed is `gone`. */
async function completeRemoval(
  tx: Tx,
  { traces, domains }: RemovalDeps,
  { businessId, removal, hmac, origin, now }: Completing,
): Promise<Outcome> {
  const { id, contactId, otherContactId, domain } = removal
  let isDone = false
  if (removal.action === 'domain.remove' && domain !== null) {
    const { settings } = domains
    const names = await removeDomain(tx, businessId, { name: domain, origin, settings, now })
    isDone = names !== undefined
  } else if (contactId && otherContactId) {
    const context = { business: { id: businessId }, hmac, now, origin }
    isDone = await mergeHeld(tx, { traces, context, contactId, otherContactId })
  } else if (contactId) {
    const erased = await orRefusal(() =>
      eraseContact(tx, hmac, { businessId, id: contactId, origin }, now),
    )
    if (isRefusal(erased) && erased.code !== 'not_found') throw erased
    isDone = !isRefusal(erased)
  }
  const outcome = isDone ? 'done' : 'gone'
  await endRemoval(tx, businessId, { id, outcome, now })
  return outcome
}

async function lockRemoval(
  tx: Tx,
  businessId: Id<'business'>,
  text: string,
): Promise<StoredRemoval | undefined> {
  const id = parseId('removal', text)
  if (!id) return undefined
  return tx.maybe<StoredRemoval>(sql`
    select id, action, contact_id as "contactId", other_contact_id as "otherContactId", domain,
      connection_id as "connectionId", user_id as "userId", call_id as "callId", outcome
    from held_removals where business_id = ${businessId} and id = ${id} for no key update
  `)
}

function endRemoval(
  tx: Tx,
  businessId: Id<'business'>,
  { id, outcome, now }: { id: Id<'removal'>; outcome: Outcome; now: Date },
): Promise<number> {
  return tx.run(sql`
    update held_removals set outcome = ${outcome}, ended_at = ${now}
    where business_id = ${businessId} and id = ${id}
  `)
}

function noSuchRemoval(id: string): Refusal {
  return refuse('not_found', `There is no removal ${id} on hold.`, {
    field: 'removal_id',
    fix: { tool: 'removal.list', arguments: {} },
  })
}

function removalOver(id: string, outcome: Outcome): Refusal {
  const texts = {
    done: `The removal ${id} has been done and cannot be taken back.`,
    gone: `What ${id} was to remove no longer exists.`,
    cancelled: `The removal ${id} was cancelled: order it anew.`,
  }
  return refuse('conflict', texts[outcome], {
    field: 'removal_id',
    data: { reason: 'removal_over', outcome },
    fix: { tool: 'removal.list', arguments: {} },
  })
}
