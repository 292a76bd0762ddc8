/** The mail of an invitation. Whoever is asked signs in with the address it reached. */

import { formatId, type Id } from '../../core/ids.ts'
import type { Role } from '../../core/operation.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Mail, Mailer } from '../../lib/email/mailer.ts'
import { html } from '../../lib/text/html.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { findInvitation, type Invited } from './invitation-queries.ts'

export interface InvitationMailDeps {
  db: Db
  clock: Clock
  mailer: Mailer
  urls: { appUrl: string }
  mailFrom: string
}

export const roleWords: Record<Role, string> = {
  viewer: 'see everything and change nothing',
  editor: 'work on forms, contacts, templates and drafts',
  admin: 'also send campaigns, and set up domains and webhooks',
  owner: 'do everything, members and settings included',
}

/** Sends it, unless it was answered, withdrawn or sent anew meanwhile. */
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

function render(invited: Invited, url: string): Pick<Mail, 'subject' | 'text' | 'html'> {
  const { role, invitedBy, expiresAt } = invited
  const business = withoutLinks(invited.businessName)
  const subject = 'An invitation to a business on Crier'
  const what = `${invitedBy} invites you to the business “${business}” on Crier, with the role ${role}: to ${roleWords[role]}.`
  const button = 'See the invitation'
  const terms = `You become a member only by accepting, signed in with this address. The invitation ends on ${day.format(expiresAt)}.`
  const otherwise = 'If you do not expect it, do nothing: then nothing happens.'
  return {
    subject,
    text: [what, `${button}:\n${url}`, terms, otherwise].join('\n\n').concat('\n'),
    html: html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${subject}</title></head>
<body style="margin:0;padding:32px 16px;background:#f6f6f7;color:#1c1c21;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:480px;margin:0 auto;padding:32px;background:#fff;border:1px solid #e3e3e8;border-radius:8px">
<p style="margin:0 0 24px">${what}</p>
<p style="margin:0 0 24px"><a href="${url}" style="display:inline-block;padding:12px 20px;background:#4b45c6;color:#fff;border-radius:6px;text-decoration:none;font-weight:600">${button}</a></p>
<p style="margin:0 0 16px">${terms}</p>
<p style="margin:0;color:#5b5b66">${otherwise}</p>
</div>
</body>
</html>
`.toString(),
  }
}

/**
 * The name is a stranger's text in a mail to somebody who has not asked for it: a mail program
 * would make a link of an address in it, so its marks are followed by a word joiner.
 */
function withoutLinks(name: string): string {
  return name.replaceAll(/[./:@]/g, '$&\u2060')
}
