import type { FastifyReply } from 'fastify'
import { html } from '../../../lib/text/html.ts'
import { sendPage } from '../shared/page.ts'
import { destinationOf } from '../shared/words.ts'

/**
 * Goes on to a client after a form. Not a redirect: Chromium applies `form-action` to
 * every redirect that follows a form, also to those the client's own site adds, and
 * CSP cannot spell `[::1]` at all. A page that moves on by itself knows no such trap.
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
