/**
 * The composition root: every part is built here and handed what it needs. Nothing
 * else knows more than its own neighbours.
 */

import type { FastifyInstance } from 'fastify'
import { createLetterheadReader } from '../accounts/businesses/sender-profile.ts'
import { takeReports } from '../bounces/ingest-reports.ts'
import { fetchBytes } from '../bounces/providers/fetch-bytes.ts'
import { providersOf } from '../bounces/providers/set-up.ts'
import { outboundLinkChecks } from '../campaigns/preflight/ask-link.ts'
import { campaignOutcomes as outcomes } from '../campaigns/results/outcomes.ts'
import { createWriting } from '../campaigns/writer/writing.ts'
import { type Config, isLoopbackUrl, limits } from '../config.ts'
import { createInboxWire } from '../core/inbox/mail-transport.ts'
import type { Operation } from '../core/operation.ts'
import { createEngine } from '../core/writes/unit-of-work.ts'
import { type Caller, createAuthenticator } from '../http/authenticate.ts'
import { registerDiscovery, resourceMetadataUrl } from '../http/discovery.ts'
import { registerDocs } from '../http/docs/routes.ts'
import { commonChecks, registerHealth } from '../http/health.ts'
import { registerMcp } from '../http/mcp/route.ts'
import { createSpelling } from '../http/mcp/spelling.ts'
import { createTools } from '../http/mcp/tools.ts'
import { registerOAuthRoutes } from '../http/oauth.ts'
import { createOriginRule } from '../http/origins.ts'
import { registerPages } from '../http/pages/register.ts'
import { registerRest } from '../http/rest/routes.ts'
import { registerReturns } from '../http/returns/routes.ts'
import { registerSmsHooks } from '../http/returns/sms-hooks.ts'
import { createServer } from '../http/server.ts'
import { admitSessions } from '../http/session-entry.ts'
import { smsHookOf } from '../inbound-sms/hooks.ts'
import { createReplies } from '../inbound-sms/inbound-sms.ts'
import { lazily } from '../lib/concurrency/lazily.ts'
import type { Vault } from '../lib/crypto/vault.ts'
import type { Database } from '../lib/db/types.ts'
import { createResolver } from '../lib/dns/resolver.ts'
import { createMailer } from '../lib/email/mailer.ts'
import { createSmtpWire } from '../lib/email/smtp/transport.ts'
import { createGuard, type Resolve } from '../lib/http-client/outbound-guard.ts'
import type { TellWorker } from '../lib/jobs/enqueue.ts'
import { createWorker, type Worker } from '../lib/jobs/worker.ts'
import type { Log } from '../lib/process/log.ts'
import { createLocalLimit } from '../lib/rate-limit/local-limit.ts'
import { createRateLimiter } from '../lib/rate-limit/rate-limit.ts'
import type { Clock } from '../lib/time/clock.ts'
import { createTemplateWords } from '../messages/composing/template-words.ts'
import { createSending } from '../messages/delivery/sending.ts'
import { createTexting } from '../messages/delivery/sms-sending.ts'
import { documentFetch } from '../oauth/clients/fetch-document.ts'
import { registrationLimit } from '../oauth/clients/registration-limit.ts'
import { createLastUse } from '../oauth/connections/last-use.ts'
import { createPrincipalReader, reachOf } from '../oauth/connections/principals.ts'
import { createOAuth } from '../oauth/server.ts'
import { callOperation } from '../operations/call.ts'
import type { Facilities } from '../operations/capabilities.ts'
import { appCatalogOf, catalogOf } from '../operations/catalog.ts'
import { settingsParts, shownLimits } from '../operations/facility-parts.ts'
import { createPersonCalls } from '../operations/person-calls.ts'
import { createBuilding, createPress } from '../rendering/rendering.ts'
import type { DomainFacility } from '../sender-domains/model/facility.ts'
import { domainSettingsOf } from '../sender-domains/model/settings.ts'
import { createSenders } from '../sender-domains/senders/senders.ts'
import { createServiceKeys } from '../sender-domains/senders/service-keys.ts'
import { createWayOut } from '../subscriptions/unsubscribe-check.ts'
import { createTemplates } from '../templates/compile.ts'
import { createTracking } from '../tracking/track.ts'
import { createCallCounter } from '../usage/call-counter.ts'
import { invitationMailer, jobKinds, roomTraces, signInMailer } from '../worker.ts'
import { createFeedback } from './feedback.ts'

export interface AppParts {
  config: Config
  db: Database
  clock: Clock
  log: Log
  vault: Vault
  /** What `/readyz` asks beside the database. */
  checks?: Record<string, () => Promise<string | undefined>>
  /** Who is asked for the addresses of names that callers give; the system, unless a test says. */
  resolve?: Resolve
  /** Operations beside the catalogue's, for tests of the engine. */
  operations?: readonly Operation[]
}

export interface App {
  server: FastifyInstance
  /** Starts timers and, where the role says so, background work. */
  start(): Promise<void>
  /** No new work; what is in flight ends; what was claimed is given back. */
  stop(): Promise<void>
}

export function createApp(parts: AppParts): App {
  const { config, db, clock, log, vault } = parts
  const guard = createGuard({
    rules: config.outboundAllow,
    allowHttp: isLoopbackUrl(config.baseUrl),
    ...(parts.resolve && { resolve: parts.resolve }),
  })
  const wire = config.smtpUrl ? createSmtpWire(config.smtpUrl) : createInboxWire({ db, clock })
  const mailer = createMailer({ wire, clock, keysOf: createServiceKeys({ db, clock, vault }) })
  const outbound = lazily(async () => {
    const { createOutbound } = await import('../lib/http-client/outbound-fetch.ts')
    return createOutbound({ guard, connections: limits.deliveriesAtOnce })
  })
  const oauth = createOAuth({ db, vault, config, fetchDocument: documentFetch(outbound) })
  const press = createPress({ vault, baseUrl: config.baseUrl })
  const templates = createTemplates({ baseUrl: config.baseUrl, onward: press.onward })
  const writing = createWriting(config, { log, resolve: parts.resolve })
  const wake: TellWorker = (news) => worker.wake(news)
  const letterheadOf = createLetterheadReader(db, clock)
  const feedback = createFeedback({ db, clock, vault, letterheadOf, outcomes })
  const bounces = lazily(async () => {
    const { openBounceDoor } = await import('../bounces/server/open.ts')
    return openBounceDoor({ ...feedback.reports, clock, log, config })
  })
  const domains: DomainFacility = {
    resolver: createResolver({ servers: config.dnsServers }),
    vault,
    settings: domainSettingsOf(config),
  }
  const senders = createSenders({ db, clock, ...domains })
  const replies = createReplies({
    db,
    clock,
    hmac: vault.hmac,
    wake,
    takeReports: (reports, now) => takeReports(feedback.reports, reports, now),
  })
  const texting = createTexting({ config, db, clock, log, letterheadOf, ...replies })
  const words = {
    templates: createTemplateWords({ db, templates, letterheadOf }),
    tracking: createTracking({ vault, clock, config, letterheadOf }),
  }
  const building = createBuilding({ ...words, db, press, templates, words: words.templates })
  const sending = createSending({
    ...words,
    building,
    db,
    clock,
    log,
    hmac: vault.hmac,
    wire,
    texting,
    dataDir: config.dataDir,
    wake,
    outcomes,
    bounceDomain: config.takesReturns ? config.bounceDomain : undefined,
    senders,
  })
  const planning = {
    checkLinks: outboundLinkChecks(outbound, clock),
    canaryWaitMs: config.canaryWaitMs,
    textSenders: texting.senders,
    wayOut: createWayOut({ ...config, isReal: config.senderGate === 'strict' }),
  }
  const rights = { reachOf }
  const worker: Worker = createWorker({
    db,
    clock,
    log,
    kinds: jobKinds({
      ...config,
      db,
      clock,
      log,
      vault,
      mailer,
      outbound,
      rights,
      domains,
      urls: config,
      messages: sending.kinds,
      feedback: feedback.kinds,
      replies: replies.kinds,
      senders,
      templates,
      outcomes,
      ...planning,
      wake,
    }),
    slots: limits.jobSlots,
  })
  const rate = createRateLimiter({ db, clock, log, limit: limits.requestsPerMinute })
  const lastUse = createLastUse({ db, clock, log })
  const counter = createCallCounter({ db, clock, log })
  const engine = createEngine({ db, clock, wake: worker.wake })

  const facilities = {
    slug: config.slug,
    appUrl: config.appUrl,
    gatewayUrl: config.gatewayUrl,
    invitations: invitationMailer({ clock, wake: worker.wake }),
    settings: settingsParts(db, config, domains.settings, letterheadOf),
    domains,
    email: config.smtpUrl ? 'smtp' : 'inbox',
    sms: texting.transport,
    texts: { ...words, fillOwn: words.templates.fillOwn, textSenders: texting.senders },
    templates,
    senders,
    campaigns: planning,
    writer: writing.writer,
    traces: roomTraces,
    limits: shownLimits,
    webhooks: { vault, guard, rights },
  } satisfies Facilities
  const catalog = [...catalogOf(facilities), ...(parts.operations ?? [])]
  const everything = [...catalog, ...appCatalogOf(facilities)]
  const server = createServer({
    log,
    bodyLimit: limits.bodyBytes,
    trustProxy: config.trustProxy,
    https: config.baseUrl.startsWith('https:'),
  })
  const authenticator = createAuthenticator({
    verify: (token) => oauth.accessTokens.verify(token, clock.now()),
    principalOf: createPrincipalReader(db),
    rate,
    requestsPerConnection: config.requestsPerConnection,
    used: lastUse.used,
  })
  registerHealth(server, { checks: { ...commonChecks(db, clock), ...parts.checks } })
  registerDiscovery(server, { ...oauth, clientDocuments: config.clientDocuments, clock })
  const limitRegistrations = registrationLimit(db, vault)
  registerOAuthRoutes(server, { oauth, clock, log, limitRegistrations })
  const calling = { db, clock, counter, engine, vault, appUrl: config.appUrl }
  const door = {
    slug: config.slug,
    allowsOrigin: createOriginRule([config.baseUrl, config.appUrl, config.gatewayUrl]),
    ...authenticator,
    call: (
      operation: Operation,
      input: Record<string, unknown>,
      { principal }: Caller,
      requestId: string,
    ) => callOperation(calling, { operation, input, principal, requestId }),
  }
  registerMcp(server, {
    ...door,
    tools: createTools(catalog, config.slug),
    metadataUrl: (path) => resourceMetadataUrl(`${config.appUrl}${path}`),
    spellingFor: createSpelling(db, config.underscoredClients),
  })
  registerRest(server, {
    ...door,
    admit: admitSessions({ db, clock, config, rate }, authenticator.admit),
    catalog: everything,
    metadataUrl: () => resourceMetadataUrl(oauth.addresses.gateway),
    documentation: oauth.addresses.documentation,
    streamsPerConnection: config.streamsPerConnection,
  })
  registerDocs(server, { catalog, site: config })
  registerReturns(server, {
    feedback,
    visitLimit: createLocalLimit({ clock, perMinute: config.visitsPerMinute }),
    providers: providersOf({ config, vault, fetch: fetchBytes(outbound) }),
    log,
  })
  registerSmsHooks(server, {
    hook: config.sms && smsHookOf(config.sms, config.baseUrl),
    route: texting.wire.route,
    replies,
    clock,
    log,
  })
  const ask = createPersonCalls(calling, everything)
  const pages = { ...parts, ask, feedback, texting: texting.listener, oauth }
  registerPages(server, { ...pages, signInMailer: signInMailer({ clock, wake: worker.wake }) })

  return {
    server,
    async start() {
      rate.start()
      if (config.bouncePort !== undefined) {
        await (await bounces.get()).listen(config.bouncePort, config.bounceHost)
      }
      if (config.role === 'api') return
      await sending.start()
      await worker.start()
      texting.wire.listen()
    },
    async stop() {
      await server.close()
      await bounces.ifMade((made) => made.close())
      if (config.role !== 'api') await worker.stop()
      await sending.stop()
      await Promise.all([rate.stop(), lastUse.stop(), counter.stop()])
      await Promise.all([
        wire.close(),
        texting.wire.close(),
        templates.close(),
        writing.close(),
        outbound.ifMade((made) => made.close()),
      ])
    },
  }
}
