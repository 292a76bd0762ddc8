/** Pages of ours that a sign-in may end at; anything else ends at the first. */
const ownPages = [
  '/account/connections',
  '/account/businesses',
  '/account/invitations',
  '/account/sessions',
  '/',
]

const business =
  /^\/account\/businesses\/bus_[0-9a-hjkmnp-tv-z]{26}(?:\/(?:members|suppressions|keys))?$/
const campaign = /^\/campaigns\/cmp_[0-9a-hjkmnp-tv-z]{26}$/

/** The web app, with the filters and the open drawer that stand in its address. */
const app = /^\/b(?:\/[\w.~-]*)*(?:\?[\w.~%&=+:,;@!'()*-]*)?$/
const longestApp = 2_000

/** A place named by a URL is not trusted: only these, so that nobody is sent elsewhere. */
export function ownPage(asked: unknown): string {
  if (typeof asked === 'string') {
    if (campaign.test(asked) || business.test(asked)) return asked
    if (asked.length <= longestApp && app.test(asked)) return asked
  }
  return ownPages.find((page) => page === asked) ?? '/account/connections'
}
