/**
 * What need not wait for the app's own script: the theme, and the requests that a page makes as soon
 * as it runs. Over a slow connection these take as long as the script does. The app takes each response
 * once, in `api/client.ts`. The addresses are those that the SDK makes; a test compares them.
 */
// As in `shell/theme.ts`: the frame of the page is drawn before the app runs.
const theme = localStorage.getItem('crier-theme')
if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme

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
