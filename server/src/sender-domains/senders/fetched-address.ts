/**
 * Addresses that the service itself would fetch at the word of a connection that may not take data out:
 * their path, query and subdomain can carry what it has read to whoever runs the host. It names those of
 * the business's own domains, and the front page of any site, which carries nothing but its name.
 */
import { refuse } from '../../core/errors.ts'
import type { BusinessContext } from '../../core/operation.ts'
import { checkTakesDataOut } from '../../core/taking-out.ts'
import { lazily } from '../../lib/concurrency/lazily.ts'
import { countAttempt } from '../../lib/rate-limit/attempts.ts'
import { days } from '../../lib/time/clock.ts'
import { isWithin, ownDomainsOf } from './own-domains.ts'

// Loaded lazily, because the list of public suffixes needs memory that few services use.
const suffixes = lazily(() => import('tldts'))

/** Front pages of others that a connection may have read in 24 hours. */
const frontPagesPerDay = 20

interface FetchedAddress {
  url: string
  field: string
  /** Begins the sentence that says so, such as `Reading a site`. */
  action: string
  /** The page of the app on which a person does it. */
  page: string
}

export async function checkFetchedAddress(
  context: BusinessContext,
  { url, field, action, page }: FetchedAddress,
): Promise<void> {
  const { db, business, principal, appUrl } = context
  if (!principal.keepsDataIn) return
  const parsed = URL.parse(url.includes('://') ? url : `https://${url}`)
  // What is no address is refused by whoever fetches it.
  if (!parsed) return
  const own = new Set([new URL(appUrl).hostname, ...(await ownDomainsOf(db, business.id))])
  if (isWithin(parsed.hostname, own)) return
  if (await isFrontPage(parsed)) return countFrontPage(context, field)
  const words = `${action} at an address on ${parsed.hostname}, a host that is not the business’s own,`
  checkTakesDataOut(context, { action: words, page, field })
}

/** A registered name, such as `https://shop.example` or `https://www.shop.co.uk`, and nothing behind it. */
async function isFrontPage(url: URL): Promise<boolean> {
  const { hostname, pathname, search, hash, username, password, port } = url
  if (pathname !== '/' || search + hash + username + password + port !== '') return false
  const { getDomain } = await suffixes.get()
  const name = hostname.replace(/^www\./, '')
  return getDomain(name, { allowPrivateDomains: true }) === name
}

/** Each name tells its host something, so that many of them are a message. */
async function countFrontPage(context: BusinessContext, field: string): Promise<void> {
  const { db, hmac, principal, now } = context
  const over = await countAttempt(
    db,
    { hmac },
    {
      purpose: 'front-page.connection',
      subject: String(principal.connectionId),
      limit: frontPagesPerDay,
      windowMs: days(1),
      now,
    },
  )
  if (!over) return
  const text = `This connection may have ${frontPagesPerDay} sites that are not the business’s own read in 24 hours. ${over.message}`
  throw refuse('rate_limited', text, { ...over.details, field })
}
