/** Exports everybody who entered a sequence, page by page, with where each is or how they ended. */
import type { Id } from '../core/ids.ts'
import { highestId } from '../core/paging.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { readSequence, type SequenceKey } from './sequence.ts'

export interface ExportedEntry {
  id: Id<'entry'>
  contactId: Id<'contact'>
  state: string
  reason: string | null
  version: number
  /** The next step; null where the person is not inside. */
  step: number | null
  dueAt: Date | null
  enteredAt: Date
  endedAt: Date | null
}

const perPage = 1_000

/** Newest first. */
export async function* exportPeople(
  db: Db,
  { businessId, sequenceId }: SequenceKey,
): AsyncGenerator<ExportedEntry[]> {
  for (let before = highestId as Id<'entry'>; ; ) {
    const page = await db.all<ExportedEntry>(sql`
      select id, contact_id as "contactId", state, reason, version,
        case when state = 'active' then step::int end as step, due_at as "dueAt",
        entered_at as "enteredAt", ended_at as "endedAt"
      from sequence_entries
      where business_id = ${businessId} and sequence_id = ${sequenceId} and id < ${before}
      order by id desc limit ${perPage}
    `)
    if (page.length === 0) return
    yield page
    before = page.at(-1)?.id ?? before
  }
}

export async function sequenceNamed(
  db: Db,
  businessId: Id<'business'>,
  sequenceId: string,
): Promise<Id<'sequence'>> {
  const { id } = await readSequence(db, businessId, sequenceId)
  return id
}
