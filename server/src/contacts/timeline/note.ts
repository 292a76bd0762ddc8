/**
 * Notes that members write about a person: entries of the person's timeline, and exported, merged
 * and erased with it. No event tells of them, so that they stay in the business.
 */
import { refuse } from '../../core/errors.ts'
import { formatId, type Id, parseId } from '../../core/ids.ts'
import { type Origin, operation } from '../../core/operation.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'
import { contactIdInput, noSuchContact } from '../contact.ts'
import { lockById } from '../rows.ts'
import { type Activity, insertActivity, rowOf } from './activity.ts'

export const noteLimits = { length: 4_000, perContact: 200 }

export const noteTypes: ReadonlySet<string> = new Set(['contact.note', 'contact.note_deleted'])

const noteIdInput = Type.String({
  pattern: '^nte_[0-9a-hjkmnp-tv-z]{26}$',
  description: 'note_id in the timeline of contact.get.',
})

/** A note is an entry of the timeline, and callers know it by an id of its own kind. */
const spellNote = (id: Id<'activity'>) => formatId('note', id as string as Id<'note'>)

export const noteAdd = operation({
  name: 'note.add',
  title: 'Write a note on a contact',
  area: 'contacts',
  summary: `Write a note on a contact, such as what was agreed by phone, up to ${noteLimits.length} characters. Only members of the business read it, in the timeline of contact.get; it is erased with the person.`,
  reach: 'business',
  scope: 'audience:write',
  role: 'editor',
  tier: 'free',
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  rest: 'POST /v1/contacts/:contact_id/notes',
  status: 201,
  input: {
    contact_id: contactIdInput,
    text: Type.String({ minLength: 1, maxLength: noteLimits.length, pattern: '\\S' }),
  },
  output: Type.Object({ note_id: Type.String(), at: Type.String() }),

  async run({ write, business, now, origin }, { contact_id, text }) {
    const contactId = parseId('contact', contact_id)
    if (!contactId) throw noSuchContact(contact_id)
    return write(async (tx) => {
      // The lock keeps an erasure from ending between the contact and its note.
      if (!(await lockById(tx, business.id, contactId))) throw noSuchContact(contact_id)
      await checkRoom(tx, business.id, contactId)
      const note = noteOf({ businessId: business.id, contactId, text, origin })
      await insertActivity(tx, [note], now)
      return { note_id: spellNote(note.id), at: now.toISOString() }
    })
  },
})

export const noteDelete = operation({
  name: 'note.delete',
  title: 'Delete a note on a contact',
  area: 'contacts',
  summary:
    'Delete a note on a contact for good, by the note_id of its entry in the timeline, which then says only who deleted it.',
  reach: 'business',
  scope: 'audience:write',
  role: 'editor',
  tier: 'free',
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  rest: 'DELETE /v1/contacts/:contact_id/notes/:note_id',
  input: { contact_id: contactIdInput, note_id: noteIdInput },
  output: Type.Object({ note_id: Type.String(), deleted: Type.Boolean() }),

  async run({ write, business, origin }, { contact_id, note_id }) {
    const contactId = parseId('contact', contact_id)
    if (!contactId) throw noSuchContact(contact_id)
    const id = parseId('note', note_id)
    if (!id) throw noSuchNote(note_id)
    return write(async (tx) => {
      if (!(await lockById(tx, business.id, contactId))) throw noSuchContact(contact_id)
      const deleted = await blankNote(tx, business.id, { contactId, id, by: spellUser(origin) })
      if (deleted === 0) throw noSuchNote(note_id)
      return { note_id, deleted: true }
    })
  },
})

interface NewNote {
  businessId: Id<'business'>
  contactId: Id<'contact'>
  text: string
  origin: Origin
}

function noteOf({ businessId, contactId, text, origin }: NewNote) {
  const details = { user_id: spellUser(origin), untrusted: { text } }
  return rowOf({ businessId, contactId, type: 'contact.note', details, origin })
}

const spellUser = ({ userId }: Origin) => (userId ? formatId('user', userId) : null)

const noSuchNote = (noteId: string) =>
  refuse('not_found', `This contact has no note ${noteId}.`, { field: 'note_id' })

async function checkRoom(tx: Tx, businessId: Id<'business'>, contactId: Id<'contact'>) {
  const { count } = await tx.one<{ count: number }>(sql`
    select count(*)::int as count from contact_activity
    where business_id = ${businessId} and contact_id = ${contactId} and type = 'contact.note'
  `)
  if (count < noteLimits.perContact) return
  const text = `A contact has at most ${noteLimits.perContact} notes: delete one that is no longer needed.`
  throw refuse('conflict', text, {
    fix: { tool: 'note.delete' },
    data: { reason: 'too_many', limit: noteLimits.perContact },
  })
}

/** Leaves of a note who deleted it. One that is blank already stays as it is. */
function blankNote(
  tx: Tx,
  businessId: Id<'business'>,
  { contactId, id, by }: { contactId: Id<'contact'>; id: Id<'note'>; by: string | null },
): Promise<number> {
  return tx.run(sql`
    update contact_activity set type = 'contact.note_deleted',
      details = case type when 'contact.note' then ${JSON.stringify({ user_id: by })}::json
        else details end
    where business_id = ${businessId} and contact_id = ${contactId} and id = ${id}
      and type in ('contact.note', 'contact.note_deleted')
  `)
}

/** The details of a note as the timeline shows them, with who wrote or deleted it. */
export function noteDetails({ id, details }: Activity, writers: ReadonlyMap<string, string>) {
  const { user_id: userId, ...rest } = details
  const by = typeof userId === 'string' ? (writers.get(userId) ?? null) : null
  return { note_id: spellNote(id), by, ...rest }
}

/** The email addresses of those who wrote the notes among these activities, by `user_id`. */
export async function writersOf(
  db: Db,
  activities: readonly Activity[],
): Promise<ReadonlyMap<string, string>> {
  const userIds = activities.flatMap(({ type, details }) => {
    const userId = details['user_id']
    const id = noteTypes.has(type) && typeof userId === 'string' && parseId('user', userId)
    return id ? [id] : []
  })
  if (userIds.length === 0) return new Map()
  const users = await db.all<{ id: Id<'user'>; email: string }>(sql`
    select id, email from users where id = any(${[...new Set(userIds)]}::uuid[])
  `)
  return new Map(users.map(({ id, email }) => [formatId('user', id), email]))
}
