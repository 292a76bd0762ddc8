/** The only access to the service: typed calls of the SDK, with the cookie of this session. */
import { createSessionClient, type Operations } from '@crier-mail/sdk/session'
import { type AppOperations, appOperationsOver, appRoutes } from '../generated/operations.ts'

/** The response to a request that `early.ts` began, for the first who makes the same request. */
function takeEarly(url: string): Promise<Response> | undefined {
  const key = url.slice(location.origin.length)
  const response = globalThis.earlyResponses?.get(key)
  globalThis.earlyResponses?.delete(key)
  return response
}

const client = createSessionClient({
  url: location.origin,
  routes: appRoutes,
  fetch: (to, init) => (typeof to === 'string' && takeEarly(to)) || fetchConfirmed(to, init),
})
const own = appOperationsOver(client.call)

/** Every operation of the catalogue, and those that exist only in the app. */
export const api: Operations & AppOperations = {
  ...client,
  ...own,
  business: { ...client.business, ...own.business },
  campaign: { ...client.campaign, ...own.campaign },
  feed: { ...client.feed, ...own.feed },
  mandate: { ...client.mandate, ...own.mandate },
  proposal: { ...client.proposal, ...own.proposal },
  removal: { ...client.removal, ...own.removal },
  sequence: { ...client.sequence, ...own.sequence },
  template: { ...client.template, ...own.template },
  suppression: { ...client.suppression, ...own.suppression },
  webhook: { ...client.webhook, ...own.webhook },
}

/** Makes the request again once the person has confirmed, where it was refused for that. */
async function fetchConfirmed(to: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(to, init)
  if (response.status !== 403) return response
  const { isConfirmed } = await import('./factor.ts')
  // The person may have taken longer than the request had.
  return (await isConfirmed(response)) ? fetch(to, { ...init, signal: null }) : response
}
