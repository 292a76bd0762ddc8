/** Content that came with a call, as its recipient gets it. */
import type { Channel } from '../../contacts/contact.ts'
import { type Recipient, resolveRecipients } from '../../contacts/recipients.ts'
import { orThrow, refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { isMasked } from '../../core/masking.ts'
import type { BusinessContext } from '../../core/operation.ts'
import type { Rendered } from '../../templates/compile.ts'
import { ownLinks } from '../composing/mail-of.ts'
import type { FillOwnWords, OwnWords } from '../composing/own-words.ts'
import type { Tracking } from '../model/dependencies.ts'
import type { MessageKind } from '../model/message.ts'

export interface OwnContentParts {
  fillOwn: FillOwnWords
  tracking: Pick<Tracking, 'preferencesUrl' | 'viewUrl'>
}

export interface MessageTarget {
  channel: Channel
  kind: MessageKind
  topic: string | null
  /** Set if `to` is not. */
  contactId: Id<'contact'> | undefined
  to: string | undefined
}

export interface OwnContent extends MessageTarget, Pick<OwnWords, 'source' | 'variables'> {
  messageId: Id<'message'>
  trackingHost?: string | undefined
}

/** Renders the content when it is queued, so that the caller gets a refusal if that fails. */
export async function fillOwnContent(
  { fillOwn, tracking }: OwnContentParts,
  context: BusinessContext,
  { messageId, source, variables, trackingHost, ...whom }: OwnContent,
): Promise<Rendered> {
  const recipient = await findRecipient(context, whom)
  const businessId = context.business.id
  const { contactId } = recipient
  const links = ownLinks(tracking, {
    businessId,
    messageId,
    kind: whom.kind,
    opens: false,
    clicks: false,
    channel: whom.channel,
    ...(contactId && { contactId }),
    ...(whom.topic && { topic: whom.topic }),
    ...(trackingHost !== undefined && { trackingHost }),
  })
  return fillOwn({
    businessId,
    source,
    contactId,
    variables,
    masksContact: isMasked(context),
    ...links,
    // A text has no page.
    ...(whom.channel === 'sms' && { viewUrl: '' }),
  })
}

/**
 * Finds the recipient, or the reason why nothing may be sent to them. The check is repeated when
 * the message is saved.
 */
export async function findRecipient(
  { db, business, hmac }: BusinessContext,
  { channel, kind, topic, contactId, to }: MessageTarget,
): Promise<Recipient> {
  const needsConsent = kind === 'marketing'
  const whom = { businessId: business.id, channel, contactId, address: to, needsConsent, topic }
  const [recipient] = await resolveRecipients(db, hmac, [whom])
  if (recipient) return orThrow(recipient)
  throw refuse('not_found', 'There is no such recipient.', { field: 'to' })
}
