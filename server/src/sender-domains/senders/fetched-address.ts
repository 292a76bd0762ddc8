/**
 * Addresses that the service itself would fetch at the word of a connection that may not take data out:
 * their path, query and subdomain can carry what it has read to whoever runs the host. It names those of
 * the business's own domains, and the front page of any site, which carries nothing but its name.
 */
import type { BusinessContext } from '../../core/operation.ts'
import { checkTakesDataOut } from '../../core/taking-out.ts'
import { isWithin, ownDomainsOf } from './own-domains.ts'

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
  if (!parsed || isFrontPage(parsed)) return
  const own = new Set([new URL(appUrl).hostname, ...(await ownDomainsOf(db, business.id))])
  if (isWithin(parsed.hostname, own)) return
  const words = `${action} at an address on ${parsed.hostname}, a host that is not the business’s own,`
  checkTakesDataOut(context, { action: words, page, field })
}

/** `https://shop.example`, `https://www.shop.example` or `https://shop.co.uk`, and nothing behind it. */
function isFrontPage({ hostname, pathname, search, hash, username, password, port }: URL): boolean {
  if (pathname !== '/' || search + hash + username + password + port !== '') return false
  const labels = hostname.replace(/^www\./, '').split('.')
  const [, second = '', country = ''] = labels
  return labels.length === 2 || (labels.length === 3 && country.length === 2 && shared.has(second))
}

/** Second labels below which countries have names registered. */
const shared: ReadonlySet<string> = new Set(['co', 'com', 'org', 'net', 'ac', 'or', 'gv'])
