/** The page that lists a person's sessions. */

import type { FastifyInstance } from 'fastify'
import type { ListedSession } from '../../../accounts/sign-in/listed-session.ts'
import { endSession, listSessions } from '../../../accounts/sign-in/session.ts'
import { refuse } from '../../../core/errors.ts'
import { formatId, parseId } from '../../../core/ids.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import { requireSession } from '../auth/login.ts'
import { accountBar } from '../shared/account-bar.ts'
import { sendErrorPage } from '../shared/error-page.ts'
import { keyInput } from '../shared/form.ts'
import { sendPage } from '../shared/page.ts'
import type { PageParts } from '../shared/parts.ts'
import { ago, fullTime } from '../shared/words.ts'

const here = '/account/sessions'

export function registerSessions(scope: FastifyInstance, parts: PageParts): void {
  scope.get(here, async (request, reply) => {
    const session = await requireSession(parts, request, reply, here)
    if (!session) return reply
    const now = parts.clock.now()
    const sessions = await listSessions(parts.db, session.user.id, now)
    const formKey = parts.cookies.formKey(request, reply)
    return sendPage(reply, {
      title: 'Sessions',
      wide: true,
      nav: accountBar(parts, request, reply, session, here),
      body: html`<h1>Sessions</h1>
<p class="lead">Browsers you are signed in with. A session ends by itself 30 days after its last use.</p>
<ul class="rows">${sessions.map((entry) => row(entry, { formKey, now, isThis: entry.id === session.id }))}</ul>`,
    })
  })

  scope.post<{ Params: { id: string } }>(`${here}/:id/end`, async (request, reply) => {
    const foreign = parts.guard(request)
    if (foreign) return sendErrorPage(reply, request, foreign)
    const session = await requireSession(parts, request, reply, here)
    if (!session) return reply
    const id = parseId('session', request.params.id)
    const ended = id !== undefined && (await endSession(parts.db, session.user.id, id))
    if (ended) return reply.redirect(here, 303)
    const text = 'You have no such session. It may have ended already.'
    return sendErrorPage(reply, request, refuse('not_found', text))
  })
}

function row(
  session: ListedSession,
  { formKey, now, isThis }: { formKey: string; now: Date; isThis: boolean },
): Html {
  const id = formatId('session', session.id)
  return html`<li class="row">
<div class="row-main">
<h2>${isThis ? 'This browser' : 'Another browser'}</h2>
<p class="fine">Signed in ${fullTime(session.createdAt)} · last used ${ago(session.lastUsedAt, now)}</p>
</div>
<form method="post" action="${here}/${id}/end">${keyInput(formKey)}<button class="quiet">${isThis ? 'Sign out' : 'End'}</button></form>
</li>`
}
