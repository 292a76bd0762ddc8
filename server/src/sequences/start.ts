import { readDeploySettings } from '../accounts/businesses/deploy-settings.ts'
import { checkSending } from '../accounts/stops/stops.ts'
import { judgeContent, type Outside, outsideReasons } from '../campaigns/mandates/judge.ts'
import {
  lockMandate,
  type Mandate,
  mandateOf,
  peopleLeft,
  releasePeople,
  takePeople,
} from '../campaigns/mandates/mandate.ts'
import { refuseBlocked } from '../campaigns/preflight/gates/gate.ts'
import { isRefusal, refuse } from '../core/errors.ts'
import { formatId, type Id, newId, parseId } from '../core/ids.ts'
import { type BusinessContext, isApprover, isConnection, operation } from '../core/operation.ts'
import { recordAudit } from '../events/audit.ts'
import { sql } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import { ownDomainsOf } from '../sender-domains/senders/own-domains.ts'
import { clearMark } from './bounds.ts'
import type { Definition } from './definition.ts'
import { wakeAt } from './enter.ts'
import { tellOfEnd } from './leave.ts'
import { beginWithMembers } from './look.ts'
import { planOf, type SequenceParts, type SequencePlan } from './preview.ts'
import { channelsOf, end, type Instruction, instructionsOf, marketingSteps } from './program.ts'
import { templateVersionsOf } from './save.ts'
import {
  bySequence,
  checkPossible,
  fieldsOf,
  findVersions,
  type InsideChoice,
  insideChoices,
  lockSequence,
  type Order,
  readSequence,
  type Sequence,
  type SequenceKey,
  sequenceFields,
  sequenceIdInput,
} from './sequence.ts'

export const planHashInput = Type.String({ maxLength: 100, description: 'Of the preview.' })

interface StartParts extends SequenceParts {
  appUrl: string
}

export function sequenceStart(parts: StartParts) {
  return operation({
    name: 'sequence.start',
    title: 'Start an automation',
    area: 'campaigns',
    summary:
      'People enter the sequence from now on, and its mails go out. With plan_hash it is refused if rule, mails or sender changed since. A connection without plan_hash, or above the business’s limit, waits for a person at approval_url. inside: what those in an older version do.',
    reach: 'business',
    scope: 'messaging:send',
    role: 'admin',
    tier: 'free',
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    rest: 'POST /v1/sequences/:sequence_id/start',
    locate: { sequence_id: bySequence },
    input: {
      sequence_id: sequenceIdInput,
      plan_hash: Type.Optional(planHashInput),
      inside: Type.Optional(Type.Enum(insideChoices)),
    },
    output: Type.Object({
      ...sequenceFields,
      approval_url: Type.Optional(Type.String()),
      approval_reason: Type.Optional(
        Type.Enum([
          'no_plan_hash',
          'personal_links',
          'deploy_limit',
          'transactional',
          'two_people',
        ]),
      ),
      mandate: Type.Optional(
        Type.Object({
          mandate_id: Type.String(),
          inside: Type.Boolean(),
          outside: Type.Array(
            Type.Object({ reason: Type.Enum(outsideReasons), message: Type.String() }),
          ),
        }),
      ),
    }),

    async run(context, { sequence_id, plan_hash, inside = 'finish' }) {
      const { db, business, principal, origin, now, write } = context
      const sequence = await readSequence(db, business.id, sequence_id)
      checkPossible('start', sequence)
      const plan = await planOf(context, parts, sequence)
      checkPlan(sequence, plan, plan_hash)
      const deploying = await readDeploySettings(db, business.id)
      if (!deploying) throw new Error('a business that is called and not there')
      const { deployLimit, twoPeople } = deploying
      const { connectionId } = principal
      const mandate =
        connectionId === null ? undefined : await mandateOf(db, business.id, { connectionId, now })
      const judged =
        mandate && (await judgeSequence(context, parts, { sequence, mandate, twoPeople }))
      const isPerson = isApprover(principal, business)
      const isOver = deployLimit !== null && plan.mailsPerDay > deployLimit
      const reason = twoPeople
        ? ('two_people' as const)
        : isPerson
          ? undefined
          : sequence.definition.kind === 'transactional'
            ? ('transactional' as const)
            : plan_hash === undefined
              ? ('no_plan_hash' as const)
              : isConnection(principal) && plan.personalHosts.length > 0
                ? ('personal_links' as const)
                : isOver || deployLimit === 0
                  ? ('deploy_limit' as const)
                  : undefined
      const path = `/b/${formatId('business', business.id)}/automations/${sequence_id}`
      const approvalUrl = `${parts.appUrl}${path}`
      const order: Order = {
        inside,
        templates: plan.templates,
        segment: plan.segment,
        sender: plan.sender,
        textSender: plan.textSender,
        userId: principal.userId,
        connectionId: origin.connectionId,
        callId: parseId('request', origin.callId) ?? null,
      }
      return write(async (tx) => {
        const locked = await lockSequence(tx, business.id, sequence_id)
        checkPossible('start', locked)
        if (locked.version !== sequence.version) throw driftedPlan(locked)
        const outside = judged && [...judged]
        const takenPeople =
          mandate && outside?.length === 0 && plan_hash !== undefined
            ? await takeWeek(tx, business.id, { mandate, sequence: locked, plan, now })
            : 0
        if (mandate && outside?.length === 0 && takenPeople === 0 && plan_hash !== undefined) {
          const limit = mandate.terms.people_per_week
          const message = `Of the ${limit} people in seven days none are left for each day of a week.`
          outside.push({ reason: 'people_per_week', message })
        }
        const isMandated = mandate !== undefined && takenPeople > 0
        const waits = reason !== undefined && !isMandated
        const answered = mandate &&
          outside && {
            mandate: {
              mandate_id: formatId('mandate', mandate.id),
              inside: isMandated,
              outside,
            },
          }
        const details = {
          version: locked.version,
          waits,
          ...(isMandated && { mandate: formatId('mandate', mandate.id) }),
        }
        const entry = { businessId: business.id, action: 'sequence.start', subject: sequence_id }
        await recordAudit(tx, [{ ...entry, details, origin }], now)
        if (waits) {
          const waiting = await awaitApproval(tx, business.id, locked, { order, now })
          const wait = { approval_url: approvalUrl, approval_reason: reason }
          return { ...fieldsOf(waiting), ...wait, ...answered }
        }
        const bounds = isMandated
          ? { isApproved: true, peoplePerDay: Math.floor(takenPeople / 7), endsAt: mandate.endsAt }
          : isPerson
            ? { isApproved: true, peoplePerDay: null, endsAt: null }
            : { isApproved: false, peoplePerDay: deployLimit, endsAt: null }
        if (!isMandated) await releasePeople(tx, business.id, locked.id)
        const begun = await begin(tx, business.id, locked, { order, bounds, now })
        return { ...fieldsOf(begun), ...answered }
      })
    },
  })
}

interface Mandated {
  sequence: Sequence
  mandate: Mandate
  twoPeople: boolean
}

/** What of the automation is outside of the mandate. Its mails are not filled in to be judged. */
async function judgeSequence(
  { db, business }: BusinessContext,
  { senders, appUrl }: StartParts,
  { sequence: { definition }, mandate: { terms, pausedAt }, twoPeople }: Mandated,
): Promise<Outside[]> {
  const outside: Outside[] = []
  const say = (reason: Outside['reason'], message: string) => outside.push({ reason, message })
  if (pausedAt !== null) say('paused', 'A person has paused the mandate.')
  if (twoPeople) say('two_people', 'In this business two people decide about it.')
  if (definition.kind !== 'marketing' || channelsOf(definition.steps).has('sms')) {
    say('channel', 'The mandate is for marketing by email.')
  }
  const { hours } = definition
  const { from, to } = terms.hours
  const isWholeDay = from === '00:00' && to === '24:00'
  if (!isWholeDay && !(hours && hours.from >= from && hours.to <= to && hours.from < hours.to)) {
    say('hours', `Give it hours within ${from} and ${to}: those of the mandate.`)
  }
  const sender = await senders.senderOf(business.id)
  if (isRefusal(sender) || sender.from !== terms.sender) {
    say('sender', `The sender was ${terms.sender} when the mandate was signed, and is another now.`)
  }
  const versions = await templateVersionsOf(db, business.id, definition)
  const allowed = terms.template_ids
  if (allowed.length > 0 && [...versions.keys()].some((id) => !allowed.includes(id))) {
    say('templates', 'Not all of its mails are templates of the mandate.')
  }
  const filter = terms.filter && JSON.stringify(terms.filter)
  const { filter: entry } = definition.enter
  const conditions = entry && 'and' in entry ? (entry.and as object[]) : [entry]
  if (filter && !conditions.some((condition) => JSON.stringify(condition) === filter)) {
    say('audience', 'Its rule lets in others too: enter.filter needs the filter of the mandate.')
  }
  const sources = [...versions.values()].map(({ source }) => source)
  const ownHosts = [new URL(appUrl).hostname, ...(await ownDomainsOf(db, business.id))]
  return [...outside, ...judgeContent(terms, { sources, previews: [], ownHosts })]
}

interface Taking {
  mandate: Mandate
  sequence: Sequence
  plan: SequencePlan
  now: Date
}

/** People of each day who enter though few did in the last month. */
const leastPerDay = 10

/**
 * Takes people of every week for as long as the automation goes on: each day twice as many as entered
 * on the fullest day of the last month, or what is left.
 */
async function takeWeek(
  tx: Tx,
  businessId: Id<'business'>,
  { mandate, sequence, plan, now }: Taking,
): Promise<number> {
  const locked = await lockMandate(tx, businessId, mandate.id)
  if (!locked) return 0
  await releasePeople(tx, businessId, sequence.id)
  const remaining = await peopleLeft(tx, businessId, { mandate: locked, at: now })
  const weekNeed = 7 * Math.max(leastPerDay, 2 * plan.wouldEnter.mostInADay)
  const people = Math.min(weekNeed, Math.max(0, remaining - (remaining % 7)))
  if (people === 0) return 0
  const order = { objectId: sequence.id, kind: 'sequence' as const, people, at: now }
  return (await takePeople(tx, businessId, { id: mandate.id, order, now })) ? people : 0
}

/** Refuses what a gate blocks, or what is not what the preview showed. */
export function checkPlan(sequence: Sequence, plan: SequencePlan, hash: string | undefined): void {
  if (hash !== undefined && hash !== plan.hash) throw driftedPlan(sequence)
  const blocked = refuseBlocked(plan.gates)
  if (blocked) throw blocked
}

export function driftedPlan({ id }: Pick<Sequence, 'id'>) {
  const text =
    'The rule, the mails or the sender changed since the preview: look at the preview again. Nothing was started.'
  return refuse('conflict', text, {
    field: 'plan_hash',
    data: { reason: 'drifted' },
    fix: { tool: 'sequence.preview', arguments: { sequence_id: formatId('sequence', id) } },
  })
}

interface Ordered {
  order: Order
  now: Date
}

/** A running version goes on until a person has decided. */
async function awaitApproval(
  tx: Tx,
  businessId: Id<'business'>,
  sequence: Sequence,
  { order, now }: Ordered,
): Promise<Sequence> {
  const isNew = sequence.status === 'draft' || sequence.status === 'stopped'
  const status = isNew ? ('awaiting_approval' as const) : sequence.status
  await tx.run(sql`
    update sequences set status = ${status}, wanted = ${JSON.stringify(order)}, updated_at = ${now}
    where business_id = ${businessId} and id = ${sequence.id}
  `)
  return { ...sequence, status, wanted: order, updatedAt: now }
}

interface Beginning extends Ordered {
  bounds: Pick<Sequence, 'isApproved' | 'peoplePerDay' | 'endsAt'>
}

/** People enter by this version from now on. */
export async function begin(
  tx: Tx,
  businessId: Id<'business'>,
  sequence: Sequence,
  { order, bounds, now }: Beginning,
): Promise<Sequence> {
  await checkSending(tx, businessId)
  const { id, version, definition, runningVersion } = sequence
  const key: SequenceKey = { businessId, sequenceId: id }
  await tx.run(sql`
    insert into sequence_versions (business_id, sequence_id, version, definition, templates,
      segment, sender, text_sender, connection_id, call_id, started_at)
    values (${businessId}, ${id}, ${version}, ${JSON.stringify(definition)},
      ${JSON.stringify(order.templates)}, ${order.segment ? JSON.stringify(order.segment) : null},
      ${order.sender ?? null}, ${order.textSender ?? null}, ${order.connectionId}, ${order.callId}, ${now})
    on conflict (business_id, sequence_id, version) do update
    set templates = excluded.templates, segment = excluded.segment, sender = excluded.sender,
      text_sender = excluded.text_sender
  `)
  await tx.run(sql`
    update sequences set status = 'running', running_version = ${version}, pause_reason = null,
      wanted = null, is_approved = ${bounds.isApproved}, people_per_day = ${bounds.peoplePerDay},
      ends_at = ${bounds.endsAt}, updated_at = ${now}
    where business_id = ${businessId} and id = ${id}
  `)
  if (bounds.isApproved) await clearMark(tx, key)
  if (order.segment) await beginWithMembers(tx, key, { filter: order.segment, now })
  if (runningVersion !== null && runningVersion !== version) {
    await treatInside(tx, key, { sequence, inside: order.inside, now })
  }
  await wakeAt(tx, key, { at: now, now })
  return {
    ...sequence,
    ...bounds,
    status: 'running',
    runningVersion: version,
    pauseReason: null,
    wanted: null,
    updatedAt: now,
  }
}

interface Inside {
  sequence: Sequence
  inside: InsideChoice
  now: Date
}

/** What those do who are inside of an older version: nothing new, end, or go on in the new one. */
async function treatInside(
  tx: Tx,
  key: SequenceKey,
  { sequence, inside, now }: Inside,
): Promise<void> {
  if (inside === 'finish') return
  const { version, definition } = sequence
  const people = await lockInside(tx, key, version)
  const reason = inside === 'end' ? 'ended' : 'moved'
  await endInside(tx, key, { people, name: sequence.name, reason, now })
  if (inside === 'end') return
  const numbers = [...new Set(people.map((person) => person.version))]
  const older = await findVersions(tx, key, numbers)
  const places = new Map(
    older.map((entry) => [entry.version, placesIn(entry.definition, definition)]),
  )
  const moving = people.flatMap((person) => {
    const step = places.get(person.version)?.get(person.step) ?? end
    return step === end ? [] : [{ ...person, step, newId: newId('entry') }]
  })
  await tx.run(sql`
    insert into sequence_entries (business_id, sequence_id, id, contact_id, version, cause, state,
      step, due_at, meant_at, sends_next, waits_for, event, entered_at, stepped_at)
    select ${key.businessId}, ${key.sequenceId}, new.id, old.contact_id, ${version},
      old.cause || ' in ' || ${version}::int, 'active', new.step, new.due_at, old.meant_at,
      new.step = any(${[...marketingSteps(definition)]}::int[]), new.waits_for::json,
      old.event, old.entered_at, old.stepped_at
    from unnest(
      ${moving.map((person) => person.newId)}::uuid[],
      ${moving.map(({ id }) => id)}::uuid[],
      ${moving.map(({ step }) => step)}::int[],
      ${moving.map(({ dueAt }) => dueAt)}::timestamptz[],
      ${moving.map(({ waitsFor }) => (waitsFor ? JSON.stringify(waitsFor) : null))}::text[]
    ) as new (id, was, step, due_at, waits_for)
    join sequence_entries old on old.business_id = ${key.businessId}
      and old.sequence_id = ${key.sequenceId} and old.id = new.was
  `)
}

/** Where each step of one version leads in another: to the same step, or to what follows it. */
export function placesIn(before: Definition, after: Definition): ReadonlyMap<number, number> {
  const oldSteps = new Map(instructionsOf(before.steps).map((entry) => [entry.n, entry]))
  const free = [...instructionsOf(after.steps)]
  const same = new Map<number, number>()
  for (const { n, step } of oldSteps.values()) {
    const index = free.findIndex((entry) => JSON.stringify(entry.step) === JSON.stringify(step))
    const [match] = index < 0 ? [] : free.splice(index, 1)
    if (match) same.set(n, match.n)
  }
  const leadsTo = (entry: Instruction | undefined): number => {
    if (!entry) return end
    return same.get(entry.n) ?? leadsTo(oldSteps.get(entry.next))
  }
  return new Map([...oldSteps.values()].map((entry) => [entry.n, leadsTo(entry)]))
}

interface InsidePerson {
  id: Id<'entry'>
  contactId: Id<'contact'>
  version: number
  step: number
  dueAt: Date | null
  waitsFor: object | null
  enteredAt: Date
}

export function lockInside(
  tx: Tx,
  { businessId, sequenceId }: SequenceKey,
  except: number | null,
): Promise<InsidePerson[]> {
  return tx.all(sql`
    select id, contact_id as "contactId", version, step::int as step, due_at as "dueAt",
      waits_for as "waitsFor", entered_at as "enteredAt"
    from sequence_entries
    where business_id = ${businessId} and sequence_id = ${sequenceId}
      and state in ('active', 'holdout') and version <> coalesce(${except}::int, 0)
      and (state = 'active' or ${except}::int is null)
    order by id for update
  `)
}

interface EndingInside {
  people: readonly InsidePerson[]
  name: string
  reason: string
  now: Date
}

export async function endInside(
  tx: Tx,
  key: SequenceKey,
  { people, name, reason, now }: EndingInside,
): Promise<void> {
  if (people.length === 0) return
  await tx.run(sql`
    update sequence_entries set state = 'left', reason = ${reason}, due_at = null, waits_for = null,
      ended_at = ${now}
    where business_id = ${key.businessId} and sequence_id = ${key.sequenceId}
      and id = any(${people.map(({ id }) => id)}::uuid[])
  `)
  if (reason === 'moved') return
  await tellOfEnd(
    tx,
    people.map((person) => ({ ...person, ...key, name, reason })),
    now,
  )
}
