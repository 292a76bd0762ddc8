/** The mail of an invitation. The invited person signs in with the address that received it. */

import { formatId, type Id } from '../../core/ids.ts'
import type { Role } from '../../core/operation.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Mail, Mailer } from '../../lib/email/mailer.ts'
import { serviceMail, withoutLinks } from '../../lib/email/service-mail.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { findInvitation, type PendingInvitationOfPerson } from './invitation-queries.ts'

export interface InvitationMailDeps {
  db: Db
  clock: Clock
  mailer: Mailer
  urls: { appUrl: string }
  mailFrom: string
}

export const roleWords: Record<Role, string> = {
  viewer: 'see everything and change nothing',
  approver: 'see everything, and approve campaigns or refuse them',
  editor: 'work on forms, contacts, templates and drafts',
  admin: 'also send campaigns, and set up domains and webhooks',
  owner: 'do everything, members and settings included',
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
  await deps.mailer.send({ name, from: deps.mailFrom, to: found.email, ...render(found, url) })
}

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

function render(
  invited: PendingInvitationOfPerson,
  url: string,
): Pick<Mail, 'subject' | 'text' | 'html'> {
  const { role, invitedBy, expiresAt } = invited
  const business = withoutLinks(invited.businessName)
  const subject = 'An invitation to a business on Crier'
  const what = `${invitedBy} invites you to the business “${business}” on Crier, with the role ${role}: to ${roleWords[role]}.`
  const button = 'See the invitation'
  const terms = `You become a member only by accepting, signed in with this address. The invitation ends on ${day.format(expiresAt)}.`
  const otherwise = 'If you do not expect it, do nothing: then nothing happens.'
  return serviceMail({ subject, what, button, url, terms, otherwise })
}
