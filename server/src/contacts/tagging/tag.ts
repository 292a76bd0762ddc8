import { isRefusal, type Refusal, refuse } from '../../core/errors.ts'
import { type Id, newId, parseId } from '../../core/ids.ts'
import { type BusinessContext, operation } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import type { Tx } from '../../lib/db/types.ts'
import { enqueue } from '../../lib/jobs/enqueue.ts'
import { Type } from '../../lib/schema/schema.ts'
import { isSingleLine, singleLine } from '../../lib/text/single-line.ts'
import { days, later } from '../../lib/time/clock.ts'
import { contactLimits } from '../contact.ts'
import type { Filter } from '../filters/filter.ts'
import { sameFilterInput } from '../filters/input.ts'
import { readFilter } from '../filters/read.ts'
import { countContacts } from '../model/list-queries.ts'
import { expandSegments } from '../segments/expand-segments.ts'
import { segmentOf } from '../segments/find.ts'
import { bySegment } from '../segments/find-business.ts'
import { segmentIdInput } from '../segments/segment.ts'
import { bySegmentId } from '../segments/where.ts'
import { jobOf } from './jobs.ts'
import {
  countUnderWay,
  findTagging,
  forgetFinished,
  insertTagging,
  newestContact,
} from './queries.ts'
import { fieldsOf, type Tagging, taggingFields, taggingLimits } from './tagging.ts'

const tagsInput = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: contactLimits.tagLength }), {
    maxItems: contactLimits.tags,
  }),
)

export const contactTag = operation({
  name: 'contact.tag',
  title: 'Tag everybody a filter fits',
  summary:
    'Add tags to all contacts whom a filter or segment fits at this moment, or remove them. It goes on after the answer: ask again with tagging_id for how far it has come.',
  reach: 'business',
  scope: 'audience:write',
  role: 'editor',
  tier: 'free',
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  rest: 'POST /v1/contacts/tag',
  status: 202,
  locate: { segment_id: bySegment },
  input: {
    filter: sameFilterInput,
    segment_id: Type.Optional(segmentIdInput),
    add: tagsInput,
    remove: tagsInput,
    tagging_id: Type.Optional(Type.String({ pattern: '^tgg_[0-9a-hjkmnp-tv-z]{26}$' })),
  },
  output: Type.Object(taggingFields),

  async run(context, { tagging_id, ...asked }) {
    if (tagging_id !== undefined) return progressOf(context, tagging_id, asked)
    const tags = tagsOf(asked)
    if (isRefusal(tags)) return tags
    const filter = await readTagFilter(context, asked)
    if (isRefusal(filter)) return filter
    return context.write((tx) => begin(tx, context, { ...tags, filter }))
  },
})

interface TagInput {
  filter?: object | undefined
  segment_id?: string | undefined
  add?: string[] | undefined
  remove?: string[] | undefined
}

async function progressOf(
  { db, business }: BusinessContext,
  taggingId: string,
  asked: TagInput,
): Promise<ReturnType<typeof fieldsOf> | Refusal> {
  const id = parseId('tagging', taggingId)
  const found = id && (await findTagging(db, business.id, id))
  if (!found) {
    const text = `This business has no tagging ${taggingId}, or it ended over ${taggingLimits.keptDays} days ago.`
    return refuse('not_found', text, { field: 'tagging_id' })
  }
  const more = Object.entries(asked).find(([, value]) => value !== undefined)
  if (!more) return fieldsOf(found)
  const text = `${more[0]} cannot be combined with tagging_id, which reads the progress of an earlier tagging.`
  return refuse('invalid_request', text, { field: more[0] })
}

function tagsOf({ add = [], remove = [] }: TagInput) {
  const given = { add: add.map(singleLine), remove: remove.map(singleLine) }
  for (const [field, tags] of Object.entries(given)) {
    const wrong = tags.findIndex((tag) => !isSingleLine(tag))
    if (wrong < 0) continue
    const place = `${field}[${wrong}]`
    return refuse('invalid_request', `${place} takes one line of text.`, { field: place })
  }
  if (given.add.length + given.remove.length === 0) {
    return refuse('invalid_request', 'add and remove are both missing: name the tags.', {
      field: 'add',
    })
  }
  const both = given.add.find((tag) => given.remove.includes(tag))
  if (both === undefined) return { addTags: given.add, removeTags: given.remove }
  const text = `add and remove both have ${JSON.stringify(both)}.`
  return refuse('invalid_request', text, { field: 'remove' })
}

/**
 * Combines the filter and the segment if both are given. Tagging everybody requires an explicit
 * filter, never an absent one.
 */
async function readTagFilter(
  context: BusinessContext,
  { filter: written, segment_id }: TagInput,
): Promise<Filter | Refusal> {
  const { db, business } = context
  const parts: Filter[] = []
  if (written !== undefined) {
    const filter = readFilter(written)
    const whole = isRefusal(filter) ? filter : await expandSegments(db, business.id, filter)
    if (isRefusal(whole)) return whole
    parts.push(whole)
  }
  if (segment_id !== undefined) {
    const segment = await segmentOf(context, segment_id)
    if (isRefusal(segment)) return segment
    const whole = await expandSegments(db, business.id, segment.filter, bySegmentId)
    if (isRefusal(whole)) return whole
    parts.push(whole)
  }
  if (parts.length > 0) return { and: parts }
  const text =
    'filter and segment_id are both missing: give one of them to say which contacts are meant.'
  return refuse('invalid_request', text, { field: 'filter' })
}

async function begin(
  tx: Tx,
  { business, now, origin }: BusinessContext,
  asked: Pick<Tagging, 'filter' | 'addTags' | 'removeTags'>,
): Promise<ReturnType<typeof fieldsOf> | Refusal> {
  await forgetFinished(tx, business.id, later(now, -days(taggingLimits.keptDays)))
  const { n } = await countUnderWay(tx, business.id)
  if (n >= taggingLimits.underWay) {
    const text = `${n} taggings of this business are running, which is the limit: wait for one of them.`
    return refuse('conflict', text, { retryAfter: 10 })
  }
  const [contacts, newest] = await Promise.all([
    countContacts(tx, business.id),
    newestContact(tx, business.id),
  ])
  const id: Id<'tagging'> = newId('tagging')
  const tagging: Tagging = {
    ...asked,
    id,
    contacts,
    looked: 0,
    changed: 0,
    refused: 0,
    lookedTo: newest?.id ?? null,
    askedAt: now,
    finishedAt: null,
    connectionId: origin.connectionId,
    callId: parseId('request', origin.callId) ?? null,
  }
  await insertTagging(tx, business.id, tagging)
  await enqueue(tx, [jobOf(business.id, id)], now)
  const told = fieldsOf(tagging)
  const entry = { businessId: business.id, action: 'contact.tag', subject: told.tagging_id }
  const details = { added: asked.addTags.length, removed: asked.removeTags.length }
  await recordAudit(tx, [{ ...entry, details, origin }], now)
  return told
}
