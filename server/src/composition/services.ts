/**
 * Builds the services behind the entry points: sending, outbound requests, and the worker that
 * runs jobs. Each part gets its dependencies here.
 */

import { backupJobs } from '../backups/jobs.ts'
import { openLedger } from '../backups/ledger/open.ts'
import { outboundLinkChecks } from '../campaigns/preflight/ask-link.ts'
import { campaignOutcomes as outcomes } from '../campaigns/results/outcomes.ts'
import { createWriting } from '../campaigns/writer/writing.ts'
import { isLoopbackUrl, limits } from '../config.ts'
import { openFiles, uploadsFolder } from '../files/open.ts'
import { formGuard } from '../forms/guard/guard.ts'
import { importPersonalData } from '../imports/ending/personal-data.ts'
import { createFileReader } from '../imports/reading/reader.ts'
import { lazily } from '../lib/concurrency/lazily.ts'
import { createQueues } from '../lib/concurrency/one-by-one.ts'
import { createGuard } from '../lib/http-client/outbound-guard.ts'
import type { TellWorker } from '../lib/jobs/enqueue.ts'
import type { JobKinds } from '../lib/jobs/job.ts'
import { createWorker, type Worker } from '../lib/jobs/worker.ts'
import { createNotifier } from '../lib/notify/notifier.ts'
import { systemClock } from '../lib/time/clock.ts'
import { createSteadyClock, type WatchedClock } from '../lib/time/steady-clock.ts'
import { createRouteFacts } from '../messages/relays/route-facts.ts'
import { createRefusingProvidersOf, createWarmUpOf } from '../messages/relays/warm-up.ts'
import { documentFetch } from '../oauth/clients/fetch-document.ts'
import { reachOf } from '../oauth/connections/principals.ts'
import { createOAuth } from '../oauth/server.ts'
import { createOwnHosts } from '../sender-domains/senders/own-hosts.ts'
import { confirmationJobs } from '../subscriptions/confirmation-jobs.ts'
import { createUnsubscribeCheck } from '../subscriptions/unsubscribe-check.ts'
import { everyPersonalData, jobKinds } from '../worker.ts'
import type { AppParts } from './app-parts.ts'
import { alertJobs } from './operator-alerts.ts'
import { createSendingParts } from './sending.ts'

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
  const oauth = createOAuth({ db, vault, config, fetchDocument: documentFetch(outbound) })
  const writing = createWriting(config, { log, resolve: parts.resolve })
  const wake: TellWorker = (news) => worker.wake(news)
  const { mailer, alarmMailer, ...sending } = createSendingParts(parts, { wake, outcomes })
  const bounces = lazily(async () => {
    const { openBounceServer } = await import('../bounces/server/open.ts')
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
    unsubscribeCheck: createUnsubscribeCheck({ ...config, isReal: config.senderGate === 'strict' }),
  }
  const rights = { reachOf }
  const { appUrl } = config
  const ownHosts = createOwnHosts({ db, clock, senders: sending.senders, appUrl })
  const files = openFiles(config)
  const reader = createFileReader(files)
  const personalData = [...everyPersonalData, importPersonalData({ files, reader })]
  const notifier = createNotifier({
    db,
    log,
    listenOn: parts.listenOn,
    heard: (news) => worker.hear(news),
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
        rights,
        domains: sending.domains,
        urls: config,
        messages: sending.sending.kinds,
        feedback: sending.feedback.kinds,
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

/** Returns no jobs if the database is external, or no place is set. */
function backupKinds({ config, db, clock, log, backup }: AppParts): JobKinds {
  const { backupTo, ledgerTo, backupPassphrase: passphrase } = config
  if (!backup || backupTo === undefined) return {}
  const uploads = uploadsFolder(config)
  const ledger = ledgerTo && openLedger(ledgerTo)
  return backupJobs({ ...backup, db, clock, log, backupTo, ledger, passphrase, uploads })
}
