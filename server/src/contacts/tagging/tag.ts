import { isRefusal, refuse } from '../../core/errors.ts'
import { formatId, type Id, newId, parseId } from '../../core/ids.ts'
import {
  type BusinessContext,
  type Hmac,
  type Origin,
  operation,
  type Tier,
} from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import { plannedAnew, sql, sqlWithin } from '../../lib/db/db.ts'
import type { Database, Db, Sql, Tx } from '../../lib/db/types.ts'
import { enqueue, type Job, type JobKinds, type NewJob, type Verdict } from '../../lib/jobs/job.ts'
import { Type } from '../../lib/schema/schema.ts'
import { isSingleLine, singleLine } from '../../lib/text/single-line.ts'
import { type Clock, days, later } from '../../lib/time/clock.ts'
import { approvedByTag, entriesCount, takeEntries } from '../../usage/entries.ts'
import { type ContactToSave, contactLimits } from '../contact.ts'
import { compileFilter } from '../filters/compile.ts'
import { type Filter, sameFilterInput } from '../filters/filter.ts'
import { readFilter } from '../filters/read.ts'
import { withoutAddress } from '../filters/without-address.ts'
import type { MergedContact, PersonalData } from '../personal-data.ts'
import { saveContacts } from '../save.ts'
import { countContacts, countMatching } from '../search.ts'
import { expandSegments } from '../segments/expand-segments.ts'
import { segmentOf } from '../segments/find.ts'
import { bySegment } from '../segments/find-business.ts'
import { segmentIdInput } from '../segments/segment.ts'
import { bySegmentId, compileCondition } from '../segments/where.ts'
import { markAddresses } from '../suppressions/hash-addresses.ts'

const taggingFields = {
  tagging_id: Type.String(),
  state: Type.Enum(['running', 'done', 'undoing', 'undone']),
  contacts: Type.Integer(),
  looked: Type.Integer(),
  changed: Type.Integer(),
  refused: Type.Integer(),
  undone: Type.Optional(Type.Integer({ description: 'Contacts that the undo changed back.' })),
}

const tagsInput = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: contactLimits.tagLength }), {
    maxItems: contactLimits.tags,
  }),
)

export const contactTag = operation({
  name: 'contact.tag',
  title: 'Tag everybody a filter fits',
  area: 'contacts',
  everyday: true,
  summary:
    'Add tags to all contacts that match a filter or segment now, or remove them. It goes on after the answer: tagging_id gives its progress, with undo takes it back.',
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
    undo: Type.Optional(Type.Boolean()),
  },
  output: Type.Object(taggingFields),

  async run(context, { tagging_id, undo = false, filter: conditions, segment_id, add, remove }) {
    const input: TagInput = { filter: conditions, segment_id, add, remove }
    if (tagging_id !== undefined) {
      const progress = await progressOf(context, tagging_id, input)
      if (!undo) return progress
      return context.write((tx) => beginUndo(tx, context, tagging_id))
    }
    if (undo) {
      const text = 'undo needs the tagging_id of what it takes back: meta.activity has it.'
      throw refuse('invalid_request', text, { field: 'tagging_id', data: { reason: 'missing' } })
    }
    const tags = tagsOf(input)
    const filter = await readTagFilter(context, input)
    const demands = await ofAutomations(context, tags.addTags, filter)
    return context.write(async (tx) => {
      for (const demand of demands) {
        await takeEntries(tx, context, { cause: 'The tag', field: 'add', ...demand })
      }
      return begin(tx, context, { ...tags, filter })
    })
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
  input: TagInput,
): Promise<ReturnType<typeof fieldsOf>> {
  const id = parseId('tagging', taggingId)
  const tagging = id && (await findTagging(db, business.id, id))
  if (!tagging) {
    const text = `This business has no tagging ${taggingId}, or it ended over ${taggingLimits.keptDays} days ago.`
    throw refuse('not_found', text, { field: 'tagging_id' })
  }
  const more = Object.entries(input).find(([, value]) => value !== undefined)
  if (!more) return fieldsOf(tagging)
  const text = `${more[0]} cannot be combined with tagging_id, which reads the progress of an earlier tagging.`
  throw refuse('invalid_request', text, { field: more[0], data: { reason: 'one_of' } })
}

function tagsOf({ add = [], remove = [] }: TagInput) {
  const lists = { add: add.map(singleLine), remove: remove.map(singleLine) }
  for (const [field, tags] of Object.entries(lists)) {
    const invalidTag = tags.findIndex((tag) => !isSingleLine(tag))
    if (invalidTag < 0) continue
    const path = `${field}[${invalidTag}]`
    throw refuse('invalid_request', `${path} must be one line of text.`, {
      field: path,
      data: { reason: 'one_line' },
    })
  }
  if (lists.add.length + lists.remove.length === 0) {
    throw refuse('invalid_request', 'add and remove are both missing: pass at least one tag.', {
      field: 'add',
      data: { reason: 'no_tag' },
    })
  }
  const both = lists.add.find((tag) => lists.remove.includes(tag))
  if (both === undefined) return { addTags: lists.add, removeTags: lists.remove }
  const text = `add and remove both have ${JSON.stringify(both)}.`
  throw refuse('invalid_request', text, {
    field: 'remove',
    data: { reason: 'tag_added_and_removed' },
  })
}

/**
 * Combines the filter and the segment if both are given. Tagging everybody requires an explicit
 * filter, never an absent one.
 */
async function readTagFilter(
  context: BusinessContext,
  { filter: filterInput, segment_id }: TagInput,
): Promise<Filter> {
  const { db, business } = context
  const parts: Filter[] = []
  if (filterInput !== undefined) {
    const filter = readFilter(filterInput)
    const whole = await expandSegments(db, business.id, filter)
    parts.push(whole)
  }
  if (segment_id !== undefined) {
    const segment = await segmentOf(context, segment_id)
    const whole = await expandSegments(db, business.id, segment.filter, bySegmentId)
    parts.push(whole)
  }
  if (parts.length > 0) return { and: parts }
  const text =
    'filter and segment_id are both missing: give one of them to say which contacts are meant.'
  throw refuse('invalid_request', text, { field: 'filter', data: { reason: 'nobody_chosen' } })
}

interface Demand {
  /** The automation that the tag lets people into. */
  name: string
  people: number
}

/** Whom an app would let into automations that a person approved, by their tags. */
async function ofAutomations(
  context: BusinessContext,
  addTags: readonly string[],
  filter: Filter,
): Promise<Demand[]> {
  const { db, business } = context
  if (!entriesCount(context) || addTags.length === 0) return []
  const automations = await approvedByTag(db, business.id, addTags)
  const demands: Demand[] = []
  for (const { name, tag } of automations) {
    const where = await compileCondition(context, { and: [filter, { not: { tag } }] })
    demands.push({ name, people: await countMatching(db, business.id, { where: where() }) })
  }
  return demands
}

async function begin(
  tx: Tx,
  { business, now, origin }: BusinessContext,
  changes: Pick<Tagging, 'filter' | 'addTags' | 'removeTags'>,
): Promise<ReturnType<typeof fieldsOf>> {
  await forgetFinished(tx, business.id, later(now, -days(taggingLimits.keptDays)))
  const { n } = await countUnderWay(tx, business.id)
  if (n >= taggingLimits.underWay) {
    const text = `${n} taggings of this business are running, which is the limit: wait for one of them.`
    throw refuse('conflict', text, {
      retryAfter: 10,
      data: { reason: 'too_many_taggings', limit: taggingLimits.underWay },
    })
  }
  const [contacts, newest] = await Promise.all([
    countContacts(tx, business.id),
    newestContact(tx, business.id),
  ])
  const id: Id<'tagging'> = newId('tagging')
  const tagging: Tagging = {
    ...changes,
    id,
    contacts,
    looked: 0,
    changed: 0,
    refused: 0,
    lookedTo: newest?.id ?? null,
    askedAt: now,
    finishedAt: null,
    undone: 0,
    undoAskedAt: null,
    undoFinishedAt: null,
    connectionId: origin.connectionId,
    callId: parseId('request', origin.callId) ?? null,
  }
  await insertTagging(tx, business.id, tagging)
  await enqueue(tx, [jobOf(business.id, id)], now)
  const fields = fieldsOf(tagging)
  const entry = { businessId: business.id, action: 'contact.tag', subject: fields.tagging_id }
  const details = { added: changes.addTags.length, removed: changes.removeTags.length }
  await recordAudit(tx, [{ ...entry, details, origin }], now)
  return fields
}

/** Takes a tagging back: one that still runs ends where it is. */
async function beginUndo(
  tx: Tx,
  context: BusinessContext,
  taggingId: string,
): Promise<ReturnType<typeof fieldsOf>> {
  const { business, now, origin } = context
  const id = parseId('tagging', taggingId)
  const tagging = id && (await lockTagging(tx, business.id, id))
  if (!tagging) throw new Error('a tagging that was found is gone')
  if (tagging.undoAskedAt) return fieldsOf(tagging)
  // What it removed comes back, and lets people in again.
  if (entriesCount(context) && tagging.removeTags.length > 0) {
    for (const { name } of await approvedByTag(tx, business.id, tagging.removeTags)) {
      const people = tagging.changed
      await takeEntries(tx, context, { cause: 'The tag', field: 'undo', name, people })
    }
  }
  const finishedAt = tagging.finishedAt ?? now
  const undoing = { ...tagging, finishedAt, undoAskedAt: now }
  await saveProgress(tx, business.id, undoing)
  await enqueue(tx, [jobOf(business.id, tagging.id)], now)
  const entry = { businessId: business.id, action: 'contact.tag', subject: taggingId }
  await recordAudit(tx, [{ ...entry, details: { undo: true }, origin }], now)
  return fieldsOf(undoing)
}

const tagJob = 'contact.tag'

interface Payload {
  business_id: Id<'business'>
  tagging_id: Id<'tagging'>
}

const jobOf = (businessId: Id<'business'>, id: Id<'tagging'>): NewJob => ({
  kind: tagJob,
  businessId,
  payload: { business_id: businessId, tagging_id: id } satisfies Payload,
  priority: 'bulk',
})

interface Deps {
  db: Database
  clock: Clock
  hmac: Hmac
}

/** Contacts per run: some tenths of a second of work, during which they are locked. */
const contactsPerRun = 1_000

export function taggingJobs(deps: Deps): JobKinds {
  return {
    [tagJob]: { perLane: 1, atOnce: 2, run: (job) => runJob(deps, job as Job<Payload>) },
  }
}

async function runJob({ db, clock, hmac }: Deps, { payload }: Job<Payload>): Promise<Verdict> {
  const { business_id: businessId, tagging_id: id } = payload
  await markAddresses(db, hmac, businessId)
  const now = clock.now()
  return db.tx(async (tx) => {
    const tagging = await lockTagging(tx, businessId, id)
    if (!tagging) return { outcome: 'done' }
    if (tagging.finishedAt) return undoNext(tx, { businessId, tagging, hmac, now })
    const { lookedTo: upTo } = tagging
    const next = upTo && (await tagRange(tx, { businessId, tagging, upTo, hmac, now }))
    if (next?.lookedTo) {
      await saveProgress(tx, businessId, next)
      return { outcome: 'again', at: now }
    }
    await saveProgress(tx, businessId, { ...tagging, ...next, finishedAt: now })
    return { outcome: 'done' }
  })
}

interface Undo {
  businessId: Id<'business'>
  tagging: RunningTagging
  hmac: Hmac
  now: Date
}

/** Takes back the next changes of a tagging whose undo a person or a connection asked for. */
async function undoNext(tx: Tx, { businessId, tagging, hmac, now }: Undo): Promise<Verdict> {
  if (!tagging.undoAskedAt || tagging.undoFinishedAt) return { outcome: 'done' }
  const changes = await takeChanges(tx, businessId, tagging.id)
  const items = changes.map(
    ({ added, removed, ...person }): ContactToSave => ({
      ...savedBy({ businessId, tagging, hmac }, person),
      tags: removed,
      removeTags: added,
    }),
  )
  const { changed } = await saveTags(tx, items, now)
  const { isOver } = await findRest(tx, businessId, tagging.id)
  const undone = tagging.undone + changed
  await saveProgress(tx, businessId, {
    ...tagging,
    undone,
    undoFinishedAt: isOver ? now : null,
  })
  return isOver ? { outcome: 'done' } : { outcome: 'again', at: now }
}

interface Range extends Undo {
  upTo: Id<'contact'>
}

/** Tags one range and returns the new state; `lookedTo` is where it continues, null at the end. */
async function tagRange(tx: Tx, range: Range): Promise<Tagging> {
  const { businessId, tagging, upTo, hmac, now } = range
  const { filter, zone, askedAt, addTags, removeTags } = tagging
  const {
    floor: from,
    next,
    count,
  } = await floorFrom(tx, businessId, { upTo, size: contactsPerRun })
  const compiling = { businessId, now: askedAt, zone, range: { from, upTo } }
  const where = compileFilter(filter, compiling)
  const people = await lockMatching(tx, businessId, { where, from, upTo })
  const items = people.map(
    (person): ContactToSave => ({
      ...savedBy({ businessId, tagging, hmac }, person),
      tags: addTags,
      removeTags,
    }),
  )
  const { saved, changed } = await saveTags(tx, items, now)
  const changes = people.flatMap(({ id: contactId, tags }, row) => {
    const entry = saved[row]
    if (!entry || isRefusal(entry) || entry.change !== 'updated') return []
    const had = new Set(tags)
    const added = addTags.filter((tag) => !had.has(tag))
    return [{ contactId, added, removed: removeTags.filter((tag) => had.has(tag)) }]
  })
  if (changes.length > 0) await insertChanges(tx, { businessId, taggingId: tagging.id }, changes)
  return {
    ...tagging,
    looked: tagging.looked + count,
    changed: tagging.changed + changed,
    refused: tagging.refused + saved.filter(isRefusal).length,
    lookedTo: next,
  }
}

/** A contact as the save finds it, without its tags. */
function savedBy(
  { businessId, tagging, hmac }: Pick<Undo, 'businessId' | 'tagging' | 'hmac'>,
  { email, phone }: Addresses,
): ContactToSave {
  return {
    businessId,
    tier: tagging.tier,
    hmac,
    source: 'api',
    origin: originOf(tagging),
    ...(email === null ? phone !== null && { phone } : { email }),
  }
}

async function saveTags(tx: Tx, items: ContactToSave[], now: Date) {
  const saved = items.length > 0 ? await saveContacts.save(tx, items, now) : []
  const changed = saved.filter((entry) => !isRefusal(entry) && entry.change === 'updated').length
  return { saved, changed }
}

const originOf = ({ connectionId, callId }: Tagging): Origin => ({
  connectionId,
  callId: callId ? formatId('request', callId) : '',
})

interface Tagging {
  id: Id<'tagging'>
  filter: Filter
  addTags: string[]
  removeTags: string[]
  contacts: number
  looked: number
  changed: number
  refused: number
  lookedTo: Id<'contact'> | null
  askedAt: Date
  finishedAt: Date | null
  undone: number
  undoAskedAt: Date | null
  undoFinishedAt: Date | null
  connectionId: Id<'connection'> | null
  callId: Id<'request'> | null
}

export const taggingLimits = {
  /** Running taggings per business. */
  underWay: 50,
  /** Days for which a finished tagging can be read. */
  keptDays: 30,
} as const

function fieldsOf(tagging: Tagging) {
  const { id, contacts, looked, changed, refused, undone, undoAskedAt } = tagging
  return {
    tagging_id: formatId('tagging', id),
    state: stateOf(tagging),
    contacts,
    looked,
    changed,
    refused,
    ...(undoAskedAt && { undone }),
  }
}

function stateOf({ finishedAt, undoAskedAt, undoFinishedAt }: Tagging) {
  if (undoAskedAt) return undoFinishedAt ? ('undone' as const) : ('undoing' as const)
  return finishedAt ? ('done' as const) : ('running' as const)
}

const wholeTagging = sql`
  t.id, t.filter, t.add_tags as "addTags", t.remove_tags as "removeTags", t.contacts, t.looked,
  t.changed, t.refused, t.looked_to as "lookedTo", t.asked_at as "askedAt",
  t.finished_at as "finishedAt", t.undone, t.undo_asked_at as "undoAskedAt",
  t.undo_finished_at as "undoFinishedAt", t.connection_id as "connectionId", t.call_id as "callId"
`

function insertTagging(tx: Tx, businessId: Id<'business'>, tagging: Tagging): Promise<number> {
  return tx.run(sql`
    insert into taggings (business_id, id, filter, add_tags, remove_tags, contacts, looked, changed,
      refused, looked_to, asked_at, connection_id, call_id)
    values (${businessId}, ${tagging.id}, ${JSON.stringify(tagging.filter)}, ${tagging.addTags},
      ${tagging.removeTags}, ${tagging.contacts}, 0, 0, 0, ${tagging.lookedTo}, ${tagging.askedAt},
      ${tagging.connectionId}, ${tagging.callId})
  `)
}

function findTagging(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'tagging'>,
): Promise<Tagging | undefined> {
  return db.maybe(sqlWithin`
    select ${wholeTagging} from taggings t where t.business_id = ${businessId} and t.id = ${id}
  `)
}

type RunningTagging = Tagging & { tier: Tier; zone: string }

/**
 * The tagging, with the data of its business that a run needs; locked, so that nobody else runs it
 * meanwhile.
 */
function lockTagging(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'tagging'>,
): Promise<RunningTagging | undefined> {
  return tx.maybe(sqlWithin`
    select ${wholeTagging}, b.tier, b.time_zone as zone
    from taggings t join businesses b on b.id = t.business_id
    where t.business_id = ${businessId} and t.id = ${id}
    for update of t
  `)
}

function saveProgress(tx: Tx, businessId: Id<'business'>, tagging: Tagging): Promise<number> {
  return tx.run(sql`
    update taggings set looked = ${tagging.looked}, changed = ${tagging.changed},
      refused = ${tagging.refused}, looked_to = ${tagging.lookedTo},
      finished_at = ${tagging.finishedAt}, undone = ${tagging.undone},
      undo_asked_at = ${tagging.undoAskedAt}, undo_finished_at = ${tagging.undoFinishedAt}
    where business_id = ${businessId} and id = ${tagging.id}
  `)
}

function countUnderWay(db: Db, businessId: Id<'business'>): Promise<{ n: number }> {
  return db.one(sql`
    select count(*) as n from taggings where business_id = ${businessId} and finished_at is null
  `)
}

function forgetFinished(tx: Tx, businessId: Id<'business'>, before: Date): Promise<number> {
  return tx.run(sql`
    with forgotten as (
      delete from taggings
      where business_id = ${businessId} and finished_at < ${before}
        and (undo_asked_at is null or undo_finished_at is not null)
      returning id
    )
    delete from tagging_changes c using forgotten f
    where c.business_id = ${businessId} and c.tagging_id = f.id
  `)
}

interface TagChange {
  contactId: Id<'contact'>
  added: string[]
  removed: string[]
}

function insertChanges(
  tx: Tx,
  { businessId, taggingId }: { businessId: Id<'business'>; taggingId: Id<'tagging'> },
  changes: readonly TagChange[],
): Promise<number> {
  return tx.run(sql`
    insert into tagging_changes (business_id, tagging_id, contact_id, added, removed)
    select ${businessId}, ${taggingId}, (c ->> 'contactId')::uuid,
      array(select jsonb_array_elements_text(c -> 'added')),
      array(select jsonb_array_elements_text(c -> 'removed'))
    from jsonb_array_elements(${JSON.stringify(changes)}::jsonb) as c
    on conflict do nothing
  `)
}

/**
 * Deletes the next changes and returns those whose contact is still there, locked, so that none is
 * deleted or merged meanwhile.
 */
function takeChanges(
  tx: Tx,
  businessId: Id<'business'>,
  taggingId: Id<'tagging'>,
): Promise<(Addresses & Pick<TagChange, 'added' | 'removed'>)[]> {
  return tx.all(sql`
    with taken as (
      delete from tagging_changes
      where business_id = ${businessId} and tagging_id = ${taggingId} and contact_id in (
        select contact_id from tagging_changes
        where business_id = ${businessId} and tagging_id = ${taggingId}
        order by contact_id limit ${contactsPerRun}
      )
      returning contact_id, added, removed
    )
    select c.email, c.phone, taken.added, taken.removed
    from taken join contacts c on c.business_id = ${businessId} and c.id = taken.contact_id
    order by c.id
    for update of c
  `)
}

/** Whether no change is left to take back; contacts that are gone have none to show. */
function findRest(
  tx: Tx,
  businessId: Id<'business'>,
  taggingId: Id<'tagging'>,
): Promise<{ isOver: boolean }> {
  return tx.one(sql`
    select not exists (
      select from tagging_changes where business_id = ${businessId} and tagging_id = ${taggingId}
    ) as "isOver"
  `)
}

function newestContact(
  db: Db,
  businessId: Id<'business'>,
): Promise<{ id: Id<'contact'> } | undefined> {
  return db.maybe(sql`
    select id from contacts where business_id = ${businessId} order by id desc limit 1
  `)
}

interface Addresses {
  email: string | null
  phone: string | null
}

interface ToTag extends Addresses {
  id: Id<'contact'>
  tags: string[]
}

interface TaggingRange {
  where: Sql
  from: Id<'contact'> | null
  upTo: Id<'contact'>
}

/**
 * Locks the contacts that a condition on rows `c` matches, so that none is deleted or merged
 * meanwhile.
 */
function lockMatching(
  tx: Tx,
  businessId: Id<'business'>,
  { where, from, upTo }: TaggingRange,
): Promise<ToTag[]> {
  return tx.all(
    plannedAnew(sqlWithin`
      select c.id, c.email, c.phone, c.tags from contacts c
      where c.business_id = ${businessId} and c.id >= ${from ?? oldest} and c.id <= ${upTo}
        and ${where}
      order by c.id
      for update of c
    `),
  )
}

const oldest = '00000000-0000-0000-0000-000000000000'

/** The last of the next `size` contacts, counting from `upTo` inclusive, and how many they are. */
async function floorFrom(
  db: Db,
  businessId: Id<'business'>,
  { upTo, size }: { upTo: Id<'contact'>; size: number },
): Promise<{ floor: Id<'contact'> | null; next: Id<'contact'> | null; count: number }> {
  return db.one(sql`
    select (array_agg(id order by id))[case when count(*) > ${size} then 2 else 1 end] as floor,
      case when count(*) > ${size} then (array_agg(id order by id))[1] end as next,
      least(count(*), ${size}) as count
    from (
      select id from contacts where business_id = ${businessId} and id <= ${upTo}
      order by id desc limit ${size + 1}
    ) range
  `)
}

interface NamingTagging {
  id: Id<'tagging'>
  filter: unknown
}

/** Taggings in whose filter the text occurs, whatever its case. */
function findTaggingsNaming(
  tx: Tx,
  businessId: Id<'business'>,
  text: string,
): Promise<NamingTagging[]> {
  return tx.all(sql`
    select id, filter from taggings
    where business_id = ${businessId} and strpos(lower(filter::text), lower(${text})) > 0
    order by id for update
  `)
}

function replaceFilter(
  tx: Tx,
  businessId: Id<'business'>,
  { id, filter }: NamingTagging,
): Promise<number> {
  return tx.run(sql`
    update taggings set filter = ${JSON.stringify(filter)}
    where business_id = ${businessId} and id = ${id}
  `)
}

/** A change of the merged contact is taken back from the one that stays, unless it has its own. */
async function moveChanges(tx: Tx, { businessId, from, to }: MergedContact): Promise<void> {
  await tx.run(sql`
    update tagging_changes c set contact_id = ${to}
    where business_id = ${businessId} and contact_id = ${from} and not exists (
      select from tagging_changes own
      where own.business_id = c.business_id and own.tagging_id = c.tagging_id
        and own.contact_id = ${to}
    )
  `)
  await deleteChangesOf(tx, businessId, [from])
}

function deleteChangesOf(
  tx: Tx,
  businessId: Id<'business'>,
  contactIds: readonly Id<'contact'>[],
): Promise<number> {
  return tx.run(sql`
    delete from tagging_changes where business_id = ${businessId} and contact_id = any (${contactIds})
  `)
}

export const taggingPersonalData: PersonalData = {
  move: moveChanges,

  async forget(tx, { businessId, contactIds, addresses }) {
    await deleteChangesOf(tx, businessId, contactIds)
    for (const address of addresses) {
      for (const { id, filter } of await findTaggingsNaming(tx, businessId, address)) {
        await replaceFilter(tx, businessId, { id, filter: withoutAddress(filter, address) })
      }
    }
    return true
  },
}
