/** The only access to the service: typed calls of the SDK, with the cookie of this session. */
import { createSessionClient, type Operations } from '@crier-mail/sdk/session'
import { type AppOperations, appOperationsOver, appRoutes } from '../generated/operations.ts'

const client = createSessionClient({ url: location.origin, routes: appRoutes })
const own = appOperationsOver(client.call)

/** Every operation of the catalogue, and those that exist only in the app. */
export const api: Operations & AppOperations = {
  ...client,
  ...own,
  campaign: { ...client.campaign, ...own.campaign },
  suppression: { ...client.suppression, ...own.suppression },
}
