/** The one mail about an import, to the person who requested it: how it ended, or why it failed. */

import { membersOf } from '../../accounts/members/members.ts'
import { formatId, type Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Mailer } from '../../lib/email/mailer.ts'
import { serviceMail, withoutLinks } from '../../lib/email/service-mail.ts'
import type { Import } from '../model/import.ts'
import { findImport } from '../model/queries.ts'

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
  const [one, members] = await Promise.all([
    findImport(db, businessId, id),
    membersOf(db, businessId),
  ])
  // A person who has left the business gets no mail about its contacts.
  const to = members.find((member) => member.id === one?.userId)
  if (!one || !to) return
  const url = importUrl(urls.appUrl, businessId, id)
  const name = formatId('import', id)
  await mailer.send({ name, from: mailFrom, to: to.email, ...wordsOf(one, url) })
}

export function importUrl(appUrl: string, businessId: Id<'business'>, id: Id<'import'>): string {
  return `${appUrl}/b/${formatId('business', businessId)}/contacts/import?id=${formatId('import', id)}`
}

const number = new Intl.NumberFormat('en')

function wordsOf({ state, kind, fileName, counts, fault }: Import, url: string) {
  const file = `The import of “${withoutLinks(fileName)}”`
  const { created, updated, unchanged, refused, stayed_unsubscribed: stayed } = counts
  const n = (count: number) => number.format(count)
  const rowsRefused = refused === 1 ? '1 row was refused' : `${n(refused)} rows were refused`
  const listed = `${n(created)} people were put on the list of suppressions, ${n(updated)} are suppressed more strictly than before and ${n(unchanged)} were on it; ${rowsRefused}.`
  const saved = `${n(created)} contacts were added, ${n(updated)} changed and ${n(unchanged)} left as they were; ${rowsRefused}.`
  const rows = kind === 'suppressions' ? listed : saved
  const left = stayed > 0 ? ` ${n(stayed)} people who had unsubscribed stay unsubscribed.` : ''
  const ended = {
    done: `${file} is done.`,
    failed: `${file} stopped before its end. ${fault?.message ?? ''}`.trim(),
    cancelled: `${file} was cancelled.`,
  }
  const isEnd = state === 'failed' || state === 'cancelled'
  return serviceMail({
    subject: state === 'failed' ? 'An import failed' : 'An import is done',
    what: `${isEnd ? ended[state] : ended.done} ${rows}${left}`,
    button: 'See the result',
    url,
    terms:
      'For seven days it can be undone there, and the refused rows downloaded with the reason for each.',
    otherwise: 'This is the only mail about this import.',
  })
}
