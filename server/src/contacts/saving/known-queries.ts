/** Statements that find what is known of addresses, to preview an import. */

import type { Id } from '../../core/ids.ts'
import { byteStrings, texts } from '../../lib/db/columns.ts'
import { replanned, sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { ConsentStatus } from '../contact.ts'

export interface KnownAddress {
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

export function findPhones(
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

export function findSuppressed(
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
