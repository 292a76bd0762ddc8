/** The routes for responses by HTTP: from people's mail programs and from providers. */
import type { FastifyInstance } from 'fastify'
import type { Provider } from '../../bounces/providers/provider.ts'
import type { Log } from '../../lib/process/log.ts'
import type { LocalLimit } from '../../lib/rate-limit/local-limit.ts'
import { registerConfirmations } from '../pages/public/confirmation.ts'
import { type MailViewParts, registerMailView } from '../pages/public/mail-view.ts'
import { registerPreferences } from '../pages/public/preferences.ts'
import type { Feedback } from './feedback.ts'
import { registerProviderEvents } from './provider-events.ts'
import { registerTracking } from './tracking.ts'

export interface ReturnRoutes {
  feedback: Feedback
  view: Omit<MailViewParts, 'visitLimit'>
  visitLimit: LocalLimit
  providers: ReadonlyMap<string, Provider>
  log: Log
}

export function registerReturns(
  app: FastifyInstance,
  { feedback, view, visitLimit, providers, log }: ReturnRoutes,
): void {
  const { clicks, opens, preferences, reports } = feedback
  registerTracking(app, { clicks, opens, visitLimit, log })
  registerPreferences(app, { ...preferences, log })
  registerMailView(app, { ...view, visitLimit })
  registerConfirmations(app, { ...preferences, log })
  registerProviderEvents(app, { providers, reports, clock: preferences.clock, log })
}
