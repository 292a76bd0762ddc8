/**
 * Mandates: an owner signs in the app what an assistant may send without asking, and pauses or ends
 * it there. `campaigns/mandates` holds the assistant to it.
 */
import { readDeploySettings } from '../accounts/businesses/deploy-settings.ts'
import {
  isInForce,
  lockMandate,
  type Mandate,
  mandateLimits,
  mandatesOf,
  peopleLeft,
  type Terms,
} from '../campaigns/mandates/mandate.ts'
import { pauseCampaign } from '../campaigns/sending/transitions.ts'
import { sameFilterInput } from '../contacts/filters/filter.ts'
import { readFilter } from '../contacts/filters/read.ts'
import { expandSegments } from '../contacts/segments/expand-segments.ts'
import { segmentIdInput } from '../contacts/segments/segment.ts'
import { isRefusal, type Refusal, refuse } from '../core/errors.ts'
import { checkFreshFactor } from '../core/fresh-factor.ts'
import { formatId, type Id, newId, parseId } from '../core/ids.ts'
import { type BusinessContext, type Origin, operation } from '../core/operation.ts'
import { recordAudit } from '../events/audit.ts'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import { type Static, Type } from '../lib/schema/schema.ts'
import { days, later } from '../lib/time/clock.ts'
import { noSuchConnection } from '../oauth/connections/connections.ts'
import type { Senders } from '../sender-domains/senders/senders.ts'
import { queueWeekly } from './mandate-mail.ts'

const timeInput = (description: string) =>
  Type.String({ pattern: '^(?:[01][0-9]|2[0-3]):[0-5][0-9]$|^24:00$', description })

const hostForm = '^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.){1,8}[a-z]{2,63}$'

const termsInput = {
  goal: Type.String({ minLength: 1, maxLength: mandateLimits.goalLength }),
  filter: sameFilterInput,
  segment_id: Type.Optional(segmentIdInput),
  people_per_week: Type.Integer({ minimum: 1, maximum: mandateLimits.peoplePerWeek }),
  hours: Type.Optional(
    Type.Object(
      { from: timeInput('Such as 09:00.'), to: timeInput('Such as 18:00.') },
      { additionalProperties: false },
    ),
  ),
  tone: Type.Optional(Type.String({ maxLength: mandateLimits.toneLength })),
  never_words: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: mandateLimits.wordLength }), {
      maxItems: mandateLimits.words,
    }),
  ),
  link_hosts: Type.Optional(
    Type.Array(Type.String({ maxLength: 253, pattern: hostForm }), {
      maxItems: mandateLimits.hosts,
    }),
  ),
  template_ids: Type.Optional(
    Type.Array(Type.String({ pattern: '^tpl_[0-9a-hjkmnp-tv-z]{26}$' }), {
      maxItems: mandateLimits.templates,
    }),
  ),
  days: Type.Integer({ minimum: 1, maximum: mandateLimits.days }),
}

const mandateFields = {
  mandate_id: Type.String(),
  connection_id: Type.String(),
  in_force: Type.Boolean(),
  paused_at: Type.Union([Type.String(), Type.Null()]),
  signed_at: Type.String(),
  ends_at: Type.String(),
  goal: Type.String(),
  filter: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()]),
  people_per_week: Type.Integer(),
  people_left: Type.Integer(),
  hours: Type.Object({ from: Type.String(), to: Type.String() }),
  tone: Type.Union([Type.String(), Type.Null()]),
  never_words: Type.Array(Type.String()),
  link_hosts: Type.Array(Type.String()),
  template_ids: Type.Array(Type.String()),
  sender: Type.String(),
}

async function viewOf(db: Db, businessId: Id<'business'>, mandate: Mandate, now: Date) {
  const { terms, pausedAt, signedAt, endsAt } = mandate
  return {
    mandate_id: formatId('mandate', mandate.id),
    connection_id: formatId('connection', mandate.connectionId),
    in_force: isInForce(mandate, now),
    paused_at: pausedAt?.toISOString() ?? null,
    signed_at: signedAt.toISOString(),
    ends_at: endsAt.toISOString(),
    people_left: Math.max(0, await peopleLeft(db, businessId, { mandate, at: now })),
    ...terms,
    filter: terms.filter as Record<string, unknown> | null,
  }
}

export const mandateList = operation({
  name: 'mandate.list',
  title: 'See a mandate',
  area: 'business',
  summary:
    'What an owner signed that this connection may send without asking: goal, audience, people a week and how many are left, hours, tone, words never used, link hosts, templates, sender, end. campaign.deploy and sequence.start say whether they are inside. Free.',
  reach: 'business',
  scope: 'meta:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/mandates',
  input: {},
  output: Type.Object({ mandates: Type.Array(Type.Object(mandateFields)) }),

  async run({ db, business, principal, now }) {
    const all = await mandatesOf(db, business.id, now)
    const { connectionId } = principal
    const shown =
      connectionId === null ? all : all.filter((mandate) => mandate.connectionId === connectionId)
    const mandates: Awaited<ReturnType<typeof viewOf>>[] = []
    for (const mandate of shown) mandates.push(await viewOf(db, business.id, mandate, now))
    return { mandates }
  },
})

export function mandateSign({ senders }: { senders: Senders }) {
  return operation({
    name: 'mandate.sign',
    title: 'Sign a mandate',
    summary:
      'Lets a connection send within these terms without asking, until it ends. It replaces the mandate that the connection had.',
    reach: 'business',
    scope: 'messaging:send',
    role: 'owner',
    tier: 'free',
    appOnly: true,
    freshSignIn: 'A mandate is signed',
    freshFactor: 'mandates',
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    rest: 'POST /v1/mandates',
    input: { connection_id: Type.String({ description: 'cnx_…' }), ...termsInput },
    output: Type.Object(mandateFields),

    async run(context, input) {
      const { db, business, principal, origin, now, write } = context
      const connectionId = parseId('connection', input.connection_id)
      if (!connectionId) throw noSuchConnection(input.connection_id)
      const sender = await senders.senderOf(business.id)
      if (isRefusal(sender)) throw sender
      const settings = await readDeploySettings(db, business.id)
      if (settings?.twoPeople) throw twoPeopleDecide()
      const terms = await termsOf(context, input, sender.from)
      return write(async (tx) => {
        const exists = await tx.maybe(sql`
          select from connections
          where id = ${connectionId} and revoked_at is null and client_id is not null
            and ${business.id} = any (business_ids)
          for no key update
        `)
        if (!exists) throw noSuchConnection(input.connection_id)
        await tx.run(sql`
          update mandates set ended_at = ${now}
          where business_id = ${business.id} and connection_id = ${connectionId}
            and ended_at is null
        `)
        const mandate: Mandate = {
          id: newId('mandate'),
          connectionId,
          terms,
          signedBy: principal.userId,
          signedAt: now,
          endsAt: later(now, days(input.days)),
          pausedAt: null,
          endedAt: null,
        }
        await tx.run(sql`
          insert into mandates (business_id, id, connection_id, terms, signed_by, signed_at, ends_at)
          values (${business.id}, ${mandate.id}, ${connectionId}, ${JSON.stringify(terms)},
            ${principal.userId}, ${now}, ${mandate.endsAt})
        `)
        await queueWeekly(tx, { businessId: business.id, id: mandate.id, since: now }, now)
        const details = { people_per_week: terms.people_per_week, days: input.days }
        await auditMandate(tx, mandate, { business, origin, now, action: 'mandate.sign', details })
        return viewOf(tx, business.id, mandate, now)
      })
    },
  })
}

interface GivenTerms extends Omit<Static<ReturnType<typeof givenSchema>>, 'filter'> {
  filter?: object
}
const givenSchema = () => Type.Object(termsInput)

async function termsOf(
  { db, business }: BusinessContext,
  input: GivenTerms,
  sender: string,
): Promise<Terms> {
  const { filter: written, segment_id: segment, hours = { from: '00:00', to: '24:00' } } = input
  if (written !== undefined && segment !== undefined) {
    throw refuse('invalid_request', 'filter and segment_id cannot be combined: pass one.', {
      field: 'segment_id',
      data: { reason: 'one_of' },
    })
  }
  const filter = segment === undefined ? written && readFilter(written) : { segment: segment }
  return {
    goal: input.goal,
    filter: filter ? await expandSegments(db, business.id, filter) : null,
    people_per_week: input.people_per_week,
    hours,
    tone: input.tone ?? null,
    never_words: input.never_words ?? [],
    link_hosts: input.link_hosts ?? [],
    template_ids: input.template_ids ?? [],
    sender,
  }
}

const mandateIdInput = Type.String({ description: 'mdt_…' })

export const mandateSave = operation({
  name: 'mandate.save',
  title: 'Pause a mandate',
  summary:
    'Pauses a mandate: what runs under it pauses, and the connection asks again. An owner lets it go on.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'approver',
  tier: 'free',
  appOnly: true,
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  rest: 'PATCH /v1/mandates/:mandate_id',
  input: { mandate_id: mandateIdInput, paused: Type.Boolean() },
  output: Type.Object(mandateFields),

  run(context, { mandate_id, paused }) {
    const { business, origin, now, write } = context
    if (!paused) checkFreshFactor(context, 'mandates')
    return write(async (tx) => {
      if (!paused && business.role !== 'owner') {
        throw refuse('role_required', 'Only an owner lets a mandate go on.', {
          data: { role: 'owner' },
        })
      }
      const id = parseId('mandate', mandate_id)
      const mandate = id && (await lockMandate(tx, business.id, id))
      if (!mandate || mandate.endedAt) throw noSuchMandate(mandate_id)
      const pausedAt = paused ? (mandate.pausedAt ?? now) : null
      await setPaused(tx, business.id, { mandate, pausedAt, origin, now })
      const action = paused ? 'mandate.pause' : 'mandate.resume'
      await auditMandate(tx, mandate, { business, origin, now, action, details: {} })
      return viewOf(tx, business.id, { ...mandate, pausedAt }, now)
    })
  },
})

export const mandateEnd = operation({
  name: 'mandate.end',
  title: 'End a mandate',
  summary: 'Ends a mandate: what runs under it pauses, and the connection asks again.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'approver',
  tier: 'free',
  appOnly: true,
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  rest: 'DELETE /v1/mandates/:mandate_id',
  input: { mandate_id: mandateIdInput },
  output: Type.Object({ mandate_id: Type.String() }),

  run({ business, origin, now, write }, { mandate_id }) {
    return write(async (tx) => {
      const id = parseId('mandate', mandate_id)
      const mandate = id && (await lockMandate(tx, business.id, id))
      if (!mandate) throw noSuchMandate(mandate_id)
      if (mandate.endedAt) return { mandate_id }
      await setPaused(tx, business.id, { mandate, pausedAt: mandate.pausedAt ?? now, origin, now })
      await tx.run(sql`
        update mandates set ended_at = ${now}
        where business_id = ${business.id} and id = ${mandate.id}
      `)
      await auditMandate(tx, mandate, { business, origin, now, action: 'mandate.end', details: {} })
      return { mandate_id }
    })
  },
})

interface Pausing {
  mandate: Mandate
  pausedAt: Date | null
  origin: Origin
  now: Date
}

/** What is under way pauses with its mandate. A person resumes each campaign by itself. */
async function setPaused(
  tx: Tx,
  businessId: Id<'business'>,
  { mandate, pausedAt, origin, now }: Pausing,
): Promise<void> {
  await tx.run(sql`
    update mandates set paused_at = ${pausedAt}
    where business_id = ${businessId} and id = ${mandate.id}
  `)
  if (pausedAt === null) return
  const campaigns = await tx.all<{ id: Id<'campaign'> }>(sql`
    select c.id from mandate_orders o
    join campaigns c on c.business_id = ${businessId} and c.id = o.object_id
    where o.business_id = ${businessId} and o.mandate_id = ${mandate.id} and c.state = 'deployed'
    order by c.id for no key update of c
  `)
  for (const { id } of campaigns) {
    await pauseCampaign(tx, { businessId, id, origin }, 'requested', now)
  }
  await tx.run(sql`
    update sequences s set status = 'paused', pause_reason = 'requested', updated_at = ${now}
    where s.business_id = ${businessId} and s.status = 'running' and exists (
      select from mandate_orders o
      where o.business_id = ${businessId} and o.object_id = s.id and o.mandate_id = ${mandate.id}
    )
  `)
}

function noSuchMandate(id: string): Refusal {
  return refuse('not_found', `This business has no mandate ${id}.`, { field: 'mandate_id' })
}

function twoPeopleDecide(): Refusal {
  const text =
    'In this business two people decide about every campaign (two_people), so that nobody can sign for an assistant alone.'
  return refuse('conflict', text, { data: { reason: 'two_people' } })
}

interface Deed {
  business: { id: Id<'business'> }
  origin: Origin
  now: Date
  action: string
  details: Record<string, number>
}

function auditMandate(
  tx: Tx,
  { id, connectionId }: Mandate,
  { business, origin, now, action, details: numbers }: Deed,
): Promise<void> {
  const details = { ...numbers, connection: formatId('connection', connectionId) }
  const entry = { businessId: business.id, action, subject: formatId('mandate', id) }
  return recordAudit(tx, [{ ...entry, details, origin }], now)
}
