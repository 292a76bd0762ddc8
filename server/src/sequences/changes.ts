/**
 * Who changed or did something since a sequence was last looked at: by a segment, until it is asked, and by a
 * date, until they enter by a date that a connected app wrote. Whom an app lets in is counted.
 */
import { attributeField, attributeKey } from '../contacts/filters/filter.ts'
import { type Id, parseId } from '../core/ids.ts'
import type { EventTypeName } from '../events/catalog.ts'
import { sql } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'
import type { Enter } from './definition.ts'
import type { SequenceKey } from './sequence.ts'

/** The body of an event, as the feed shows it. */
export interface FeedEvent {
  id: string
  type: EventTypeName
  created_at: string
  data: Readonly<Record<string, unknown>>
  /** Whether a connected app caused it, and whether it did by tagging many, which counts itself. */
  by?: 'connection' | 'tagging' | null
}

/** Somebody who changed or did something, and whether an import or a connected app caused it. */
export interface Change {
  contactId: Id<'contact'>
  imported: boolean
  byConnection: boolean
}

const contactOf = ({ data: { contact_id: id } }: FeedEvent) =>
  typeof id === 'string' ? parseId('contact', id) : undefined

/** Notes who changed or did something, for the next time that the segments are asked. */
export async function noteChanges(
  tx: Tx,
  key: SequenceKey,
  happened: readonly FeedEvent[],
): Promise<void> {
  const changes = happened.flatMap((event): Change[] => {
    const contactId = contactOf(event)
    const imported = event.data['source'] === 'import'
    return contactId ? [{ contactId, imported, byConnection: event.by != null }] : []
  })
  const byContact = new Map(changes.map((change) => [change.contactId, change]))
  for (const { contactId, byConnection } of changes) {
    const change = byContact.get(contactId)
    if (change && byConnection) byContact.set(contactId, { ...change, byConnection })
  }
  await insertChanges(tx, key, [...byContact.values()])
}

/** Notes whose date a connected app wrote, and no longer those whose date somebody else wrote since. */
export async function noteDates(
  tx: Tx,
  key: SequenceKey,
  { enter: { field = '' }, happened }: { enter: Enter; happened: readonly FeedEvent[] },
): Promise<void> {
  const written = attributeField(attributeKey(field) ?? field)
  const byContact = new Map<Id<'contact'>, Change>()
  for (const event of happened) {
    const contactId = contactOf(event)
    const changed = (event.data['changed'] ?? []) as readonly string[]
    const writes = event.type === 'contact.created' || changed.includes(written)
    if (!contactId || !writes) continue
    byContact.set(contactId, { contactId, imported: false, byConnection: event.by != null })
  }
  const { byApp = [], byOthers = [] } = Object.groupBy(byContact.values(), ({ byConnection }) =>
    byConnection ? 'byApp' : 'byOthers',
  )
  if (byOthers.length > 0) {
    await tx.run(sql`
      delete from sequence_changes
      where business_id = ${key.businessId} and sequence_id = ${key.sequenceId}
        and contact_id = any(${byOthers.map(({ contactId }) => contactId)}::uuid[])
    `)
  }
  await insertChanges(tx, key, byApp)
}

async function insertChanges(
  tx: Tx,
  { businessId, sequenceId }: SequenceKey,
  changes: readonly Change[],
): Promise<void> {
  if (changes.length === 0) return
  const rows = changes.toSorted((a, b) => (a.contactId < b.contactId ? -1 : 1))
  await tx.run(sql`
    insert into sequence_changes (business_id, sequence_id, contact_id, imported, by_connection)
    select ${businessId}, ${sequenceId}, contact_id, imported, by_connection
    from unnest(
      ${rows.map(({ contactId }) => contactId)}::uuid[],
      ${rows.map(({ imported }) => imported)}::boolean[],
      ${rows.map(({ byConnection }) => byConnection)}::boolean[]
    ) as new (contact_id, imported, by_connection)
    on conflict (business_id, sequence_id, contact_id) do update
    set by_connection = sequence_changes.by_connection or excluded.by_connection
  `)
}

/** Those of these people who are noted. */
export async function notedAmong(
  tx: Tx,
  { businessId, sequenceId }: SequenceKey,
  contactIds: readonly Id<'contact'>[],
): Promise<Set<Id<'contact'>>> {
  const rows = await tx.all<{ contactId: Id<'contact'> }>(sql`
    select contact_id as "contactId" from sequence_changes
    where business_id = ${businessId} and sequence_id = ${sequenceId}
      and contact_id = any(${contactIds}::uuid[]) and by_connection
  `)
  return new Set(rows.map(({ contactId }) => contactId))
}

/** Takes the next of those who are noted. */
export function takeChanges(
  tx: Tx,
  { businessId, sequenceId }: SequenceKey,
  limit: number,
): Promise<Change[]> {
  return tx.all(sql`
    delete from sequence_changes
    where business_id = ${businessId} and sequence_id = ${sequenceId} and contact_id in (
      select contact_id from sequence_changes
      where business_id = ${businessId} and sequence_id = ${sequenceId}
      order by contact_id limit ${limit}
    )
    returning contact_id as "contactId", imported, by_connection as "byConnection"
  `)
}
