/** The mail of an invitation. The invited person signs in with the address that received it. */

import { formatId, type Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Mailer } from '../../lib/email/mailer.ts'
import { serviceMail } from '../../lib/email/service-mail.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { mailLanguageOf } from '../businesses/mail-language.ts'
import { findInvitation } from './invitation-queries.ts'

export interface InvitationMailDeps {
  db: Db
  clock: Clock
  mailer: Mailer
  urls: { appUrl: string }
  mailFrom: string
}

/** Sends the mail, unless the invitation was answered, withdrawn or replaced meanwhile. */
export async function sendInvitationMail(
  deps: InvitationMailDeps,
  businessId: Id<'business'>,
  id: Id<'invitation'>,
): Promise<void> {
  const found = await findInvitation(deps.db, businessId, { id, now: deps.clock.now() })
  if (!found) return
  const url = `${deps.urls.appUrl}/account/invitations`
  const name = formatId('invitation', id)
  const language = await mailLanguageOf(deps.db, businessId)
  const { invitationWords } = await import('./invitation-words.ts')
  const mail = serviceMail({ ...invitationWords(language, found), url, language })
  await deps.mailer.send({ name, from: deps.mailFrom, to: found.email, ...mail })
}
