import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Session } from '../../../accounts/sign-in/session.ts'
import { html } from '../../../lib/text/html.ts'
import { keyInput } from './form.ts'
import { linksTo } from './inbox-rule.ts'
import type { Nav } from './page.ts'
import type { PageParts } from './parts.ts'

/** The navigation bar of account pages, except those that ask a single question. */
export function accountBar(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session | undefined,
  here: string,
): Nav {
  const links = [
    { href: '/b', label: 'Dashboard' },
    { href: '/account/invitations', label: 'Invitations' },
  ]
  const { inbox, phones } = linksTo(parts.config, request)
  if (inbox) links.push({ href: '/inbox', label: 'Inbox' })
  if (phones) links.push({ href: '/phones', label: 'Phones' })
  const end = session
    ? html`<span class="who">${session.user.email}</span>
<form method="post" action="/logout">${keyInput(parts.cookies.formKey(request, reply))}<button class="quiet small">Sign out</button></form>`
    : html`<a class="button quiet small" href="/login">Sign in</a>`
  return { here, links, end }
}
