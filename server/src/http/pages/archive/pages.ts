/** The pages of a public archive, and its feed. */
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ArchivePage, archivedMail, archivePage } from '../../../campaigns/archive/archive.ts'
import { archiveLimits } from '../../../config/archive.ts'
import { refuse } from '../../../core/errors.ts'
import { formatId } from '../../../core/ids.ts'
import { wordsIn } from '../../../core/recipient-words/languages.ts'
import { textOf } from '../../../lib/email/quoted-printable.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import { atEnd } from '../../../tracking/track-mail.ts'
import { sendMailPage } from '../public/mail-page.ts'
import { brandOf, sendRecipientPage } from '../public/recipient-page.ts'
import { feedOf } from './feed.ts'
import { type ArchivePagesParts, type ArchiveRequest, findShown, type Shown } from './request.ts'

type Request = FastifyRequest<ArchiveRequest>
type Answer = Promise<FastifyReply>

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
    const view = await findShown(parts, request, options)
    if (view) return show({ parts, shown: view, request, reply })
    throw refuse('not_found', 'There is no archive of emails at this address.')
  }

export const showList = ofArchive(async ({ parts, shown, request, reply }) => {
  const { before } = request.query
  const cursor = typeof before === 'string' ? before : undefined
  const range = { before: cursor, limit: archiveLimits.perPage }
  const page = await archivePage(parts, shown, range)
  const { archive, language } = shown
  return sendRecipientPage(reply, {
    business: archive.name,
    title: titleOf(shown),
    language,
    ...brandOf(archive),
    body: listBody(shown, { ...page, isFirst: cursor === undefined }),
    keptSeconds: archiveLimits.pageSeconds,
    head: listLinks(shown),
  })
})

export const showMail = ofArchive(async ({ parts, shown, request, reply }) => {
  const mail = await archivedMail(parts, shown, request.params.campaign)
  const keptSeconds = archiveLimits.pageSeconds
  if (mail.html !== undefined) {
    const page = withWayBack(mail.html, shown)
    return sendMailPage(reply, page, { baseUrl: parts.baseUrl, keptSeconds })
  }
  return sendRecipientPage(reply, {
    business: shown.archive.name,
    title: mail.subject,
    language: shown.language,
    ...brandOf(shown.archive),
    body: textBody(mail, shown),
    keptSeconds,
    head: listLinks(shown),
  })
})

export const showPersonalLink = ofArchive(async ({ shown, reply }) => {
  const { title, body } = personalLinkBody(shown)
  const { language, archive } = shown
  return sendRecipientPage(reply, {
    business: archive.name,
    title,
    language,
    ...brandOf(archive),
    body,
  })
})

/** In the language of the address, else the business's: a program's Accept-Language is nobody's. */
export const showFeed = ofArchive(
  async ({ parts, shown, request, reply }) => {
    const wanted = { before: undefined, limit: archiveLimits.feedItems }
    const page = await archivePage(parts, shown, wanted)
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

/** What the pages of a public archive say. */
export function titleOf({ archive, language }: Pick<Shown, 'archive' | 'language'>): string {
  return archive.title ?? wordsIn(language).archive.title(archive.name)
}

/** Pages keep the language that the address asks for. */
function addressOf({ url, lang }: Pick<Shown, 'url' | 'lang'>, path = '', before?: string): string {
  const query = new URLSearchParams({
    ...(before !== undefined && { before }),
    ...(lang !== undefined && { lang }),
  }).toString()
  return query === '' ? `${url}${path}` : `${url}${path}?${query}`
}

export function feedUrl(shown: Pick<Shown, 'url' | 'lang'>): string {
  return addressOf(shown, '/feed.xml')
}

/** By these, programs find the feed, and search engines the one address of the list. */
export function listLinks(shown: Shown): Html {
  return html`<link rel="alternate" type="application/rss+xml" title="${titleOf(shown)}" href="${feedUrl(shown)}">`
}

export function listBody(
  shown: Shown,
  { campaigns, older, isFirst }: ArchivePage & { isFirst: boolean },
): Html {
  const { archive, language } = shown
  const words = wordsIn(language).archive
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: archive.timeZone })
  const item = ({ id, subject, sentAt }: ArchivePage['campaigns'][number]) =>
    html`<li><a href="${addressOf(shown, `/${formatId('campaign', id)}`)}"><bdi>${subject || archive.name}</bdi></a>
<time class="fine" datetime="${sentAt.toISOString()}">${day.format(sentAt)}</time></li>\n`
  return html`<h1><bdi>${titleOf(shown)}</bdi></h1>
${archive.description !== null && html`<p><bdi>${archive.description}</bdi></p>`}
${shown.subscribeUrl !== undefined && html`<p>${subscribeLink(shown, { look: 'button' })}</p>`}
${campaigns.length === 0 ? html`<p>${words.empty}</p>` : html`<ol class="letters">${campaigns.map(item)}</ol>`}
<nav class="letters-more" aria-label="${titleOf(shown)}">
${!isFirst && html`<a href="${addressOf(shown)}">${words.newest}</a>`}
${older !== undefined && html`<a href="${addressOf(shown, '', older)}" rel="next">${words.older}</a>`}
<a href="${feedUrl(shown)}" type="application/rss+xml">${words.feed}</a>
</nav>`
}

/** A mail that has no HTML. */
export function textBody({ subject, text }: { subject: string; text: string }, shown: Shown): Html {
  return html`<h1 dir="auto">${subject}</h1>
<pre class="block" dir="auto">${text}</pre>
<p>${wayBack(shown)}</p>`
}

export function personalLinkBody(shown: Shown): { title: string; body: Html } {
  const { personalTitle, personalText } = wordsIn(shown.language).archive
  return {
    title: personalTitle,
    body: html`<h1>${personalTitle}</h1>
<p>${personalText}</p>
${shown.subscribeUrl !== undefined && html`<p>${subscribeLink(shown)}</p>`}
<p>${wayBack(shown)}</p>`,
  }
}

/** The page of a mail has no words of ours but this line, in place of the footer of its recipients. */
export function withWayBack(page: string, shown: Shown): string {
  const line = html`<div style="margin:32px auto 16px;max-width:600px;color:#5a5a65;font:12px/1.5 sans-serif;text-align:center">${wayBack(shown, 'color:#5a5a65')}${shown.subscribeUrl !== undefined && html` · ${subscribeLink(shown, { style: 'color:#5a5a65' })}`}</div>`
  return textOf(atEnd(page, line.toString()))
}

function wayBack(shown: Shown, style?: string): Html {
  const { all } = wordsIn(shown.language).archive
  const look = style !== undefined && html` style="${style}"`
  return html`<a href="${addressOf(shown)}"${look}>${all(shown.archive.name)}</a>`
}

/** In the language of the page, as the form's own address takes it. */
function subscribeLink(
  { subscribeUrl = '', lang, language }: Shown,
  { look, style }: { look?: string; style?: string } = {},
): Html {
  const url = lang === undefined ? subscribeUrl : `${subscribeUrl}?lang=${encodeURIComponent(lang)}`
  const looks = html`${look !== undefined && html` class="${look}"`}${style !== undefined && html` style="${style}"`}`
  return html`<a href="${url}"${looks}>${wordsIn(language).archive.subscribe}</a>`
}
