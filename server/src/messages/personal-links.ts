/**
 * Links and pictures of a mail whose address is filled in for each recipient and leads to a host that
 * is not the business's: by them a mail tells another server about its recipients.
 */
import type { Id } from '../core/ids.ts'
import type { Db } from '../lib/db/types.ts'
import { isWithin, ownDomainsOf } from '../sender-domains/senders/own-domains.ts'
import { contactHostsIn, personalHostsIn, textsIn } from '../templates/personal-hosts.ts'

/** The most hosts that are named. */
const mostHosts = 10

interface Content {
  businessId: Id<'business'>
  /** What is stored of the mail, as JSON or text: in each of its languages. */
  sources: readonly unknown[]
  /** The service's own hosts. */
  ownHosts: readonly string[]
}

export function foreignPersonalHosts(db: Db, content: Content): Promise<string[]> {
  return foreignHosts(db, content, personalHostsIn)
}

/** Those whose address the recipient's own fields are filled into, rather than values of the call. */
export function foreignContactHosts(db: Db, content: Content): Promise<string[]> {
  return foreignHosts(db, content, contactHostsIn)
}

async function foreignHosts(
  db: Db,
  { businessId, sources, ownHosts }: Content,
  hostsIn: (text: string) => string[],
): Promise<string[]> {
  const hosts = new Set(textsIn(sources).flatMap(hostsIn))
  if (hosts.size === 0) return []
  const own = new Set([...ownHosts, ...(await ownDomainsOf(db, businessId))])
  return [...hosts].filter((host) => !isWithin(host, own)).slice(0, mostHosts)
}
