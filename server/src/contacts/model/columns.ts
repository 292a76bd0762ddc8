/** The columns of a contact, for all statements that read, add or change whole contacts. */
import { randomUUID } from 'node:crypto'
import type { Id } from '../../core/ids.ts'
import { byteStrings, ids, longTexts, texts } from '../../lib/db/columns.ts'
import { sql } from '../../lib/db/db.ts'
import { sqlWithin } from '../../lib/db/sql-within.ts'
import type { Sql } from '../../lib/db/types.ts'
import type { ContactSource, ContactValues } from '../contact.ts'

/** The columns that a change may write. */
export const changeableColumns = sql`
  email, phone, name, language, attributes, tags, email_consent, sms_consent,
  tracking_consent, topics
`

/** The same columns of the rows of `newRows`, which are named `new`. */
export const changeableColumnsOfNew = sql`
  new.email, new.phone, new.name, new.language, new.attributes, new.tags, new.email_consent,
  new.sms_consent, new.tracking_consent, new.topics
`

/** All columns of a `Contact`. */
export const contactColumns = sqlWithin`
  id, ${changeableColumns}, json_build_object('email', email_consent, 'sms', sms_consent,
    'tracking', tracking_consent) as consent,
  source, created_at as "createdAt", updated_at as "updatedAt"
`

export interface ContactRow extends ContactValues {
  businessId: Id<'business'>
  id: Id<'contact'>
  /**
   * Hashes of its new addresses, by which suppressions know them; null where an address is
   * unchanged.
   */
  emailMark: Buffer | null
  phoneMark: Buffer | null
  /** The source of a new contact. */
  source?: ContactSource | undefined
}

/**
 * Rows to add or to change. The tags of each are passed as one text, because arrays of arrays do not
 * survive `unnest`. (A cast to an array would be a STABLE function, which a distributed database
 * does not take in an update.)
 */
export function newRows(rows: readonly ContactRow[]): Sql {
  const separator = separatorOf(rows)
  return sql`
    select business_id, id, email, phone, name, language, attributes::jsonb,
      string_to_array(tags, ${separator}) as tags,
      email_consent, sms_consent, tracking_consent, topics::jsonb, source, email_mark, phone_mark
    from unnest(
      ${ids(rows.map((row) => row.businessId))}::uuid[],
      ${ids(rows.map((row) => row.id))}::uuid[],
      ${texts(rows.map((row) => row.email))}::text[],
      ${texts(rows.map((row) => row.phone))}::text[],
      ${texts(rows.map((row) => row.name))}::text[],
      ${texts(rows.map((row) => row.language))}::text[],
      ${longTexts(rows.map((row) => JSON.stringify(row.attributes)))}::text[],
      ${texts(rows.map((row) => row.tags.join(separator)))}::text[],
      ${texts(rows.map((row) => row.consent.email))}::text[],
      ${texts(rows.map((row) => row.consent.sms))}::text[],
      ${texts(rows.map((row) => row.consent.tracking))}::text[],
      ${texts(rows.map((row) => JSON.stringify(row.topics)))}::text[],
      ${texts(rows.map((row) => row.source ?? null))}::text[],
      ${byteStrings(rows.map((row) => row.emailMark))}::bytea[],
      ${byteStrings(rows.map((row) => row.phoneMark))}::bytea[]
    ) as given (business_id, id, email, phone, name, language, attributes, tags, email_consent,
      sms_consent, tracking_consent, topics, source, email_mark, phone_mark)
  `
}

/** What none of the tags contains: a line break or, where one has that, what nobody can guess. */
const separatorOf = (rows: readonly ContactRow[]): string =>
  rows.some(({ tags }) => tags.some((tag) => tag.includes('\n'))) ? `\n${randomUUID()}\n` : '\n'
