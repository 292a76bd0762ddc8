/**
 * The carrier of mail: composes each as it is sent, with its sender, content, header fields and
 * signature, and sends it over the relay of its business, or over the next one where that is away.
 */

import { orThrow, refuse } from '../core/errors.ts'
import { formatId, isTwin } from '../core/ids.ts'
import { isSimulated } from '../core/inbox/simulated-address.ts'
import type { Hmac } from '../core/operation.ts'
import type { Database } from '../lib/db/types.ts'
import { classify } from '../lib/email/classify.ts'
import { signBuilt } from '../lib/email/dkim.ts'
import { parseMailbox, smtpAddress } from '../lib/email/header-fields.ts'
import { buildMessage, viewOfMessage } from '../lib/email/message.ts'
import { releaseBuffer } from '../lib/email/message-buffers.ts'
import type { Envelope, SendResult } from '../lib/email/transport.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Answer } from './attempts.ts'
import { fileOf, type ReadContent } from './content.ts'
import type { Carrier, Hop } from './deliver.ts'
import type {
  Building,
  ReadUtm,
  Rendered,
  Sender,
  Senders,
  Templates,
  ToBuild,
  Tracking,
} from './dependencies.ts'
import { mailOf, ownLinks, toTrack } from './mail-of.ts'
import type { Message, WholeMessage } from './message.ts'
import { count, type Relay, type Relays, useRelay } from './relays/relays.ts'
import { returnPath } from './return-path.ts'
import type { FindProvider } from './throttle/provider.ts'
import type { HeldUntil } from './throttle/provider-holds.ts'

export interface ComposeDeps {
  db: Database
  hmac: Hmac
  readContent: ReadContent
  senders: Senders
  templates: Templates
  tracking: Tracking
  building: Building
  utmOf: ReadUtm
  /** The return path domain for senders without a return path domain of their own. */
  bounceDomain: string | undefined
}

interface MailCarrierDeps {
  relays: Pick<Relays, 'all' | 'relaysOf'>
  /** Takes the mail of test keys, and that to simulated addresses. */
  simulator?: Relay
  composing: ComposeDeps
  findProvider: FindProvider
  heldUntil: HeldUntil
  clock: Clock
}

export function createMailCarrier(deps: MailCarrierDeps): Carrier {
  const { relays, simulator, composing, findProvider, heldUntil } = deps
  return {
    get connections() {
      const all = simulator ? [...relays.all, simulator] : relays.all
      return all.reduce((sum, { transport }) => sum + transport.connections, 0)
    },
    async heldAt({ businessId, campaignId, to }, now) {
      if (campaignId === null || staysHere({ businessId, to })) return undefined
      const provider = await findProvider(to)
      const until = await heldUntil({ businessId, campaignId, provider }, now)
      return until && { provider, until }
    },
    async prepare(row, now) {
      const composed = await compose(composing, row, now)
      if (simulator && staysHere(row)) {
        const hops = [hopOf(deps, simulator, composed)]
        return { sender: composed.domain, provider: simulator.name, hops }
      }
      const [ways, provider] = await Promise.all([
        relays.relaysOf(row.businessId, row.kind),
        findProvider(row.to),
      ])
      const hops = ways.map((relay) => hopOf(deps, relay, composed))
      return { sender: composed.domain, provider, hops }
    },
    // A relay may refuse the connection itself, with 421 instead of its greeting.
    asksForLess({ words = '' }) {
      const code = Number(/^[45]\d\d/.exec(words)?.[0])
      return code > 0 && classify({ code, text: words }).slower
    },
  }
}

interface Composed {
  envelope: Envelope
  /** The mail as it goes out, signed where its sender has keys. */
  source: Buffer
  /** The domain that signs the mail, and for which sending is throttled. */
  domain: string
}

/** Throws a refusal if no attempt can send the message as it is. */
export async function compose(deps: ComposeDeps, row: Message, now: Date): Promise<Composed> {
  const { businessId, campaignId } = row
  const [own, content, utm] = await Promise.all([
    deps.senders.senderOf(businessId),
    deps.readContent(row),
    campaignId === null ? undefined : deps.utmOf({ businessId, campaignId }),
  ])
  if (!content) throw refuse('gone', 'The content of the message was deleted.')
  const from = content.fields?.from
  const sender = orThrow(from === undefined ? own : await deps.senders.senderOf(businessId, from))
  if (row.kind === 'marketing' && sender.marketing !== true) throw sender.marketing
  const message: WholeMessage = { ...content, ...row, ...(utm && { utm }) }
  const source =
    (await deps.building.build({ message, sender, now })) ??
    (await buildHere(deps, { message, sender, now }))
  const to = orThrow(smtpAddress(message.to, 'to'))
  const returns = returnAddress(deps, message, sender)
  // Only a report that comes back to this service is of use.
  const receipt = returns.isOurs ? { receiptOf: row.kind } : {}
  const envelope = { from: returns.address, to, messageId: message.id, ...receipt }
  return { envelope, source, domain: sender.domain }
}

async function buildHere(deps: ComposeDeps, { message, sender, now }: ToBuild): Promise<Buffer> {
  const rendered = await render(deps, message, sender)
  const language = await languageOf(deps, message)
  const toPrepare = { ...toTrack(message, sender), rendered, language }
  const tracked = await deps.tracking.prepare(deps.db, toPrepare)
  const files = message.attachments?.map(fileOf)
  const mail = mailOf(message, { sender, subject: rendered.subject, tracked, files, now })
  return sender.keys.length > 0
    ? signBuilt(viewOfMessage(mail), sender.keys, { at: now })
    : buildMessage(mail)
}

function returnAddress({ hmac, bounceDomain }: ComposeDeps, { id }: Message, sender: Sender) {
  const domain = sender.returnPathDomain ?? bounceDomain
  if (domain === undefined) return { address: parseMailbox(sender.from).address, isOurs: false }
  return { address: returnPath({ hmac }, id, domain), isOurs: bounceDomain !== undefined }
}

/** The language of the footer, which marketing has: the call's, else the recipient's. */
export function languageOf(
  { templates }: Pick<ComposeDeps, 'templates'>,
  { businessId, contactId, kind, language }: WholeMessage,
): Promise<string | null> | string | null {
  if (language) return language
  return kind === 'marketing' && contactId ? templates.languageOf({ businessId, contactId }) : null
}

export async function render(
  { templates, tracking }: Pick<ComposeDeps, 'templates' | 'tracking'>,
  message: WholeMessage,
  sender: Partial<Pick<Sender, 'trackingHost' | 'domain'>>,
): Promise<Rendered> {
  const { businessId, contactId, templateVersionId, subject, html, text, variables } = message
  const { language, shownBlocks = null } = message
  if (templateVersionId !== null) {
    const rendered = await templates.render({
      businessId,
      templateVersionId,
      contactId,
      variables: variables ?? {},
      ...(language && { language }),
      shownBlocks,
      ...ownLinks(tracking, toTrack(message, sender)),
    })
    return subject === null ? rendered : { ...rendered, subject }
  }
  if (subject === null || (html === null && text === null)) {
    throw refuse('gone', 'The content of the message was deleted.')
  }
  const ownText = text ?? (await templates.textOf(businessId, html ?? ''))
  return { subject, text: ownText, ...(html !== null && { html }) }
}

/** What the simulator takes, wherever the mail of live businesses goes. */
const staysHere = ({ businessId, to }: Pick<Message, 'businessId' | 'to'>) =>
  isTwin(businessId) || isSimulated(to)

function hopOf({ clock }: MailCarrierDeps, relay: Relay, { envelope, source }: Composed): Hop {
  return {
    route: relay.transport.route,
    throttle: relay.throttle,
    over: (turn, work) =>
      useRelay(relay, clock, turn, (connection) =>
        work(async () => {
          const sent = await connection.send(envelope, withLines(relay, envelope, source))
          if (sent.result === 'accepted') releaseBuffer(source)
          const answer = answerOf(sent)
          // A refusal may be meant for this sender alone, among the businesses that share the relay.
          const isLost = sent.result === 'untouched' || sent.result === 'unclear'
          if (isLost) relay.health.broke(clock.now())
          else relay.health.worked()
          count(relay, answer.result)
          return answer
        }),
      ),
  }
}

/** The lines for the relay's provider come before what is signed, which stays as it is. */
function withLines({ lines }: Relay, { messageId }: Envelope, source: Buffer): Buffer {
  if (!lines || messageId === undefined) return source
  const text = lines(formatId('message', messageId)).map((line) => `${line}\r\n`)
  return Buffer.concat([Buffer.from(text.join('')), source])
}

export function answerOf(sent: SendResult): Answer {
  if (sent.result === 'accepted') {
    return { ...sent, code: /^\d{3}/.exec(sent.words)?.[0] ?? null }
  }
  if (sent.result !== 'refused') return sent
  const verdict = classify({ code: sent.code, text: sent.words })
  const { kind, cause, missing, final, slower, status } = verdict
  const { words, before } = sent
  // A final refusal of the recipient is true of every relay.
  const isEarly = before === 'sender' || (before === 'recipient' && sent.code < 500)
  const code = status ?? String(sent.code)
  return {
    result: 'refused',
    final,
    kind,
    slower,
    code,
    words,
    ...(cause === 'message' && { isAboutMessage: true }),
    ...(missing.length > 0 && { missing }),
    ...(isEarly && { isEarly }),
  }
}
