/** The doors for what comes back by HTTP: from people's mail programs and from providers. */
import type { FastifyInstance } from 'fastify'
import type { Feedback } from '../feedback/feedback.ts'
import type { Provider } from '../feedback/providers/provider.ts'
import type { Log } from '../platform/log.ts'
import { registerPreferences } from './pages/preferences.ts'
import { registerProviderEvents } from './provider-events.ts'
import { registerTracking } from './tracking.ts'

export interface ReturnRoutes {
  feedback: Feedback
  providers: ReadonlyMap<string, Provider>
  log: Log
}

export function registerReturns(
  app: FastifyInstance,
  { feedback, providers, log }: ReturnRoutes,
): void {
  const { clicks, opens, preferences, reports } = feedback
  registerTracking(app, { clicks, opens, log })
  registerPreferences(app, { ...preferences, log })
  registerProviderEvents(app, { providers, reports, clock: preferences.clock, log })
}
