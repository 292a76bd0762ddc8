/**
 * The public archives of businesses, for everybody: a list of sent campaigns, each as a page, and a
 * feed. No script runs, and nobody is recognized.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ArchiveMails } from '../../../campaigns/archive/mails.ts'
import { isRefusal, type Refusal, refuse } from '../../../core/errors.ts'
import type { Id } from '../../../core/ids.ts'
import type { FormAddresses } from '../../../forms/view.ts'
import { lazily } from '../../../lib/concurrency/lazily.ts'
import type { Db } from '../../../lib/db/types.ts'
import { networkOf } from '../../../lib/rate-limit/attempts.ts'
import type { LocalLimit } from '../../../lib/rate-limit/local-limit.ts'
import type { Templates } from '../../../templates/compile.ts'
import { visitOf } from '../../returns/tracking.ts'
import { sendRecipientError } from '../public/recipient-page.ts'

export interface ArchivePagesDeps {
  db: Db
  templates: Pick<Templates, 'preview'>
  /** The service's own address, under which pictures are. */
  baseUrl: string
  addresses: FormAddresses & {
    /** Whether the host name belongs to another business, whose visitors see nothing of this one. */
    isForeign?(host: string, businessId: Id<'business'>): Promise<boolean>
  }
  /** Limits the visits from one network. */
  visitLimit: LocalLimit
}

export interface ArchiveRequest {
  Params: { business: string; campaign: string }
  Querystring: Record<string, unknown>
}

type Answer = (
  deps: ArchivePagesDeps & { mails: ArchiveMails },
  request: FastifyRequest<ArchiveRequest>,
  reply: FastifyReply,
) => Promise<FastifyReply | Refusal>

export function registerArchives(app: FastifyInstance, deps: ArchivePagesDeps): void {
  const opened = lazily(async () => {
    const [pages, { createArchiveMails }] = await Promise.all([
      import('./pages.ts'),
      import('../../../campaigns/archive/mails.ts'),
    ])
    return { pages, mails: createArchiveMails(deps) }
  })
  const answer =
    (which: 'showList' | 'showFeed' | 'showMail' | 'showPersonalLink') =>
    async (request: FastifyRequest<ArchiveRequest>, reply: FastifyReply) => {
      if (!deps.visitLimit.take(networkOf(visitOf(request).address))) {
        return sendRecipientError(reply, request, tooMany())
      }
      const { pages, mails } = await opened.get()
      const show: Answer = pages[which]
      const answered = await show({ ...deps, mails }, request, reply)
      return isRefusal(answered) ? sendRecipientError(reply, request, answered) : answered
    }
  app.get('/archive/:business', answer('showList'))
  app.get('/archive/:business/feed.xml', answer('showFeed'))
  app.get('/archive/:business/personal-link', answer('showPersonalLink'))
  app.get('/archive/:business/:campaign', answer('showMail'))
}

function tooMany(): Refusal {
  const text = 'Too many pages were opened from your network. Wait a minute and try again.'
  return refuse('rate_limited', text, { retryAfter: 60 })
}
