import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Session } from '../../../accounts/sign-in/session.ts'
import { html } from '../../../lib/text/html.ts'
import { pageLanguageOf } from '../auth/sign-in-words.ts'
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
  const words = labels[pageLanguageOf(request)]
  const links = [
    { href: '/b', label: words.dashboard },
    { href: '/account/invitations', label: words.invitations },
  ]
  const { inbox, phones } = linksTo(parts.config, request)
  if (inbox) links.push({ href: '/inbox', label: words.inbox })
  if (phones) links.push({ href: '/phones', label: words.phones })
  const end = session
    ? html`<span class="who">${session.user.email}</span>
<form method="post" action="/logout">${keyInput(parts.cookies.formKey(request, reply))}<button class="quiet small">${words.signOut}</button></form>`
    : html`<a class="button quiet small" href="/login">${words.signIn}</a>`
  return { here, links, end }
}

const labels = {
  en: {
    dashboard: 'Dashboard',
    invitations: 'Invitations',
    inbox: 'Inbox',
    phones: 'Phones',
    signOut: 'Sign out',
    signIn: 'Sign in',
  },
  de: {
    dashboard: 'Übersicht',
    invitations: 'Einladungen',
    inbox: 'Testpostfach',
    phones: 'Testtelefone',
    signOut: 'Abmelden',
    signIn: 'Anmelden',
  },
  fr: {
    dashboard: 'Tableau de bord',
    invitations: 'Invitations',
    inbox: 'Boîte de test',
    phones: 'Téléphones de test',
    signOut: 'Se déconnecter',
    signIn: 'Se connecter',
  },
}
