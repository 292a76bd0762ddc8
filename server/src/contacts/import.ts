import { setImmediate } from 'node:timers/promises'
import { limits } from '../config.ts'
import { isRefusal, type Refusal } from '../core/errors.ts'
import { formatId } from '../core/ids.ts'
import { type BusinessContext, operation } from '../core/operation.ts'
import { schemaCheck } from '../core/schema-check.ts'
import { recordAudit } from '../events/audit.ts'
import { createQueues } from '../lib/concurrency/queues.ts'
import type { Tx } from '../lib/db/types.ts'
import { type Static, Type } from '../lib/schema/schema.ts'
import { lockStandingCounters } from '../usage/reserve.ts'
import {
  type ContactToSave,
  consentSubjects,
  type PersonInput,
  personSchema,
  readPerson,
  type SavedContact,
} from './contact.ts'
import { groupByFault } from './refused-rows.ts'
import { saveContacts } from './save.ts'

const mostRows = 10_000
/**
 * Rows processed at a time; other calls run between two such chunks. With 1,000 the mail of
 * another business waited 573 ms (p99 beside a flood of imports), with 200 it waits 232 ms, at the
 * same rows per second (`npm run bench fairness`, `contact-import`).
 */
const rowsAtOnce = 200

const row = Type.Object({
  row: Type.Integer(),
  outcome: Type.Enum(['created', 'updated', 'unchanged', 'refused']),
  contact_id: Type.Optional(Type.String()),
  stayed_unsubscribed: Type.Optional(Type.Array(Type.Enum(consentSubjects))),
  code: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
  field: Type.Optional(Type.String()),
})
type Row = Static<typeof row>

const group = Type.Object({
  code: Type.String(),
  field: Type.Optional(Type.String()),
  message: Type.String(),
  count: Type.Integer(),
  rows: Type.Array(Type.Integer()),
})
const output = Type.Object({
  created: Type.Integer(),
  updated: Type.Integer(),
  unchanged: Type.Integer(),
  refused: Type.Integer(),
  stayed_unsubscribed: Type.Integer(),
  refusals: Type.Array(group),
  rows: Type.Optional(Type.Array(row)),
})

const fault = schemaCheck(personSchema, 'the row')

/**
 * Imports all valid rows in one transaction, or none if the call fails. Imports of one business run
 * one after the other.
 */
export function contactImport() {
  const turns = createQueues()
  return operation({
    name: 'contact.import',
    title: 'Import contacts',
    area: 'contacts',
    everyday: true,
    summary: `Save up to ${mostRows} contacts in one call, each as contact.upsert would, and answers with counts and the refused rows by fault; a refused row does not block the others. Unsubscribed people stay so. Needs the role admin. Pass an idempotency_key to retry safely. Sends nothing.`,
    reach: 'business',
    scope: 'audience:write',
    role: 'admin',
    tier: 'free',
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    rest: 'POST /v1/contacts/import',
    bodyBytes: limits.toolCallBytes,
    input: {
      contacts: Type.Array(
        // Rows are checked one by one, so that an invalid row does not refuse the others.
        Type.Unsafe<PersonInput>({ type: 'object', additionalProperties: true }),
        {
          minItems: 1,
          maxItems: mostRows,
          description: 'Each with the fields of contact.upsert.',
        },
      ),
      each_row: Type.Optional(
        Type.Boolean({ description: 'Answer with each row’s outcome and contact_id, too.' }),
      ),
    },
    entries: { contacts: personSchema },
    output,

    run(context, { contacts, each_row: eachRow = false }) {
      return turns.take(context.business.id, () =>
        context.write((tx) => importAll(tx, context, { contacts, eachRow })),
      )
    },
  })
}

async function importAll(
  tx: Tx,
  context: BusinessContext,
  { contacts, eachRow }: { contacts: readonly PersonInput[]; eachRow: boolean },
): Promise<Static<typeof output>> {
  const { business, now, origin } = context
  // No other call creates contacts of the business meanwhile, so the chunks meet no races.
  await lockStandingCounters(tx, [{ businessId: business.id, metric: 'contacts' }])
  const rows: Row[] = []
  const pace = context.newPace()
  let chunk = readChunk(context, contacts, 0)
  while (chunk.read.length > 0) {
    // The next chunk is read while the database saves this chunk.
    const [saved, next] = await Promise.all([
      saveContacts.save(tx, chunk.items, now),
      readNextChunk(context, contacts, chunk.at + rowsAtOnce),
    ])
    rows.push(...rowsOf(chunk, saved))
    chunk = next
    // Lets pending writes reach the database, and gives other calls their turn.
    await setImmediate()
    await pace.rest()
  }
  const counts = { created: 0, updated: 0, unchanged: 0, refused: 0 }
  for (const { outcome } of rows) counts[outcome]++
  const entry = { businessId: business.id, action: 'contact.import', details: counts }
  await recordAudit(tx, [{ ...entry, origin }], now)
  return {
    ...counts,
    stayed_unsubscribed: rows.filter((item) => item.stayed_unsubscribed !== undefined).length,
    refusals: groupByFault(rows),
    ...(eachRow && { rows }),
  }
}

interface Chunk {
  /** The index of its first row. */
  at: number
  read: (ContactToSave | Refusal)[]
  /** The valid rows. */
  items: ContactToSave[]
}

/** Reads a chunk after the statements already issued have been sent. */
async function readNextChunk(...read: Parameters<typeof readChunk>): Promise<Chunk> {
  await setImmediate()
  return readChunk(...read)
}

function readChunk(
  { business, origin, hmac }: BusinessContext,
  contacts: readonly PersonInput[],
  at: number,
): Chunk {
  const common = { businessId: business.id, tier: business.tier, source: 'import' as const }
  const read = contacts.slice(at, at + rowsAtOnce).map((input): ContactToSave | Refusal => {
    const person = fault(input) ?? readPerson(input)
    return isRefusal(person) ? person : { ...person, ...common, origin, hmac }
  })
  return { at, read, items: read.filter((entry): entry is ContactToSave => !isRefusal(entry)) }
}

function rowsOf({ at, read }: Chunk, outcomes: (SavedContact | Refusal)[]): Row[] {
  const saved = outcomes.values()
  return read.map((entry, i) => {
    const outcome = isRefusal(entry) ? entry : (saved.next().value as SavedContact | Refusal)
    return rowOf(at + i, outcome)
  })
}

function rowOf(index: number, outcome: SavedContact | Refusal): Row {
  if (isRefusal(outcome)) {
    const { code, message, details } = outcome
    const { field } = details
    return { row: index, outcome: 'refused', code, message, ...(field !== undefined && { field }) }
  }
  const { id, change, stayedUnsubscribed: stayed } = outcome
  return {
    row: index,
    outcome: change,
    contact_id: formatId('contact', id),
    ...(stayed && { stayed_unsubscribed: stayed }),
  }
}
