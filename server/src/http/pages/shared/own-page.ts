/** Our own pages at which a sign-in may end. Anything else ends in the web app. */
const ownPages = ['/account/invitations', '/']

/** Where a person links their account to a company's, after they have signed in. */
const companyLink = /^\/login\/company\/link\/lnk_[0-9a-hjkmnp-tv-z]{26}$/

/** Where an app asks to be connected, with its request. */
const authorize = /^\/functions\/v1\/mcp-oauth\?[\w.~%&=+*-]{1,4000}$/

const campaign = /^\/campaigns\/cmp_[0-9a-hjkmnp-tv-z]{26}$/

/** The web app, including the filters and the open drawer in its URL. */
const app = /^\/b(?:\/[\w.~-]*)*(?:\?[\w.~%&=+:,;@!'()*-]*)?$/
const longestApp = 2_000

/** A target from a URL is not trusted. Only our own pages are allowed, never another site. */
export function ownPage(target: unknown): string {
  if (typeof target === 'string') {
    if (campaign.test(target) || companyLink.test(target)) return target
    if (authorize.test(target)) return target
    if (target.length <= longestApp && app.test(target)) return target
  }
  return ownPages.find((page) => page === target) ?? '/b'
}
