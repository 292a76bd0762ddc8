/**
 * Builds the HTTP entry points: operations as tools and over REST, the pages, and the endpoints
 * where providers deliver reports and texts.
 */

import { fetchBytes } from '../bounces/providers/fetch-bytes.ts'
import { providersOf } from '../bounces/providers/set-up.ts'
import { campaignProgress } from '../campaigns/operations/progress.ts'
import { limits } from '../config.ts'
import { createEngine } from '../core/writes/unit-of-work.ts'
import { createAuthenticator } from '../http/authenticate.ts'
import { endAfterAnswers } from '../http/closing.ts'
import { registerDiscovery, resourceMetadataUrl } from '../http/discovery.ts'
import { registerDocs } from '../http/docs/routes.ts'
import { admitKeys } from '../http/key-entry.ts'
import { registerMcp } from '../http/mcp/route.ts'
import { createSpelling } from '../http/mcp/spelling.ts'
import { createTools } from '../http/mcp/tools.ts'
import { registerOAuthRoutes } from '../http/oauth.ts'
import { commonChecks, registerHealth } from '../http/operating/health.ts'
import { registerMetrics } from '../http/operating/metrics.ts'
import { registerServedDomains } from '../http/operating/served-domains.ts'
import { registerStatusPage } from '../http/operating/status-page.ts'
import { createOriginRule } from '../http/origins.ts'
import { registerArchives } from '../http/pages/archive/routes.ts'
import { registerHostedForms } from '../http/pages/forms/routes.ts'
import { registerPages } from '../http/pages/register.ts'
import { registerExportFiles } from '../http/rest/export-files.ts'
import { registerImageFiles } from '../http/rest/image-files.ts'
import { registerImportFiles } from '../http/rest/import-files.ts'
import { createLongReads } from '../http/rest/long-reads.ts'
import { registerRest } from '../http/rest/routes.ts'
import { registerReturns } from '../http/returns/routes.ts'
import { registerSmsHooks } from '../http/returns/sms-hooks.ts'
import { createServer } from '../http/server.ts'
import { admitSessions } from '../http/session-entry.ts'
import { smsHookOf } from '../inbound-sms/hooks.ts'
import { lazily } from '../lib/concurrency/lazily.ts'
import type { OutageWatch } from '../lib/db/outage-watch.ts'
import { createLazyMetrics } from '../lib/metrics/lazy-metrics.ts'
import { createLocalLimit } from '../lib/rate-limit/local-limit.ts'
import { createRateLimiter } from '../lib/rate-limit/rate-limit.ts'
import { createKeyCheck } from '../oauth/api-keys/check-key.ts'
import { registrationLimit } from '../oauth/clients/registration-limit.ts'
import { createLastUse } from '../oauth/connections/last-use.ts'
import { createPrincipalReader } from '../oauth/connections/principals.ts'
import { createRecentCalls } from '../oauth/connections/recent-calls.ts'
import { createPersonCalls } from '../operations/person-calls.ts'
import { createNodeRecord } from '../status/node-record.ts'
import { openTraces } from '../traces/open.ts'
import { createCallCounter } from '../usage/call-counter.ts'
import { version } from '../version.ts'
import { signInMailer } from '../worker.ts'
import type { AppParts } from './app-parts.ts'
import { createCatalog } from './catalog.ts'
import { figureReader, relayFigures } from './figures.ts'
import { followRequests } from './follow-requests.ts'
import type { Services } from './services.ts'
import { statusFacility } from './status.ts'
import { createStatusServer } from './status-server.ts'
import { openSubmissionServers } from './submission.ts'

/** The server with all its routes, and the counter of its calls. */
export function createHttp(parts: AppParts, services: Services, watch: OutageWatch) {
  const { config, db, clock, log, vault } = parts
  const { outbound, oauth, feedback, replies, texting, worker } = services
  const rate = createRateLimiter({ db, clock, log, limit: limits.requestsPerMinute })
  const lastUse = createLastUse({ db, clock, log })
  const recentCalls = createRecentCalls({ db, clock, log })
  const counter = createCallCounter({ db, clock, log })
  const engine = createEngine({
    db,
    clock,
    wake: worker.wake,
    connectionsPerBusiness: Math.ceil(config.databasePool / 2),
  })

  const state = statusFacility(parts, services.relays, watch)
  const { catalog, everything } = createCatalog(parts, services, state)
  const server = createServer({
    log,
    bodyLimit: limits.bodyBytes,
    trustProxy: config.trustProxy,
    https: config.baseUrl.startsWith('https:'),
  })
  const traces = openTraces({ ...parts, version })
  if (traces) followRequests(server, traces)
  const checkKey = createKeyCheck({ db, clock })
  const admission = { principalOf: createPrincipalReader(db), rate, used: lastUse.used }
  const authenticator = createAuthenticator({
    ...admission,
    clock,
    verify: oauth.accessTokens.verify,
    admitKey: admitKeys(checkKey, config),
    requestsPerConnection: config.requestsPerConnection,
  })
  const checks = { ...commonChecks({ db, clock, role: config.role, watch }), ...parts.checks }
  let isLeaving = false
  const leaving = () => isLeaving
  registerHealth(server, { checks, leaving })
  registerDiscovery(server, { ...oauth, clientDocuments: config.clientDocuments, clock })
  const limitRegistrations = registrationLimit(db, vault)
  registerOAuthRoutes(server, { oauth, clock, log, limitRegistrations })
  const tools = new Map(catalog.map((operation) => [operation.name, operation]))
  const toolNamed = (name: string) => tools.get(name)
  const metrics = createLazyMetrics({
    figures: figureReader(parts),
    databaseWorks: async () => (await watch.check()) === undefined,
    relays: () => relayFigures(services.relays, clock.now()),
    own: () => ({
      pool: db.poolUse(),
      shards: worker.shardsHeld(),
      rateRefusals: rate.refusals,
    }),
  })
  registerMetrics(server, { metrics, token: config.metricsToken })
  registerStatusPage(server, state)
  registerServedDomains(server, { ...config, db })
  const status = createStatusServer(parts, { checks, leaving, metrics, token: config.metricsToken })
  const nodes = createNodeRecord({ db, clock: services.workClock, role: config.role })
  const measure = nodes.measuring(metrics.called)
  const calling = {
    db,
    clock,
    counter,
    engine,
    vault,
    appUrl: config.appUrl,
    toolNamed,
    measure,
    called: recentCalls.ended,
  }
  const entry = {
    slug: config.slug,
    allowsOrigin: createOriginRule([config.baseUrl, config.appUrl, config.gatewayUrl]),
    ...authenticator,
    calling,
  }
  registerMcp(server, {
    ...entry,
    tools: createTools(catalog, config.slug),
    metadataUrl: (path) => {
      const plain = path.endsWith('/') ? path.slice(0, -1) : path
      return resourceMetadataUrl(`${config.appUrl}${plain}`)
    },
    spellingFor: createSpelling(db, config.underscoredClients),
  })
  registerRest(server, {
    ...entry,
    admit: admitSessions({ db, clock, config, rate }, authenticator.admit),
    catalog: everything,
    metadataUrl: () => resourceMetadataUrl(oauth.addresses.gateway),
    documentation: oauth.addresses.documentation,
    streamsPerConnection: config.streamsPerConnection,
    watcher: lazily(async () => {
      const { createWatcher } = await import('../http/live/watcher.ts')
      return createWatcher({ db, clock, log })
    }),
  })
  const longReads = createLongReads({ db, principalOf: admission.principalOf })
  registerImportFiles(server, {
    longReads,
    db,
    clock,
    vault,
    hmac: vault.hmac,
    files: services.files,
    reader: services.reader,
    gatewayUrl: config.gatewayUrl,
  })
  registerImageFiles(server, services)
  registerExportFiles(server, { db, clock, vault, longReads })
  registerDocs(server, { catalog, site: config })
  registerReturns(server, {
    feedback,
    view: {
      ...services.words,
      db,
      vault,
      senders: services.senders,
      utmOf: services.utmOf,
      senderProfileOf: services.senderProfileOf,
      baseUrl: config.baseUrl,
    },
    visitLimit: createLocalLimit({ clock, perMinute: config.visitsPerMinute }),
    providers: providersOf({ config, vault, fetch: fetchBytes(outbound) }),
    log,
  })
  registerHostedForms(server, {
    db,
    clock,
    log,
    vault,
    addresses: { appUrl: config.appUrl, ...services.ownHosts },
    senderProfileOf: feedback.preferences.senderProfileOf,
    writingFor: (businessId, requestId) =>
      engine.writingFor({
        businessId,
        operation: 'form.submit',
        input: {},
        origin: { connectionId: null, callId: requestId },
      }),
  })
  registerArchives(server, {
    db,
    templates: services.templates,
    baseUrl: config.baseUrl,
    addresses: { appUrl: config.appUrl, ...services.ownHosts },
    visitLimit: createLocalLimit({ clock, perMinute: config.visitsPerMinute }),
  })
  registerSmsHooks(server, {
    hook: config.sms && smsHookOf(config.sms, config.baseUrl),
    route: texting.transport.route,
    replies,
    clock,
    log,
  })
  const byPerson = createPersonCalls(calling, [...everything, campaignProgress])
  const pages = { ...parts, ...byPerson, feedback, texting: texting.listener, oauth }
  registerPages(server, { ...pages, signInMailer: signInMailer({ clock, wake: worker.wake }) })
  const leave = () => {
    isLeaving = true
    endAfterAnswers(server)
  }
  const submission = lazily(() =>
    openSubmissionServers(parts, { ...admission, checkKey, calling, catalog }),
  )
  const { ask } = byPerson
  /** Writes what is still counted in memory. */
  const settle = () =>
    Promise.all([rate.stop(), lastUse.stop(), recentCalls.stop(), counter.stop(), nodes.stop()])
  return { server, status, submission, rate, nodes, traces, ask, leave, settle }
}
