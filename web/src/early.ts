/**
 * Requests that a page makes as soon as it runs, begun while the app's own script still loads: over
 * a slow connection they take as long as the script does. The app takes each response once, in
 * `api/client.ts`. These addresses are those that the SDK makes; a test compares them.
 */
const [, , business = '', page, object] = location.pathname.split('/')
const urls = ['/v1/businesses']
if (business.startsWith('bus_')) {
  urls.push(`/v1/businesses/settings?business_id=${business}`)
  if (page === 'contacts' && object === undefined && location.search === '') {
    urls.push(`/v1/contacts?business_id=${business}&limit=40`)
  }
}

globalThis.earlyResponses = new Map(
  urls.map((url) => {
    const response = fetch(url, { headers: { accept: 'application/json' }, redirect: 'manual' })
    // Whoever takes the response hears of a failure; nobody may.
    response.catch(() => undefined)
    return [url, response]
  }),
)

declare global {
  /** Responses by path and query. Absent where the script that asks for them did not load. */
  var earlyResponses: Map<string, Promise<Response>> | undefined
}

export type EarlyResponses = typeof globalThis.earlyResponses
