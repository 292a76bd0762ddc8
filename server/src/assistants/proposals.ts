/**
 * Emails that an assistant wrote one by one. They wait in a queue, where a person reads, changes,
 * approves and refuses them; what was approved is sent by day, at most three a day to one person.
 */

import { readDeploySettings } from '../accounts/businesses/deploy-settings.ts'
import type { PersonPart } from '../contacts/exporting/person-part.ts'
import type { PersonalData } from '../contacts/personal-data.ts'
import { isRefusal, refuse } from '../core/errors.ts'
import { formatId, type Id, newId, parseId } from '../core/ids.ts'
import { type Hmac, operation, type Tier } from '../core/operation.ts'
import { recordAudit } from '../events/audit.ts'
import { sql } from '../lib/db/db.ts'
import type { Database, Db, Tx } from '../lib/db/types.ts'
import { enqueue, type Job, type JobKinds, type Verdict } from '../lib/jobs/job.ts'
import { Type } from '../lib/schema/schema.ts'
import { type Clock, days, hours, later, minutes } from '../lib/time/clock.ts'
import { cappedUntil } from '../messages/attention.ts'
import { type MessageKind, messageKinds } from '../messages/message.ts'
import { saveMessages } from '../messages/save.ts'
import { withinHours } from '../sequences/program.ts'
import { lockPendingCount } from '../usage/approval-limit.ts'

export const proposalLimits = {
  /** Emails of one call. */
  emails: 500,
  /** Emails of one business that wait for a person. */
  waiting: 2_000,
  subject: 300,
  characters: 20_000,
  /** Approved emails to one person in 24 hours. */
  perPersonPerDay: 3,
  /** How long what was refused or cancelled is kept. */
  keptDays: 30,
}

/** On the clocks of the business. */
const sendingHours = { from: '08:00', to: '20:00' }

/** How many of so many emails a person reads before they approve all: all of ten, or a tenth. */
export const sampleSize = (count: number) => Math.min(count, Math.max(10, Math.ceil(count / 10)))

const states = ['waiting', 'approved', 'sent', 'refused', 'failed', 'cancelled'] as const
type State = (typeof states)[number]

const batchIdInput = Type.String({ description: 'bat_…', pattern: '^bat_[0-9a-hjkmnp-tv-z]{26}$' })
const proposalIdInput = Type.String({
  description: 'prp_…',
  pattern: '^prp_[0-9a-hjkmnp-tv-z]{26}$',
})
export const subjectInput = Type.String({ minLength: 1, maxLength: proposalLimits.subject })
export const textInput = Type.String({ minLength: 1, maxLength: proposalLimits.characters })

export const proposalsUrl = (appUrl: string, businessId: Id<'business'>) =>
  `${appUrl}/b/${formatId('business', businessId)}/proposals`

const countFields = Object.fromEntries(states.map((state) => [state, Type.Integer()])) as Record<
  State,
  ReturnType<typeof Type.Integer>
>

export const proposalList = operation({
  name: 'proposal.list',
  title: 'List proposed emails',
  area: 'messages',
  summary:
    'The emails that connections proposed in the last 30 days, by call: how many wait, were approved, sent, refused, failed, cancelled. proposal.get has each. Changes nothing.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/proposals',
  input: {},
  output: Type.Object({
    batches: Type.Array(
      Type.Object({
        batch_id: Type.String(),
        kind: Type.Enum(messageKinds),
        proposed_by: Type.Union([Type.String(), Type.Null()]),
        proposed_at: Type.String(),
        ...countFields,
        sample_ids: Type.Array(Type.String()),
      }),
    ),
    approval_url: Type.String(),
  }),

  async run({ db, business, principal, hmac, appUrl }) {
    const rows = await db.all<BatchRow>(sql`
      select batch_id as "batchId", min(kind) as kind, min(proposed_at) as "proposedAt",
        (
          select client.name from connections c
          join oauth_clients client on client.id = c.client_id
          where c.id = (array_agg(p.connection_id))[1]
        ) as name,
        count(*) filter (where state = 'waiting')::int as waiting,
        count(*) filter (where state = 'approved')::int as approved,
        count(*) filter (where state = 'sent')::int as sent,
        count(*) filter (where state = 'refused')::int as refused,
        count(*) filter (where state = 'failed')::int as failed,
        count(*) filter (where state = 'cancelled')::int as cancelled,
        array_agg(id) filter (where state = 'waiting') as "waitingIds"
      from proposals p where business_id = ${business.id}
      group by batch_id order by batch_id desc limit 100
    `)
    const isPerson = principal.connectionId === null
    return {
      batches: rows.map(({ batchId, proposedAt, name, waitingIds, ...counts }) => ({
        batch_id: formatId('batch', batchId),
        proposed_by: isPerson ? name : null,
        proposed_at: proposedAt.toISOString(),
        ...counts,
        // The assistant does not learn which of its emails are read.
        sample_ids: isPerson ? sampleOf(waitingIds ?? [], hmac) : [],
      })),
      approval_url: proposalsUrl(appUrl, business.id),
    }
  },
})

interface BatchRow extends Record<State, number> {
  batchId: Id<'batch'>
  kind: MessageKind
  proposedAt: Date
  /** What the app calls itself, a stranger's text. */
  name: string | null
  waitingIds: Id<'proposal'>[] | null
}

/** Drawn by a secret, so that nobody writes the sample differently from the others. */
function sampleOf(waitingIds: readonly Id<'proposal'>[], hmac: Hmac): string[] {
  const rankOf = (id: Id<'proposal'>) => hmac('proposal.sample', id).toString('hex')
  const drawn = waitingIds.map((id) => ({ id, rank: rankOf(id) }))
  drawn.sort((a, b) => (a.rank < b.rank ? -1 : 1))
  return drawn.slice(0, sampleSize(drawn.length)).map(({ id }) => formatId('proposal', id))
}

export const proposalGet = operation({
  name: 'proposal.get',
  title: 'See proposed emails',
  area: 'messages',
  summary:
    'The emails of one message.propose call with the state of each: the reason where a person refused it or it failed, message_id where it was sent. Changes nothing.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/proposals/:batch_id',
  input: {
    batch_id: batchIdInput,
    status: Type.Optional(Type.Enum(states)),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: proposalLimits.emails })),
    cursor: Type.Optional(Type.String({ maxLength: 100, description: 'next_cursor of before.' })),
  },
  output: Type.Object({
    proposals: Type.Array(
      Type.Object({
        proposal_id: Type.String(),
        contact_id: Type.String(),
        email: Type.Union([Type.String(), Type.Null()]),
        subject: Type.Union([Type.String(), Type.Null()]),
        text: Type.Union([Type.String(), Type.Null()]),
        status: Type.Enum(states),
        reason: Type.Union([Type.String(), Type.Null()]),
        message_id: Type.Union([Type.String(), Type.Null()]),
        decided_at: Type.Union([Type.String(), Type.Null()]),
      }),
    ),
    next_cursor: Type.Optional(Type.String()),
  }),

  async run({ db, business, principal }, { batch_id, status, limit = 50, cursor }) {
    const batchId = parseId('batch', batch_id)
    const after = cursor === undefined ? null : parseId('proposal', cursor)
    if (after === undefined) {
      throw refuse('invalid_request', 'Invalid cursor. Pass next_cursor unchanged, or omit it.', {
        field: 'cursor',
        data: { reason: 'list_changed' },
      })
    }
    const rows = await db.all<ProposalRow>(sql`
      select p.id, p.contact_id as "contactId", c.email, p.subject, p.body,
        p.state as status, p.reason,
        p.message_id as "messageId", p.decided_at as "decidedAt"
      from proposals p
      left join contacts c on c.business_id = ${business.id} and c.id = p.contact_id
      where p.business_id = ${business.id} and p.batch_id = ${batchId ?? null}
        and (${status ?? null}::text is null or p.state = ${status ?? null})
        and (${after}::uuid is null or p.id > ${after})
      order by p.id limit ${limit + 1}
    `)
    if (rows.length === 0 && !(await hasBatch(db, business.id, batchId)))
      throw noSuchBatch(batch_id)
    // An assistant wrote the text itself; a person reads it and the address that it goes to.
    const isPerson = principal.connectionId === null
    const page = rows.slice(0, limit)
    const last = page.at(-1)
    return {
      proposals: page.map(({ id, contactId, email, body, messageId, decidedAt, ...row }) => ({
        proposal_id: formatId('proposal', id),
        contact_id: formatId('contact', contactId),
        email: isPerson ? email : null,
        text: isPerson ? body : null,
        ...row,
        message_id: messageId ? formatId('message', messageId) : null,
        decided_at: decidedAt?.toISOString() ?? null,
      })),
      ...(rows.length > limit && last && { next_cursor: formatId('proposal', last.id) }),
    }
  },
})

interface ProposalRow {
  id: Id<'proposal'>
  contactId: Id<'contact'>
  email: string | null
  subject: string | null
  body: string | null
  status: State
  reason: string | null
  messageId: Id<'message'> | null
  decidedAt: Date | null
}

async function hasBatch(
  db: Db,
  businessId: Id<'business'>,
  batchId: Id<'batch'> | undefined,
): Promise<boolean> {
  const row = await db.maybe(sql`
    select from proposals where business_id = ${businessId} and batch_id = ${batchId ?? null} limit 1
  `)
  return row !== undefined
}

const noSuchBatch = (id: string) =>
  refuse('not_found', `There are no proposed emails ${id}.`, {
    field: 'batch_id',
    fix: { tool: 'proposal.list', arguments: {} },
  })

export const proposalCancel = operation({
  name: 'proposal.cancel',
  title: 'Cancel proposed emails',
  area: 'messages',
  summary:
    'Takes back what still waits of the emails of one message.propose call. What was approved is cancelled with message.cancel while it can be.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'editor',
  tier: 'free',
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  rest: 'POST /v1/proposals/:batch_id/cancel',
  input: { batch_id: batchIdInput },
  output: Type.Object({ batch_id: Type.String(), cancelled: Type.Integer() }),

  run({ business, origin, now, write }, { batch_id }) {
    return write(async (tx) => {
      const batchId = parseId('batch', batch_id)
      if (!(await hasBatch(tx, business.id, batchId))) throw noSuchBatch(batch_id)
      const cancelled = await tx.run(sql`
        update proposals set state = 'cancelled', decided_at = ${now}
        where business_id = ${business.id} and batch_id = ${batchId ?? null} and state = 'waiting'
      `)
      const details = { emails: cancelled }
      const entry = {
        businessId: business.id,
        action: 'proposal.cancel',
        subject: batch_id,
        details,
      }
      if (cancelled > 0) await recordAudit(tx, [{ ...entry, origin }], now)
      return { batch_id, cancelled }
    })
  },
})

export const proposalSave = operation({
  name: 'proposal.save',
  title: 'Change a proposed email',
  summary: 'Changes subject and text of an email that waits.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'editor',
  tier: 'free',
  appOnly: true,
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  rest: 'PATCH /v1/proposals/emails/:proposal_id',
  input: { proposal_id: proposalIdInput, subject: subjectInput, text: textInput },
  output: Type.Object({ proposal_id: Type.String() }),

  run({ business, write }, { proposal_id, subject, text }) {
    return write(async (tx) => {
      const changed = await tx.run(sql`
        update proposals set subject = ${subject}, body = ${text}
        where business_id = ${business.id} and id = ${parseId('proposal', proposal_id) ?? null}
          and state = 'waiting'
      `)
      if (changed === 0) throw noneWaits('proposal_id')
      return { proposal_id }
    })
  },
})

export const proposalDecide = operation({
  name: 'proposal.decide',
  title: 'Approve or refuse proposed emails',
  summary:
    'Approves or refuses single emails, or all of a call that wait: all are approved once the person has read the sample.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'approver',
  tier: 'free',
  appOnly: true,
  freshFactor: 'approving',
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: true },
  rest: 'POST /v1/proposals/:batch_id/decide',
  input: {
    batch_id: batchIdInput,
    proposal_ids: Type.Optional(
      Type.Array(proposalIdInput, { minItems: 1, maxItems: proposalLimits.emails }),
    ),
    read_ids: Type.Optional(Type.Array(proposalIdInput, { maxItems: proposalLimits.emails })),
    decision: Type.Enum(['approve', 'refuse']),
    reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
  },
  output: Type.Object({ batch_id: Type.String(), emails: Type.Integer() }),

  async run(context, { batch_id, proposal_ids, read_ids = [], decision, reason }) {
    const { db, business, principal, hmac, origin, now, write } = context
    if (decision === 'refuse' && reason === undefined) {
      throw refuse('invalid_request', 'Say why: the assistant reads the reason.', {
        field: 'reason',
        data: { reason: 'missing' },
      })
    }
    const settings = await readDeploySettings(db, business.id)
    return write(async (tx) => {
      const batchId = parseId('batch', batch_id)
      const waiting = await tx.all<{ id: Id<'proposal'>; userId: Id<'user'> }>(sql`
        select id, user_id as "userId" from proposals
        where business_id = ${business.id} and batch_id = ${batchId ?? null} and state = 'waiting'
        order by id for no key update
      `)
      const chosen = new Set(proposal_ids?.map((id) => parseId('proposal', id)))
      const rows = proposal_ids ? waiting.filter(({ id }) => chosen.has(id)) : waiting
      if (rows.length === 0) throw noneWaits(proposal_ids ? 'proposal_ids' : 'batch_id')
      if (decision === 'approve') {
        const isOwn = rows.some(({ userId }) => userId === principal.userId)
        if (settings?.twoPeople && isOwn) throw anotherApproves()
        if (!proposal_ids) {
          checkSample(
            waiting.map(({ id }) => id),
            { hmac, read_ids },
          )
        }
      }
      const ids = rows.map(({ id }) => id)
      const state = decision === 'approve' ? 'approved' : 'refused'
      await tx.run(sql`
        update proposals set state = ${state}, reason = ${reason ?? null}, decided_at = ${now}
        where business_id = ${business.id} and id = any (${ids}::uuid[])
      `)
      if (decision === 'approve') {
        const jobs = ids.map((proposal_id) => ({
          kind: sendJob,
          businessId: business.id,
          payload: { business_id: business.id, proposal_id } satisfies SendPayload,
        }))
        await enqueue(tx, jobs, now)
      }
      const details = { emails: ids.length, single: proposal_ids !== undefined }
      const action = `proposal.${decision}`
      const entry = { businessId: business.id, action, subject: batch_id, details, origin }
      await recordAudit(tx, [entry], now)
      return { batch_id, emails: ids.length }
    })
  },
})

function checkSample(
  waitingIds: readonly Id<'proposal'>[],
  { hmac, read_ids }: { hmac: Hmac; read_ids: readonly string[] },
): void {
  const sample = sampleOf(waitingIds, hmac)
  const unread = sample.filter((id) => !read_ids.includes(id))
  if (unread.length === 0) return
  const text = `Read ${sample.length} of the ${waitingIds.length} emails before you approve all: ${unread.length} are left.`
  throw refuse('conflict', text, {
    field: 'read_ids',
    data: { reason: 'sample_unread', sample, unread: unread.length },
  })
}

const noneWaits = (field: string) =>
  refuse('conflict', 'None of these emails waits any more: somebody has decided about them.', {
    field,
    data: { reason: 'none_waits' },
  })

const anotherApproves = () =>
  refuse('role_required', 'This business asks for two people: another member approves them.', {
    data: { reason: 'two_people' },
  })

const sendJob = 'proposal.send'

interface SendPayload {
  business_id: Id<'business'>
  proposal_id: Id<'proposal'>
}

interface SendDeps {
  db: Database
  clock: Clock
  vault: { hmac: Hmac }
}

export function proposalJobs(deps: SendDeps): JobKinds {
  return {
    [sendJob]: {
      retryDelays: [minutes(1), minutes(5), hours(1), hours(6)],
      run: (job) => send(deps, job as Job<SendPayload>),
    },
  }
}

interface ApprovedEmail extends Pick<ProposalRow, 'contactId' | 'subject' | 'body'> {
  kind: MessageKind
  connectionId: Id<'connection'> | null
  userId: Id<'user'>
  callId: Id<'request'> | null
  tier: Tier
  zone: string
}

/** Saves the message of an approved email, or waits until its hours and its person have room. */
function send({ db, clock, vault }: SendDeps, { payload }: Job<SendPayload>): Promise<Verdict> {
  const { business_id: businessId, proposal_id: id } = payload
  const now = clock.now()
  return db.tx(async (tx): Promise<Verdict> => {
    // One after the other, so that two of them never share the last place of a person.
    await lockPendingCount(tx, businessId)
    const email = await tx.maybe<ApprovedEmail>(sql`
      select p.contact_id as "contactId", p.subject, p.body, p.kind,
        p.connection_id as "connectionId", p.user_id as "userId", p.call_id as "callId", b.tier,
        b.time_zone as zone
      from proposals p join businesses b on b.id = p.business_id
      where p.business_id = ${businessId} and p.id = ${id} and p.state = 'approved'
      for no key update of p
    `)
    if (!email) return { outcome: 'done' }
    const opens = withinHours(sendingHours, now, email.zone)
    if (opens > now) return { outcome: 'again', at: opens }
    const room = await roomOf(tx, businessId, { contactId: email.contactId, now })
    if (room > now) return { outcome: 'again', at: room }
    const { connectionId, userId, callId } = email
    const messageId = newId('message')
    const [saved] = await saveMessages.save(
      tx,
      [
        {
          id: messageId,
          businessId,
          channel: 'email',
          tier: email.tier,
          origin: { connectionId, userId, callId: callId ? formatId('request', callId) : '' },
          hmac: vault.hmac,
          kind: email.kind,
          isApproved: true,
          contactId: email.contactId,
          to: undefined,
          template: undefined,
          content: {
            subject: email.subject,
            html: null,
            text: email.body,
            variables: null,
            attachments: null,
            trackOpens: true,
            trackClicks: true,
          },
          units: 1,
          sendAt: undefined,
          allowDuplicate: true,
        },
      ],
      now,
    )
    const refusal = saved && isRefusal(saved) ? saved : undefined
    const until = refusal && cappedUntil(refusal)
    if (until) return { outcome: 'again', at: until }
    // The message has the words; the contact's history needs them once.
    await tx.run(sql`
      update proposals set state = ${refusal ? 'failed' : 'sent'},
        reason = ${refusal?.message ?? null}, message_id = ${refusal ? null : messageId},
        sent_at = ${refusal ? null : now}, body = null
      where business_id = ${businessId} and id = ${id}
    `)
    return { outcome: 'done' }
  })
}

interface OfPerson {
  contactId: Id<'contact'>
  now: Date
}

/** From when the person may get another: 24 hours after the third last. */
async function roomOf(
  tx: Tx,
  businessId: Id<'business'>,
  { contactId, now }: OfPerson,
): Promise<Date> {
  const rows = await tx.all<{ at: Date }>(sql`
    select sent_at as at from proposals
    where business_id = ${businessId} and contact_id = ${contactId}
      and sent_at > ${later(now, -days(1))}
    order by sent_at desc limit ${proposalLimits.perPersonPerDay}
  `)
  const earliest = rows[proposalLimits.perPersonPerDay - 1]
  return earliest ? later(earliest.at, days(1)) : now
}

export const proposalPersonalData: PersonalData = {
  async move(tx, { businessId, from, to }) {
    await tx.run(sql`
      update proposals set contact_id = ${to}
      where business_id = ${businessId} and contact_id = ${from}
    `)
  },

  async forget(tx, { businessId, contactIds }) {
    await tx.run(sql`
      delete from proposals
      where business_id = ${businessId} and contact_id = any (${[...contactIds]}::uuid[])
    `)
    return true
  },
}

/** Mails that somebody proposed to write to the person. */
export const proposalPersonPart: PersonPart = {
  name: 'proposals',
  tables: ['proposals'],
  page: (db, { businessId, contact }, { after, limit }) =>
    db.all(sql`
      select p.id::text as key,
        to_jsonb(p) - '{business_id,contact_id,connection_id,user_id,call_id}'::text[] as row
      from proposals p
      where p.business_id = ${businessId} and p.contact_id = ${contact.id}
        and p.id::text > ${after}
      order by p.id::text limit ${limit}
    `),
}

/** Deletes some mails that were proposed and decided on before then; returns how many. */
export function deleteOldProposals(
  tx: Tx,
  { businessId, before, limit }: { businessId: Id<'business'>; before: Date; limit: number },
): Promise<number> {
  return tx.run(sql`
    delete from proposals
    where business_id = ${businessId} and id in (
      select id from proposals
      where business_id = ${businessId} and proposed_at < ${before}
        and state in ('sent', 'refused', 'failed', 'cancelled')
      order by id limit ${limit}
    )
  `)
}
