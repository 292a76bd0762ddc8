/** Composes the message as it is sent: sender, content, header fields and signature. */

import { orThrow, refuse } from '../../core/errors.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Database } from '../../lib/db/types.ts'
import { signBuilt } from '../../lib/email/dkim.ts'
import { parseMailbox, smtpAddress } from '../../lib/email/header-fields.ts'
import { buildMessage, viewOfMessage } from '../../lib/email/message.ts'
import type { Envelope } from '../../lib/email/transport.ts'
import { fileOf } from '../model/content.ts'
import type { ReadContent } from '../model/content-reader.ts'
import type {
  Building,
  ReadUtm,
  Rendered,
  Sender,
  Senders,
  Templates,
  ToBuild,
  Tracking,
} from '../model/dependencies.ts'
import type { Message, WholeMessage } from '../model/message.ts'
import { returnPath } from '../model/return-path.ts'
import { mailOf, ownLinks, toTrack } from './mail-of.ts'

export interface Composed {
  envelope: Envelope
  message: Buffer
  /** The domain that signs the mail, and for which sending is throttled. */
  domain: string
}

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
  const signed =
    (await deps.building.build({ message, sender, now })) ??
    (await buildHere(deps, { message, sender, now }))
  const to = orThrow(smtpAddress(message.to, 'to'))
  const returns = returnAddress(deps, message, sender)
  // Only a report that comes back to this service is of use.
  const receipt = returns.isOurs ? { receiptOf: row.kind } : {}
  const envelope = { from: returns.address, to, messageId: message.id, ...receipt }
  return { envelope, message: signed, domain: sender.domain }
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

function returnAddress({ hmac, bounceDomain }: ComposeDeps, { id }: Message, sender: Sender) {
  const domain = sender.returnPathDomain ?? bounceDomain
  if (domain === undefined) return { address: parseMailbox(sender.from).address, isOurs: false }
  return { address: returnPath({ hmac }, id, domain), isOurs: bounceDomain !== undefined }
}
