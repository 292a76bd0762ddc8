/**
 * After the crash each acknowledged write exists once, with its events, and each call in flight
 * happened completely or not at all.
 */

import assert from 'node:assert/strict'
import type { Id } from '../../../server/src/core/ids.ts'
import { sql } from '../../../server/src/lib/db/db.ts'
import type { Database } from '../../../server/src/lib/db/types.ts'
import type { FedEvent } from '../../support/clients/feed-reader.ts'
import type { ToolCaller } from '../../support/clients/tool-caller.ts'
import { halvesIn } from '../../support/postgres/halves.ts'
import { importRows, type Write, type WriteLedger } from './write-ledger.ts'
import { isAnswered } from './write-storm.ts'

export interface WriteVerdict {
  /** Writes that were made although the answer was lost. */
  lostAnswers: number
  /** Unanswered writes that were not made. */
  notMade: number
}

export async function verifyWrites(
  ledger: WriteLedger,
  { db, business, caller }: { db: Database; business: Id<'business'>; caller: ToolCaller },
): Promise<WriteVerdict> {
  const doubts = ledger.writes.filter(({ answer }) => answer === undefined)
  const before = byNumber(await eventsOf(db, business))
  const made = doubts.filter((write) => isMade(write, before))
  // Repeated with its key, a write that was made is not made twice, and a missing one is made.
  for (const write of doubts.filter(({ input }) => 'idempotency_key' in input)) {
    assert.ok(await isAnswered(caller, write), `write ${write.number} has no answer in peace`)
  }
  const events = await eventsOf(db, business)
  const numbered = byNumber(events)
  for (const write of ledger.writes) {
    const wrote = isMade(write, numbered)
    if (!write.answer) continue
    assert.ok(wrote, `${write.kind} ${write.number} was acknowledged and is not there`)
    assertTold(write, write.answer, numbered.get(write.number) ?? [])
  }
  await assertRows(db, business, events)
  assert.deepEqual(await halvesIn(db, business), [])
  return { lostAnswers: made.length, notMade: doubts.length - made.length }
}

/** Oldest first, because ids grow with time. */
export async function eventsOf(db: Database, business: Id<'business'>): Promise<FedEvent[]> {
  const rows = await db.all<{ body: string }>(
    sql`select body from events where business_id = ${business} order by id`,
  )
  return rows.map(({ body }) => JSON.parse(body))
}

type Numbered = ReadonlyMap<number, FedEvent[]>

function byNumber(events: readonly FedEvent[]): Numbered {
  return Map.groupBy(events, ({ data }) => {
    const { attributes, fields } = data as Record<string, Record<string, unknown> | undefined>
    return Number((fields ?? attributes)?.['number'])
  })
}

/** The events of one write: an import has one for each row, a submission two. */
const eventCounts = { upsert: 1, submission: 2, import: importRows }

/** Whether the write happened; throws if only a part of it did, or all of it twice. */
function isMade({ kind, number }: Write, events: Numbered): boolean {
  const count = events.get(number)?.length ?? 0
  if (count === 0) return false
  assert.equal(count, eventCounts[kind], `events of ${kind} ${number}`)
  return true
}

/** Asserts that the answer and the events of a write agree. */
function assertTold(write: Write, answer: Record<string, unknown>, events: FedEvent[]): void {
  const what = `${write.kind} ${write.number}`
  const [contact, submission] = ['contact.', 'form.submitted'].map((type) =>
    events.filter((event) => event.type.startsWith(type)),
  ) as [FedEvent[], FedEvent[]]
  const ids = contact.map(({ data }) => String(data['contact_id']))
  if (write.kind === 'import') {
    const rows = answer['rows'] as { contact_id: string }[]
    assert.deepEqual(rows.map((row) => row.contact_id).toSorted(), ids.toSorted(), what)
    return
  }
  assert.deepEqual(ids, [answer['contact_id']], what)
  if (write.kind === 'submission') {
    assert.deepEqual(
      submission.map(({ data }) => data['submission_id']),
      [answer['submission_id']],
    )
  } else assert.equal(contact[0]?.type === 'contact.created', answer['created'], what)
}

/** Asserts that each row equals its last event, and that no row is without an event. */
async function assertRows(
  db: Database,
  business: Id<'business'>,
  events: readonly FedEvent[],
): Promise<void> {
  const told = new Map(
    events
      .filter(({ type }) => type.startsWith('contact.'))
      .map(({ data }) => [data['email'], data['attributes']]),
  )
  const rows = await db.all<{ email: string; attributes: object }>(
    sql`select email, attributes from contacts where business_id = ${business}`,
  )
  assert.deepEqual(new Map(rows.map(({ email, attributes }) => [email, attributes])), told)
}
