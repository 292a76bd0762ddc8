import { contactIdInput, noSuchContact } from '../contacts/contact.ts'
import { sameFilterInput } from '../contacts/filters/filter.ts'
import { readFilter } from '../contacts/filters/read.ts'
import { contactExists } from '../contacts/recipients.ts'
import { segmentIdInput } from '../contacts/segments/segment.ts'
import { compileCondition } from '../contacts/segments/where.ts'
import { refuse } from '../core/errors.ts'
import { type Id, parseId } from '../core/ids.ts'
import { type BusinessContext, operation } from '../core/operation.ts'
import { recordAudit } from '../events/audit.ts'
import { plannedAnew, sqlWithin } from '../lib/db/db.ts'
import { Type } from '../lib/schema/schema.ts'
import { entriesCount, takeEntries } from '../usage/entries.ts'
import { letIn } from './enter.ts'
import { sequenceLimits } from './limits.ts'
import {
  bySequence,
  checkPossible,
  findVersions,
  lockSequence,
  sequenceIdInput,
} from './sequence.ts'

export const whom = {
  contact_id: Type.Optional(contactIdInput),
  segment_id: Type.Optional(segmentIdInput),
  filter: sameFilterInput,
}

export const sequenceEnrol = operation({
  name: 'sequence.enrol',
  title: 'Let people into an automation',
  area: 'campaigns',
  summary: `Let a contact, a segment or whom a filter matches into a running sequence, up to ${sequenceLimits.enrolled.toLocaleString('en')} people a call. Its filter, again and consent hold.`,
  reach: 'business',
  scope: 'messaging:send',
  role: 'admin',
  tier: 'free',
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  rest: 'POST /v1/sequences/:sequence_id/enrol',
  locate: { sequence_id: bySequence },
  input: { sequence_id: sequenceIdInput, ...whom },
  output: Type.Object({
    sequence_id: Type.String(),
    entered: Type.Integer(),
    left_out: Type.Integer(),
  }),

  async run(context, { sequence_id, ...chosen }) {
    const { business, hmac, now, origin } = context
    const contactIds = await peopleOf(context, chosen)
    return context.write(async (tx) => {
      const sequence = await lockSequence(tx, business.id, sequence_id)
      checkPossible('enrol', sequence)
      const key = { businessId: business.id, sequenceId: sequence.id }
      const [version] = await findVersions(tx, key, [sequence.runningVersion ?? 0])
      if (!version) throw new Error('a running sequence without its version')
      const candidates = contactIds.map((contactId) => {
        return { contactId, cause: origin.callId, properties: {} }
      })
      const { name, endsAt, isApproved } = sequence
      const open = { ...key, ...version, name, endsAt, isApproved }
      const entered = await letIn(tx, open, { candidates, hmac, now })
      if (isApproved && entriesCount(context)) {
        await takeEntries(tx, context, {
          cause: 'The call',
          name,
          people: entered,
          field: 'sequence_id',
        })
      }
      const entry = { businessId: business.id, action: 'sequence.enrol', subject: sequence_id }
      await recordAudit(tx, [{ ...entry, details: { entered }, origin }], now)
      return { sequence_id, entered, left_out: contactIds.length - entered }
    })
  },
})

interface EnrolmentChoice {
  contact_id?: string
  segment_id?: string
  filter?: object
}

async function personOf(
  { db, business }: BusinessContext,
  contact_id: string,
): Promise<Id<'contact'>> {
  const id = parseId('contact', contact_id)
  if (id && (await contactExists(db, business.id, id))) return id
  throw noSuchContact(contact_id)
}

async function conditionOf(
  context: BusinessContext,
  { segment_id, filter }: { segment_id: string | undefined; filter: object | undefined },
) {
  if (segment_id !== undefined) {
    return compileCondition(context, { segment: segment_id }, { at: 'segment_id', isOwn: false })
  }
  if (filter === undefined) return undefined
  return compileCondition(context, readFilter(filter), { at: 'filter', isOwn: true })
}

/** The people whom a call names. More than one call takes are refused, and nobody is left out. */
export async function peopleOf(
  context: BusinessContext,
  { contact_id, segment_id, filter }: EnrolmentChoice,
): Promise<Id<'contact'>[]> {
  const { db, business } = context
  const ways = [contact_id, segment_id, filter].filter((way) => way !== undefined)
  const person = contact_id === undefined ? undefined : await personOf(context, contact_id)
  const field = segment_id === undefined ? 'filter' : 'segment_id'
  const where = await conditionOf(context, { segment_id, filter })
  if (ways.length !== 1) {
    const text =
      'contact_id is for one person, segment_id or filter for several: give exactly one of them.'
    throw refuse('invalid_request', text, { field: 'contact_id', data: { reason: 'one_of' } })
  }
  if (!where) return person === undefined ? [] : [person]
  const { enrolled } = sequenceLimits
  const rows = await db.all<{ id: Id<'contact'> }>(
    plannedAnew(sqlWithin`
      select c.id from contacts c where c.business_id = ${business.id} and ${where()}
      order by c.id limit ${enrolled + 1}
    `),
  )
  if (rows.length > enrolled) {
    const text = `${field} matches more than ${enrolled} people, the limit of one call: narrow it.`
    throw refuse('too_large', text, { field, data: { reason: 'too_many_chosen', limit: enrolled } })
  }
  return rows.map(({ id }) => id)
}
