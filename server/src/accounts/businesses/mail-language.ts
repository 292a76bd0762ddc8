/** The language of the service's own mails to the people of a business. */
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'

export type MailLanguage = 'en' | 'de'

/** The business's own where the mails have it, else English. */
export async function mailLanguageOf(db: Db, businessId: Id<'business'>): Promise<MailLanguage> {
  const business = await db.maybe<{ language: string }>(
    sql`select language from businesses where id = ${businessId}`,
  )
  return business?.language.split('-', 1)[0]?.toLowerCase() === 'de' ? 'de' : 'en'
}
