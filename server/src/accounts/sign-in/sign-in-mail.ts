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
  const mail = await render(link, url)
  await deps.mailer.send({ name, from: deps.mailFrom, to: link.email, ...mail })
}

async function render(
  { purpose, request }: MagicLink,
  url: string,
): Promise<Pick<Mail, 'subject' | 'text' | 'html'>> {
  const { leadsTo, language = 'en' } = request
  const { signInMailWords } = await import('./sign-in-mail-words.ts')
  const words = signInMailWords(language, { connects: purpose === 'connect', leadsTo })
  return serviceMail({ ...words, url, language })
}
