import { heldField, holdRemoval, isManyRemovals } from '../accounts/removals/removal.ts'
import { formatId, type Id, parseId } from '../core/ids.ts'
import { type Hmac, type Origin, operation } from '../core/operation.ts'
import { recordAudit } from '../events/audit.ts'
import { blankEventsAbout } from '../events/blank-events.ts'
import type { DataOf } from '../events/catalog.ts'
import { emitAll } from '../events/emit.ts'
import { eventsKeptDays } from '../events/retention.ts'
import { sql } from '../lib/db/db.ts'
import type { Database, Db, Tx } from '../lib/db/types.ts'
import { enqueue, type Job, type JobKinds, type Verdict } from '../lib/jobs/job.ts'
import { Type } from '../lib/schema/schema.ts'
import { type Clock, days, later, minutes } from '../lib/time/clock.ts'
import { lockStandingCounters, release } from '../usage/reserve.ts'
import { type ContactValues, contactIdInput, noSuchContact } from './contact.ts'
import { countFields, deleteUncounted } from './fields/count-fields.ts'
import type { ErasedPerson, PersonalData } from './personal-data.ts'
import { lockById, type StoredContact } from './rows.ts'
import { deleteSearched } from './search-index.ts'
import { suppressPerson } from './suppressions/suppress.ts'

export const contactErase = operation({
  name: 'contact.erase',
  title: 'Erase a contact',
  area: 'contacts',
  summary:
    'Permanently erase a person, with answers and messages; a hash keeps them out. Confirm first.',
  reach: 'business',
  scope: 'audience:write',
  role: 'admin',
  tier: 'free',
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  rest: 'DELETE /v1/contacts/:contact_id',
  input: { contact_id: contactIdInput },
  output: Type.Object({ contact_id: Type.String(), erased: Type.Boolean(), held: heldField }),

  async run(context, { contact_id }) {
    const id = parseId('contact', contact_id)
    if (!id) throw noSuchContact(contact_id)
    return context.write(async (tx) => {
      const { business, hmac, now, origin } = context
      await lockStandingCounters(tx, [{ businessId: business.id, metric: 'contacts' }])
      if ((await isManyRemovals(tx, context)) && (await lockById(tx, business.id, id))) {
        const order = { action: 'contact.erase', contactId: id } as const
        return { contact_id, erased: false, held: await holdRemoval(tx, context, order) }
      }
      await eraseContact(tx, hmac, { businessId: business.id, id, origin }, now)
      return { contact_id, erased: true }
    })
  },
})

interface ToErase {
  businessId: Id<'business'>
  id: Id<'contact'>
  origin?: Origin
}

export async function eraseContact(
  tx: Tx,
  hmac: Hmac,
  { businessId, id, origin }: ToErase,
  now: Date,
): Promise<void> {
  // The lock prevents a new contact from getting the address before the erasure commits.
  await lockStandingCounters(tx, [{ businessId, metric: 'contacts' }])
  const contact = await lockById(tx, businessId, id)
  if (!contact) {
    const former = await findFormer(tx, businessId, id)
    // Erasing again succeeds. A merged contact is erased with the contact that it became.
    if (former?.became === null) return
    throw noSuchContact(formatId('contact', id))
  }
  await suppressPerson(tx, hmac, { ...contact, businessId, reason: 'erased' }, now)
  const contactIds = [id, ...(await idsMergedInto(tx, businessId, [id]))]
  await deleteHistory(tx, businessId, contactIds)
  await endContacts(tx, businessId, [id])
  await insertGone(tx, businessId, [id], now)
  await release(tx, [{ businessId, metric: 'contacts', amount: 1 }], now)
  const subject = formatId('contact', id)
  await recordAudit(
    tx,
    [{ businessId, action: 'contact.erase', subject, ...(origin && { origin }) }],
    now,
  )
  await announceErased(tx, { businessId, ids: [id], reason: 'requested', origin }, now)
  const addresses = [contact.email, contact.phone].filter((text) => text !== null)
  const payload: ErasedPerson = { businessId, contactIds, addresses }
  await enqueue(tx, [{ kind: forgetJob, businessId, payload }], now)
}

/** Deletes a person who never confirmed. No hash is stored, so they may sign up again. */
export async function deleteUnconfirmed(
  tx: Tx,
  { businessId, id }: Pick<StoredContact, 'businessId' | 'id'>,
  now: Date,
): Promise<void> {
  await lockStandingCounters(tx, [{ businessId, metric: 'contacts' }])
  const contactIds: Id<'contact'>[] = [id, ...(await idsMergedInto(tx, businessId, [id]))]
  await deleteHistory(tx, businessId, contactIds)
  await endContacts(tx, businessId, [id])
  await insertGone(tx, businessId, [id], now)
  await announceErased(tx, { businessId, ids: [id], reason: 'unconfirmed' }, now)
  await release(tx, [{ businessId, metric: 'contacts', amount: 1 }], now)
  // Addresses are left out, so that a new sign-up with the same address is not erased.
  const payload: ErasedPerson = { businessId, contactIds, addresses: [] }
  await enqueue(tx, [{ kind: forgetJob, businessId, payload }], now)
}

/**
 * Deletes contacts and removes them from the field catalogue, with the values that nobody else has.
 * Returns how many there were. The caller deletes or moves the contacts' other data.
 */
export async function endContacts(
  tx: Tx,
  businessId: Id<'business'>,
  contactIds: readonly Id<'contact'>[],
): Promise<number> {
  if (contactIds.length === 0) return 0
  const ended = await deleteContacts(tx, businessId, contactIds)
  await deleteSearched(tx, businessId, contactIds)
  await countFields(
    tx,
    ended.map((before) => ({ businessId, before, after: null })),
  )
  await deleteUncounted(tx, businessId)
  return ended.length
}

interface ErasedContacts {
  businessId: Id<'business'>
  ids: readonly Id<'contact'>[]
  reason: DataOf<'contact.erased'>['reason']
  origin?: Origin | undefined
}

/**
 * Writes the event of each erased contact. It names only the contact's id, so it stays when the
 * events about the person are blanked.
 */
export async function announceErased(
  tx: Tx,
  { businessId, ids, reason, origin }: ErasedContacts,
  now: Date,
): Promise<void> {
  await emitAll(
    tx,
    ids.map((id) => {
      const data = { contact_id: formatId('contact', id), reason }
      return { businessId, type: 'contact.erased', data, origin }
    }),
    now,
  )
}

export const forgetJob = 'contact.forget'

export interface ToForget extends ErasedPerson {
  /** For people of whom nothing was heard since this time: no newer event is about them. */
  silentSince?: string
}

/** How long after somebody's last message something may still be told of it. */
const lateDays = 14

interface ForgetDeps {
  db: Database
  clock: Clock
  traces: readonly PersonalData[]
}

/** How long to wait while a message to the person is being sent, which ends by itself. */
const againMs = minutes(10)

export function contactJobs(deps: ForgetDeps): JobKinds {
  return {
    // Each reads much, so that one at a time is enough of a business, and leaves room to others.
    [forgetJob]: {
      timeoutMs: minutes(30),
      perLane: 1,
      atOnce: 2,
      run: (job) => forget(deps, job as Job<ToForget>),
    },
  }
}

async function forget(
  { db, clock, traces }: ForgetDeps,
  { payload }: Job<ToForget>,
): Promise<Verdict> {
  const now = clock.now()
  const erased = await eraseAgain(db, payload, now)
  const done: boolean[] = []
  for (const domain of traces) done.push(await db.tx((tx) => domain.forget(tx, erased, now)))
  await blankEvents(db, { ...payload, ...erased }, now)
  return done.every(Boolean) ? { outcome: 'done' } : { outcome: 'again', at: later(now, againMs) }
}

/** All events that are kept are read, a day at a time: no index knows whom they are about. */
async function blankEvents(
  db: Database,
  { businessId, contactIds, addresses, silentSince }: ToForget,
  now: Date,
): Promise<void> {
  const ids = contactIds.map((id) => formatId('contact', id))
  // Addresses as they occur in JSON, with their quotes, so that a longer address with the same
  // ending does not match.
  const names = [...ids, ...addresses.map((address) => JSON.stringify(address))]
  const isMany = addresses.length === 0 && ids.length > fewContacts
  for (let day = eventsKeptDays + 1; day >= newestDay(silentSince, now); day--) {
    const span = { from: later(now, -days(day)), to: later(now, -days(day - 1)) }
    const forgotten = isMany ? { ids, ...span } : { names, ...span }
    await db.tx((tx) => blankEventsAbout(tx, businessId, forgotten, now))
  }
}

/** Up to so many, looking for each name in each body is the cheaper way. */
const fewContacts = 20

/** How many days ago the newest event about them may have been. */
function newestDay(silentSince: string | undefined, now: Date): number {
  if (silentSince === undefined) return 0
  const silentDays = Math.floor((now.getTime() - Date.parse(silentSince)) / days(1))
  return Math.max(0, silentDays - lateDays)
}

/** Erases the person again where a call that ran beside the erasure saved them anew. */
function eraseAgain(db: Database, erased: ErasedPerson, now: Date): Promise<ErasedPerson> {
  const { businessId, addresses } = erased
  return db.tx(async (tx) => {
    const late = (await findByAddress(tx, businessId, addresses)).map(({ id }) => id)
    const contactIds = [...erased.contactIds, ...late]
    const amount = await endContacts(tx, businessId, late)
    if (amount > 0) await release(tx, [{ businessId, metric: 'contacts', amount }], now)
    await deleteHistory(tx, businessId, contactIds)
    return { ...erased, contactIds }
  })
}

/** A contact that no longer exists. */
interface FormerContact {
  /** The contact that it was merged into; null for an erased contact. */
  became: Id<'contact'> | null
}

export function findFormer(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'contact'>,
): Promise<FormerContact | undefined> {
  return db.maybe<FormerContact>(sql`
    select became from former_contacts where business_id = ${businessId} and id = ${id}
  `)
}

/** Contacts that are gone for good, and with each those that were merged into it. */
export function insertGone(
  tx: Tx,
  businessId: Id<'business'>,
  contactIds: readonly Id<'contact'>[],
  now: Date,
): Promise<number> {
  return tx.run(sql`
    with inherited as (
      update former_contacts set became = null
      where business_id = ${businessId} and became = any(${contactIds}::uuid[])
    )
    insert into former_contacts (business_id, id, became, ended_at)
    select ${businessId}, id, null, ${now}::timestamptz from unnest(${contactIds}::uuid[]) as id
  `)
}

/** The ids of contacts that were merged into these. */
export async function idsMergedInto(
  db: Db,
  businessId: Id<'business'>,
  contactIds: readonly Id<'contact'>[],
): Promise<Id<'contact'>[]> {
  const rows = await db.all<{ id: Id<'contact'> }>(sql`
    select id from former_contacts
    where business_id = ${businessId} and became = any(${contactIds}::uuid[])
  `)
  return rows.map((row) => row.id)
}

interface EndedContact extends Pick<ContactValues, 'attributes' | 'tags'> {
  id: Id<'contact'>
}

/** Only `endContacts` may call this, because it also updates the field catalogue. */
function deleteContacts(
  tx: Tx,
  businessId: Id<'business'>,
  contactIds: readonly Id<'contact'>[],
): Promise<EndedContact[]> {
  return tx.all(sql`
    delete from contacts where business_id = ${businessId} and id = any(${contactIds}::uuid[])
    returning id, attributes, tags
  `)
}

/**
 * Contacts that got an erased person's address at the moment when it became free. If the hash of
 * the address is lifted, the person has returned themself, and the contact stays.
 */
function findByAddress(
  tx: Tx,
  businessId: Id<'business'>,
  addresses: readonly string[],
): Promise<{ id: Id<'contact'> }[]> {
  return tx.all(sql`
    select id from contacts c
    where business_id = ${businessId}
      and (email = any(${addresses}::text[]) or phone = any(${addresses}::text[]))
      and (coalesce(c.email_mark, c.phone_mark) is null or exists (
        select from suppressions s
        where s.business_id = ${businessId} and s.reason = 'erased'
          and ((s.channel = 'email' and s.address_hmac = c.email_mark)
            or (s.channel = 'sms' and s.address_hmac = c.phone_mark))
      ))
    for update
  `)
}

export function deleteHistory(tx: Tx, businessId: Id<'business'>, ids: readonly Id<'contact'>[]) {
  return tx.run(sql`
    with ledger as (
      delete from consent_events
      where business_id = ${businessId} and contact_id = any(${ids}::uuid[])
    ), asked as (
      delete from confirmations
      where business_id = ${businessId} and contact_id = any(${ids}::uuid[])
    ), own as (
      delete from own_events
      where business_id = ${businessId} and contact_id = any(${ids}::uuid[])
    ), past as (
      delete from contact_past
      where business_id = ${businessId} and contact_id = any(${ids}::uuid[])
    )
    delete from contact_activity
    where business_id = ${businessId} and contact_id = any(${ids}::uuid[])
  `)
}
