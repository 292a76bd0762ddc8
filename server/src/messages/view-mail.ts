/**
 * Renders a sent marketing mail once more, for its recipient's browser. It uses the version of the
 * template that was sent, and the contact's data of now; none of these once the message was deleted,
 * since nobody knows any more to which address it went.
 */
import type { ReadSenderProfile } from '../accounts/businesses/sender-profile.ts'
import { isRefusal, orRefusal } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import {
  acceptedLanguages,
  chooseLanguage,
  type RecipientLanguage,
} from '../core/recipient-words/languages.ts'
import { sql } from '../lib/db/db.ts'
import type { Database, Db } from '../lib/db/types.ts'
import { textOf } from '../lib/email/quoted-printable.ts'
import { canonicalLanguageTag } from '../lib/text/language-tag.ts'
import { createContentReader } from './content.ts'
import type { ReadUtm, Senders, Templates, Tracking } from './dependencies.ts'
import { languageOf, render } from './mail-carrier.ts'
import { toTrack } from './mail-of.ts'
import type { Message, WholeMessage } from './message.ts'

export interface ViewDeps {
  db: Database
  senders: Senders
  templates: Templates
  tracking: Tracking
  utmOf: ReadUtm
  senderProfileOf: ReadSenderProfile
}

/** What a link to the view of a campaign's mail says itself. */
interface ViewedCampaign {
  contactId: Id<'contact'>
  campaignId: Id<'campaign'>
  templateVersionId: Id<'templateVersion'>
  shownBlocks: number | null
}

export interface ToView {
  businessId: Id<'business'>
  messageId: Id<'message'>
  /** For when the message is deleted. */
  campaign?: ViewedCampaign | undefined
  /** The visitor's header field, for whom the contact's language is not known. */
  acceptLanguage: string | undefined
}

export interface ViewedMail {
  business: string | undefined
  language: RecipientLanguage
  /** Undefined if what the mail said is no longer stored. */
  mail: { subject: string; text: string; html?: string } | undefined
}

export async function viewMail(
  deps: ViewDeps,
  { businessId, messageId: id, campaign, acceptLanguage }: ToView,
): Promise<ViewedMail> {
  const accepted = acceptedLanguages(acceptLanguage)
  const [message, business] = await Promise.all([
    findOrDeleted(deps.db, { businessId, id, campaign, language: firstTag(accepted) }),
    deps.senderProfileOf(businessId),
  ])
  const language = chooseLanguage(message?.contactLanguage, ...accepted, business?.language)
  const mail = await orRefusal(async () =>
    message && business ? mailOf(deps, message) : undefined,
  )
  if (isRefusal(mail) && mail.code !== 'gone') throw mail
  return { business: business?.name, language, mail: isRefusal(mail) ? undefined : mail }
}

const firstTag = (tags: readonly string[]) =>
  tags.map(canonicalLanguageTag).find((tag) => tag !== undefined) ?? null

async function mailOf(deps: ViewDeps, row: MessageToView): Promise<ViewedMail['mail']> {
  const { db, senders, templates, tracking, utmOf } = deps
  const { businessId, campaignId } = row
  const [content, utm] = await Promise.all([
    createContentReader(db)(row),
    campaignId === null ? undefined : utmOf({ businessId, campaignId }),
  ])
  if (!content) return undefined
  // A domain that was removed since has no host for links of its own.
  const ownSender = await senders.senderOf(businessId, content.fields?.from)
  const sender = isRefusal(ownSender) ? {} : ownSender
  const message: WholeMessage = { ...content, ...row, ...(utm && { utm }) }
  const { deletedFor } = row
  const copy =
    deletedFor === undefined ? message : { ...message, contactId: null, language: deletedFor }
  const rendered = await render({ templates, tracking }, copy, sender)
  const language = await languageOf({ templates }, copy)
  // Scanners follow every link, so a visit says nothing about a person who reads: it counts no open.
  const view = { ...toTrack(message, sender), rendered, language, opens: false }
  const { html, text } = await tracking.prepare(db, view)
  return {
    subject: rendered.subject,
    text: textOf(text),
    ...(html !== undefined && { html: textOf(html) }),
  }
}

interface MessageToView extends Message {
  /** The recipient's, as a BCP 47 tag. */
  contactLanguage: string | null
  /** Of a message that was deleted, the language of whoever visits. */
  deletedFor?: string | null
}

async function findOrDeleted(
  db: Db,
  {
    campaign,
    language,
    ...key
  }: Pick<ToView, 'businessId' | 'campaign'> & { id: Id<'message'>; language: string | null },
): Promise<MessageToView | undefined> {
  const message = await findToView(db, key)
  if (message || !campaign) return message
  const deleted = await findDeleted(db, { ...key, ...campaign })
  return deleted && { ...deleted, deletedFor: language }
}

/**
 * The message as its link describes it, without what is known of its recipient. Undefined if it is still
 * there, or its recipient is not.
 */
function findDeleted(
  db: Db,
  {
    businessId,
    id,
    contactId,
    campaignId,
    templateVersionId,
    shownBlocks,
  }: { businessId: Id<'business'>; id: Id<'message'> } & ViewedCampaign,
): Promise<MessageToView | undefined> {
  return db.maybe(sql`
    select c.business_id as "businessId", ${id}::uuid as id, 'email' as channel, 'marketing' as kind,
      k.topic, false as "isReply", c.id as "contactId", k.id as "campaignId", c.email as "to",
      ${templateVersionId}::uuid as "templateVersionId", ${shownBlocks}::smallint as "shownBlocks",
      'accepted' as state, 0 as attempts, k.created_at as "dueAt", null as "queuedAt", null as zone,
      c.tracking_consent as "trackingConsent", null as "contactLanguage"
    from contacts c
    join campaigns k on k.business_id = c.business_id and k.id = ${campaignId}
    where c.business_id = ${businessId} and c.id = ${contactId} and c.email is not null
      and not exists (
        select from messages m where m.business_id = ${businessId} and m.id = ${id})
  `)
}

/**
 * Undefined also if its recipient was erased, or has another address by now: whoever has the old mailbox
 * would read what is known of the person today.
 */
function findToView(
  db: Db,
  { businessId, id }: { businessId: Id<'business'>; id: Id<'message'> },
): Promise<MessageToView | undefined> {
  return db.maybe(sql`
    select m.business_id as "businessId", m.id, m.channel, m.kind, m.topic, m.is_reply as "isReply",
      m.contact_id as "contactId", m.campaign_id as "campaignId", m.recipient as "to",
      m.template_version_id as "templateVersionId", m.shown_blocks as "shownBlocks", m.state, m.attempts,
      m.due_at as "dueAt", m.queued_at as "queuedAt", null as zone,
      c.tracking_consent as "trackingConsent", c.language as "contactLanguage"
    from messages m
    join contacts c on c.business_id = m.business_id and c.id = m.contact_id
    where m.business_id = ${businessId} and m.id = ${id}
      and m.channel = 'email' and m.kind = 'marketing' and m.recipient = c.email
  `)
}
