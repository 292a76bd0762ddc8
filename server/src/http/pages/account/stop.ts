/**
 * "Stop all sending" as pages without script, for whoever holds a phone: for a person who is signed in,
 * and for the holder of a link in an owners' mail (`press.ts`). Resuming is the app's alone.
 */
import type { FastifyInstance } from 'fastify'
import type { MailLanguage } from '../../../accounts/businesses/mail-language.ts'
import { membershipsOf } from '../../../accounts/businesses/memberships.ts'
import type { Session } from '../../../accounts/sign-in/session.ts'
import { isRefusal, refuse } from '../../../core/errors.ts'
import { formatId, type Id, parseId } from '../../../core/ids.ts'
import { roles } from '../../../core/operation.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import type { PersonCall } from '../../../operations/person-calls.ts'
import { requireSession } from '../auth/login.ts'
import { pageLanguageOf } from '../auth/sign-in-words.ts'
import { sendErrorPage } from '../shared/error-page.ts'
import { type Form, keyInput, readForm } from '../shared/form.ts'
import { sendPage } from '../shared/page.ts'
import type { PageParts } from '../shared/parts.ts'

const here = '/account/stop'

type ById = { Params: { id: string } }

export function registerStop(scope: FastifyInstance, parts: PageParts): void {
  scope.get(here, async (request, reply) => {
    const session = await requireSession(parts, request, reply, here)
    if (!session) return reply
    const businesses = await stoppableOf(parts, session)
    const language = pageLanguageOf(request)
    const words = stopWords(language)
    const [only, another] = businesses
    if (only && !another) return reply.redirect(`${here}/${formatId('business', only.id)}`, 303)
    const links = businesses.map(
      ({
        id,
        name,
      }) => html`<li class="row"><a href="${here}/${formatId('business', id)}"><bdi>${name}</bdi></a></li>
`,
    )
    const list = only ? html`<ul class="rows">${links}</ul>` : html`<p>${words.none}</p>`
    const body = html`<h1>${words.title}</h1>
${list}`
    return sendPage(reply, { title: words.title, body, language })
  })

  scope.get<ById>(`${here}/:id`, async (request, reply) => {
    const path = `${here}/${request.params.id}`
    const session = await requireSession(parts, request, reply, path)
    if (!session) return reply
    const business = await businessOf(parts, session, request.params.id)
    if (!business) return sendErrorPage(reply, request, noBusiness())
    const language = pageLanguageOf(request)
    const key = keyInput(parts.cookies.formKey(request, reply))
    const body = stopQuestion(language, { action: path, name: business.name, key })
    return sendPage(reply, { title: stopWords(language).title, body, language })
  })

  scope.post<ById>(`${here}/:id`, async (request, reply) => {
    const foreign = parts.guard(request)
    if (foreign) return sendErrorPage(reply, request, foreign)
    const { id } = request.params
    const session = await requireSession(parts, request, reply, `${here}/${id}`)
    if (!session) return reply
    const business = await businessOf(parts, session, id)
    if (!business) return sendErrorPage(reply, request, noBusiness())
    const { user, id: sessionId, ...proof } = session
    const by = { userId: user.id, requestId: request.id, sessionId, ...proof }
    const done = await stopBusiness(parts, { business: id, form: readForm(request), by })
    if (isRefusal(done)) return sendErrorPage(reply, request, done)
    const language = pageLanguageOf(request)
    const body = stoppedBody(language, { business: id, done })
    return sendPage(reply, { title: stopWords(language).done, body, language })
  })
}

interface Stoppable {
  id: Id<'business'>
  name: string
}

/** Those in which the person may stop sending: `sending.stop` checks it again. */
async function stoppableOf({ db }: PageParts, { user }: Session): Promise<Stoppable[]> {
  const memberships = await membershipsOf(db, user.id)
  return memberships.filter(({ role }) => roles.indexOf(role) >= roles.indexOf('approver'))
}

async function businessOf(parts: PageParts, session: Session, text: string) {
  const id = parseId('business', text)
  const businesses = await stoppableOf(parts, session)
  return businesses.find((business) => business.id === id)
}

const noBusiness = () => refuse('not_found', 'There is no such business.')

export interface StopOutcome {
  campaigns: number
  automations: number
  connections: number
}

interface StopRequest {
  business: string
  form: Form
  by: PersonCall
}

export function stopBusiness(parts: Pick<PageParts, 'ask'>, { business, form, by }: StopRequest) {
  const input = { business_id: business, with_messages: form.text('messages') === 'yes' }
  return parts.ask<StopOutcome>('sending.stop', input, by)
}

interface Question {
  action: string
  name: string
  /** The hidden field that proves where the form came from; a link in a mail is the proof itself. */
  key?: Html
}

export function stopQuestion(language: MailLanguage, { action, name, key }: Question): Html {
  const words = stopWords(language)
  return html`<h1>${words.title}</h1>
<form method="post" action="${action}" class="card">${key}
<p><strong><bdi>${name}</bdi></strong></p>
<p>${words.text}</p>
<p><label><input type="checkbox" name="messages" value="yes"> ${words.messages}</label></p>
<div class="actions"><button class="danger">${words.button}</button></div>
</form>`
}

export function stoppedBody(
  language: MailLanguage,
  { business, done }: { business: string; done: StopOutcome },
): Html {
  const words = stopWords(language)
  return html`<h1>${words.done}</h1>
<p role="status">${words.doneText(done)}</p>
<p><a href="/b/${business}/connections">${words.page}</a></p>`
}

export const stopWords = (language: MailLanguage) =>
  ({ en: english, de: german, fr: french })[language]

const english = {
  title: 'Stop all sending',
  none: 'You are in no business whose sending you may stop.',
  text: 'Campaigns and automations pause at once, and marketing that is queued waits. Nothing is lost: you resume it in the app.',
  messages: 'Hold receipts and other messages that assistants and API keys send, too',
  button: 'Stop all sending',
  done: 'All sending is stopped',
  doneText: ({ campaigns, automations }: StopOutcome) =>
    `Campaigns paused: ${campaigns}. Automations paused: ${automations}. Nothing more of them is sent until somebody resumes it in the app.`,
  page: 'See what is stopped, and resume it',
}

const german: typeof english = {
  title: 'Gesamten Versand anhalten',
  none: 'Sie dürfen in keinem Unternehmen den Versand anhalten.',
  text: 'Kampagnen und Automationen pausieren sofort, und wartendes Marketing bleibt liegen. Nichts geht verloren: In der App setzen Sie es fort.',
  messages:
    'Auch Belege und andere Nachrichten zurückhalten, die Assistenten und API-Schlüssel senden',
  button: 'Gesamten Versand anhalten',
  done: 'Der gesamte Versand ist angehalten',
  doneText: ({ campaigns, automations }) =>
    `Pausierte Kampagnen: ${campaigns}. Pausierte Automationen: ${automations}. Davon wird nichts mehr gesendet, bis es jemand in der App fortsetzt.`,
  page: 'Ansehen, was angehalten ist, und fortsetzen',
}

const french: typeof english = {
  title: 'Arrêter tous les envois',
  none: 'Vous n’êtes dans aucune entreprise dont vous pouvez arrêter les envois.',
  text: 'Les campagnes et les automatisations s’arrêtent aussitôt, et le marketing en file attend. Rien n’est perdu : vous reprenez dans l’application.',
  messages: 'Retenir aussi les reçus et autres messages qu’envoient les assistants et les clés API',
  button: 'Arrêter tous les envois',
  done: 'Tous les envois sont arrêtés',
  doneText: ({ campaigns, automations }) =>
    `Campagnes en pause : ${campaigns}. Automatisations en pause : ${automations}. Rien de plus n’est envoyé avant que quelqu’un reprenne dans l’application.`,
  page: 'Voir ce qui est arrêté, et reprendre',
}
