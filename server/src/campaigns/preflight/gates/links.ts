import { setImmediate as turnOfLoop } from 'node:timers/promises'
import type { Id } from '../../../core/ids.ts'
import { findLinks, findTextLinks } from '../../../lib/email/find-links.ts'
import type { Preview } from '../../../templates/previews.ts'
import type { Gate } from './gate.ts'

/** Asks the remote server of a link; undefined where it answers, else what is wrong with it. */
export type AskLink = (url: string) => Promise<string | undefined>

/** What was found of links, for one who waited for it. */
export interface LinkReport {
  /** How many there are. */
  links: number
  /** Of those, how many were asked now or a little while ago. */
  checked: number
  /** Beyond what one preview asks: the next one goes on with them. */
  left: number
  dead: { url: string; fault: string }[]
}

export type CheckLinks = (
  businessId: Id<'business'>,
  urls: readonly string[],
) => Promise<LinkReport>

/** Longer ones are followed by few programs, and asked by none of ours. */
const longestUrl = 2_000
/** Of what is wrong, so much is told: the rest comes once that is mended. */
const mostTold = 20
const shownLength = 200

/** `own` stands for the links that each recipient has to themselves. */
export function linksIn({ html, text }: Preview, own: string): string[] {
  const found = html === undefined ? findTextLinks(text) : findLinks(html)
  return found
    .map(({ url }) => url)
    .filter((url) => /^https?:/i.test(url) && url.length <= longestUrl && url !== own)
}

/** A warning at most: what is away at this moment may be back when people read it. */
export async function linksGate(
  checkLinks: CheckLinks,
  businessId: Id<'business'>,
  { previews, own }: { previews: readonly Preview[]; own: string },
): Promise<Gate> {
  const gate = 'links'
  const found = new Set<string>()
  for (const preview of previews.filter(({ data }) => data === 'sample')) {
    // A page may have a megabyte of tags, so each has its own turn of the loop.
    await turnOfLoop()
    for (const url of linksIn(preview, own)) found.add(url)
  }
  const urls = [...found]
  if (urls.length === 0) return { gate, result: 'pass', evidence: 'It has no links.' }
  const { checked, left, dead } = await checkLinks(businessId, urls)
  const all = checked < urls.length ? ` Of ${urls.length} links ${checked} were checked.` : ''
  if (dead.length > 0) {
    const told = dead.slice(0, mostTold).map(({ url, fault }) => `${shown(url)} ${fault}`)
    const remedy = 'Mend the page, or the link in the content.'
    return { gate, result: 'warn', evidence: `${told.join('; ')}.${all}`, remedy }
  }
  if (checked + left < urls.length) {
    return {
      gate,
      result: 'warn',
      evidence: `Not all links were checked: too many were asked about, or a host is slow.${all}`,
      remedy: 'Preview it again in a minute: answers are remembered, and the rest is asked then.',
    }
  }
  return { gate, result: 'pass', evidence: `The links that were checked answer.${all}` }
}

const shown = (url: string) => (url.length <= shownLength ? url : `${url.slice(0, shownLength)}…`)
