import type { FastifyReply } from 'fastify'
import type { MailLanguage } from '../../../accounts/businesses/mail-language.ts'
import type { RequestedLink } from '../../../accounts/sign-in/request-link.ts'
import { html } from '../../../lib/text/html.ts'
import type { PagesDeps } from '../shared/deps.ts'
import { linksTo } from '../shared/inbox-rule.ts'
import { sendPage } from '../shared/page.ts'
import { signInWords } from './sign-in-words.ts'

/** The page is the same for every address, whether or not it belongs to a user. */
export function sendMailSent(
  reply: FastifyReply,
  config: PagesDeps['config'],
  queued: RequestedLink,
  language: MailLanguage,
): FastifyReply {
  const { email, shortCode } = queued
  const words = signInWords(language)
  const [before, after] = words.checkText
  return sendPage(reply, {
    title: words.checkTitle,
    language,
    body: html`<div class="card">
<h1>${words.checkTitle}</h1>
<p>${before}<b>${email}</b>${after}</p>
<p>${words.checkOpen}</p>
${
  shortCode !== undefined &&
  html`<div class="short-code">
<p id="code-for">Opening it in another browser or on your phone? Keep this tab open: you will need this code there.</p>
<p class="digits" aria-labelledby="code-for">${shortCode.slice(0, 3)} ${shortCode.slice(3)}</p>
<p class="fine">You will not be asked for it anywhere else.</p>
</div>`
}
${
  linksTo(config, reply.request).inbox &&
  html`<p class="note">${words.noMail} <a href="/inbox?to=${encodeURIComponent(email)}">${words.openInbox}</a></p>`
}
</div>`,
  })
}
