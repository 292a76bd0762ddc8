/**
 * The public archives of businesses, for everybody: a list of sent campaigns, each as a page, and a
 * feed. No script runs, and nobody is recognized.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isRefusal, orRefusal, type Refusal } from '../../../core/errors.ts'
import { lazily } from '../../../lib/concurrency/lazily.ts'
import { refuseManyVisits } from '../../caller-address.ts'
import { sendRecipientError } from '../public/recipient-page.ts'
import type { ArchivePagesDeps, ArchivePagesParts, ArchiveRequest } from './request.ts'

type Answer = (
  deps: ArchivePagesParts,
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
      const tooMany = refuseManyVisits(deps.visitLimit, request)
      if (tooMany) return sendRecipientError(reply, request, tooMany)
      const { pages, mails } = await opened.get()
      const show: Answer = pages[which]
      const answered = await orRefusal(() =>
        show(
          {
            db: deps.db,
            templates: deps.templates,
            baseUrl: deps.baseUrl,
            addresses: deps.addresses,
            visitLimit: deps.visitLimit,
            mails,
          },
          request,
          reply,
        ),
      )
      return isRefusal(answered) ? sendRecipientError(reply, request, answered) : answered
    }
  app.get('/archive/:business', answer('showList'))
  app.get('/archive/:business/feed.xml', answer('showFeed'))
  app.get('/archive/:business/personal-link', answer('showPersonalLink'))
  app.get('/archive/:business/:campaign', answer('showMail'))
}
