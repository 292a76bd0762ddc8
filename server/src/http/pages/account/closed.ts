/** The page where a person takes back a business that they owned and that was closed. */
import type { FastifyInstance } from 'fastify'
import { type Closing, listClosings } from '../../../accounts/businesses/closing.ts'
import type { MailLanguage } from '../../../accounts/businesses/mail-language.ts'
import { takeBack } from '../../../closings/take-back.ts'
import { isRefusal, orRefusal, refuse } from '../../../core/errors.ts'
import { formatId, parseId } from '../../../core/ids.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import { requireSession } from '../auth/login.ts'
import { pageLanguageOf } from '../auth/sign-in-words.ts'
import { accountBar } from '../shared/account-bar.ts'
import { sendErrorPage } from '../shared/error-page.ts'
import { keyInput, readForm } from '../shared/form.ts'
import { sendPage } from '../shared/page.ts'
import type { PageParts } from '../shared/parts.ts'

const here = '/account/closed'

export function registerClosed(scope: FastifyInstance, parts: PageParts): void {
  scope.get(here, async (request, reply) => {
    const session = await requireSession(parts, request, reply, here)
    if (!session) return reply
    const closings = await listClosings(parts.db, session.user.id)
    const formKey = parts.cookies.formKey(request, reply)
    const language = pageLanguageOf(request)
    const words = closedPageWords(language)
    return sendPage(reply, {
      title: words.title,
      language,
      wide: true,
      nav: accountBar(parts, request, reply, session, here),
      body: html`<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
${
  closings.length === 0
    ? html`<section class="empty"><h2>${words.none}</h2></section>`
    : html`<ul class="rows">${closings.map((closing) => row(closing, { formKey, language }))}</ul>`
}`,
    })
  })

  scope.post<{ Params: { id: string } }>(`${here}/:id`, async (request, reply) => {
    const foreign = parts.guard(request)
    if (foreign) return sendErrorPage(reply, request, foreign)
    const session = await requireSession(parts, request, reply, here)
    if (!session) return reply
    const businessId = parseId('business', request.params.id)
    if (!businessId || readForm(request).text('answer') !== 'reopen') {
      return sendErrorPage(reply, request, refuse('not_found', 'There is no such business.'))
    }
    const now = parts.clock.now()
    const closing = { businessId, userId: session.user.id, now }
    const done = await orRefusal(() => parts.db.tx((tx) => takeBack(tx, closing)))
    if (isRefusal(done)) return sendErrorPage(reply, request, done)
    return reply.redirect(`/b/${request.params.id}/connections`, 303)
  })
}

function row(
  closing: Closing,
  { formKey, language }: { formKey: string; language: MailLanguage },
): Html {
  const words = closedPageWords(language)
  const locale = language === 'en' ? 'en-GB' : language
  const dayOf = (at: Date) => at.toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' })
  const { name, closedAt, deleteAt, deletionBeganAt, deletedAt, deleted, keepsSuppressions } =
    closing
  const id = formatId('business', closing.id)
  const counts = Object.entries(deleted).toSorted(([, a], [, b]) => b - a)
  return html`<li class="row">
<div class="row-main">
<h2><bdi>${name}</bdi></h2>
<p>${words.closed(dayOf(closedAt))} ${deletedAt ? words.deleted(dayOf(deletedAt)) : deletionBeganAt ? words.deleting : words.deletes(dayOf(deleteAt))}</p>
${
  deletedAt &&
  html`<p class="fine">${keepsSuppressions ? words.kept : words.nothingKept}</p>
<p class="fine mono">${id} · ${counts.map(([table, count]) => `${table} ${count}`).join(', ')}</p>`
}
</div>
${
  !deletionBeganAt &&
  html`<form method="post" action="${here}/${id}" class="actions">${keyInput(formKey)}
<button name="answer" value="reopen" aria-label="${words.reopenNamed(name)}">${words.reopen}</button></form>`
}
</li>`
}

export const closedPageWords = (language: MailLanguage) =>
  ({ en: english, de: german, fr: french })[language]

const english = {
  title: 'Closed businesses',
  lead: 'Businesses of which you were an owner when they were closed.',
  none: 'None was closed',
  closed: (day: string) => `Closed on ${day}.`,
  deletes: (day: string) => `Everything in it is deleted after ${day}.`,
  deleting: 'It is being deleted.',
  deleted: (day: string) => `Deleted on ${day}; this is the certificate.`,
  kept: 'The hashes of addresses that must not be written to are kept, as asked.',
  nothingKept: 'Nothing of its contacts is kept.',
  reopen: 'Take it back',
  reopenNamed: (name: string) => `Take it back: ${name}`,
}

const german: typeof english = {
  title: 'Geschlossene Unternehmen',
  lead: 'Unternehmen, deren Inhaber Sie waren, als sie geschlossen wurden.',
  none: 'Keines wurde geschlossen',
  closed: (day) => `Geschlossen am ${day}.`,
  deletes: (day) => `Alles darin wird nach dem ${day} gelöscht.`,
  deleting: 'Es wird gerade gelöscht.',
  deleted: (day) => `Gelöscht am ${day}; dies ist die Bescheinigung.`,
  kept: 'Die Hashwerte gesperrter Adressen bleiben wie gewünscht erhalten.',
  nothingKept: 'Von den Kontakten bleibt nichts erhalten.',
  reopen: 'Wieder öffnen',
  reopenNamed: (name) => `Wieder öffnen: ${name}`,
}

const french: typeof english = {
  title: 'Entreprises fermées',
  lead: 'Les entreprises dont vous étiez propriétaire quand elles ont été fermées.',
  none: 'Aucune n’a été fermée',
  closed: (day) => `Fermée le ${day}.`,
  deletes: (day) => `Tout ce qu’elle contient est supprimé après le ${day}.`,
  deleting: 'Sa suppression est en cours.',
  deleted: (day) => `Supprimée le ${day}\u00a0; ceci est le certificat.`,
  kept: 'Les empreintes des adresses bloquées sont conservées, comme demandé.',
  nothingKept: 'Rien n’est conservé de ses contacts.',
  reopen: 'La rouvrir',
  reopenNamed: (name) => `La rouvrir\u00a0: ${name}`,
}
