/**
 * The page of a link in an owners' mail with one button, which pauses or stops something without a
 * sign-in.
 * GET only shows the button, since scanners follow every link.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { MailLanguage } from '../../../accounts/businesses/mail-language.ts'
import { membershipsOf } from '../../../accounts/businesses/memberships.ts'
import { isRefusal, refuse } from '../../../core/errors.ts'
import { parseId } from '../../../core/ids.ts'
import { type Press, type PressAct, pressLinks } from '../../../core/press-link.ts'
import { html } from '../../../lib/text/html.ts'
import { pageLanguageOf } from '../auth/sign-in-words.ts'
import { sendErrorPage } from '../shared/error-page.ts'
import { readForm } from '../shared/form.ts'
import { sendPage } from '../shared/page.ts'
import type { PageParts } from '../shared/parts.ts'
import { stopBusiness, stoppedBody, stopQuestion, stopWords } from './stop.ts'

type ByToken = { Params: { token: string } }

export function registerPress(scope: FastifyInstance, parts: PageParts): void {
  const links = pressLinks(parts.vault)
  const read = ({ params }: FastifyRequest<ByToken>) => links.read(params.token, parts.clock.now())

  scope.get<ByToken>('/press/:token', async (request, reply) => {
    const press = read(request)
    if (!press) return sendErrorPage(reply, request, isOver())
    if (press.act === 'sending.stop') return askToStop(parts, request, reply, press)
    return show(request, reply, { ...press, act: press.act }, false)
  })

  scope.post<ByToken>('/press/:token', async (request, reply) => {
    const press = read(request)
    if (!press) return sendErrorPage(reply, request, isOver())
    // Whoever may only stop by it need not prove more than the link does.
    const provenAt = parts.clock.now()
    const by = { userId: press.user, requestId: request.id, provenAt }
    if (press.act === 'sending.stop') {
      const { business } = press
      const outcome = await stopBusiness(parts, { business, form: readForm(request), by })
      if (isRefusal(outcome)) return sendErrorPage(reply, request, outcome)
      const language = pageLanguageOf(request)
      const body = stoppedBody(language, { business, done: outcome })
      return sendPage(reply, { title: stopWords(language).done, body, language })
    }
    const { operation, input } = calls[press.act](press.object)
    const done = await parts.ask(operation, { business_id: press.business, ...input }, by)
    if (isRefusal(done)) return sendErrorPage(reply, request, done)
    return show(request, reply, { ...press, act: press.act }, true)
  })
}

/** Shows the question of the red button, whose answer has a choice. */
async function askToStop(
  parts: PageParts,
  request: FastifyRequest<ByToken>,
  reply: FastifyReply,
  { business, user }: Press,
): Promise<FastifyReply> {
  const id = parseId('business', business)
  const memberships = await membershipsOf(parts.db, user)
  const membership = memberships.find((entry) => entry.id === id)
  if (!membership) return sendErrorPage(reply, request, isOver())
  const language = pageLanguageOf(request)
  const action = `/press/${request.params.token}`
  const body = stopQuestion(language, { action, name: membership.name })
  return sendPage(reply, { title: stopWords(language).title, body, language })
}

/** The acts that one button does, without a choice. */
type PlainAct = Exclude<PressAct, 'sending.stop'>

const calls: Record<PlainAct, (id: string) => { operation: string; input: object }> = {
  'mandate.pause': (mandate_id) => ({
    operation: 'mandate.save',
    input: { mandate_id, paused: true },
  }),
  'webhook.pause': (webhook_id) => ({
    operation: 'webhook.save',
    input: { webhook_id, status: 'paused' },
  }),
}

const isOver = () =>
  refuse('gone', 'This link is over. Open the app to see what can be paused.', {
    data: { reason: 'link_over' },
  })

function show(
  request: FastifyRequest<ByToken>,
  reply: FastifyReply,
  { act, business }: Press & { act: PlainAct },
  isDone: boolean,
): FastifyReply {
  const language = pageLanguageOf(request)
  const words = wordsIn[language][act]
  const title = isDone ? words.done : words.title
  const page = act === 'mandate.pause' ? 'connections' : 'webhooks'
  const body = isDone
    ? html`<h1>${title}</h1>
<p role="status">${words.doneText}</p>
<p><a href="/b/${business}/${page}">${words.page}</a></p>`
    : html`<h1>${title}</h1>
<form method="post" action="/press/${request.params.token}" class="card">
<p>${words.text}</p>
<div class="actions"><button>${words.button}</button></div>
</form>`
  return sendPage(reply, { title, body, language })
}

interface PressWords {
  title: string
  text: string
  button: string
  done: string
  doneText: string
  page: string
}

const wordsIn: Record<MailLanguage, Record<PlainAct, PressWords>> = {
  en: {
    'mandate.pause': {
      title: 'Pause the mandate',
      text: 'What is being sent under it stops, and the app asks again before it sends.',
      button: 'Pause the mandate',
      done: 'The mandate is paused',
      doneText: 'The app asks again before it sends. An owner lets it go on in the app.',
      page: 'Connections',
    },
    'webhook.pause': {
      title: 'Pause the webhook',
      text: 'Crier sends it no more events until somebody resumes it in the app. None is lost.',
      button: 'Pause the webhook',
      done: 'The webhook is paused',
      doneText: 'It gets no more events until somebody resumes it in the app.',
      page: 'Webhooks',
    },
  },
  de: {
    'mandate.pause': {
      title: 'Vollmacht pausieren',
      text: 'Was gerade damit gesendet wird, hält an, und die App fragt wieder, bevor sie sendet.',
      button: 'Vollmacht pausieren',
      done: 'Die Vollmacht ist pausiert',
      doneText:
        'Die App fragt wieder, bevor sie sendet. Ein Inhaber setzt die Vollmacht in Crier fort.',
      page: 'Verbindungen',
    },
    'webhook.pause': {
      title: 'Webhook pausieren',
      text: 'Crier sendet keine Ereignisse mehr dorthin, bis ihn jemand in der App fortsetzt. Nichts geht verloren.',
      button: 'Webhook pausieren',
      done: 'Der Webhook ist pausiert',
      doneText: 'Er bekommt keine Ereignisse mehr, bis ihn jemand in der App fortsetzt.',
      page: 'Webhooks',
    },
  },
  fr: {
    'mandate.pause': {
      title: 'Mettre le mandat en pause',
      text: 'Les envois en cours s’arrêtent, et l’application demande de nouveau avant d’envoyer.',
      button: 'Mettre le mandat en pause',
      done: 'Le mandat est en pause',
      doneText:
        'L’application demande de nouveau avant d’envoyer. Un propriétaire le reprend dans l’application.',
      page: 'Connexions',
    },
    'webhook.pause': {
      title: 'Mettre le webhook en pause',
      text: 'Crier n’y envoie plus d’événements jusqu’à ce que quelqu’un le reprenne dans l’application. Rien n’est perdu.',
      button: 'Mettre le webhook en pause',
      done: 'Le webhook est en pause',
      doneText: 'Il ne reçoit plus d’événements jusqu’à ce que quelqu’un le reprenne.',
      page: 'Webhooks',
    },
  },
}
