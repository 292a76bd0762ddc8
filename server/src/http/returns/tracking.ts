/**
 * Tracked links and images in mail. A person is redirected whether or not the visit could be
 * recorded, and only ever to the URL of a stored link.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../../core/errors.ts'
import type { Log } from '../../lib/process/log.ts'
import type { LocalLimit } from '../../lib/rate-limit/local-limit.ts'
import { html } from '../../lib/text/html.ts'
import type { Clicks } from '../../tracking/clicks.ts'
import type { Opens } from '../../tracking/opens.ts'
import type { Visit } from '../../tracking/visitor.ts'
import { countVisit, visitOf } from '../caller-address.ts'
import { sendRecipientError, sendRecipientPage } from '../pages/public/recipient-page.ts'

export interface TrackingRoutes {
  clicks: Clicks
  opens: Opens
  /** Limits the recorded visits from one network. Beyond it people are still redirected. */
  visitLimit: LocalLimit
  log: Log
}

// The smallest possible GIF: one transparent pixel.
const point = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

type ByToken = { Params: { token: string } }

export function registerTracking(
  app: FastifyInstance,
  { clicks, opens, visitLimit, log }: TrackingRoutes,
): void {
  /** A person who follows a link in a mail must not wait or see an error because of statistics. */
  const keepVisit = async (
    request: FastifyRequest,
    keep: (visit: Visit) => Promise<void>,
  ): Promise<void> => {
    const visit = visitOf(request)
    if (!countVisit(visitLimit, visit)) return
    try {
      await keep(visit)
    } catch (error) {
      log.error({ err: error }, 'tracking.lost')
    }
  }

  app.route<ByToken>({
    method: ['GET', 'HEAD'],
    url: '/c/:token',
    async handler(request, reply) {
      const followed = await clicks.find(request.params.token)
      if (!followed) return sendRecipientError(reply, request, noSuchLink())
      await keepVisit(request, (visit) => clicks.keep(followed, visit))
      return followed.url === null ? sendNothing(reply) : sendOn(reply, followed.url)
    },
  })

  app.route<ByToken>({
    method: ['GET', 'HEAD'],
    url: '/o/:token',
    async handler(request, reply) {
      await keepVisit(request, (visit) => opens.keep(request.params.token, visit))
      return reply
        .headers({ 'content-type': 'image/gif', 'cache-control': 'no-store, max-age=0' })
        .send(point)
    },
  })
}

function sendOn(reply: FastifyReply, url: string): FastifyReply {
  return reply
    .headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
    .redirect(url, 302)
}

/** The page behind the hidden link, which no person sees. */
function sendNothing(reply: FastifyReply): FastifyReply {
  const body = html`<h1>There is nothing here</h1><p>This link leads to no page. You can close this one.</p>`
  return sendRecipientPage(reply, { business: undefined, title: 'There is nothing here', body })
}

function noSuchLink() {
  return refuse(
    'not_found',
    'It may have been cut off when it was copied, or the email is too old. Open the email again and click the link there. If that does not work either, ask the sender for the address.',
  )
}
