/**
 * UTM parameters of links, by which web analytics tell where a visitor came from. They are added
 * only where that changes nothing else about the link.
 */

export const utmKeys = ['source', 'medium', 'campaign', 'term', 'content'] as const
export type Utm = Partial<Record<(typeof utmKeys)[number], string>>

/** Returns the URL with the parameters, or as it was where it must stay as it is. */
export type TagUrl = (url: string) => string

/** The most characters of a URL with its parameters. */
const longestUrl = 2_000

/** Parameters of links that are signed as a whole: one more parameter makes them invalid. */
const signatures = new Set([
  'x-amz-signature',
  'x-goog-signature',
  'signature',
  'sig',
  'hmac',
  'oauth_signature',
  'hdnts',
  'verify',
])

/** `ownHosts` are those of this service, whose links lead to a person's own pages. */
export function urlTagger(utm: Utm, ownHosts: readonly string[]): TagUrl {
  const added = utmKeys
    .flatMap((key) => {
      const value = utm[key]
      return value === undefined ? [] : [`utm_${key}=${encodeURIComponent(value)}`]
    })
    .join('&')
  return (text) => {
    const url = URL.parse(text)
    if (added === '' || !url || !isOfTheWeb(url) || ownHosts.includes(url.host)) return text
    if (keepsItsQuery(url)) return text
    // What is there stays byte for byte; the fragment follows the query.
    const hash = text.indexOf('#')
    const before = hash === -1 ? text : text.slice(0, hash)
    const after = hash === -1 ? '' : text.slice(hash)
    const tagged = before + joint(before) + added + after
    return tagged.length <= longestUrl ? tagged : text
  }
}

const isOfTheWeb = ({ protocol }: URL) => protocol === 'https:' || protocol === 'http:'

/** A link with its own utm_ values says itself where its visitors come from. */
function keepsItsQuery({ searchParams }: URL): boolean {
  for (const key of searchParams.keys()) {
    const name = key.toLowerCase()
    if (name.startsWith('utm_') || signatures.has(name)) return true
  }
  return false
}

function joint(before: string): string {
  if (!before.includes('?')) return '?'
  return before.endsWith('?') || before.endsWith('&') ? '' : '&'
}
