import type { FastifyReply } from 'fastify'
import type { RequestedLink } from '../../../accounts/sign-in/request-link.ts'
import { html } from '../../../lib/text/html.ts'
import type { PagesDeps } from './deps.ts'
import { inboxIsServed } from './inbox-rule.ts'
import { sendPage } from './page.ts'

/** The page is the same for every address, whether or not it belongs to a user. */
export function sendMailSent(
  reply: FastifyReply,
  config: PagesDeps['config'],
  queued: RequestedLink,
): FastifyReply {
  const { email, shortCode } = queued
  return sendPage(reply, {
    title: 'Check your mail',
    body: html`<div class="card">
<h1>Check your mail</h1>
<p>If <b>${email}</b> can sign in here, a link is on its way to it. It works once, for 10 minutes.</p>
<p>Open it in this browser to go on.</p>
${
  shortCode !== undefined &&
  html`<div class="short-code">
<p id="code-for">Opening it in another browser, or on your phone? Keep this tab. There you will need this code:</p>
<p class="digits" aria-labelledby="code-for">${shortCode.slice(0, 3)} ${shortCode.slice(3)}</p>
<p class="fine">Nobody will ask you for it anywhere else.</p>
</div>`
}
${
  inboxIsServed(config) &&
  html`<p class="note">No mail leaves this machine. <a href="/inbox?to=${encodeURIComponent(email)}">Open the test inbox</a></p>`
}
</div>`,
  })
}
