/** What the pages of a public archive say. */
import type { ArchivePage } from '../../../campaigns/archive/archive.ts'
import { formatId } from '../../../core/ids.ts'
import { wordsIn } from '../../../core/recipient-words/languages.ts'
import { textOf } from '../../../lib/email/quoted-printable.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import { atEnd } from '../../../tracking/page-end.ts'
import type { Shown } from './request.ts'

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
