/** The one mail about an import, to the person who requested it: how it ended, or why it failed. */

import { mailLanguageOf } from '../../accounts/businesses/mail-language.ts'
import { membersOf } from '../../accounts/members/members.ts'
import { formatId, type Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Mailer } from '../../lib/email/mailer.ts'
import { serviceMail } from '../../lib/email/service-mail.ts'
import { findImport } from '../model/rows.ts'

export interface ImportMailDeps {
  db: Db
  mailer: Mailer
  urls: { appUrl: string }
  mailFrom: string
}

export async function sendImportMail(
  { db, mailer, urls, mailFrom }: ImportMailDeps,
  businessId: Id<'business'>,
  id: Id<'import'>,
): Promise<void> {
  const [importRow, members, language, { importWords }] = await Promise.all([
    findImport(db, businessId, id),
    membersOf(db, businessId),
    mailLanguageOf(db, businessId),
    import('./mail-words.ts'),
  ])
  // A person who has left the business gets no mail about its contacts.
  const to = members.find((member) => member.id === importRow?.userId)
  if (!importRow || !to) return
  const url = importUrl(urls.appUrl, businessId, id)
  const name = formatId('import', id)
  const mail = serviceMail({ ...importWords(language, importRow), url, language })
  await mailer.send({ name, from: mailFrom, to: to.email, ...mail })
}

export function importUrl(appUrl: string, businessId: Id<'business'>, id: Id<'import'>): string {
  return `${appUrl}/b/${formatId('business', businessId)}/contacts/import?id=${formatId('import', id)}`
}
