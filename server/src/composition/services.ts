/**
 * What the service does without being called: mail, texts, domains, campaigns and the worker
 * that runs their jobs. Each part is built here and handed what it needs.
 */

import { createSenderProfileReader } from '../accounts/businesses/sender-profile.ts'
import { ingestReports } from '../bounces/ingest-reports.ts'
import { outboundLinkChecks } from '../campaigns/preflight/ask-link.ts'
import { campaignOutcomes as outcomes } from '../campaigns/results/outcomes.ts'
import { createWriting } from '../campaigns/writer/writing.ts'
import { isLoopbackUrl, limits } from '../config.ts'
import { createInboxTransport } from '../core/inbox/mail-transport.ts'
import { createReplies } from '../inbound-sms/inbound-sms.ts'
import { lazily } from '../lib/concurrency/lazily.ts'
import { createQueues } from '../lib/concurrency/one-by-one.ts'
import { createResolver } from '../lib/dns/resolver.ts'
import { createMailer } from '../lib/email/mailer.ts'
import { createSmtpTransport } from '../lib/email/smtp/transport.ts'
import { createGuard } from '../lib/http-client/outbound-guard.ts'
import type { TellWorker } from '../lib/jobs/enqueue.ts'
import { createWorker, type Worker } from '../lib/jobs/worker.ts'
import { createTemplateWords } from '../messages/composing/template-words.ts'
import { createSending } from '../messages/delivery/sending.ts'
import { createTexting } from '../messages/delivery/sms-sending.ts'
import { documentFetch } from '../oauth/clients/fetch-document.ts'
import { reachOf } from '../oauth/connections/principals.ts'
import { createOAuth } from '../oauth/server.ts'
import { createBuilding, createRenderWorkers } from '../rendering/rendering.ts'
import type { DomainFacility } from '../sender-domains/model/facility.ts'
import { domainSettingsOf } from '../sender-domains/model/settings.ts'
import { createSenders } from '../sender-domains/senders/senders.ts'
import { createServiceKeys } from '../sender-domains/senders/service-keys.ts'
import { createUnsubscribeCheck } from '../subscriptions/unsubscribe-check.ts'
import { createTemplates } from '../templates/compile.ts'
import { createTracking } from '../tracking/track.ts'
import { jobKinds } from '../worker.ts'
import type { AppParts } from './app-parts.ts'
import { createFeedback } from './feedback.ts'

export type Services = ReturnType<typeof createServices>

export function createServices(parts: AppParts) {
  const { config, db, clock, log, vault } = parts
  const guard = createGuard({
    rules: config.outboundAllow,
    allowHttp: isLoopbackUrl(config.baseUrl),
    ...(parts.resolve && { resolve: parts.resolve }),
  })
  const transport = config.smtpUrl
    ? createSmtpTransport(config.smtpUrl)
    : createInboxTransport({ db, clock })
  const mailer = createMailer({ transport, clock, keysOf: createServiceKeys({ db, clock, vault }) })
  const outbound = lazily(async () => {
    const { createOutbound } = await import('../lib/http-client/outbound-fetch.ts')
    return createOutbound({ guard, connections: limits.deliveriesAtOnce })
  })
  const oauth = createOAuth({ db, vault, config, fetchDocument: documentFetch(outbound) })
  const renderWorkers = createRenderWorkers({ vault, baseUrl: config.baseUrl })
  const templates = createTemplates({ baseUrl: config.baseUrl, onward: renderWorkers.onward })
  const writing = createWriting(config, { log, resolve: parts.resolve })
  const wake: TellWorker = (news) => worker.wake(news)
  const senderProfileOf = createSenderProfileReader(db, clock)
  const feedback = createFeedback({ db, clock, vault, senderProfileOf, outcomes })
  const bounces = lazily(async () => {
    const { openBounceServer } = await import('../bounces/server/open.ts')
    return openBounceServer({ ...feedback.reports, clock, log, config })
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
    ingestReports: (reports, now) => ingestReports(feedback.reports, reports, now),
  })
  const texting = createTexting({ config, db, clock, log, senderProfileOf, ...replies })
  const words = {
    templates: createTemplateWords({ db, templates, senderProfileOf }),
    tracking: createTracking({ vault, clock, config, senderProfileOf }),
  }
  const building = createBuilding({
    ...words,
    db,
    renderWorkers,
    templates,
    words: words.templates,
  })
  const sending = createSending({
    ...words,
    building,
    db,
    clock,
    log,
    hmac: vault.hmac,
    transport,
    texting,
    dataDir: config.dataDir,
    wake,
    outcomes,
    bounceDomain: config.takesReturns ? config.bounceDomain : undefined,
    senders,
  })
  const planning = {
    checkLinks: outboundLinkChecks(outbound, clock),
    audienceTurns: createQueues(),
    canaryWaitMs: config.canaryWaitMs,
    textSenders: texting.senders,
    unsubscribeCheck: createUnsubscribeCheck({ ...config, isReal: config.senderGate === 'strict' }),
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
  return {
    outbound,
    guard,
    transport,
    oauth,
    templates,
    writing,
    feedback,
    bounces,
    domains,
    senders,
    replies,
    texting,
    words,
    sending,
    planning,
    senderProfileOf,
    rights,
    worker,
  }
}
