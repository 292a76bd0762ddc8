/** The pages of a public archive, and its feed. */
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { archiveUrl } from '../../../accounts/businesses/archive.ts'
import { archivedMail, archivePage, findArchiveNamed } from '../../../campaigns/archive/archive.ts'
import type { ArchiveMails, ArchiveReader } from '../../../campaigns/archive/mails.ts'
import { archiveLimits } from '../../../config/archive.ts'
import { isRefusal, type Refusal, refuse } from '../../../core/errors.ts'
import {
  acceptedLanguages,
  chooseLanguage,
  type RecipientLanguage,
} from '../../../core/recipient-words/languages.ts'
import { formsBase } from '../../../forms/view.ts'
import { sendMailPage } from '../public/mail-page.ts'
import { sendRecipientPage } from '../public/recipient-page.ts'
import { feedOf } from './feed.ts'
import type { ArchivePagesDeps, ArchiveRequest } from './routes.ts'
import {
  feedUrl,
  listBody,
  listLinks,
  personalLinkBody,
  textBody,
  titleOf,
  withWayBack,
} from './views.ts'

type Deps = ArchivePagesDeps & { mails: ArchiveMails }
type Request = FastifyRequest<ArchiveRequest>

export interface Shown extends ArchiveReader {
  /** Of the page's own words. */
  language: RecipientLanguage
  /** The language that the address asks for, for the links of the page. */
  lang: string | undefined
}

export async function showList(
  deps: Deps,
  request: Request,
  reply: FastifyReply,
): Promise<FastifyReply | Refusal> {
  const shown = await findShown(deps, request)
  if (!shown) return noSuchArchive()
  const { before } = request.query
  const asked = typeof before === 'string' ? before : undefined
  const page = await archivePage(deps, shown, { before: asked, limit: archiveLimits.perPage })
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
}

export async function showMail(
  deps: Deps,
  request: Request,
  reply: FastifyReply,
): Promise<FastifyReply | Refusal> {
  const shown = await findShown(deps, request)
  if (!shown) return noSuchArchive()
  const mail = await archivedMail(deps, shown, request.params.campaign)
  if (isRefusal(mail)) return mail
  const keptSeconds = archiveLimits.pageSeconds
  if (mail.html !== undefined) {
    const page = withWayBack(mail.html, shown)
    return sendMailPage(reply, page, { baseUrl: deps.baseUrl, keptSeconds })
  }
  return sendRecipientPage(reply, {
    business: shown.archive.name,
    title: mail.subject,
    language: shown.language,
    body: textBody(mail, shown),
    keptSeconds,
    head: listLinks(shown),
  })
}

export async function showPersonalLink(
  deps: Deps,
  request: Request,
  reply: FastifyReply,
): Promise<FastifyReply | Refusal> {
  const shown = await findShown(deps, request)
  if (!shown) return noSuchArchive()
  const { title, body } = personalLinkBody(shown)
  const { language, archive } = shown
  return sendRecipientPage(reply, { business: archive.name, title, language, body })
}

/** In the language of the address, else the business's: a program's Accept-Language is nobody's. */
export async function showFeed(
  deps: Deps,
  request: Request,
  reply: FastifyReply,
): Promise<FastifyReply | Refusal> {
  const shown = await findShown(deps, request, { byBrowser: false })
  if (!shown) return noSuchArchive()
  const page = await archivePage(deps, shown, { before: undefined, limit: archiveLimits.feedItems })
  if (isRefusal(page)) return page
  const changes = [shown.archive.changedAt, ...page.campaigns.map(({ completedAt }) => completedAt)]
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
}

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

async function findShown(
  { db, addresses }: Deps,
  { params, query, headers, hostname }: Request,
  { byBrowser = true } = {},
): Promise<Shown | undefined> {
  const found = await findArchiveNamed(db, params.business)
  if (!found || (await addresses.isForeign?.(hostname, found.businessId))) return undefined
  const lang = typeof query['lang'] === 'string' ? query['lang'].slice(0, longestTag) : undefined
  const accepted = byBrowser ? acceptedLanguages(headers['accept-language']) : []
  const languages = lang === undefined ? accepted : [lang]
  return {
    ...found,
    url: archiveUrl(await formsBase(addresses, found.businessId), found.businessId),
    languages,
    language: chooseLanguage(...languages, found.archive.language),
    lang,
  }
}

const longestTag = 64

function noSuchArchive(): Refusal {
  return refuse('not_found', 'There is no archive of emails at this address.')
}
