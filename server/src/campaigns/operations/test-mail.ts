/**
 * The mail of a campaign as a test sends it to a member: rendered for them, with the footer that
 * recipients get. Its content is stored as it is, so that nothing is rendered twice, and its links
 * are direct: nobody is tracked, and nobody is unsubscribed.
 */

import { senderProfileOf } from '../../accounts/businesses/sender-profile.ts'
import { isRefusal, type Refusal, refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Utm } from '../../core/utm.ts'
import type { Db } from '../../lib/db/types.ts'
import { textOf } from '../../lib/email/quoted-printable.ts'
import type { Templates as MessageWords } from '../../messages/model/dependencies.ts'
import type { Content } from '../../messages/model/message.ts'
import type { Sender } from '../../sender-domains/senders/senders.ts'
import type { Variant } from '../model/campaign.ts'
import type { UnsubscribeCheck } from '../preflight/gates/unsubscribe.ts'

export interface TestMailParts {
  words: Pick<MessageWords, 'render'>
  unsubscribeCheck: Pick<UnsubscribeCheck, 'testUrl' | 'withFooter'>
}

export interface TestMail {
  businessId: Id<'business'>
  sender: Sender
  variant: Variant
  contactId: Id<'contact'> | null
  utm: Utm | undefined
  /** The language to test. Else the contact's. */
  language: string | undefined
}

export async function testMail(
  db: Db,
  { words, unsubscribeCheck }: TestMailParts,
  { businessId, sender, variant, contactId, utm, language }: TestMail,
): Promise<Content | Refusal> {
  const business = await senderProfileOf(db, businessId)
  if (!business) return refuse('not_found', 'There is no such business.')
  const url = unsubscribeCheck.testUrl(sender.trackingHost)
  const rendered = await words.render({
    businessId,
    templateVersionId: variant.versionId,
    contactId,
    variables: {},
    ...(language !== undefined && { language }),
    preferencesUrl: url,
    viewUrl: new URL('/v/test', url).href,
  })
  if (isRefusal(rendered)) return rendered
  const { subject, html, text } = rendered
  const mail = { text: textOf(text), ...(html !== undefined && { html: textOf(html) }) }
  const whole = unsubscribeCheck.withFooter(business, url, mail, { language, utm })
  return { ...asIs, subject, text: whole.text, html: whole.html ?? null }
}

/** Content to which nothing is added. */
export const asIs: Content = {
  subject: null,
  html: null,
  text: null,
  variables: null,
  attachments: null,
  trackOpens: false,
  trackClicks: false,
}
