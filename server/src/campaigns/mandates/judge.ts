/**
 * Compares what a connection wants to send with its mandate. What is outside of a term is said term
 * by term, so that an assistant can change it; a person decides about it as without a mandate.
 */
import { findLinks } from '../../lib/email/find-links.ts'
import type { Preview } from '../../templates/previews.ts'
import type { Terms } from './mandate.ts'

export const outsideReasons = [
  'paused',
  'two_people',
  'channel',
  'audience',
  'people_per_week',
  'hours',
  'words',
  'hosts',
  'sender',
  'templates',
] as const
export type OutsideReason = (typeof outsideReasons)[number]

export interface Outside {
  reason: OutsideReason
  message: string
}

export interface JudgedContent {
  /** What is stored of each mail, as JSON, with what is not shown to every recipient. */
  sources: readonly unknown[]
  /** What recipients would see. */
  previews: readonly Pick<Preview, 'subject' | 'text' | 'html'>[]
  /** The service's own hosts, and the business's domains. */
  ownHosts: readonly string[]
}

/** The words and hosts that the terms do not allow. */
export function judgeContent(terms: Terms, content: JudgedContent): Outside[] {
  const contents = content.previews.flatMap(({ subject, text, html = '' }) => [subject, text, html])
  const texts = [...textsIn(content.sources), ...contents]
  const words = wordsFound(terms.never_words, texts)
  const hosts = foreignHosts(terms.link_hosts, content, texts)
  return [
    ...(words.length > 0
      ? [{ reason: 'words' as const, message: `It says what it never may: ${words.join(', ')}.` }]
      : []),
    ...(hosts.length > 0
      ? [{ reason: 'hosts' as const, message: `It leads to ${hosts.join(', ')}.` }]
      : []),
  ]
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}

/** Which of the words occur, however they are spelt: after NFKC, case folding, without markup. */
export function wordsFound(words: readonly string[], texts: readonly string[]): string[] {
  if (words.length === 0) return []
  // Markup may stand within a word or between two.
  const readings = texts.flatMap((text) => [
    folded(withoutTags(text, '')),
    folded(withoutTags(text, ' ')),
  ])
  return words.filter((word) => {
    const sought = folded(word)
    return sought.trim() !== '' && readings.some((reading) => reading.includes(sought))
  })
}

const notOfWord = /[^\p{L}\p{N}\p{M}%€$£]/gu
const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/** The words of a text between single spaces, in one spelling. */
function folded(text: string): string {
  const plain = text.normalize('NFKC').replace(unseen, '')
  const lower = plain.toUpperCase().toLowerCase().normalize('NFKC')
  const words = lower.replace(notOfWord, ' ').split(' ')
  return ` ${words.filter((word) => word !== '').join(' ')} `
}

/** The text with its entities read, and this in place of each tag. */
function withoutTags(text: string, between: string): string {
  let plain = ''
  for (let at = 0; at < text.length; ) {
    const start = text.indexOf('<', at)
    const end = start < 0 ? -1 : text.indexOf('>', start)
    if (start < 0 || end < 0) {
      plain += text.slice(at)
      break
    }
    plain += text.slice(at, start) + between
    at = end + 1
  }
  return plain.replace(entity, readEntity)
}

const entity = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(nbsp|shy|zwnj|zwj|amp|euro|percnt));?/gi
const namedEntities: Readonly<Record<string, string>> = {
  nbsp: ' ',
  shy: '',
  zwnj: '',
  zwj: '',
  amp: '&',
  euro: '€',
  percnt: '%',
}

function readEntity(entity: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return namedEntities[name.toLowerCase()] ?? entity
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
  return code <= 0x10ffff ? String.fromCodePoint(code) : ''
}

/** Names of XML's vocabularies, which mail programs do not follow. */
const vocabularies: readonly string[] = ['www.w3.org', 'schemas.microsoft.com']
const mostHosts = 5

function foreignHosts(
  allowed: readonly string[],
  { previews, ownHosts }: JudgedContent,
  texts: readonly string[],
): string[] {
  const domains = new Set([...allowed, ...ownHosts, ...vocabularies])
  const hosts = new Set(texts.flatMap(hostsIn))
  for (const { html = '' } of previews) {
    for (const { url } of findLinks(html)) hosts.add(hostOfLink(url))
  }
  hosts.delete('')
  return [...hosts].filter((host) => !isWithin(host, domains)).slice(0, mostHosts)
}

const isWithin = (host: string, domains: ReadonlySet<string>): boolean =>
  host.split('.').some((_, i, labels) => domains.has(labels.slice(i).join('.')))

/** Empty for a link that leads nowhere, such as `#top`. */
function hostOfLink(url: string): string {
  const trimmed = url.trim()
  if (/^mailto:/i.test(trimmed)) {
    const [address = ''] = trimmed.slice('mailto:'.length).split('?')
    return decodedOr(address).split('@').at(-1)?.toLowerCase() ?? ''
  }
  // Without a base first, as `https:host` is read where the page is of another scheme.
  const read = URL.parse(trimmed) ?? URL.parse(trimmed, 'https://none.invalid')
  return read?.hostname.replace('none.invalid', '') ?? 'an address that nobody can read'
}

function decodedOr(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The host after each `//` of a text; what Liquid fills in counts as a host of its own. */
export function hostsIn(text: string): string[] {
  const hosts: string[] = []
  const flat = text.replaceAll('\\/', '/').replaceAll('\\', '/')
  for (let at = flat.indexOf('//'); at >= 0; at = flat.indexOf('//', at + 2)) {
    const start = at + 2
    let end = start
    while (end < flat.length && !endsHost.has(flat[end] as string)) end += 1
    const host = flat.slice(start, end)
    if (host.includes('{')) hosts.push('a host that is filled in')
    else if (host !== '') hosts.push(host.split('@').at(-1)?.toLowerCase() ?? '')
  }
  return hosts
}

const endsHost: ReadonlySet<string> = new Set([
  '/',
  '?',
  '#',
  ':',
  '"',
  "'",
  '<',
  '>',
  ')',
  ' ',
  '\n',
  '\t',
  '\r',
  ',',
  ';',
])

/** Whether `14:05` is within the hours, which may go over midnight. */
export function isWithinHours({ from, to }: Terms['hours'], time: string): boolean {
  return from <= to ? time >= from && time < to : time >= from || time < to
}
