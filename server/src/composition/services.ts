/**
 * Builds the services behind the entry points: sending, outbound requests, and the worker that
 * runs jobs. Each part gets its dependencies here.
 */

import { createRelayChoices } from '../accounts/businesses/relay-choice.ts'
import { createSenderProfileReader } from '../accounts/businesses/sender-profile.ts'
import { backupJobs } from '../backups/jobs.ts'
import { openLedger } from '../backups/ledger/open.ts'
import { ingestReports } from '../bounces/ingest-reports.ts'
import { createSimulator } from '../bounces/simulator.ts'
import { outboundLinkChecks } from '../campaigns/preflight/ask-link.ts'
import { campaignOutcomes as outcomes } from '../campaigns/results/outcomes.ts'
import { createUtmReader } from '../campaigns/utm.ts'
import { createWriting } from '../campaigns/writer/writing.ts'
import { secretOf } from '../config/installation-secret.ts'
import { linesFor } from '../config/relay-profiles.ts'
import { isLoopbackUrl, limits } from '../config.ts'
import { createInboxTransport } from '../core/inbox/mail-transport.ts'
import { openFiles, uploadsFolder } from '../files/open.ts'
import { formGuard } from '../forms/guard/guard.ts'
import { importPersonalData } from '../imports/personal-data.ts'
import { createFileReader } from '../imports/reader.ts'
import { createReplies } from '../inbound-sms/inbound-sms.ts'
import { lazily } from '../lib/concurrency/lazily.ts'
import { createQueues } from '../lib/concurrency/queues.ts'
import { createResolver } from '../lib/dns/resolver.ts'
import { createMailer } from '../lib/email/mailer.ts'
import { createSmtpTransport } from '../lib/email/smtp/transport.ts'
import type { Transport } from '../lib/email/transport.ts'
import { createGuard } from '../lib/http-client/outbound-guard.ts'
import type { JobKinds, TellWorker } from '../lib/jobs/job.ts'
import { createWorker, type Worker } from '../lib/jobs/worker.ts'
import { createNotifier } from '../lib/notify/notifier.ts'
import { createSteadyClock, systemClock, type WatchedClock } from '../lib/time/clock.ts'
import type { Outcomes } from '../messages/campaign-outcomes.ts'
import { createHeard, feedbackGate } from '../messages/relays/feedback.ts'
import {
  createRelays,
  loneRelay,
  onlyRelay,
  type Relays,
  type RelaysDeps,
} from '../messages/relays/relays.ts'
import { createRouteFacts } from '../messages/relays/route-facts.ts'
import { createRefusingProvidersOf, createWarmUpOf } from '../messages/relays/warm-up.ts'
import { createSending } from '../messages/sending.ts'
import { createTemplateWords } from '../messages/template-words.ts'
import { createTexting } from '../messages/texting.ts'
import { createProviderFinder, providerByName } from '../messages/throttle/provider.ts'
import { createThrottle } from '../messages/throttle/throttle.ts'
import { documentFetch } from '../oauth/clients/fetch-document.ts'
import { candidateOf, namesOfHolders } from '../oauth/connections/holders.ts'
import { reachOf } from '../oauth/connections/principals.ts'
import { createOAuth } from '../oauth/server.ts'
import { createBuilding, createRenderWorkers } from '../rendering/rendering.ts'
import type { DomainFacility } from '../sender-domains/model/facility.ts'
import { domainSettingsOf } from '../sender-domains/model/settings.ts'
import { createOwnHosts } from '../sender-domains/senders/own-hosts.ts'
import { createSenders } from '../sender-domains/senders/senders.ts'
import { createServiceKeys } from '../sender-domains/senders/service-keys.ts'
import { confirmationJobs } from '../subscriptions/send-confirmation.ts'
import { createUnsubscribeCheck } from '../subscriptions/unsubscribe-check.ts'
import { createTemplates } from '../templates/compile.ts'
import { createTracking } from '../tracking/track.ts'
import { everyPersonalData, jobKinds } from '../worker.ts'
import type { AppParts } from './app-parts.ts'
import { createFeedback } from './feedback.ts'
import { alertJobs } from './operator-alerts.ts'

export type Services = ReturnType<typeof createServices>

export function createServices(parts: AppParts) {
  const { config, db, clock, log, vault } = parts
  const guard = createGuard({
    rules: config.outboundAllow,
    allowHttp: isLoopbackUrl(config.baseUrl),
    ...(parts.resolve && { resolve: parts.resolve }),
  })
  const outbound = lazily(async () => {
    const { createOutbound } = await import('../lib/http-client/outbound-fetch.ts')
    return createOutbound({ guard, connections: limits.deliveriesAtOnce })
  })
  const party = lazily(async () => {
    const { createRelyingParty } = await import('../accounts/identities/relying-party.ts')
    return createRelyingParty({ outbound, log })
  })
  const oauth = createOAuth({ db, vault, config, fetchDocument: documentFetch(outbound) })
  const writing = createWriting(config, { log, resolve: parts.resolve })
  const wake: TellWorker = (news) => worker.wake(news)
  const { mailer, alarmMailer, ...sending } = createSendingParts(parts, { wake, outcomes })
  const bounces = lazily(async () => {
    const { openBounceServer } = await import('../bounces/server/server.ts')
    return openBounceServer({ ...sending.feedback.reports, clock, log, config })
  })
  const planning = {
    warmUpOf: createWarmUpOf({ db, clock, relays: sending.relays }),
    findProvider: sending.findProvider,
    checkLinks: outboundLinkChecks(outbound, clock),
    audienceTurns: createQueues(),
    canaryWaitMs: config.canaryWaitMs,
    undoMs: config.undoMs,
    routeOf: createRouteFacts(config, sending.relays),
    textSenders: sending.texting.senders,
    unsubscribeCheck: createUnsubscribeCheck({
      baseUrl: config.baseUrl,
      isReal: config.senderGate === 'strict',
    }),
  }
  const rights = { reachOf, namesOf: namesOfHolders, candidateOf }
  const { appUrl } = config
  const ownHosts = createOwnHosts({ db, clock, senders: sending.senders, appUrl })
  const files = openFiles(config)
  const reader = createFileReader(files)
  const personalData = [...everyPersonalData, importPersonalData({ files, reader })]
  const notifier = createNotifier({
    db,
    log,
    listenOn: parts.listenOn,
    onNews: (news) => worker.hear(news),
  })
  // A clock that tests move does not jump.
  const workClock: WatchedClock = clock === systemClock ? createSteadyClock(clock) : clock
  const worker: Worker = createWorker({
    db,
    clock: workClock,
    log,
    tellOthers: notifier.tell,
    kinds: {
      ...backupKinds(parts),
      ...alertJobs(parts, mailer),
      ...jobKinds({
        ...config,
        db,
        clock,
        log,
        vault,
        mailer,
        outbound,
        party,
        companySignIn: config.companySignIn,
        rights,
        domains: sending.domains,
        urls: config,
        messages: sending.sending.kinds,
        feedback: { ...sending.feedback.kinds, ...sending.simulated.kinds },
        replies: sending.replies.kinds,
        confirmations: confirmationJobs({
          ...config,
          db,
          clock,
          vault,
          senders: sending.senders,
          senderProfileOf: sending.senderProfileOf,
          mailer,
          guard: formGuard(vault),
          wake,
        }),
        senders: sending.senders,
        senderProfileOf: sending.senderProfileOf,
        templates: sending.templates,
        outcomes,
        ...planning,
        files,
        reader,
        personalData,
        wake,
      }),
    },
    slots: limits.jobSlots,
  })
  return {
    ...sending,
    alarmMailer,
    outbound,
    party,
    guard,
    oauth,
    writing,
    bounces,
    planning,
    refusingProvidersOf: createRefusingProvidersOf({ db, clock }),
    rights,
    ownHosts,
    files,
    reader,
    personalData,
    worker,
    workClock,
    notifier,
  }
}

/** Returns no jobs if no place is set. */
function backupKinds({ config, db, clock, log, backup }: AppParts): JobKinds {
  const { backupTo, ledgerTo, backupPassphrase: passphrase, dataDir } = config
  const databaseUrl = config.databaseDirectUrl ?? config.databaseUrl
  if (backupTo === undefined || (!backup && databaseUrl === undefined)) return {}
  const secret = backup?.secret ?? secretOf(config)
  const openSource = async () => {
    if (backup) {
      const { embeddedSource } = await import('../backups/making/source.ts')
      return embeddedSource({ ...backup, clock })
    }
    const { serverSource } = await import('../backups/making/server-source.ts')
    return serverSource({ databaseUrl: databaseUrl ?? '', dataDir, clock, log, secret })
  }
  const uploads = uploadsFolder(config)
  const ledger = ledgerTo && openLedger(ledgerTo)
  const { own } = backup ?? { own: undefined }
  const destination = { backupTo, ledger, uploads }
  return backupJobs({ own, openSource, db, clock, log, secret, passphrase, ...destination })
}

interface SendingNeeds {
  wake: TellWorker
  outcomes: Outcomes
}

/**
 * Builds the parts that send mail and texts: transports, sender domains and numbers, and the
 * processing of feedback.
 */
function createSendingParts(parts: AppParts, { wake, outcomes }: SendingNeeds) {
  const { config, db, clock, log, vault } = parts
  const isHeard =
    config.feedbackGate === 'strict' && config.smtpUrl ? createHeard({ db, clock }) : undefined
  const relays = openRelays(parts, isHeard)
  const transport = relays.own
  const keysOf = createServiceKeys({ db, clock, vault })
  const mailer = createMailer({ transport, clock, keysOf })
  // Tells of the database's outages, so it sends unsigned where the keys cannot be read.
  const alarmMailer = createMailer({
    transport,
    clock,
    keysOf: (domain) => keysOf(domain).catch(() => []),
  })
  const renderWorkers = createRenderWorkers({ vault, baseUrl: config.baseUrl })
  const templates = createTemplates({ baseUrl: config.baseUrl, onward: renderWorkers.onward })
  const senderProfileOf = createSenderProfileReader(db, clock)
  const feedback = createFeedback({ db, clock, vault, senderProfileOf, outcomes })
  const simulated = createSimulator({
    ...feedback.reports,
    clock,
    wake,
    // Made below, with what records reports.
    answer: (message, text) => replies.answer(message, text),
  })
  const simulator = loneRelay(simulated.transport, throttleOn(parts)(simulated.transport), log)
  const resolver = createResolver({ servers: config.dnsServers })
  const leavesHere = config.relays !== undefined || config.smtpUrl !== undefined
  const findProvider = leavesHere ? createProviderFinder({ resolver, clock }) : providerByName
  const domains: DomainFacility = {
    resolver,
    vault,
    settings: domainSettingsOf(config),
  }
  const waitsFor = isHeard && { waitsFor: feedbackGate(relays, isHeard) }
  const senders = createSenders({ db, clock, ...domains, ...waitsFor })
  const replies = createReplies({
    db,
    clock,
    hmac: vault.hmac,
    wake,
    ingestReports: (reports, now) => ingestReports(feedback.reports, reports, now),
  })
  const texting = createTexting({
    config,
    clock,
    log,
    simulator: simulated.texts,
    senderProfileOf,
    ...replies,
  })
  const utmOf = createUtmReader(db)
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
    utmOf,
    building,
    db,
    clock,
    log,
    hmac: vault.hmac,
    relays,
    simulator,
    findProvider,
    texting,
    dataDir: config.dataDir,
    wake,
    outcomes,
    bounceDomain: config.receivesBounces ? config.bounceDomain : undefined,
    senders,
  })
  return {
    relays,
    findProvider,
    mailer,
    alarmMailer,
    templates,
    senderProfileOf,
    feedback,
    simulated,
    domains,
    senders,
    replies,
    texting,
    words,
    utmOf,
    sending,
  }
}

const throttleOn =
  ({ db, clock }: Pick<AppParts, 'db' | 'clock'>) =>
  (transport: Transport) =>
    createThrottle({ db, clock, route: transport.route, limits: transport })

/** The relays that the settings name, or the built-in inbox. */
function openRelays({ config, db, clock, log }: AppParts, isHeard: RelaysDeps['isHeard']): Relays {
  const throttleOf = throttleOn({ db, clock })
  if (config.relays) {
    return createRelays({
      clock,
      log,
      plan: config.relays,
      isHeard,
      readChoice: createRelayChoices(db, clock),
      open: (url, name) => createSmtpTransport(url, undefined, name),
      throttleOf,
    })
  }
  const only = config.smtpUrl
    ? createSmtpTransport(config.smtpUrl)
    : createInboxTransport({ db, clock })
  const { smtpUrl: url, relayProfile: profile } = config
  const lines = url ? linesFor({ url, profile }) : undefined
  return onlyRelay(only, throttleOf(only), { clock, log, lines })
}
