/**
 * Resolves the recipient of a message, by contact or by an address or number alone, and checks
 * whether it may be sent to.
 */
import { type Refusal, refuse } from '../core/errors.ts'
import { formatId, type Id } from '../core/ids.ts'
import { behaviourOf } from '../core/inbox/simulated-address.ts'
import type { Hmac } from '../core/operation.ts'
import { createBatcher, ofBusinesses } from '../lib/concurrency/batch.ts'
import { replanned, sql, sqlWithin } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { covers } from './consent/covers.ts'
import { type Channel, type ConsentStatus, type Contact, noSuchContact } from './contact.ts'
import {
  type AddressHash,
  isMarketingOnly,
  markOf,
  type NewAddress,
} from './suppressions/suppression.ts'

/** The recipient of a message as a call names it. */
interface RecipientRequest {
  businessId: Id<'business'>
  channel: Channel
  contactId: Id<'contact'> | undefined
  /** A normalised address or number, if no contact is named. */
  address: string | undefined
  /** True for marketing; messages that the person requested need no consent. */
  needsConsent: boolean
  /** The topic of marketing; absent or null for none. */
  topic?: string | null
}

export interface Recipient {
  contactId: Id<'contact'> | null
  address: string
  /** The hash by which suppressions know the address. */
  mark: Buffer
}

/** Resolves each query, in order, to a recipient or to the reason why nothing may be sent. */
export async function resolveRecipients(
  db: Db,
  hmac: Hmac,
  requests: readonly RecipientRequest[],
): Promise<(Recipient | Refusal)[]> {
  const found = await findRecipients(
    db,
    requests.map(({ contactId = null, address = null, topic = null, ...request }) => ({
      ...request,
      contactId,
      address,
      topic,
    })),
  )
  const byPlace = new Map(found.map((row) => [row.place, row]))
  const entries = requests.map((request, i) => {
    const row = byPlace.get(i + 1)
    const address = request.address ?? row?.address ?? undefined
    const mark = address === undefined ? undefined : markOf(hmac, request.businessId, address)
    return { request, row, address, mark }
  })
  const marks = entries.flatMap(({ request, mark, address }) =>
    mark && address !== undefined
      ? [{ businessId: request.businessId, channel: request.channel, mark, address }]
      : [],
  )
  const rows = await findSuppressedHashes(db, marks)
  const reasons = new Map(rows.map(({ mark, reason }) => [mark.toString('base64'), reason]))
  return entries.map(({ request, row, address, mark }) => {
    if (request.contactId && !row) return noSuchContact(formatId('contact', request.contactId))
    if (address === undefined || !mark) return refuseWithoutAddress(request.channel)
    const reason =
      behaviourOf(address) === 'suppressed' ? 'manual' : reasons.get(mark.toString('base64'))
    if (reason !== undefined && (request.needsConsent || !isMarketingOnly(reason))) {
      return refuseSuppressed(request, reason)
    }
    if (request.needsConsent && !(row?.consent === 'subscribed' && row.isCovered)) {
      return refuseWithoutConsent(request, row?.contactId)
    }
    return { contactId: row?.contactId ?? null, address, mark }
  })
}

/** Whether the business has this contact. */
export async function contactExists(
  db: Db,
  businessId: Id<'business'>,
  contactId: Id<'contact'>,
): Promise<boolean> {
  return (
    (
      await findRecipients(db, [
        { businessId, channel: 'email', contactId, address: null, topic: null },
      ])
    ).length > 0
  )
}

const fieldOf = ({ contactId }: RecipientRequest) => (contactId ? 'contact_id' : 'to')

const nounOf: Readonly<Record<Channel, string>> = { email: 'email address', sms: 'phone number' }

function refuseWithoutAddress(channel: Channel): Refusal {
  const text = `This contact has no ${nounOf[channel]}. Add one with contact.upsert.`
  return refuse('conflict', text, { field: 'contact_id', data: { reason: 'no_address' } })
}

function refuseSuppressed(request: RecipientRequest, reason: string): Refusal {
  const text = `Nothing is sent to this ${nounOf[request.channel]}: it is suppressed (${reason}).`
  return refuse('conflict', text, { field: fieldOf(request), data: { suppressed: true, reason } })
}

function refuseWithoutConsent(
  request: RecipientRequest,
  contactId: Id<'contact'> | undefined,
): Refusal {
  const fault = !request.topic
    ? 'this one has not, or chose topics (name the topic of the message)'
    : `this one has not, or not to the topic ${request.topic}`
  const text = `Marketing goes only to contacts who agreed to it, and ${fault}. Record consent that the person gave with contact.upsert; what the person asked for goes as transactional.`
  const field = fieldOf(request)
  if (!contactId) return refuse('conflict', text, { field, data: { reason: 'no_consent' } })
  const lookUp = { tool: 'contact.get', arguments: { contact_id: formatId('contact', contactId) } }
  return refuse('conflict', text, { field, fix: lookUp, data: { reason: 'no_consent' } })
}

interface RecipientQuery {
  businessId: Id<'business'>
  channel: Channel
  /** Either this or the address is set. */
  contactId: Id<'contact'> | null
  address: string | null
  /** The topic of the message; null for none. */
  topic: string | null
}

interface FoundRecipient {
  /** The index of the query that this row answers, from 1. */
  place: number
  contactId: Id<'contact'>
  /** The contact's address on the requested channel. */
  address: string | null
  consent: ConsentStatus
  /** Whether the contact's choices cover a message about the topic, or about none. */
  isCovered: boolean
}

/**
 * Looks up each one separately, with a plan made for this call, as in `contacts/rows.ts`.
 */
function findRecipients(db: Db, queries: RecipientQuery[]): Promise<FoundRecipient[]> {
  return db.all(
    replanned(sqlWithin`
      select asked.place::int as place, c.id as "contactId",
        case asked.channel when 'sms' then c.phone else c.email end as address,
        case asked.channel when 'sms' then c.sms_consent else c.email_consent end as consent,
        ${covers({ channel: sql`asked.channel`, topic: sql`asked.topic` })} as "isCovered"
      from unnest(
        ${queries.map((query) => query.businessId)}::uuid[],
        ${queries.map((query) => query.contactId)}::uuid[],
        ${queries.map((query) => (query.channel === 'email' ? query.address : null))}::text[],
        ${queries.map((query) => (query.channel === 'sms' ? query.address : null))}::text[],
        ${queries.map((query) => query.channel)}::text[],
        ${queries.map((query) => query.topic)}::text[]
      ) with ordinality as asked (business_id, contact_id, email, phone, channel, topic, place)
      cross join lateral (
        select id, email, phone, email_consent, sms_consent, topics from contacts
        where business_id = asked.business_id and id = asked.contact_id
        union all
        select id, email, phone, email_consent, sms_consent, topics from contacts
        where business_id = asked.business_id and email = asked.email collate "C"
        union all
        select id, email, phone, email_consent, sms_consent, topics from contacts
        where business_id = asked.business_id and phone = asked.phone collate "C"
        limit 1
      ) c
    `),
  )
}

/** Which of the addresses are suppressed in their business, and why. */
function findSuppressedHashes(
  db: Db,
  marks: NewAddress[],
): Promise<(AddressHash & { reason: string })[]> {
  return db.all(sql`
    with asked (business_id, channel, mark, address) as (
      select * from unnest(
        ${marks.map((mark) => mark.businessId)}::uuid[],
        ${marks.map((mark) => mark.channel)}::text[],
        ${marks.map((mark) => mark.mark)}::bytea[],
        ${marks.map((mark) => mark.address)}::text[]
      )
    )
    select asked.business_id as "businessId", asked.channel, asked.mark, s.reason
    from asked
    join suppressions s on s.business_id = asked.business_id and s.channel = asked.channel
      and s.address_hmac = asked.mark
    union all
    select asked.business_id, asked.channel, asked.mark, h.reason
    from asked
    join suppressed_hashes h on h.business_id = asked.business_id
      and h.sha256 = sha256(convert_to(asked.address, 'UTF8'))
    where h.address_hmac is null
  `)
}

interface ContactKey {
  businessId: Id<'business'>
  contactId: Id<'contact'>
}

/** The data about its recipient that a message may contain. */
type Person = Pick<
  Contact,
  'email' | 'phone' | 'name' | 'first_name' | 'last_name' | 'language' | 'attributes' | 'tags'
>

function findPeople(db: Db, keys: ContactKey[]): Promise<(Person & { place: number })[]> {
  return db.all(sql`
    select asked.place::int as place, c.email, c.phone, c.name, c.first_name, c.last_name,
      c.language, c.attributes, c.tags
    from unnest(
      ${keys.map((key) => key.businessId)}::uuid[], ${keys.map((key) => key.contactId)}::uuid[]
    ) with ordinality as asked (business_id, contact_id, place)
    join contacts c on c.business_id = asked.business_id and c.id = asked.contact_id
  `)
}

/** The data about contacts that a message to them may contain, in the order of the keys. */
export async function readPeople(db: Db, keys: ContactKey[]): Promise<(Person | undefined)[]> {
  const people = new Map((await findPeople(db, keys)).map((row) => [row.place, row]))
  return keys.map((_, i) => people.get(i + 1))
}

/** The same about one contact. */
export async function readPerson(db: Db, key: ContactKey): Promise<Person | undefined> {
  const [row] = await findPeople(db, [key])
  if (!row) return undefined
  const { place: _place, ...person } = row
  return person
}

export type ReadContact = (key: ContactKey) => Promise<Person | undefined>

/** Reads contacts for templates; simultaneous reads share a statement. */
export function createContactReader(db: Db): ReadContact {
  return createBatcher<ContactKey, Person | undefined>({
    maxItems: 200,
    inFlight: 2,
    eachAlone: false,
    businessOf: ofBusinesses(db, ({ businessId }) => businessId),
    async flush(keys) {
      const places = await findPeople(db, keys)
      const people = new Map(places.map(({ place: position, ...person }) => [position, person]))
      return keys.map((_, i) => people.get(i + 1))
    },
  })
}

interface RecipientLabel {
  address: string | null
  name: string | null
}

/** Contacts that were deleted since are missing. */
export async function recipientLabels(
  db: Db,
  businessId: Id<'business'>,
  { channel, contactIds }: { channel: Channel; contactIds: readonly Id<'contact'>[] },
): Promise<Map<Id<'contact'>, RecipientLabel>> {
  if (contactIds.length === 0) return new Map()
  const rows = await db.all<RecipientLabel & { id: Id<'contact'> }>(sql`
    select id, case ${channel}::text when 'sms' then phone else email end as address, name
    from contacts where business_id = ${businessId} and id = any(${contactIds}::uuid[])
  `)
  return new Map(rows.map(({ id, ...label }) => [id, label]))
}
