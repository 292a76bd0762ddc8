/**
 * The host names of the businesses' own domains, `t.shop.example`, under which their forms have
 * their address.
 */
import { isRefusal } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { setNewest } from '../../lib/concurrency/set-newest.ts'
import type { Db } from '../../lib/db/types.ts'
import { type Clock, later, seconds } from '../../lib/time/clock.ts'
import { holdsVerifiedName, ownsName } from '../model/claim-queries.ts'
import { trackingNameOf } from '../records/tracking-record.ts'
import type { Senders } from './senders.ts'

export interface OwnHosts {
  /** The host name of the domain that the business sends from, once it points here. */
  ownHostOf(businessId: Id<'business'>): Promise<string | undefined>
  /** Whether the host name belongs to a domain of another business. */
  isForeign(host: string, businessId: Id<'business'>): Promise<boolean>
}

export interface OwnHostsDeps {
  db: Db
  clock: Clock
  senders: Senders
  /** The service's public address. Without TLS there, no other name has a certificate either. */
  appUrl: string
}

/** A name that no longer points here is still in use for so long. */
const keptFor = seconds(10)
const mostKept = 1_000

export function createOwnHosts({ db, clock, senders, appUrl }: OwnHostsDeps): OwnHosts {
  const hasTls = appUrl.startsWith('https:')
  const cache = new Map<string, { until: Date; host: Promise<string | undefined> }>()
  return {
    async ownHostOf(businessId) {
      if (!hasTls) return undefined
      const now = clock.now()
      const cached = cache.get(businessId)
      if (cached && cached.until > now) return cached.host
      const host = hostOf(senders, businessId)
      host.catch(() => cache.delete(businessId))
      setNewest(cache, [businessId, { until: later(now, keptFor), host }], mostKept)
      return host
    },
    async isForeign(host, businessId) {
      const domain = servedDomainIn(host.toLowerCase())
      if (domain === undefined || !(await holdsVerifiedName(db, domain))) return false
      return !(await ownsName(db, businessId, domain))
    },
  }
}

async function hostOf(senders: Senders, businessId: Id<'business'>): Promise<string | undefined> {
  const sender = await senders.senderOf(businessId)
  return isRefusal(sender) ? undefined : sender.trackingHost
}

const prefix = trackingNameOf('')

/** Whether a name is the tracking name of a domain whose owner has proved it. */
export async function isServedName(db: Db, name: string): Promise<boolean> {
  const domain = servedDomainIn(name)
  return domain !== undefined && holdsVerifiedName(db, domain)
}

/** The domain of which a name would be the tracking name. */
export function servedDomainIn(name: string): string | undefined {
  return name.startsWith(prefix) ? name.slice(prefix.length) : undefined
}
