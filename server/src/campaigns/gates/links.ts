import type { Preview } from '../../templates/previews.ts'
import type { Gate } from './gate.ts'

/** Asks the far end of a link; undefined where it answers, else what is wrong with it. */
export type AskLink = (url: string) => Promise<string | undefined>

/** Links that are asked at most; each may take a few seconds, all are asked at once. */
const mostAsked = 20

const inHtml = /<a\b[^>]*\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi
const inText = /https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]}]/gi

/** Ours stand for links that each recipient has to himself. */
const own = 'https://example.com/preview'

export function linksIn({ html, text }: Preview): string[] {
  const found = html === undefined ? text.matchAll(inText) : html.matchAll(inHtml)
  const urls = [...found].map(([all, double, single]) => double ?? single ?? all)
  return urls
    .map((url) => url.replaceAll('&amp;', '&'))
    .filter((url) => /^https?:/i.test(url) && url !== own)
}

/** A warning at most: what is away at this moment may be back when people read it. */
export async function linksGate(ask: AskLink, previews: readonly Preview[]): Promise<Gate> {
  const gate = 'links'
  const sample = previews.filter(({ data }) => data === 'sample')
  const urls = [...new Set(sample.flatMap(linksIn))]
  const asked = urls.slice(0, mostAsked)
  const faults = await Promise.all(asked.map(ask))
  const dead = asked.flatMap((url, i) => (faults[i] === undefined ? [] : [`${url} ${faults[i]}`]))
  const all =
    urls.length > asked.length ? ` Of ${urls.length} links ${asked.length} were asked.` : ''
  if (dead.length === 0) {
    const evidence =
      urls.length === 0 ? 'It has no links.' : `The links that were asked answer.${all}`
    return { gate, result: 'pass', evidence }
  }
  return {
    gate,
    result: 'warn',
    evidence: `${dead.join('; ')}.${all}`,
    remedy: 'Mend the page, or the link in the content.',
  }
}
