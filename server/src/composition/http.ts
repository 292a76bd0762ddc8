/**
 * Builds the HTTP entry points: operations as tools and over REST, the pages, and the endpoints
 * where providers deliver reports and texts.
 */

import type { FastifyInstance } from 'fastify'
import { factorNotices } from '../accounts/factors/notice.ts'
import { passkeyNotices } from '../accounts/passkeys/notice.ts'
import type { Ledger } from '../backups/ledger/keep-ledger.ts'
import { fetchBytes, providersOf } from '../bounces/providers/set-up.ts'
import { campaignProgress } from '../campaigns/progress.ts'
import { type Finding, fail, warn } from '../checks/finding.ts'
import { limits, mayShowInbox } from '../config.ts'
import type { Operation } from '../core/operation.ts'
import { createEngine } from '../core/writes/unit-of-work.ts'
import { formsBase } from '../forms/form.ts'
import { registerDiscovery, resourceMetadataUrl } from '../http/discovery.ts'
import { registerDocs } from '../http/docs/routes.ts'
import { admitKeys } from '../http/key-entry.ts'
import { registerMcp } from '../http/mcp/route.ts'
import { createSpelling, createTools } from '../http/mcp/tools.ts'
import { registerOAuthRoutes } from '../http/oauth.ts'
import { commonChecks, type HealthDeps, registerHealth } from '../http/operating/health.ts'
import { createLazyMetrics, type MetricsDeps, registerMetrics } from '../http/operating/metrics.ts'
import { registerServedDomains } from '../http/operating/served-domains.ts'
import { registerStatusPage } from '../http/operating/status-page.ts'
import { createAuthenticator } from '../http/operation-entry.ts'
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
import { createServer, endAfterAnswers } from '../http/server.ts'
import { admitSessions } from '../http/session-entry.ts'
import { smsHookOf } from '../inbound-sms/hooks.ts'
import { type Lazy, lazily } from '../lib/concurrency/lazily.ts'
import type { OutageWatch } from '../lib/db/outage-watch.ts'
import { countWorkers } from '../lib/jobs/health.ts'
import type { InstallationFigures } from '../lib/metrics/metrics.ts'
import { createLocalLimit } from '../lib/rate-limit/local-limit.ts'
import { createRateLimiter } from '../lib/rate-limit/rate-limit.ts'
import { later, seconds } from '../lib/time/clock.ts'
import type { Relays } from '../messages/relays/relays.ts'
import { createKeyCheck } from '../oauth/api-keys/check-key.ts'
import { keysOfLeavers } from '../oauth/api-keys/maker-left.ts'
import { registrationLimit } from '../oauth/clients/registration-limit.ts'
import { createPrincipalReader } from '../oauth/connections/principals.ts'
import { createLastUse, createRecentCalls } from '../oauth/connections/recent-use.ts'
import { type CallDeps, callOperation } from '../operations/call.ts'
import type { Facilities } from '../operations/capabilities.ts'
import { appCatalogOf, catalogOf } from '../operations/catalog.ts'
import { publicLimits, settingsDependencies } from '../operations/facility-dependencies.ts'
import { createPersonCalls } from '../operations/person-calls.ts'
import type { StatusFacility } from '../status/get.ts'
import { createNodeRecord } from '../status/node-record.ts'
import type { StatusReport } from '../status/report.ts'
import { createSignIn, type SignInDeps } from '../submission/sign-in.ts'
import type { SentEmail } from '../submission/submit.ts'
import { openTraces } from '../traces/open.ts'
import type { Traces } from '../traces/trace.ts'
import { createCallCounter } from '../usage/reserve.ts'
import { version } from '../version.ts'
import { invitationMailer, signInMailer } from '../worker.ts'
import type { AppParts } from './app-parts.ts'
import { figureReader, relayFigures } from './figures.ts'
import { troublesOf } from './operator-alerts.ts'
import type { Services } from './services.ts'

/** The server with all its routes, and the counter of its calls. */
interface Watched {
  watch: OutageWatch
  /** Set where this process may keep the ledger of opt-outs. */
  ledger: Pick<Ledger, 'behindSeconds'> | undefined
}

export function createHttp(parts: AppParts, services: Services, { watch, ledger }: Watched) {
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
    accessLog: config.accessLog,
    https: config.baseUrl.startsWith('https:'),
  })
  const traces = openTraces({ db, clock, log, config, version })
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
  let certificateEnds: (() => Date) | undefined
  const metrics = createLazyMetrics({
    figures: figureReader(parts),
    databaseWorks: async () => (await watch.check()) === undefined,
    relays: () => relayFigures(services.relays, clock.now()),
    own: () => ({
      pool: db.poolUse(),
      shards: worker.shardsHeld(),
      rateRefusals: rate.refusals,
      release: version,
      certificateSeconds: secondsLeft(certificateEnds?.(), clock.now()),
      ledgerBehindSeconds: config.role === 'api' ? undefined : ledger?.behindSeconds(),
    }),
  })
  registerMetrics(server, { metrics, token: config.metricsToken })
  registerStatusPage(server, state)
  const { baseUrl, appUrl, gatewayUrl } = config
  registerServedDomains(server, { db, baseUrl, appUrl, gatewayUrl })
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
    requireSecondFactor: config.requireSecondFactor,
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
    spellingFor: createSpelling(db, config.dottedClients),
    vault,
    log,
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
  registerDocs(server, { catalog, site: config, db, clock })
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
  registerPages(server, {
    ...pages,
    signInMailer: signInMailer({ clock, wake: worker.wake }),
    passkeyNotices: passkeyNotices(worker.wake),
    factorNotices: factorNotices(worker.wake),
    resolver: services.domains.resolver,
    party: services.party,
  })
  const leave = () => {
    isLeaving = true
    endAfterAnswers(server)
  }
  const submission = lazily(async () => {
    const needs = { ...admission, checkKey, calling, catalog }
    const open = await openSubmissionServers(parts, needs)
    certificateEnds = open?.certificateEnds
    return open
  })
  const { ask } = byPerson
  /** Writes what is still counted in memory. */
  const settle = () =>
    Promise.all([rate.stop(), lastUse.stop(), recentCalls.stop(), counter.stop(), nodes.stop()])
  return { server, status, submission, rate, nodes, traces, ask, leave, settle }
}

/**
 * `catalog` holds the operations for everybody; `everything` adds those that only the app may
 * call.
 */
function createCatalog(parts: AppParts, services: Services, status: StatusFacility) {
  const { config, db, clock, vault } = parts
  const { domains, texting, words, senderProfileOf, worker } = services
  const facilities = {
    slug: config.slug,
    appUrl: config.appUrl,
    ownHostOf: services.ownHosts.ownHostOf,
    gatewayUrl: config.gatewayUrl,
    defaultTier: config.defaultTier,
    defaultDeployLimit: config.defaultDeployLimit,
    historyMonths: config.historyMonths,
    passagesOf: (catalogOf) => {
      const passages = lazily(async () => {
        // Loaded at the first search: the guides are read and indexed then.
        const { createPassages } = await import('../reference/passages.ts')
        return createPassages(catalogOf(), config)
      })
      return async (query) => (await passages.get())(query)
    },
    meaningsOf: async (operation) => {
      const { inputOf } = await import('../reference/meanings/find.ts')
      return inputOf(operation)
    },
    leaving: keysOfLeavers(worker.wake),
    passkeys: {
      db,
      vault,
      site: config,
      notices: passkeyNotices(worker.wake),
      isRequired: config.requireSecondFactor,
    },
    factors: {
      db,
      vault,
      notices: factorNotices(worker.wake),
      isRequired: config.requireSecondFactor,
      issuer: config.companySignIn?.issuer,
    },
    company: { db, vault, resolver: domains.resolver, appUrl: config.appUrl },
    invitations: invitationMailer({ clock, wake: worker.wake }),
    settings: settingsDependencies(db, config, domains.settings, senderProfileOf, (id) =>
      formsBase({ appUrl: config.appUrl, ownHostOf: services.ownHosts.ownHostOf }, id),
    ),
    brand: {
      appUrl: config.appUrl,
      baseUrl: config.baseUrl,
      templates: services.templates,
      outbound: services.outbound,
      changed: (id) => senderProfileOf.forget(id),
    },
    domains,
    warmUpOf: services.planning.warmUpOf,
    refusingProvidersOf: services.refusingProvidersOf,
    email: config.smtpUrl ? 'smtp' : 'inbox',
    submission: config.submission,
    sms: texting.provider,
    texts: {
      ...words,
      fillOwn: words.templates.fillOwn,
      checkValues: words.templates.checkValues,
      textSenders: texting.senders,
    },
    viewing: {
      ...words,
      db,
      senders: services.senders,
      utmOf: services.utmOf,
      senderProfileOf,
    },
    templates: services.templates,
    senders: services.senders,
    campaigns: services.planning,
    writer: services.writing.writer,
    traces: services.personalData,
    exports: { vault, gatewayUrl: config.gatewayUrl },
    images: { files: services.files, outbound: services.outbound, baseUrl: config.baseUrl },
    imports: { db, clock, vault, files: services.files, gatewayUrl: config.gatewayUrl },
    limits: publicLimits,
    webhooks: { vault, guard: services.guard, rights: services.rights },
    status,
  } satisfies Facilities
  const catalog = [...catalogOf(facilities), ...(parts.operations ?? [])]
  const everything = [...catalog, ...appCatalogOf(facilities)]
  return { catalog, everything }
}

/** Runs each request within the trace that its `traceparent` names, once traces have started. */
function followRequests(server: FastifyInstance, traces: Lazy<Traces>): void {
  let started: Traces | undefined
  server.addHook('onReady', async () => {
    started = await traces.get()
  })
  server.addHook('onRequest', (request, _reply, done) => {
    if (started) started.within(request.headers, done)
    else done()
  })
}

/** Undefined if STATUS_PORT is not set. */
function createStatusServer(
  { config, log }: Pick<AppParts, 'config' | 'log'>,
  parts: HealthDeps & MetricsDeps,
): { start(): Promise<void>; stop(): Promise<void> } | undefined {
  const { statusPort: port, statusHost: host } = config
  if (port === undefined) return undefined
  const server: FastifyInstance = createServer({
    log,
    bodyLimit: limits.bodyBytes,
    trustProxy: false,
    https: false,
  })
  registerHealth(server, parts)
  registerMetrics(server, parts)
  return {
    start: async () => void (await server.listen({ port, host })),
    stop: () => server.close(),
  }
}

const keptMs = { works: seconds(1), report: seconds(5), checks: seconds(60) }

/** What the operator's page shows, read at most once in a few seconds however many look at it. */
function statusFacility(
  parts: AppParts,
  relays: Relays,
  watch: Pick<OutageWatch, 'check'>,
): StatusFacility {
  const { config, db, clock } = parts
  const figures = figureReader(parts)
  const checks = kept(keptMs.checks, async (now) => {
    const { runningFindings } = await import('../checks/running.ts')
    return runningFindings(db, config, now)
  })
  const report = kept(keptMs.report, async (now): Promise<StatusReport> => {
    const { readReport } = await import('../status/report.ts')
    const findings = async (read: InstallationFigures): Promise<Finding[]> => [
      ...ownFindings(read),
      ...relayFigures(relays, now)
        .filter(({ isAway }) => isAway)
        .map(({ name }) =>
          warn('relay', `${name} takes no mail`, 'Run crier doctor, which says why.'),
        ),
      ...(await checks(now)),
    ]
    const makesBackups = config.backupTo !== undefined
    return readReport({ db, makesBackups, figures, findings }, now)
  })
  const works = kept(keptMs.works, async (now) => {
    if (await watch.check()) return false
    const workers = await countWorkers(db, now)
    return workers > 0
  })
  return {
    operatorEmail: config.operatorEmail,
    isOfThisMachine: mayShowInbox({ ...config, allowInbox: false }),
    relays: (now) => relayFigures(relays, now).map(({ name, isAway }) => ({ name, isAway })),
    report,
    works: () => works(clock.now()).catch(() => false),
  }
}

/** What the figures tell, in the words of the mails to the operator. */
function ownFindings(figures: InstallationFigures): Finding[] {
  const findings = troublesOf(figures)
    // A check of its own tells of the backups.
    .filter(({ key }) => key !== 'backup' && key !== 'backup-failed')
    .map(({ key, what: finding, mend }) => warn(key, finding, mend))
  if (figures.isSendingPaused) {
    const mend = 'Look around, then run crier sending start.'
    findings.unshift(warn('sending', 'Nothing has been sent since a restore.', mend))
  } else if (figures.workers === 0) {
    const mend = 'Start one with crier serve --role worker.'
    findings.unshift(fail('workers', 'No worker is alive, so nothing is sent.', mend))
  }
  return findings
}

/** Callers at the same time share one reading. */
function kept<T>(ms: number, read: (now: Date) => Promise<T>): (now: Date) => Promise<T> {
  let last: { until: Date; value: Promise<T> } | undefined
  return (now) => {
    if (last && now < last.until) return last.value
    const value = read(now)
    const reading = { until: later(now, ms), value }
    last = reading
    value.catch(() => {
      if (last === reading) last = undefined
    })
    return value
  }
}

const secondsLeft = (ends: Date | undefined, now: Date): number | undefined =>
  ends && (ends.getTime() - now.getTime()) / 1000

interface SubmissionNeeds extends SignInDeps {
  calling: CallDeps
  catalog: readonly Operation[]
}

/** Opens the servers for submitted mail, where the settings have a port for them. */
async function openSubmissionServers(
  { config, clock, log }: AppParts,
  { calling, catalog, ...admission }: SubmissionNeeds,
) {
  const { submission: settings, dataDir } = config
  if (!settings) return undefined
  const operation = catalog.find(({ name }) => name === 'email.send')
  if (!operation) throw new Error('the catalogue has no email.send')
  const { openSubmission } = await import('../submission/open.ts')
  const open = await openSubmission({
    settings,
    dataDir,
    clock,
    log,
    signIn: createSignIn(admission),
    send: async ({ principal }, input, requestId) => {
      const call = { operation, input, principal, requestId }
      return (await callOperation(calling, call)) as SentEmail
    },
  })
  log.info(open.ports, 'submission.listening')
  return open
}
