/**
 * Long texts arrive in parts, in any order and over any connection. Each part is stored before its
 * provider gets the acknowledgement, so that no restart loses a person's request. A text whose last
 * part never arrives is processed with the parts it has: a STOP must not wait for ever.
 */
import { randomUUID } from 'node:crypto'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import type { InboundText, PartPlace } from '../lib/sms/transport.ts'
import { later, minutes } from '../lib/time/clock.ts'
import { type ReplyDeps, receiveSmsIn } from './receive-sms.ts'

/** How long the parts of a text wait for the next part. */
export const partsWaitMs = minutes(2)

/** The most texts that one run of the job processes. */
const perRun = 1_000

export function receivePart(
  deps: ReplyDeps,
  route: string,
  { from, to, body, partPlace }: Omit<InboundText, 'partPlace'> & { partPlace: PartPlace },
): Promise<void> {
  const { part, ...rest } = partPlace
  const key = { phone: from, sender: to, ...rest }
  return deps.db.tx(async (tx) => {
    const row = { ...key, part, body: Buffer.from(body, 'utf16le') }
    await keepPart(tx, row, deps.clock.now())
    if ((await countParts(tx, key)).count === key.total) await takeJoined(tx, deps, route, key)
  })
}

/** Processes texts that have waited long enough. Returns their number. */
export async function takeOverdue(deps: ReplyDeps): Promise<number> {
  const overdue = await waitingSince(deps.db, later(deps.clock.now(), -partsWaitMs), perRun)
  for (const key of overdue) await deps.db.tx((tx) => takeJoined(tx, deps, 'parts', key))
  return overdue.length
}

async function takeJoined(tx: Tx, deps: ReplyDeps, route: string, key: PartsKey): Promise<void> {
  const parts = await receiveParts(tx, key)
  // Another process took the parts first.
  if (parts.length === 0) return
  const bodies = parts.toSorted((a, b) => a.part - b.part).map(({ body }) => body)
  const body = Buffer.concat(bodies).toString('utf16le')
  const { phone: from, sender: to } = key
  const text = { from, to, body, providerId: randomUUID(), at: deps.clock.now() }
  await receiveSmsIn(tx, deps, route, text)
}

/** The key of a text that arrives in parts. */
interface PartsKey {
  phone: string
  sender: string
  reference: number
  total: number
}

interface Part extends PartsKey {
  part: number
  /** The body in UTF-16. */
  body: Buffer
}

/** A part that arrives again replaces the first one. */
function keepPart(
  tx: Tx,
  { phone, sender, reference, total, part, body }: Part,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    insert into text_parts (phone, sender, reference, total, part, body, received_at)
    values (${phone}, ${sender}, ${reference}, ${total}, ${part}, ${body}, ${now})
    on conflict (phone, sender, reference, total, part)
    do update set body = excluded.body, received_at = excluded.received_at
  `)
}

function countParts(
  tx: Tx,
  { phone, sender, reference, total }: PartsKey,
): Promise<{ count: number }> {
  return tx.one(sql`
    select count(*)::int as count from text_parts
    where phone = ${phone} and sender = ${sender} and reference = ${reference}
      and total = ${total}
  `)
}

/** Takes the parts that have arrived, so that no other process gets them. */
function receiveParts(
  tx: Tx,
  { phone, sender, reference, total }: PartsKey,
): Promise<Pick<Part, 'part' | 'body'>[]> {
  return tx.all(sql`
    delete from text_parts
    where phone = ${phone} and sender = ${sender} and reference = ${reference}
      and total = ${total}
    returning part, body
  `)
}

/** Returns texts of which no further part has arrived since `before`. */
function waitingSince(db: Db, before: Date, limit: number): Promise<PartsKey[]> {
  return db.all(sql`
    select phone, sender, reference, total from text_parts
    group by phone, sender, reference, total
    having max(received_at) <= ${before} order by max(received_at) limit ${limit}
  `)
}
