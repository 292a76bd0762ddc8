/** Exports an audience contact by contact, each with its consents and their evidence. */
import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import { plannedAnew, replanned, sql, sqlWithin } from '../../lib/db/db.ts'
import type { Db, Sql } from '../../lib/db/types.ts'
import { movedSource } from '../consent/consent.ts'
import type { Channel, ConsentStatus, ConsentSubject, Contact } from '../contact.ts'
import { contactColumns } from '../rows.ts'
import { type Standing, standingOf, standingsOf } from '../suppressions/standing.ts'

export interface ExportedContact extends Contact {
  /** The last ledger entry of each consent; absent if there is none. */
  evidence: Partial<Record<ConsentSubject, LastConsent>>
  standing: Record<Channel, Standing>
}

const perPage = 1_000

export async function* exportContacts(
  { db, hmac }: { db: Db; hmac: Hmac },
  businessId: Id<'business'>,
  where: Sql,
): AsyncGenerator<ExportedContact[]> {
  for (let after: Id<'contact'> | null = null; ; ) {
    const contacts: Contact[] = await contactsAfter(db, businessId, {
      where,
      after,
      limit: perPage,
    })
    if (contacts.length === 0) return
    const ids = contacts.map(({ id }) => id)
    const consentsByContact = Map.groupBy(
      await lastConsents(db, businessId, ids),
      (lastConsent) => lastConsent.contactId,
    )
    const standings = await standingsOf(db, hmac, businessId, contacts)
    yield contacts.map((contact) => {
      const evidence = (consentsByContact.get(contact.id) ?? []).map((row) => [row.channel, row])
      const standing = standings.get(contact.id) ?? standingOf(contact, [])
      return { ...contact, evidence: Object.fromEntries(evidence), standing }
    })
    after = ids.at(-1) ?? null
  }
}

export function kindsOfAttributes(
  db: Db,
  businessId: Id<'business'>,
  { where, limit }: { where: Sql; limit: number },
): Promise<AttributeKind[]> {
  return attributeKinds(db, businessId, { where, limit })
}

/** The people's current data; erased contacts are left out. */
export async function peopleByIds(
  db: Db,
  businessId: Id<'business'>,
  contactIds: readonly Id<'contact'>[],
): Promise<ReadonlyMap<Id<'contact'>, KnownContact>> {
  const contacts = await contactsByIds(db, businessId, contactIds)
  return new Map(contacts.map((contact) => [contact.id, contact]))
}

const lowest = '00000000-0000-0000-0000-000000000000'

interface Part {
  /** A condition on rows `c`, compiled from a caller's filter. */
  where: Sql
  after: Id<'contact'> | null
  limit: number
}

function contactsAfter(
  db: Db,
  businessId: Id<'business'>,
  { where, after, limit }: Part,
): Promise<Contact[]> {
  return db.all(
    plannedAnew(sqlWithin`
      select ${contactColumns} from contacts c
      where c.business_id = ${businessId} and c.id > ${after ?? lowest} and ${where}
      order by c.id limit ${limit}
    `),
  )
}

export interface AttributeKind {
  key: string
  /** `string`, `number` or `boolean`. */
  type: string
}

/** Each attribute key with each type that its values have, at most `limit` of them. */
function attributeKinds(
  db: Db,
  businessId: Id<'business'>,
  { where, limit }: { where: Sql; limit: number },
): Promise<AttributeKind[]> {
  return db.all(
    plannedAnew(sqlWithin`
      select key, jsonb_typeof(value) as type
      from contacts c, jsonb_each(c.attributes)
      where c.business_id = ${businessId} and ${where}
      group by key, jsonb_typeof(value)
      order by key collate "C", jsonb_typeof(value) limit ${limit}
    `),
  )
}

export interface LastConsent {
  contactId: Id<'contact'>
  channel: ConsentSubject
  action: ConsentStatus
  source: string
  text: string | null
  ip: string | null
  agent: string | null
  createdAt: Date
}

/** The last ledger entry of each contact for each whole channel. */
function lastConsents(
  db: Db,
  businessId: Id<'business'>,
  contactIds: readonly Id<'contact'>[],
): Promise<LastConsent[]> {
  return db.all(
    replanned(sql`
      select distinct on (contact_id, channel) contact_id as "contactId", channel, action, source,
        text, host(ip) as ip, agent, created_at as "createdAt"
      from consent_events
      where business_id = ${businessId} and contact_id = any(${contactIds}::uuid[])
        and topic is null and source <> ${movedSource}
      order by contact_id, channel, id desc
    `),
  )
}

interface KnownContact {
  id: Id<'contact'>
  email: string | null
  phone: string | null
  name: string | null
}

function contactsByIds(
  db: Db,
  businessId: Id<'business'>,
  contactIds: readonly Id<'contact'>[],
): Promise<KnownContact[]> {
  return db.all(
    replanned(sql`
      select id, email, phone, name from contacts
      where business_id = ${businessId} and id = any(${contactIds}::uuid[])
    `),
  )
}
