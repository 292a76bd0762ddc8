/** Builds a message from its parts in the same way, whichever thread it runs in. */
import { formatId } from '../core/ids.ts'
import type { Attachment, MailToBuild } from '../lib/email/message.ts'
import type { Recipient, Surroundings } from '../templates/variables.ts'
import type { OwnLinks, Sender, ToTrack, Tracked, Tracking } from './dependencies.ts'
import type { MailFields } from './mail-fields.ts'
import type { WholeMessage } from './message.ts'

export type ToSend = Pick<
  WholeMessage,
  | 'businessId'
  | 'id'
  | 'contactId'
  | 'campaignId'
  | 'kind'
  | 'topic'
  | 'to'
  | 'trackOpens'
  | 'trackClicks'
  | 'trackingConsent'
  | 'utm'
  | 'templateVersionId'
  | 'shownBlocks'
>

export function toTrack(
  message: ToSend,
  sender: Partial<Pick<Sender, 'trackingHost' | 'domain'>>,
): Omit<ToTrack, 'rendered'> {
  const { businessId, id, contactId, campaignId, kind, trackOpens, trackClicks } = message
  const { trackingConsent, utm, topic, templateVersionId, shownBlocks = null } = message
  return {
    businessId,
    messageId: id,
    kind,
    opens: trackOpens,
    clicks: trackClicks,
    ...(contactId && { contactId }),
    ...(campaignId && { campaignId }),
    ...(campaignId && templateVersionId && { version: { templateVersionId, shownBlocks } }),
    ...(topic && { topic }),
    ...(sender.domain && { listDomain: sender.domain }),
    ...(trackingConsent && { trackingConsent }),
    ...(utm && { utm }),
    ...(sender.trackingHost && { trackingHost: sender.trackingHost }),
  }
}

export function mailOf(
  { id, to, fields }: ToSend & { fields?: MailFields | null },
  parts: {
    sender: Pick<Sender, 'from' | 'replyTo' | 'domain'>
    subject: string
    tracked: Tracked
    files?: readonly Attachment[] | undefined
    now: Date
  },
): MailToBuild {
  const { sender, subject, tracked, files, now } = parts
  const replyTo = fields?.replyTo ?? sender.replyTo
  return {
    from: sender.from,
    ...(replyTo !== undefined && { replyTo }),
    to: fields?.to ?? to,
    ...(fields?.cc && { cc: fields.cc }),
    subject,
    text: tracked.text,
    ...(tracked.html !== undefined && { html: tracked.html }),
    ...(files && { attachments: files }),
    headers: fields?.headers ? headersWithOurs(fields.headers, tracked.headers) : tracked.headers,
    messageId: `${formatId('message', id)}@${sender.domain}`,
    date: now,
  }
}

/** In marketing the ways to unsubscribe are ours, whatever the call says of them. */
function headersWithOurs(own: NonNullable<MailFields['headers']>, ours: Tracked['headers']) {
  const names = new Set(ours.map(([name]) => name.toLowerCase()))
  return [...own.filter(([name]) => !names.has(name.toLowerCase())), ...ours]
}

/** The recipient's links for templates that place them, with nothing where there are none. */
export function ownLinks(
  tracking: Pick<Tracking, 'preferencesUrl' | 'viewUrl'>,
  mail: Omit<ToTrack, 'rendered'>,
): OwnLinks {
  const [preferencesUrl, viewUrl] = [tracking.preferencesUrl(mail), tracking.viewUrl(mail)]
  return {
    ...(preferencesUrl !== undefined && { preferencesUrl }),
    ...(viewUrl !== undefined && { viewUrl }),
  }
}

interface Around extends Pick<Surroundings, 'business' | 'shownKeys'> {
  contact: Recipient | undefined
}

/**
 * The variables that templates can use besides the caller's. The preferences page is also where
 * people unsubscribe.
 */
export function surroundingVariables(
  { business, contact, shownKeys }: Around,
  { preferencesUrl = '', viewUrl = '' }: OwnLinks = {},
): Surroundings {
  const urls = { unsubscribeUrl: preferencesUrl, preferencesUrl, viewUrl }
  return { business, ...(contact && { contact }), ...(shownKeys && { shownKeys }), ...urls }
}
