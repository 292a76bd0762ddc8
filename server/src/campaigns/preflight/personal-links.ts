/**
 * Links and pictures of a mail whose address is filled in for each recipient and leads to a host that
 * is not the business's: by them a mail tells another server about its recipients.
 */
import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import { verifiedDomainsOf } from '../../sender-domains/senders/own-domains.ts'

/** The most hosts that are named. */
const mostHosts = 10

interface Content {
  businessId: Id<'business'>
  /** What is stored of the mail, as JSON or text: in each of its languages. */
  sources: readonly unknown[]
  /** The service's own hosts. */
  ownHosts: readonly string[]
}

export async function foreignPersonalHosts(
  db: Db,
  { businessId, sources, ownHosts }: Content,
): Promise<string[]> {
  const texts = textsIn(sources)
  const hosts = new Set(texts.flatMap(personalHostsIn))
  if (hosts.size === 0) return []
  const own = new Set([...ownHosts, ...(await verifiedDomainsOf(db, businessId))])
  return [...hosts].filter((host) => !isWithin(host, own)).slice(0, mostHosts)
}

/** Every text that occurs in a value, however deep. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}

const isWithin = (host: string, domains: ReadonlySet<string>): boolean =>
  host.split('.').some((_, i, labels) => domains.has(labels.slice(i).join('.')))

/** What stands for a host that is itself filled in. */
export const filledInHost = 'a host that is filled in'

/**
 * The hosts of addresses with something filled in, wherever the text says `//`. A text inside of a
 * Liquid tag may become a part of any address.
 */
export function personalHostsIn(text: string): string[] {
  const hosts: string[] = []
  let isInTag = false
  for (let at = 0; at < text.length; at++) {
    const pair = text.slice(at, at + 2)
    if (pair === '{{' || pair === '{%') isInTag = true
    else if (pair === '}}' || pair === '%}') isInTag = false
    else if (pair === '//') {
      const { host, isPersonal, end } = addressAt(text, at + 2)
      if (isPersonal || isInTag) hosts.push(host)
      at = end - 1
    }
  }
  return hosts
}

/** The address up to its end, or up to what is filled in. */
function addressAt(text: string, start: number) {
  let host = ''
  let isInHost = true
  for (let at = start; at < text.length; at++) {
    const character = text[at] as string
    if (character === '{' && (text[at + 1] === '{' || text[at + 1] === '%')) {
      return { host: isInHost ? filledInHost : host, isPersonal: true, end: at }
    }
    if (endsAddress.has(character)) return { host, isPersonal: false, end: at }
    if (isInHost && endsHost.has(character)) isInHost = false
    if (isInHost) host += character.toLowerCase()
  }
  return { host, isPersonal: false, end: text.length }
}

const endsAddress: ReadonlySet<string> = new Set(['"', "'", '<', '>', ')', ' ', '\n', '\t', '\r'])
const endsHost: ReadonlySet<string> = new Set(['/', '?', '#', ':', '\\'])
