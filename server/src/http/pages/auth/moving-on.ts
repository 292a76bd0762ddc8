import type { FastifyReply } from 'fastify'
import { html } from '../../../lib/text/html.ts'
import { sendPage } from '../shared/page.ts'
import { destinationOf } from '../shared/words.ts'

/**
 * Sends the browser to a client after a form. This is not a redirect, because Chromium applies
 * `form-action` to every redirect after a form, including those of the client's own site, and
 * CSP has no syntax for `[::1]`. A page that navigates by itself is not affected.
 */
export function moveOn(reply: FastifyReply, to: string): FastifyReply {
  const { place } = destinationOf(to)
  const title = new URL(to).searchParams.has('code') ? 'Connected' : 'Not connected'
  return sendPage(reply, {
    title,
    goesTo: to,
    body: html`<h1>${title}</h1>
<p>Taking you back to <b>${place}</b>.</p>
<p><a class="button" href="${to}">Continue</a></p>`,
  })
}
