/** The pages of a public archive, and its feed. */
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { archivedMail, archivePage } from '../../../campaigns/archive/archive.ts'
import { archiveLimits } from '../../../config/archive.ts'
import { isRefusal, type Refusal, refuse } from '../../../core/errors.ts'
import { sendMailPage } from '../public/mail-page.ts'
import { sendRecipientPage } from '../public/recipient-page.ts'
import { feedOf } from './feed.ts'
import { type ArchivePagesParts, type ArchiveRequest, findShown, type Shown } from './request.ts'
import {
  feedUrl,
  listBody,
  listLinks,
  personalLinkBody,
  textBody,
  titleOf,
  withWayBack,
} from './views.ts'

type Request = FastifyRequest<ArchiveRequest>
type Answer = Promise<FastifyReply | Refusal>

/** A request for an archive that exists. */
interface Visit {
  parts: ArchivePagesParts
  shown: Shown
  request: Request
  reply: FastifyReply
}

const ofArchive =
  (show: (visit: Visit) => Answer, options?: Parameters<typeof findShown>[2]) =>
  async (parts: ArchivePagesParts, request: Request, reply: FastifyReply): Answer => {
    const shown = await findShown(parts, request, options)
    if (shown) return show({ parts, shown, request, reply })
    return refuse('not_found', 'There is no archive of emails at this address.')
  }

export const showList = ofArchive(async ({ parts, shown, request, reply }) => {
  const { before } = request.query
  const asked = typeof before === 'string' ? before : undefined
  const page = await archivePage(parts, shown, { before: asked, limit: archiveLimits.perPage })
  if (isRefusal(page)) return page
  const { archive, language } = shown
  return sendRecipientPage(reply, {
    business: archive.name,
    title: titleOf(shown),
    language,
    ...(archive.colour !== null && { colour: archive.colour }),
    body: listBody(shown, { ...page, isFirst: asked === undefined }),
    keptSeconds: archiveLimits.pageSeconds,
    head: listLinks(shown),
  })
})

export const showMail = ofArchive(async ({ parts, shown, request, reply }) => {
  const mail = await archivedMail(parts, shown, request.params.campaign)
  if (isRefusal(mail)) return mail
  const keptSeconds = archiveLimits.pageSeconds
  if (mail.html !== undefined) {
    const page = withWayBack(mail.html, shown)
    return sendMailPage(reply, page, { baseUrl: parts.baseUrl, keptSeconds })
  }
  return sendRecipientPage(reply, {
    business: shown.archive.name,
    title: mail.subject,
    language: shown.language,
    body: textBody(mail, shown),
    keptSeconds,
    head: listLinks(shown),
  })
})

export const showPersonalLink = ofArchive(async ({ shown, reply }) => {
  const { title, body } = personalLinkBody(shown)
  const { language, archive } = shown
  return sendRecipientPage(reply, { business: archive.name, title, language, body })
})

/** In the language of the address, else the business's: a program's Accept-Language is nobody's. */
export const showFeed = ofArchive(
  async ({ parts, shown, request, reply }) => {
    const wanted = { before: undefined, limit: archiveLimits.feedItems }
    const page = await archivePage(parts, shown, wanted)
    if (isRefusal(page)) return page
    const ends = page.campaigns.map(({ completedAt }) => completedAt)
    const changes = [shown.archive.changedAt, ...ends]
    const changedAt = new Date(Math.max(...changes.map((moment) => moment.getTime())))
    const feed = feedOf(page.campaigns, {
      ...shown,
      title: titleOf(shown),
      self: feedUrl(shown),
      changedAt,
    })
    const etag = `"${createHash('sha256').update(feed).digest('base64url').slice(0, 22)}"`
    reply.headers({
      etag,
      'last-modified': changedAt.toUTCString(),
      'cache-control': `public, max-age=${archiveLimits.feedSeconds}`,
      'x-content-type-options': 'nosniff',
      // A page of another site may read it with a script, since it holds what everybody may see.
      'access-control-allow-origin': '*',
    })
    if (isKnown(request, { etag, changedAt })) return reply.code(304).send()
    return reply.header('content-type', 'application/rss+xml; charset=utf-8').send(feed)
  },
  { byBrowser: false },
)

/** RFC 9110 section 13.2.2: the time counts only for programs that send no tag. */
function isKnown(
  { headers }: Request,
  { etag, changedAt }: { etag: string; changedAt: Date },
): boolean {
  const tags = headers['if-none-match']
  if (tags !== undefined) {
    return tags.split(',', 20).some((tag) => tag.trim().replace('W/', '') === etag)
  }
  const since = Date.parse(headers['if-modified-since'] ?? '')
  return since >= Math.floor(changedAt.getTime() / 1000) * 1000
}
