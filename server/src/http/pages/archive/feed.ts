/** The feed of a public archive, in RSS 2.0: https://www.rssboard.org/rss-specification */
import type { ListedCampaign } from '../../../campaigns/archive/archive.ts'
import { formatId } from '../../../core/ids.ts'
import { escapeHtml } from '../../../lib/text/html.ts'
import type { Shown } from './request.ts'

export interface FeedChannel extends Pick<Shown, 'archive' | 'url' | 'lang'> {
  title: string
  /** The feed's own address. */
  self: string
  changedAt: Date
}

export function feedOf(
  campaigns: readonly ListedCampaign[],
  { archive, url, lang, title, self, changedAt }: FeedChannel,
): string {
  const query = lang === undefined ? '' : `?lang=${encodeURIComponent(lang)}`
  const item = ({ id, subject, excerpt, sentAt }: ListedCampaign) => {
    const name = formatId('campaign', id)
    return `<item>
<title>${text(subject || archive.name)}</title>
<link>${text(`${url}/${name}${query}`)}</link>
<guid isPermaLink="false">${name}</guid>
<pubDate>${moment(sentAt)}</pubDate>
<description>${text(escapeHtml(excerpt))}</description>
</item>
`
  }
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${text(title)}</title>
<link>${text(url + query)}</link>
<description>${text(archive.description ?? title)}</description>
<language>${text(lang ?? archive.language)}</language>
<lastBuildDate>${moment(changedAt)}</lastBuildDate>
<atom:link href="${text(self)}" rel="self" type="application/rss+xml"/>
${campaigns.map(item).join('')}</channel>
</rss>
`
}

/** RFC 822 as RFC 1123 changed it, with four digits of the year. */
const moment = (date: Date) => date.toUTCString()

/** XML 1.0 has no spelling for other control characters and halves of pairs, not even an escaped one. */
function text(value: string): string {
  let clean = ''
  for (const character of value.toWellFormed()) {
    const code = character.codePointAt(0) ?? 0
    const isIn =
      code >= 0x20 ? code !== 0xfffe && code !== 0xffff : code === 9 || code === 10 || code === 13
    if (isIn) clean += character
  }
  return escapeHtml(clean)
}
