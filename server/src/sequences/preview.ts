/** What starting a sequence would do: who would enter, what each mail needs, and one person's calendar. */
import { createHash } from 'node:crypto'
import { readDeploySettings } from '../accounts/businesses/deploy-settings.ts'
import { timeZoneOf } from '../accounts/businesses/time-zone.ts'
import { type Gate, gateView } from '../campaigns/preflight/gates/gate.ts'
import { personalHostsGate } from '../campaigns/preflight/gates/personal-hosts.ts'
import { postalGate, senderGate } from '../campaigns/preflight/gates/sender.ts'
import { type Channel, channels, contactIdInput, noSuchContact } from '../contacts/contact.ts'
import { compileFilter } from '../contacts/filters/compile.ts'
import type { Filter } from '../contacts/filters/filter.ts'
import { readPerson } from '../contacts/recipients.ts'
import { fitsOf } from '../contacts/segments/fits.ts'
import { isRefusal } from '../core/errors.ts'
import { type Id, parseId } from '../core/ids.ts'
import { type BusinessContext, type Hmac, operation } from '../core/operation.ts'
import { plannedAnew, sql, sqlWithin } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { isZone } from '../lib/phone/quiet-hours.ts'
import { Type } from '../lib/schema/schema.ts'
import { days, later } from '../lib/time/clock.ts'
import { dayAt, withOffset } from '../lib/time/wall-clock.ts'
import type { TextSenders } from '../messages/dependencies.ts'
import type { WarmUpOf } from '../sender-domains/model/warm-up.ts'
import type { Senders } from '../sender-domains/senders/senders.ts'
import { neededVariables } from '../templates/variables.ts'
import type { TemplateVersion } from '../templates/version.ts'
import type { FeedEvent } from './changes.ts'
import type { Definition } from './definition.ts'
import { candidateOf, eventTypesOf } from './enter.ts'
import { daysBetween, momentIn, momentOf, peopleOfDays } from './look.ts'
import {
  afterDuration,
  channelOf,
  channelsOf,
  end,
  instructionsOf,
  isSend,
  isSplit,
  isStop,
  isWait,
  isWaitFor,
  kindOf,
  waitUntil,
  zoneFor,
} from './program.ts'
import { segmentFilterOf, templateVersionsOf } from './save.ts'
import { opening } from './send.ts'
import {
  bySequence,
  fieldsOf,
  readSequence,
  type Sequence,
  sequenceFields,
  sequenceIdInput,
  type TemplateVersions,
} from './sequence.ts'
import { resolveSince } from './since.ts'

export interface SequenceParts {
  senders: Senders
  textSenders: TextSenders
  warmUpOf: WarmUpOf
}

export interface SequencePlan {
  /** Hosts, not the business's own, that its links or pictures tell about each recipient. */
  personalHosts: readonly string[]
  mails: { step: number; template_id: string; channel: Channel; subject: string; text?: string }[]
  wouldEnter: WouldEnter
  /** The most mails that one day's people would get in all. */
  mailsPerDay: number
  templates: TemplateVersions
  segment: Filter | null
  /** The address that its emails come from; null where it sends none. */
  sender: string | null
  /** The number or name that its texts come from, empty where the provider chooses; null where it sends none. */
  textSender: string | null
  gates: Gate[]
  hash: string
}

interface WouldEnter {
  lastDay: number
  last30Days: number
  mostInADay: number
  /** People whom an import brought in 30 days: counted above if the rule lets them in, else left out. */
  fromImports: number
  /** Whether there were more events than were read, so that the numbers are lower bounds. */
  isPartial: boolean
}

export function sequencePreview(parts: SequenceParts) {
  return operation({
    name: 'sequence.preview',
    title: 'Plan an automation',
    area: 'campaigns',
    summary:
      'What starting it now would do: who would have entered by its rule in 30 days, its mails, gates with remedies, with contact_id that person’s calendar, and the plan_hash for sequence.start. Sends nothing.',
    reach: 'business',
    scope: 'messaging:send',
    role: 'viewer',
    tier: 'free',
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    rest: 'GET /v1/sequences/:sequence_id/preview',
    locate: { sequence_id: bySequence },
    input: { sequence_id: sequenceIdInput, contact_id: Type.Optional(contactIdInput) },
    output: Type.Object({
      ...sequenceFields,
      would_enter: Type.Object({
        last_day: Type.Integer(),
        last_30_days: Type.Integer(),
        most_in_a_day: Type.Integer(),
        from_imports: Type.Integer(),
        at_least: Type.Boolean(),
      }),
      mails: Type.Array(
        Type.Object({
          step: Type.Integer(),
          template_id: Type.String(),
          channel: Type.Enum(channels),
          subject: Type.String(),
          text: Type.Optional(Type.String({ description: 'Of a text message.' })),
        }),
      ),
      mails_per_day: Type.Integer(),
      inside: Type.Integer(),
      calendar: Type.Optional(
        Type.Array(
          Type.Object({
            step: Type.Integer(),
            kind: Type.String(),
            at: Type.String(),
            outcome: Type.String(),
          }),
        ),
      ),
      gates: Type.Array(gateView),
      plan_hash: Type.String(),
    }),

    async run(context, { sequence_id, contact_id }) {
      const { db, business } = context
      const sequence = await readSequence(db, business.id, sequence_id)
      const plan = await planOf(context, parts, sequence)
      const { n } = await db.one<{ n: number }>(sql`
        select count(*)::int as n from sequence_entries
        where business_id = ${business.id} and sequence_id = ${sequence.id} and state = 'active'
      `)
      const calendar =
        contact_id === undefined ? undefined : await calendarOf(context, sequence, contact_id)
      const { lastDay, last30Days, mostInADay, fromImports, isPartial } = plan.wouldEnter
      return {
        ...fieldsOf(sequence),
        would_enter: {
          last_day: lastDay,
          last_30_days: last30Days,
          most_in_a_day: mostInADay,
          from_imports: fromImports,
          at_least: isPartial,
        },
        mails: plan.mails,
        mails_per_day: plan.mailsPerDay,
        inside: n,
        ...(calendar && { calendar }),
        gates: plan.gates,
        plan_hash: plan.hash,
      }
    },
  })
}

/** The plan of a sequence as it was saved last. */
export async function planOf(
  context: Pick<BusinessContext, 'db' | 'business' | 'hmac' | 'now' | 'appUrl'>,
  { senders, textSenders, warmUpOf }: SequenceParts,
  sequence: Sequence,
): Promise<SequencePlan> {
  const { db, business, hmac } = context
  const { definition } = sequence
  const sending = channelsOf(definition.steps)
  const [versions, segment, deploying, sender, textSender, wouldEnter] = await Promise.all([
    templateVersionsOf(db, business.id, definition),
    segmentFilterOf(db, business.id, definition),
    readDeploySettings(db, business.id),
    sending.has('email') ? senders.senderOf(business.id, undefined, { isFresh: true }) : undefined,
    sending.has('sms') ? textSenders.textSenderOf(business.id) : undefined,
    countEntering(context, sequence),
  ])
  if (!deploying) throw new Error('a sequence of a business that is not there')
  const mails = instructionsOf(definition.steps).flatMap(({ n, step }) => {
    const template = isSend(step) ? versions.get(step.send.template_id) : undefined
    if (!isSend(step) || !template) return []
    const { source } = template
    const subject = 'subject' in source ? source.subject : ''
    const { template_id } = step.send
    const mail = { step: n, template_id, channel: channelOf(step), subject }
    return [{ ...mail, ...(step.channel === 'sms' && { text: source.text ?? '' }) }]
  })
  const channels = mails.map(({ channel }) => channel)
  const templates = Object.fromEntries(
    [...versions].map(([name, { versionId }]) => [name, versionId]),
  )
  const isMarketing = definition.kind === 'marketing'
  const { foreignPersonalHosts } = await import('../messages/personal-links.ts')
  const personalHosts = await foreignPersonalHosts(db, {
    businessId: business.id,
    sources: [...versions.values()].map(({ source }) => source),
    ownHosts: [new URL(context.appUrl).hostname],
  })
  const { roomGate } = await import('./room.ts')
  const gates = [
    ...gatesOf([sender, textSender].flatMap((entry) => (entry ? [senderGate(entry)] : []))),
    ...(isMarketing && sender ? [postalGate(deploying)] : []),
    await roomGate(context, { warmUpOf }, { definition, channels, sender, entering: wouldEnter }),
    variablesGate(versions),
    slotsGate(versions),
    ...(personalHosts.length > 0 ? [personalHostsGate(personalHosts)] : []),
  ]
  const from = [sender, textSender].map((entry) =>
    !entry || isRefusal(entry) ? '' : (entry.from ?? ''),
  )
  return {
    mails,
    wouldEnter,
    mailsPerDay: wouldEnter.mostInADay * mails.length,
    templates,
    segment,
    sender: from[0] || null,
    textSender: textSender === undefined || isRefusal(textSender) ? null : (from[1] ?? ''),
    gates: mails.length > 0 ? gates : [],
    personalHosts,
    hash: hashOf(hmac, sequence, [definition, templates, from, ...(segment ? [segment] : [])]),
  }
}

/** One line where all senders may send, else a line for each that may not. */
function gatesOf(senders: readonly Gate[]): readonly Gate[] {
  const blocking = senders.filter(({ result }) => result === 'block')
  return blocking.length > 0 ? blocking : senders.slice(0, 1)
}

/** Signed, so that it can only come from a preview of this sequence. */
function hashOf(hmac: Hmac, { id }: Sequence, parts: unknown): string {
  const print = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  return hmac('sequence.plan', `${id} ${print}`).toString('hex').slice(0, 32)
}

function slotsGate(versions: ReadonlyMap<string, TemplateVersion>): Gate {
  const gate = 'content'
  const [first, ...others] = [...versions].filter(([, { emptySlots }]) => emptySlots.length > 0)
  if (!first) return { gate, result: 'pass', evidence: 'No mail has an empty slot.' }
  const [name, { emptySlots }] = first
  const more = others.length === 0 ? '' : ` So do ${others.length} more.`
  return {
    gate,
    result: 'block',
    evidence: `The template ${name} has empty slots: ${emptySlots.slice(0, 10).join(', ')}.${more}`,
    findings: [
      { finding: 'empty_slots_of_template', slots: emptySlots.slice(0, 10), others: others.length },
    ],
    remedy: 'Write the facts into it with template.save, or delete the blocks that need them.',
    fix: { tool: 'template.list', arguments: { template_id: name } },
  }
}

/** The values of a mail come from the contact, the business and the event; all others are missing. */
function variablesGate(versions: ReadonlyMap<string, TemplateVersion>): Gate {
  const gate = 'variables'
  const missing = [...versions].flatMap(([name, { compiled }]) =>
    neededVariables(compiled.variables)
      .filter((variable) => variable !== 'event' && !variable.startsWith('event.'))
      .map((variable) => `{{ ${variable} }} of ${name}`),
  )
  if (missing.length === 0) {
    return { gate, result: 'pass', evidence: 'Every value that the mails ask for can be there.' }
  }
  return {
    gate,
    result: 'block',
    evidence: `Nothing provides ${missing.slice(0, 10).join(', ')}.`,
    findings: [{ finding: 'not_provided', names: missing.slice(0, 10) }],
    remedy:
      'Use {{ contact.KEY }}, {{ business.KEY }} or {{ event.KEY }}, of the event by which a person enters.',
    fix: { tool: 'template.list', arguments: {} },
  }
}

/** The most events of 30 days that are read to count who would have entered. */
const eventsRead = 20_000

type Counting = Pick<BusinessContext, 'db' | 'business' | 'hmac' | 'now'>

interface WouldBeCandidate {
  contactId: Id<'contact'>
  at: Date
  imported?: boolean
}

interface WouldBe {
  candidates: WouldBeCandidate[]
  isPartial: boolean
}

/** Whom the rule would have let in, by the same reading and the same filter. */
async function countEntering(context: Counting, { definition }: Sequence): Promise<WouldEnter> {
  const { db, business, hmac, now } = context
  const { enter } = definition
  const { candidates, isPartial } =
    enter.on === 'date'
      ? await byDates(context, definition)
      : enter.on === 'segment.entered'
        ? await bySegment(context, definition)
        : await byEvents(context, enter)
  const fitting = await fittingOf(db, enter.filter, {
    businessId: business.id,
    contactIds: [...new Set(candidates.map(({ contactId }) => contactId))],
    hmac,
    now,
  })
  const all = candidates.filter(({ contactId }) => fitting === undefined || fitting.has(contactId))
  const allowed = all.filter(({ imported }) => !imported || enter.imports)
  // Each person once, by their first event.
  const entering = [
    ...new Map(allowed.map((candidate) => [candidate.contactId, candidate])).values(),
  ]
  const byDay = Map.groupBy(entering, ({ at }) => dayAt(at, 'UTC'))
  const imported = all.filter((candidate) => candidate.imported)
  return {
    lastDay: entering.filter(({ at }) => at > later(now, -days(1))).length,
    last30Days: entering.length,
    fromImports: new Set(imported.map(({ contactId }) => contactId)).size,
    mostInADay: Math.max(0, ...[...byDay.values()].map((group) => group.length)),
    isPartial,
  }
}

/** By the dates of the people of today. */
async function byDates({ db, business, now }: Counting, definition: Definition): Promise<WouldBe> {
  const { enter } = definition
  const zone = await timeZoneOf(db, business.id)
  const from = later(now, -days(30))
  const looking = { businessId: business.id, definition }
  const people = await peopleOfDays(db, looking, daysBetween(from, now))
  const candidates = people.flatMap(({ contactId, date, zone: own }) => {
    const moment = { zone: own !== null && isZone(own) ? own : zone, from, until: now }
    const day = momentIn(enter, date, moment)
    return day === undefined ? [] : [{ contactId, at: momentOf(enter, day, moment.zone) ?? now }]
  })
  return { candidates, isPartial: false }
}

/** Nobody knows who was in a segment: those who are new and in it now have certainly come into it. */
async function bySegment(
  { db, business, now }: Counting,
  definition: Definition,
): Promise<WouldBe> {
  const filter = await segmentFilterOf(db, business.id, definition)
  if (!filter) return { candidates: [], isPartial: true }
  const zone = await timeZoneOf(db, business.id)
  const clause = compileFilter(filter, { businessId: business.id, now, zone })
  const candidates = await db.all<WouldBeCandidate>(
    plannedAnew(sqlWithin`
      select c.id as "contactId", c.created_at as at, c.source = 'import' as imported
      from contacts c
      where c.business_id = ${business.id} and c.created_at > ${later(now, -days(30))}
        and c.created_at <= ${now} and ${clause}
      order by c.created_at desc limit ${eventsRead}
    `),
  )
  return { candidates, isPartial: true }
}

async function byEvents(
  { db, business, now }: Counting,
  enter: Definition['enter'],
): Promise<WouldBe> {
  const types = eventTypesOf[enter.on]
  const rows = await db.all<{ body: string; at: Date }>(sql`
    select body, created_at as at from events
    where business_id = ${business.id} and type = any(${types}::text[]) and erased_at is null
      and created_at > ${later(now, -days(30))} and created_at <= ${now}
    order by created_at desc limit ${eventsRead}
  `)
  const candidates = rows.flatMap(({ body, at }): WouldBeCandidate[] => {
    const event = JSON.parse(body) as FeedEvent
    const candidate = candidateOf({ ...enter, imports: true }, event)
    const imported = event.data['source'] === 'import'
    return candidate ? [{ contactId: candidate.contactId, at, imported }] : []
  })
  return { candidates, isPartial: rows.length === eventsRead }
}

interface Fitting {
  businessId: Id<'business'>
  contactIds: readonly Id<'contact'>[]
  hmac: Hmac
  now: Date
}

/** Those who fit the filter; undefined where there is none. */
async function fittingOf(
  db: Db,
  filter: Filter | undefined,
  fitting: Fitting,
): Promise<ReadonlySet<Id<'contact'>> | undefined> {
  if (!filter) return undefined
  const fits = await fitsOf(db, { ...fitting, filters: [filter] })
  return new Set([...fits].flatMap(([id, bits]) => (bits === 1 ? [id] : [])))
}

interface Entering {
  businessId: Id<'business'>
  contactId: Id<'contact'>
  definition: Definition
}

/** The properties of the person's newest event of the rule, as a sample of the one that would let them in. */
async function newestEventOf(
  db: Db,
  { businessId, contactId, definition: { enter } }: Entering,
): Promise<Readonly<Record<string, unknown>>> {
  if (enter.on !== 'own_event') return {}
  const row = await db.maybe<{ properties: Record<string, unknown> }>(sql`
    select properties from own_events
    where business_id = ${businessId} and contact_id = ${contactId} and name = ${enter.event ?? ''}
    order by id desc limit 1
  `)
  return row?.properties ?? {}
}

/** The dates of one person who would enter now, as far as today's data decides them. */
async function calendarOf(
  { db, business, hmac, now }: BusinessContext,
  { definition }: Sequence,
  contactId: string,
) {
  const id = parseId('contact', contactId)
  const person = id && (await readPerson(db, { businessId: business.id, contactId: id }))
  if (!id || !person) throw noSuchContact(contactId)
  const deploying = await readDeploySettings(db, business.id)
  const recipient = String(person.attributes['time_zone'] ?? '')
  const { hours: openHours } = definition
  const zone = zoneFor(openHours, { business: deploying?.timeZone ?? 'UTC', recipient })
  const event = await newestEventOf(db, { businessId: business.id, contactId: id, definition })
  const times = { entry: now.toISOString(), step: now.toISOString(), event }
  const fits = async (filter: Filter) => {
    const filters = [resolveSince(filter, times)]
    const bits = await fitsOf(db, { businessId: business.id, filters, contactIds: [id], hmac, now })
    return bits.get(id) === 1
  }
  const instructions = new Map(instructionsOf(definition.steps).map((entry) => [entry.n, entry]))
  const calendar: { step: number; kind: string; at: string; outcome: string }[] = []
  let at = now
  for (let n = 1; n !== end; ) {
    const instruction = instructions.get(n)
    if (!instruction) break
    const { step, next, branches } = instruction
    let outcome = 'done'
    n = next
    const hours = { openHours, kind: definition.kind, clock: zone, now: at }
    const began = isSend(step)
      ? opening({ phone: person.phone, zone: recipient }, { ...hours, channel: channelOf(step) })
      : at
    at = began
    if (isWait(step)) at = waitUntil(step, at, zone)
    else if (isWaitFor(step)) {
      at = afterDuration(at, step.wait_for.up_to, zone)
      outcome = 'at the latest'
    } else if (isSend(step)) outcome = step.if && !(await fits(step.if)) ? 'skipped' : 'sent'
    else if (isStop(step) && (await fits(step.stop_if))) {
      outcome = 'leaves'
      n = end
    } else if (isSplit(step)) {
      for (const [index, branch] of step.split.entries()) {
        if (branch.if && !(await fits(branch.if))) continue
        n = branches[index] ?? next
        outcome = `branch ${index + 1}`
        break
      }
    }
    const moment = isWait(step) || isWaitFor(step) ? at : began
    calendar.push({
      step: instruction.n,
      kind: kindOf(step),
      at: withOffset(moment, zone),
      outcome,
    })
  }
  return calendar
}
