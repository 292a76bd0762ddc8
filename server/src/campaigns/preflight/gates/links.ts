import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { type Id, isTwin } from '../../../core/ids.ts'
import { findLinks, findTextLinks } from '../../../lib/email/find-links.ts'
import { isWithin } from '../../../sender-domains/senders/own-domains.ts'
import { addressFlaws } from '../../../templates/markup-flaws.ts'
import type { Preview } from '../../../templates/previews.ts'
import type { Finding, Gate } from './gate.ts'

/** Requests a link; undefined if the remote server answers, else a description of the fault. */
export type AskLink = (url: string) => Promise<string | undefined>

/** The result of checking links. */
export interface LinkReport {
  /** The number of links. */
  links: number
  /** How many of them were checked now or recently. */
  checked: number
  /** How many exceed what one preview checks; the next preview continues with them. */
  remaining: number
  dead: { url: string; fault: string }[]
}

export type CheckLinks = (
  businessId: Id<'business'>,
  urls: readonly string[],
) => Promise<LinkReport>

/** Longer links are not checked, and few programs follow them. */
const longestUrl = 2_000
/** The most faults that are listed; the rest is listed once these are fixed. */
const mostTold = 20
const shownLength = 200

/**
 * Finds the links of a preview. `own` is the placeholder of links that are individual to each
 * recipient.
 */
export function linksIn({ html, text }: Preview, own: string): string[] {
  const links = html === undefined ? findTextLinks(text) : findLinks(html)
  return links
    .map(({ url }) => url)
    .filter((url) => /^https?:/i.test(url) && url.length <= longestUrl && url !== own)
}

interface LinksAsked {
  previews: readonly Preview[]
  /** The placeholder of links that are individual to each recipient. */
  own: string
  /** Only links to these, and to what is within them, are requested. */
  hosts?: ReadonlySet<string>
  /** Whether a person is to look at those that are not requested. */
  warns?: boolean
}

/** At most a warning: a server that is down now may be up when people read the mail. */
export async function linksGate(
  checkLinks: CheckLinks,
  businessId: Id<'business'>,
  { previews, own, hosts, warns = false }: LinksAsked,
): Promise<Gate> {
  const gate = 'links'
  const linkUrls = new Set<string>()
  const flaws = new Map<string, Finding>()
  for (const preview of previews.filter(({ data }) => data === 'sample')) {
    // A page may have a megabyte of tags, so each one gets its own turn of the event loop.
    await turnOfLoop()
    for (const url of linksIn(preview, own)) linkUrls.add(url)
    for (const { sentence, ...flaw } of await addressFlaws(preview.html ?? '')) {
      flaws.set(sentence, flaw)
    }
  }
  const isAsked = (url: string) => !hosts || isWithin(URL.parse(url)?.hostname ?? '', hosts)
  const urls = [...linkUrls].filter(isAsked)
  const unasked = linkUrls.size - urls.length
  const incomplete = [...flaws.keys()].join(' ')
  const findings: Finding[] = [...flaws.values()]
  if (urls.length === 0 && incomplete !== '') {
    const remedy = 'Write complete addresses in the content.'
    return { gate, result: 'warn', evidence: incomplete, findings, remedy }
  }
  if (linkUrls.size === 0) return { gate, result: 'pass', evidence: 'It has no links.' }
  const notAsked =
    unasked === 0
      ? ''
      : ` Of ${linkUrls.size} links ${unasked} lead to other hosts, which are not asked for a connection that may not take data out.`
  const passing = (evidence: string): Gate => {
    if (!warns || unasked === 0) return { gate, result: 'pass', evidence }
    const remedy = 'Look where they lead before it goes out.'
    const unknown: Finding[] = [{ finding: 'foreign_links', links: unasked }]
    return { gate, result: 'warn', evidence, findings: unknown, remedy }
  }
  if (urls.length === 0) return passing(notAsked.trim())
  if (isTwin(businessId)) return { gate, result: 'pass', evidence: 'Test mode asks no links.' }
  const { checked, remaining, dead } = await checkLinks(businessId, urls)
  const all = checked < urls.length ? ` Of ${urls.length} links ${checked} were checked.` : ''
  const checks: Finding[] =
    checked < urls.length ? [{ finding: 'links_checked', links: urls.length, checked }] : []
  if (dead.length > 0) {
    const faults = dead.slice(0, mostTold).map(({ url, fault }) => `${shortened(url)} ${fault}`)
    const remedy = 'Mend the page, or the link in the content.'
    const evidence = `${faults.join('; ')}.${all}${incomplete && ` ${incomplete}`}`
    const each = dead.slice(0, mostTold).map(({ url, fault }): Finding => {
      return { finding: 'dead_link', url: shortened(url), fault }
    })
    return { gate, result: 'warn', evidence, findings: [...each, ...checks, ...findings], remedy }
  }
  if (incomplete !== '') {
    const remedy = 'Write complete addresses in the content.'
    return {
      gate,
      result: 'warn',
      evidence: `${incomplete}${all}`,
      findings: [...findings, ...checks],
      remedy,
    }
  }
  if (checked + remaining < urls.length) {
    return {
      gate,
      result: 'warn',
      evidence: `Not all links were checked: too many were asked about, or a host is slow.${all}`,
      findings: [{ finding: 'links_unchecked' }, ...checks],
      remedy: 'Preview it again in a minute: answers are remembered, and the rest is asked then.',
    }
  }
  return passing(`The links that were checked answer.${all}${notAsked}`)
}

const shortened = (url: string) =>
  url.length <= shownLength ? url : `${url.slice(0, shownLength)}…`
