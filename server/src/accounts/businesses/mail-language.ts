/** The language of the service's own mails to the people of a business. */
import { type AppLanguage, appLanguages } from '../../core/app-languages.ts'
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'

export type MailLanguage = AppLanguage

/** The first of these tags, such as `de-AT`, that the mails and pages for members speak; else English. */
export function mailLanguageAmong(tags: readonly (string | undefined)[]): MailLanguage {
  for (const tag of tags) {
    const primary = tag?.slice(0, 3).split('-', 1)[0]?.toLowerCase()
    const language = appLanguages.find((known) => known === primary)
    if (language) return language
  }
  return 'en'
}

/** The business's own where the mails have it, else English. */
export async function mailLanguageOf(db: Db, businessId: Id<'business'>): Promise<MailLanguage> {
  const business = await db.maybe<{ language: string }>(
    sql`select language from businesses where id = ${businessId}`,
  )
  return mailLanguageAmong([business?.language])
}
