/**
 * Builds the parts that send mail and texts: transports, sender domains and numbers, and the
 * processing of feedback.
 */

import { createRelayChoices } from '../accounts/businesses/relay-choice.ts'
import { createSenderProfileReader } from '../accounts/businesses/sender-profile.ts'
import { ingestReports } from '../bounces/ingest-reports.ts'
import { createUtmReader } from '../campaigns/model/utm-reader.ts'
import { linesFor } from '../config/relay-profiles.ts'
import { createInboxTransport } from '../core/inbox/mail-transport.ts'
import { createReplies } from '../inbound-sms/inbound-sms.ts'
import { createResolver } from '../lib/dns/resolver.ts'
import { createMailer } from '../lib/email/mailer.ts'
import { createSmtpTransport } from '../lib/email/smtp/transport.ts'
import type { Transport } from '../lib/email/transport.ts'
import type { TellWorker } from '../lib/jobs/enqueue.ts'
import { createTemplateWords } from '../messages/composing/template-words.ts'
import { createSending } from '../messages/delivery/sending.ts'
import { createTexting } from '../messages/delivery/sms-sending.ts'
import type { Outcomes } from '../messages/model/campaign-outcomes.ts'
import { createHeard, feedbackGate } from '../messages/relays/feedback.ts'
import { createRelays, onlyRelay, type Relays, type RelaysDeps } from '../messages/relays/relays.ts'
import { createProviderFinder, providerByName } from '../messages/throttle/receiving.ts'
import { createThrottle } from '../messages/throttle/throttle.ts'
import { createBuilding, createRenderWorkers } from '../rendering/rendering.ts'
import type { DomainFacility } from '../sender-domains/model/facility.ts'
import { domainSettingsOf } from '../sender-domains/model/settings.ts'
import { createSenders } from '../sender-domains/senders/senders.ts'
import { createServiceKeys } from '../sender-domains/senders/service-keys.ts'
import { createTemplates } from '../templates/compile.ts'
import { createTracking } from '../tracking/track.ts'
import type { AppParts } from './app-parts.ts'
import { createFeedback } from './feedback.ts'

interface SendingNeeds {
  wake: TellWorker
  outcomes: Outcomes
}

export function createSendingParts(parts: AppParts, { wake, outcomes }: SendingNeeds) {
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
  const texting = createTexting({ config, db, clock, log, senderProfileOf, ...replies })
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
    domains,
    senders,
    replies,
    texting,
    words,
    utmOf,
    sending,
  }
}

/** The relays that the settings name, or the built-in inbox. */
function openRelays({ config, db, clock, log }: AppParts, isHeard: RelaysDeps['isHeard']): Relays {
  const throttleOf = (transport: Transport) =>
    createThrottle({ db, clock, route: transport.route, limits: transport })
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
