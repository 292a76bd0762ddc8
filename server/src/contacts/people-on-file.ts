/** Finds what is known of people who would be saved, to preview an import. */
import type { Id } from '../core/ids.ts'
import type { Hmac } from '../core/operation.ts'
import { byteStrings, replanned, sql, texts } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import type { ConsentStatus, Person } from './contact.ts'
import { markOf } from './suppressions/suppression.ts'

export interface KnownPerson {
  isContact: boolean
  /** Whether the person left a channel on which an import would not bring them back. */
  hasLeft: boolean
  isSuppressed: boolean
  isErased: boolean
}

/** Results are in the order of the people. Nothing is saved or locked. */
export async function knownAmong(
  db: Db,
  { businessId, hmac }: { businessId: Id<'business'>; hmac: Hmac },
  people: readonly Pick<Person, 'email' | 'phone'>[],
): Promise<KnownPerson[]> {
  const emails = people.flatMap(({ email }) => email ?? [])
  const phones = people.flatMap(({ phone }) => phone ?? [])
  const marks = new Map(
    [...emails, ...phones].map((text) => [text, markOf(hmac, businessId, text)] as const),
  )
  const [byEmail, byPhone, suppressed] = await Promise.all([
    emails.length > 0 ? findEmails(db, businessId, emails) : [],
    phones.length > 0 ? findPhones(db, businessId, phones) : [],
    findSuppressed(db, businessId, [...marks.values()]),
  ])
  const contacts = new Map([...byEmail, ...byPhone].map((address) => [address.address, address]))
  const listed = new Map(suppressed.map((entry) => [entry.mark.toString('base64'), entry]))
  return people.map(({ email, phone }) => {
    const addresses = [email, phone].filter((text) => text !== undefined)
    const matches = addresses.flatMap((address) => contacts.get(address) ?? [])
    const stopped = addresses.flatMap((address) => {
      return listed.get(marks.get(address)?.toString('base64') ?? '') ?? []
    })
    return {
      isContact: matches.length > 0,
      hasLeft: matches.some(
        (address) => address.email === 'unsubscribed' || address.sms === 'unsubscribed',
      ),
      isSuppressed: stopped.some((entry) => !entry.isErased),
      isErased: stopped.some((entry) => entry.isErased),
    }
  })
}

interface KnownAddress {
  address: string
  email: ConsentStatus
  sms: ConsentStatus
}

/** Finds contacts by email address, each with its consents. */
export function findEmails(
  db: Db,
  businessId: Id<'business'>,
  emails: readonly string[],
): Promise<KnownAddress[]> {
  return db.all(
    replanned(sql`
      select email as address, email_consent as email, sms_consent as sms from contacts
      where business_id = ${businessId} and email = any(${texts(emails)}::text[] collate "C")
    `),
  )
}

function findPhones(
  db: Db,
  businessId: Id<'business'>,
  phones: readonly string[],
): Promise<KnownAddress[]> {
  return db.all(
    replanned(sql`
      select phone as address, email_consent as email, sms_consent as sms from contacts
      where business_id = ${businessId} and phone = any(${texts(phones)}::text[] collate "C")
    `),
  )
}

function findSuppressed(
  db: Db,
  businessId: Id<'business'>,
  marks: readonly Buffer[],
): Promise<{ mark: Buffer; isErased: boolean }[]> {
  return db.all(
    replanned(sql`
      select address_hmac as mark, bool_or(reason = 'erased') as "isErased" from suppressions
      where business_id = ${businessId} and channel = any('{email,sms}'::text[])
        and address_hmac = any(${byteStrings(marks)}::bytea[])
      group by address_hmac
    `),
  )
}
