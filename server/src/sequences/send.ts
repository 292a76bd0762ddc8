/**
 * The steps that send. Each step of each person has one row, whose key is what decides that nobody
 * is written to twice.
 */
import type { Channel } from '../contacts/contact.ts'
import { shifted } from '../contacts/filters/times.ts'
import { isRefusal, type Refusal } from '../core/errors.ts'
import { formatId, type Id, newId, parseId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'
import { quietUntil } from '../lib/phone/quiet-hours.ts'
import { cappedUntil } from '../messages/attention.ts'
import { saveMessages } from '../messages/save.ts'
import type { MessageToSave } from '../messages/to-save.ts'
import type { Definition, Hours } from './definition.ts'
import { leave, originOf, type Person, pass, postpone, type Reach, type Round } from './inside.ts'
import { channelOf, channelsOf, type Instruction, withinHours, zoneFor } from './program.ts'
import type { SequenceKey } from './sequence.ts'
import type { SendStep } from './steps.ts'

interface Sending {
  step: SendStep
  staying: Person[]
  fits: (person: Person) => boolean[]
}

/** Sends the step to those who may get it now. Returns whether a limit held somebody back. */
export async function sendAll(
  round: Round,
  { n, next }: Instruction,
  { step, staying, fits }: Sending,
): Promise<boolean> {
  const { tx, key, version, zone, done, now } = round
  const { hours: openHours, kind, wait_at_most: longest } = version.definition
  const channel = channelOf(step)
  // Who cannot be reached on the only channel has nothing to wait for.
  const isOnly = channelsOf(version.definition.steps).size === 1
  const skip = (person: Person, reason: string) => {
    done.push({ entryId: person.id, step: n, outcome: 'skipped', reason, messageId: null })
    pass(person, next, now)
  }
  const ready: Person[] = []
  for (const person of staying) {
    const [, , isMeant] = fits(person)
    const clock = zoneFor(openHours, { business: zone, recipient: person.zone })
    const opens = opening(person, { openHours, channel, kind, clock, now })
    // The time for which the mail was meant: that of the wait before it.
    const latest = longest && shifted(person.meantAt ?? person.dueAt ?? now, longest, 1)
    const obstacle = obstacleOf(person.reach[channel], { channel, kind })
    if (step.if && !isMeant) skip(person, 'if')
    else if (lacksItems(round, step, person)) skip(person, 'no_items')
    else if (obstacle !== undefined && isOnly) leave(person, obstacle)
    else if (obstacle !== undefined) skip(person, obstacle)
    else if (latest && opens > latest) skip(person, 'too_late')
    else if (opens > now) postpone(person, opens)
    else ready.push(person)
  }
  if (ready.length === 0) return false
  const rows = ready.map((person) => ({ person, messageId: newId('message') }))
  const fresh = new Set(
    (
      await claimSteps(tx, key, {
        step: n,
        entryIds: rows.map(({ person }) => person.id),
        messageIds: rows.map(({ messageId }) => messageId),
        now,
      })
    ).map(({ id }) => id),
  )
  const toSend = rows.filter(({ person }) => fresh.has(person.id))
  const items = toSend.map(({ person, messageId }) =>
    messageOf(round, { n, step, person, messageId }),
  )
  const outcomes = items.length > 0 ? await saveMessages.save(tx, items, now) : []
  const refused = new Map<Id<'entry'>, Refusal>()
  for (const [index, outcome] of outcomes.entries()) {
    const row = toSend[index]
    if (row && isRefusal(outcome)) refused.set(row.person.id, outcome)
  }
  const isHeld = [...refused.values()].some(isOfApproval)
  for (const { person } of rows) {
    const refusal = refused.get(person.id)
    const until = refusal && roomAt(refusal, { definition: version.definition, person, now })
    if (refusal && isOfApproval(refusal)) await freeStep(tx, key, { entryId: person.id, step: n })
    else if (until) {
      await freeStep(tx, key, { entryId: person.id, step: n })
      postpone(person, until)
    } else {
      if (refusal) {
        const reason = reasonOf(refusal)
        await skipStep(tx, key, { entryId: person.id, step: n, reason })
      }
      pass(person, next, now)
    }
  }
  return isHeld
}

/** Whether the step shows the items of the entering event, which named none. */
function lacksItems(
  { version, withItems }: Round,
  { send }: SendStep,
  { event: { items } }: Person,
): boolean {
  const versionId = version.templates[send.template_id]
  if (!versionId || !withItems.has(versionId)) return false
  return !(Array.isArray(items) && items.length > 0)
}

/** Why nobody may write to the person on this channel; undefined where one may. */
function obstacleOf(
  { hasAddress, isSuppressed, consent }: Reach,
  { channel, kind }: { channel: Channel; kind: string },
): string | undefined {
  if (!hasAddress) return channel === 'email' ? 'no_email' : 'no_phone'
  if (isSuppressed) return 'suppressed'
  return kind === 'marketing' && consent !== 'subscribed' ? 'no_consent' : undefined
}

interface Opening {
  openHours: Hours | undefined
  channel: Channel
  kind: string
  clock: string
  now: Date
}

/** When the hours of the sequence, and of texts the recipient's night, let the step go out. */
export function opening(
  { phone, zone }: Pick<Person, 'phone' | 'zone'>,
  { openHours, channel, kind, clock, now }: Opening,
): Date {
  const opens = withinHours(openHours, now, clock)
  if (channel !== 'sms' || kind !== 'marketing' || phone === null) return opens
  const wakes = quietUntil(phone, zone ?? undefined, opens)
  return wakes ? withinHours(openHours, wakes, clock) : opens
}

const isOfApproval = ({ details }: Refusal) => details.data?.['reason'] === 'approval_limit'

interface Full {
  definition: Definition
  person: Person
  now: Date
}

/**
 * When somebody who has had enough may get the step; undefined if that is too late. What an own event
 * sets off is of the moment, and does not wait unless the sequence says for how long.
 */
function roomAt(refusal: Refusal, { definition, person, now }: Full): Date | undefined {
  const until = cappedUntil(refusal)
  if (!until) return undefined
  const isOfTheMoment = definition.enter.on === 'own_event'
  const longest = definition.wait_at_most ?? (isOfTheMoment ? undefined : waitForRoom)
  const latest = longest && shifted(person.meantAt ?? person.dueAt ?? now, longest, 1)
  return latest && until <= latest ? until : undefined
}

/** How long a step waits for room where the sequence does not say. */
const waitForRoom = '3 days'

/** Why the mail of a step was skipped. */
export function reasonOf({ code, details }: Refusal): string {
  if (details.data?.['suppressed']) return 'suppressed'
  if (details.data?.['reason'] === 'capped') return 'capped'
  if (code === 'tier_required' || code === 'rate_limited') return 'tier_quota'
  return code === 'conflict' ? 'topic_not_chosen' : code
}

interface ToSend {
  n: number
  step: SendStep
  person: Person
  messageId: Id<'message'>
}

function messageOf(
  { key, sequence, version, conditions, segments, hmac }: Round,
  { n, step, person, messageId }: ToSend,
): MessageToSave {
  const { template_id: name } = step.send
  const versionId = version.templates[name]
  const templateId = parseId('template', name)
  if (!versionId || !templateId)
    throw new Error('a started version lacks the version of its template')
  const blocks = conditions.get(versionId)
  const isMail = channelOf(step) === 'email'
  return {
    id: messageId,
    businessId: key.businessId,
    channel: channelOf(step),
    tier: sequence.tier,
    origin: originOf(version),
    hmac,
    kind: version.definition.kind,
    topic: step.topic ?? null,
    isApproved: sequence.isApproved,
    contactId: person.contactId,
    to: undefined,
    template: {
      id: templateId,
      versionId,
      ...(blocks && { conditions: blocks }),
    },
    content: {
      subject: null,
      html: null,
      text: null,
      variables: { event: person.event },
      attachments: null,
      trackOpens: isMail,
      trackClicks: isMail,
    },
    units: isMail ? 1 : (segments.get(versionId) ?? 1),
    sendAt: undefined,
    allowDuplicate: true,
    labels: { sequence_id: formatId('sequence', key.sequenceId), step: n },
  }
}

interface ClaimedSteps {
  step: number
  entryIds: readonly Id<'entry'>[]
  messageIds: readonly Id<'message'>[]
  now: Date
}

/** Only whose step was not done before gets the mail: the key of the table is what decides. */
function claimSteps(
  tx: Tx,
  { businessId, sequenceId }: SequenceKey,
  { step, entryIds, messageIds, now }: ClaimedSteps,
): Promise<{ id: Id<'entry'> }[]> {
  return tx.all(sql`
    insert into sequence_steps (business_id, sequence_id, entry_id, step, outcome, message_id, done_at)
    select ${businessId}, ${sequenceId}, entry_id, ${step}, 'done', message_id, ${now}
    from unnest(${entryIds}::uuid[], ${messageIds}::uuid[]) as new (entry_id, message_id)
    on conflict do nothing
    returning entry_id as id
  `)
}

interface StepKey {
  entryId: Id<'entry'>
  step: number
}

async function freeStep(tx: Tx, key: SequenceKey, { entryId, step }: StepKey): Promise<void> {
  await tx.run(sql`
    delete from sequence_steps
    where business_id = ${key.businessId} and sequence_id = ${key.sequenceId}
      and entry_id = ${entryId} and step = ${step}
  `)
}

async function skipStep(
  tx: Tx,
  key: SequenceKey,
  { entryId, step, reason }: StepKey & { reason: string },
): Promise<void> {
  await tx.run(sql`
    update sequence_steps set outcome = 'skipped', reason = ${reason}, message_id = null
    where business_id = ${key.businessId} and sequence_id = ${key.sequenceId}
      and entry_id = ${entryId} and step = ${step}
  `)
}
