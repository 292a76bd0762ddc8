/**
 * The mail of a magic link. A client's name is a stranger's text, so it stands
 * nowhere in it: only the host the link leads to, which the allow-list has passed.
 */

import { formatId, type Id } from '../../core/ids.ts'
import type { Vault } from '../../lib/crypto/vault.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Mail, Mailer } from '../../lib/email/mailer.ts'
import { html } from '../../lib/text/html.ts'
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
 * Sends it, unless the link is used or expired, or nobody may sign in with the
 * address. Running twice sends the same link twice, which harms nobody.
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
