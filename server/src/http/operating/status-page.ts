/** `/status`: one line for everybody, without a reason or a number. */
import type { FastifyInstance } from 'fastify'
import { type MailLanguage, mailLanguageAmong } from '../../accounts/businesses/mail-language.ts'
import { acceptedLanguages } from '../../core/recipient-words/languages.ts'
import { html } from '../../lib/text/html.ts'
import { sendPage } from '../pages/shared/page.ts'

export const statusWords = {
  en: {
    title: 'Status',
    works: 'Crier is operational',
    worksText: 'Calls are accepted and messages are sent.',
    fails: 'Crier has a problem',
    failsText: 'Accepted calls and messages are stored and will be processed.',
    more: 'Operator details',
  },
  de: {
    title: 'Status',
    works: 'Crier läuft',
    worksText: 'Aufrufe werden angenommen und Nachrichten gesendet.',
    fails: 'Crier hat ein Problem',
    failsText: 'Angenommene Aufrufe und Nachrichten sind gespeichert und werden verarbeitet.',
    more: 'Details für den Betreiber',
  },
  fr: {
    title: 'État',
    works: 'Crier fonctionne',
    worksText: 'Les appels sont acceptés et les messages sont envoyés.',
    fails: 'Crier a un problème',
    failsText: 'Les appels et les messages acceptés sont enregistrés et seront traités.',
    more: 'Détails pour l’opérateur',
  },
} satisfies Record<MailLanguage, object>

export interface StatusPageDeps {
  works(): Promise<boolean>
}

export function registerStatusPage(app: FastifyInstance, { works }: StatusPageDeps): void {
  app.get('/status', async (request, reply) => {
    const language = mailLanguageAmong(acceptedLanguages(request.headers['accept-language']))
    const { title, more, ...message } = statusWords[language]
    const isFine = await works()
    return sendPage(reply, {
      title,
      language,
      status: isFine ? 200 : 503,
      body: html`<h1>${isFine ? message.works : message.fails}</h1>
<p role="status">${isFine ? message.worksText : message.failsText}</p>
<p><a href="/b/status">${more}</a></p>`,
    })
  })
}
