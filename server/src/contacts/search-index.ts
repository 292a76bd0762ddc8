/**
 * What people are searched by, kept behind the writes: each save that changes it queues a job with the
 * ids of the contacts, which writes their words. A search sees them about a second later; beginnings
 * of addresses and names are found at once, in the contacts themselves.
 */

import { domainToUnicode } from 'node:url'
import type { Id } from '../core/ids.ts'
import { createBatcher, ofBusinesses } from '../lib/concurrency/batch.ts'
import { ids, longTexts, sql } from '../lib/db/db.ts'
import type { Database, Db, Tx } from '../lib/db/types.ts'
import { settle } from '../lib/jobs/claim.ts'
import type { Job, JobKinds } from '../lib/jobs/job.ts'
import { type Clock, minutes, seconds } from '../lib/time/clock.ts'
import type { ContactValues } from './contact.ts'
import { type IndexPayload, indexJob, indexLater } from './record.ts'

/** The most contacts whose words one statement reads and writes. */
const contactsPerStep = 1_000

/** Nobody waits for the words, and fewer, larger flushes leave more to the saves. */
const restBetweenFlushes = 500

/** Words of one person; the rest of very long fields is not searched. */
export const maxSearchedLength = 2_000

export function searchIndexJobs({ db, clock }: { db: Database; clock: Clock }): JobKinds {
  const index = createBatcher<Job, void>({
    maxItems: 100,
    businessOf: ofBusinesses(db, ({ payload }: Job) => (payload as IndexPayload).business_id),
    restMs: restBetweenFlushes,
    async flush(jobs) {
      await db.tx((tx) => indexJobs(tx, jobs, clock.now()))
      return jobs.map(() => undefined)
    },
  })
  return {
    [indexJob]: {
      retryDelays: [seconds(1), seconds(5), seconds(30), minutes(10), minutes(60)],
      // Jobs that run at the same time share a transaction.
      perLane: 20,
      perTurn: 20,
      async run(job) {
        await index(job)
        return { outcome: 'settled' }
      },
    },
    'contact.fill-search': {
      everyMs: minutes(1),
      timeoutMs: minutes(30),
      run: (_job, signal) => fillSearch({ db, clock }, signal),
    },
  }
}

async function indexJobs(tx: Tx, jobs: Job[], now: Date): Promise<void> {
  const settled = await settle(
    tx,
    jobs.map((job) => ({ job, outcome: { outcome: 'done' } })),
    now,
  )
  const payloads = jobs.filter((job) => settled.has(job)).map((job) => job.payload as IndexPayload)
  for (const [businessId, ofBusiness] of Map.groupBy(payloads, (entry) => entry.business_id)) {
    const contactIds = [...new Set(ofBusiness.flatMap((entry) => entry.contact_ids))]
    for (let start = 0; start < contactIds.length; start += contactsPerStep) {
      await indexContacts(tx, businessId, contactIds.slice(start, start + contactsPerStep))
    }
  }
}

/** Makes the people searchable who were saved before there was a search of this kind. */
async function fillSearch(
  { db, clock }: { db: Database; clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  const unfilled = await listUnfilled(db)
  for (const { id: businessId } of unfilled) {
    let isOpen = true
    while (isOpen && !signal.aborted)
      isOpen = await db.tx((tx) => fillStep(tx, businessId, clock.now()))
  }
}

async function fillStep(tx: Tx, businessId: Id<'business'>, now: Date): Promise<boolean> {
  const next = await tx.all<{ id: Id<'contact'> }>(sql`
    select id from contacts where business_id = ${businessId} and id > (
      select searchable_to from businesses where id = ${businessId}
    ) order by id limit ${contactsPerStep}
  `)
  const last = next.at(-1)
  await indexLater(
    tx,
    next.map(({ id }) => ({ businessId, id })),
    now,
  )
  await tx.run(sql`
    update businesses set searchable_to = ${last?.id ?? null} where id = ${businessId}
  `)
  return last !== undefined
}

function listUnfilled(db: Db): Promise<{ id: Id<'business'> }[]> {
  return db.all(sql`select id from businesses where searchable_to is not null`)
}

type Searched = Pick<
  ContactValues,
  'email' | 'phone' | 'name' | 'first_name' | 'last_name' | 'attributes'
> & { id: Id<'contact'> }

/**
 * Writes the words of these contacts. The lock makes an erasure wait, so that no words outlive their
 * contact. A change does not wait: its own job follows in the lane, and one at a time runs there.
 */
async function indexContacts(
  tx: Tx,
  businessId: Id<'business'>,
  contactIds: readonly Id<'contact'>[],
): Promise<void> {
  const contacts = await tx.all<Searched>(sql`
    select id, email, phone, name, first_name, last_name, attributes from contacts
    where business_id = ${businessId} and id = any(${contactIds}::uuid[])
    order by id for key share
  `)
  if (contacts.length === 0) return
  await tx.run(sql`
    insert into contact_search as stored (business_id, contact_id, words)
    select ${businessId}, contact_id, words
    from unnest(
      ${ids(contacts.map(({ id }) => id))}::uuid[],
      ${longTexts(contacts.map(searchedWords))}::text[]
    ) as new (contact_id, words)
    on conflict (business_id, contact_id) do update set words = excluded.words
    where stored.words <> excluded.words
  `)
}

/** The words of a person, plain, with a space before and after each. */
export function searchedWords(contact: Omit<Searched, 'id'>): string {
  const { email, phone, name, first_name, last_name, attributes } = contact
  const parts = [first_name, last_name].filter((part) => part !== null).join(' ')
  const values = Object.values(attributes).filter((value) => typeof value !== 'boolean')
  const texts = [
    name,
    parts === name ? null : parts,
    email,
    readableAddress(email),
    phone,
    ...values,
  ]
  const words = texts.filter((text) => text !== null && text !== '').join(' ')
  const plain = plainText(words).slice(0, maxSearchedLength).replace(/\s+/gu, ' ').trim()
  return ` ${plain} `
}

/** An address as it is read, where its domain is an international one. */
function readableAddress(email: string | null): string | null {
  if (!email?.includes('xn--')) return null
  const at = email.lastIndexOf('@')
  return `${email.slice(0, at)}@${domainToUnicode(email.slice(at + 1))}`
}

/** Text without accents and case: what is typed and what is stored become the same. */
export function plainText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/gu, (letter) => withoutDecomposition[letter] ?? letter)
}

/** Letters that Unicode does not take apart. */
const withoutDecomposition: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}

/** Deletes the words of contacts that are gone. Their rows were deleted by a statement before. */
export function deleteSearched(
  tx: Tx,
  businessId: Id<'business'>,
  contactIds: readonly Id<'contact'>[],
): Promise<number> {
  return tx.run(sql`
    delete from contact_search
    where business_id = ${businessId} and contact_id = any(${contactIds}::uuid[])
  `)
}
