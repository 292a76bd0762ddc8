/** The page that lists the apps a person has connected, and revokes them. */
import type { FastifyInstance } from 'fastify'
import { refuse } from '../../../core/errors.ts'
import { parseId } from '../../../core/ids.ts'
import { listConnections, revokeOwnConnection } from '../../../oauth/connections/connections.ts'
import { requireSession } from '../auth/login.ts'
import { accountBar } from '../shared/account-bar.ts'
import { sendErrorPage } from '../shared/error-page.ts'
import { sendPage } from '../shared/page.ts'
import type { PageParts } from '../shared/parts.ts'
import { connectionsBody } from './connections-view.ts'

const here = '/account/connections'
/** The most connections that the page lists; the app's page shows any number. */
const most = 200

export function registerConnections(scope: FastifyInstance, parts: PageParts): void {
  scope.get(here, async (request, reply) => {
    const session = await requireSession(parts, request, reply, here)
    if (!session) return reply
    const now = parts.clock.now()
    const connections = await listConnections(parts.db, session.user.id, {
      before: null,
      limit: most,
      now,
    })
    return sendPage(reply, {
      title: 'Connections',
      wide: true,
      nav: accountBar(parts, request, reply, session, here),
      body: connectionsBody({
        connections,
        now,
        formKey: parts.cookies.formKey(request, reply),
        endpoint: parts.oauth.addresses.toolEndpoint,
      }),
    })
  })

  scope.post<{ Params: { id: string } }>(`${here}/:id/revoke`, async (request, reply) => {
    const foreign = parts.guard(request)
    if (foreign) return sendErrorPage(reply, request, foreign)
    const session = await requireSession(parts, request, reply, here)
    if (!session) return reply
    const connectionId = parseId('connection', request.params.id)
    const userId = session.user.id
    const origin = { connectionId: null, userId, callId: request.id }
    const now = parts.clock.now()
    const ended =
      connectionId !== undefined &&
      (await parts.db.tx((tx) => revokeOwnConnection(tx, { connectionId, userId, origin, now })))
    if (ended) return reply.redirect(here, 303)
    const text = 'You have no such connection. It may have been ended already.'
    return sendErrorPage(reply, request, refuse('not_found', text))
  })
}
