/** The page of a confirmation mail's link. GET only shows a button, since scanners follow every link; POST confirms. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { statusOf } from '../../../core/errors.ts'
import { wordsIn } from '../../../core/recipient-words/languages.ts'
import type { Log } from '../../../lib/process/log.ts'
import { html } from '../../../lib/text/html.ts'
import {
  type ConfirmationPageDeps,
  type ConfirmationShown,
  confirmationOf,
} from '../../../subscriptions/confirmations.ts'
import { takeForms } from '../../body.ts'
import { visitOf } from '../../caller-address.ts'
import { asRefusal } from '../../server.ts'
import { brandOf, sendRecipientError, sendRecipientPage } from './recipient-page.ts'

/** The body limit in bytes; the form of the page has no field. */
const formLimit = 1_024

type ByToken = { Params: { token: string } }

export function registerConfirmations(
  app: FastifyInstance,
  deps: ConfirmationPageDeps & { log: Log },
): void {
  app.register(async (scope) => {
    takeForms(scope, formLimit)
    scope.setErrorHandler((error: FastifyError, request, reply) => {
      const refusal = asRefusal(error, request)
      if (statusOf[refusal.code] >= 500) {
        deps.log.error({ err: error, request_id: request.id }, 'http.error')
      }
      return sendRecipientError(reply, request, refusal)
    })
    scope.get<ByToken>('/confirm/:token', async (request, reply) =>
      show(request, reply, await confirmationOf(deps, request.params.token)),
    )
    scope.post<ByToken>('/confirm/:token', async (request, reply) =>
      show(request, reply, await confirmationOf(deps, request.params.token, visitOf(request))),
    )
  })
}

function show(
  request: FastifyRequest<ByToken>,
  reply: FastifyReply,
  view: ConfirmationShown,
): FastifyReply {
  const { business, language, state, look } = view
  const words = wordsIn(language, look?.words).confirmation
  const name = `\u2068${business}\u2069`
  const page = { ...brandOf(view), business, language }
  if (state === 'open') {
    const body = html`<h1>${words.subject(name)}</h1>
<form method="post" action="/confirm/${request.params.token}" class="card">
<p>${words.pageText(name)}</p>
<div class="actions"><button>${words.button}</button></div>
</form>`
    return sendRecipientPage(reply, { ...page, title: words.subject(business), body })
  }
  const isDone = state === 'confirmed'
  const title = isDone ? words.doneTitle : words.expiredTitle
  const body = html`<h1>${title}</h1>
<p role="status">${isDone ? words.doneText(name) : words.expiredText}</p>`
  return sendRecipientPage(reply, { ...page, title, status: isDone ? 200 : 410, body })
}
