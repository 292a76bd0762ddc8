import { contactIdInput, noSuchContact } from '../contacts/contact.ts'
import { contactExists } from '../contacts/recipients.ts'
import { judgeConditions } from '../contacts/segments/compile-conditions.ts'
import { formatId, type Id, parseId } from '../core/ids.ts'
import { operation } from '../core/operation.ts'
import { sql } from '../lib/db/db.ts'
import { Type } from '../lib/schema/schema.ts'
import { instructionsOf, kindOf } from './program.ts'
import { bySequence, findVersions, readSequence, sequenceIdInput } from './sequence.ts'

const orNull = Type.Union([Type.String(), Type.Null()])

export const sequenceWhy = operation({
  name: 'sequence.why',
  title: 'Explain a person in an automation',
  area: 'campaigns',
  summary:
    'When and why a contact entered, each step with its date and outcome, and what they wait for; or which condition of the rule kept them out.',
  reach: 'business',
  scope: 'audience:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/sequences/:sequence_id/people/:contact_id',
  locate: { sequence_id: bySequence },
  input: { sequence_id: sequenceIdInput, contact_id: contactIdInput },
  output: Type.Object({
    sequence_id: Type.String(),
    contact_id: Type.String(),
    entries: Type.Array(
      Type.Object({
        state: Type.String(),
        reason: orNull,
        version: Type.Integer(),
        cause: Type.String(),
        entered_at: Type.String(),
        ended_at: orNull,
        next_step: Type.Union([Type.Integer(), Type.Null()]),
        due_at: orNull,
        waits_for: Type.Optional(Type.Unsafe<object>({ type: 'object' })),
        steps: Type.Array(
          Type.Object({
            step: Type.Integer(),
            kind: Type.String(),
            outcome: Type.String(),
            reason: orNull,
            message_id: orNull,
            at: Type.String(),
          }),
        ),
      }),
    ),
    conditions: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String(),
          condition: Type.Unsafe<object>({ type: 'object' }),
          true: Type.Boolean(),
        }),
      ),
    ),
  }),

  async run(context, { sequence_id, contact_id }) {
    const { db, business } = context
    const sequence = await readSequence(db, business.id, sequence_id)
    const contactId = parseId('contact', contact_id)
    if (!contactId || !(await contactExists(db, business.id, contactId))) {
      throw noSuchContact(contact_id)
    }
    const key = { businessId: business.id, sequenceId: sequence.id }
    const entries = await db.all<EntryRow>(sql`
      select id, state, reason, version, cause, entered_at as "enteredAt", ended_at as "endedAt",
        step::int as step, due_at as "dueAt", waits_for as "waitsFor"
      from sequence_entries
      where business_id = ${business.id} and contact_id = ${contactId}
        and sequence_id = ${sequence.id}
      order by id desc limit ${shownEntries}
    `)
    const steps = await db.all<StepRow>(sql`
      select entry_id as "entryId", step::int as step, outcome, reason, message_id as "messageId",
        done_at as at
      from sequence_steps
      where business_id = ${business.id} and sequence_id = ${sequence.id}
        and entry_id = any(${entries.map(({ id }) => id)}::uuid[])
      order by step
    `)
    const versions = await findVersions(db, key, [
      ...new Set(entries.map(({ version }) => version)),
    ])
    const kinds = new Map(
      versions.flatMap(({ version, definition }) =>
        instructionsOf(definition.steps).map(({ n, step }) => [`${version} ${n}`, kindOf(step)]),
      ),
    )
    const { filter } = sequence.definition.enter
    const judged =
      filter && entries.length === 0
        ? await judgeConditions(context, filter, { contactId, at: 'enter.filter' })
        : undefined
    return {
      sequence_id,
      contact_id,
      entries: entries.map((entry) => ({
        state: entry.state,
        reason: entry.reason,
        version: entry.version,
        cause: entry.cause,
        entered_at: entry.enteredAt.toISOString(),
        ended_at: entry.endedAt?.toISOString() ?? null,
        next_step: entry.state === 'active' && entry.step > 0 ? entry.step : null,
        due_at: entry.dueAt?.toISOString() ?? null,
        ...(entry.waitsFor && { waits_for: entry.waitsFor }),
        steps: steps
          .filter(({ entryId }) => entryId === entry.id)
          .map(({ step, outcome, reason, messageId, at }) => ({
            step,
            kind: kinds.get(`${entry.version} ${step}`) ?? '',
            outcome,
            reason,
            message_id: messageId && formatId('message', messageId),
            at: at.toISOString(),
          })),
      })),
      ...(judged && {
        conditions: judged.map(({ path, condition, isTrue }) => ({
          path,
          condition,
          true: isTrue,
        })),
      }),
    }
  },
})

/** The newest entries of a person that an answer shows. */
const shownEntries = 20

interface EntryRow {
  id: Id<'entry'>
  state: string
  reason: string | null
  version: number
  cause: string
  enteredAt: Date
  endedAt: Date | null
  step: number
  dueAt: Date | null
  waitsFor: object | null
}

interface StepRow {
  entryId: Id<'entry'>
  step: number
  outcome: string
  reason: string | null
  messageId: Id<'message'> | null
  at: Date
}
