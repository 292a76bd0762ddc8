/**
 * The mail of a magic link. A client's name is a stranger's text, so the mail does not contain it;
 * it names only the host that the link leads to, which passed the allow-list.
 */

import { formatId, type Id } from '../../core/ids.ts'
import type { Vault } from '../../lib/crypto/vault.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Mail, Mailer } from '../../lib/email/mailer.ts'
import { serviceMail } from '../../lib/email/service-mail.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { invitedTo } from '../members/invitations.ts'
import { findUserByEmail } from '../members/user.ts'
import { linkUrl, type MagicLink, tokenOf } from './magic-link.ts'
import { findLinkById } from './magic-link-queries.ts'
import type { SignUpRule } from './sign-up.ts'

export interface SignInMailDeps {
  db: Db
  vault: Vault
  mailer: Mailer
  clock: Clock
  rule: Pick<SignUpRule, 'signup'>
  urls: { baseUrl: string; appUrl: string }
  mailFrom: string
}

/**
 * Sends the mail, unless the link is used or expired, or nobody may sign in with the address.
 * Running it twice sends the same link twice, which does no harm.
 */
export async function sendSignInMail(deps: SignInMailDeps, linkId: Id<'link'>): Promise<void> {
  const link = await findLinkById(deps.db, linkId)
  if (!link?.email || link.usedAt || link.expiresAt <= deps.clock.now()) return
  const welcome =
    deps.rule.signup === 'open' ||
    (await findUserByEmail(deps.db, link.email)) !== undefined ||
    (await invitedTo(deps.db, link.email, deps.clock.now())).length > 0
  if (!welcome) return
  const url = linkUrl(deps.urls, link.purpose, tokenOf(deps.vault, link.id))
  const name = formatId('link', link.id)
  await deps.mailer.send({ name, from: deps.mailFrom, to: link.email, ...render(link, url) })
}

function render(link: MagicLink, url: string): Pick<Mail, 'subject' | 'text' | 'html'> {
  const connects = link.purpose === 'connect'
  const subject = connects ? 'Confirm a connection to Crier' : 'Your sign-in link for Crier'
  const what = connects
    ? `Somebody, most likely you, wants to connect an app to your Crier account. The app is reached at ${link.request.leadsTo ?? 'an address of its own'}.`
    : 'Somebody, most likely you, wants to sign in to Crier.'
  const button = connects ? 'Confirm and connect' : 'Sign in'
  const terms = 'The link works once, for 10 minutes. Open it in the browser you started in.'
  const otherwise = 'If it was not you, do nothing: without the link nobody gets in.'
  return serviceMail({ subject, what, button, url, terms, otherwise })
}
