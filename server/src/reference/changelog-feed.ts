/** The changelog as RSS 2.0, with an item for each release. */
import type { Page } from './blocks.ts'
import { anchorsOf } from './html.ts'
import { markdownOf } from './markdown.ts'
import type { Site } from './site.ts'

export function feedOf(changelog: Page, { appUrl }: Site): string {
  const anchors = anchorsOf(changelog)
  const items = changelog.blocks.flatMap((block, at) => {
    const [, version, date] =
      (block.kind === 'heading' && /^(v[\d.]+) \((\d{4}-\d{2}-\d{2})\)$/.exec(block.text)) || []
    if (version === undefined || date === undefined) return []
    const next = changelog.blocks.findIndex(
      (other, place) => place > at && other.kind === 'heading' && !other.within,
    )
    const blocks = changelog.blocks.slice(at + 1, next < 0 ? undefined : next)
    const text = markdownOf({ ...changelog, title: version, about: '', blocks })
    const link = `${appUrl}/docs/changelog#${anchors.get(block) ?? ''}`
    return [
      `<item><title>Crier ${version}</title><link>${escaped(link)}</link><guid>${escaped(link)}</guid>
<pubDate>${new Date(`${date}T00:00:00Z`).toUTCString()}</pubDate>
<description>${escaped(text)}</description></item>`,
    ]
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel>
<title>Crier changelog</title><link>${escaped(`${appUrl}/docs/changelog`)}</link>
<description>What each release of Crier brought.</description>
${items.join('\n')}
</channel></rss>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
