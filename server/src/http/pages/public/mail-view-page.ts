/** The pages of a mail's view in the browser, which are loaded with the first visit. */
import type { FastifyReply } from 'fastify'
import { wordsIn } from '../../../core/recipient-words/languages.ts'
import { html } from '../../../lib/text/html.ts'
import type { ViewedMail } from '../../../messages/view-mail.ts'
import { sendMailPage } from './mail-page.ts'
import { sendRecipientPage } from './recipient-page.ts'

export function sendViewed(reply: FastifyReply, viewed: ViewedMail, baseUrl: string): FastifyReply {
  reply.header('x-robots-tag', 'noindex')
  return viewed.mail?.html === undefined
    ? sendWords(reply, viewed)
    : sendMailPage(reply, viewed.mail.html, { baseUrl })
}

/** In place of the view that a test's link would lead to. */
export function sendOfTest(reply: FastifyReply): FastifyReply {
  return sendRecipientPage(reply, { business: undefined, title: 'A link of a test', body: ofTest })
}

/** A mail that has no HTML, or a sentence that says that the mail is no longer stored. */
function sendWords(reply: FastifyReply, { business, language, mail }: ViewedMail): FastifyReply {
  const page = { business, language }
  if (mail) {
    const body = html`<h1 dir="auto">${mail.subject}</h1>
<pre class="block" dir="auto">${mail.text}</pre>`
    return sendRecipientPage(reply, { ...page, title: mail.subject, body })
  }
  const { goneTitle, goneText } = wordsIn(language).view
  const body = html`<h1>${goneTitle}</h1>
<p>${goneText}</p>`
  return sendRecipientPage(reply, { ...page, title: goneTitle, status: 410, body })
}

const ofTest = html`<h1>A link of a test</h1>
<p>In the campaign itself this link is each recipient's own: it opens their email in the browser. This one belongs to a test, so there is nothing to show.</p>`
