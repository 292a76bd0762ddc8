/**
 * What a message said, for those who may send one. A template is filled in again, with the version
 * that was sent and the contact's data of now. Links stand as they were written: one that counts
 * clicks or unsubscribes belongs to the recipient alone.
 */
import { isRefusal, orRefusal } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { textOf } from '../lib/email/quoted-printable.ts'
import { createContentReader } from './content.ts'
import type { Tracking } from './dependencies.ts'
import { render } from './mail-carrier.ts'
import type { Message, WholeMessage } from './message.ts'
import type { ContentView } from './view.ts'
import type { ViewDeps } from './view-mail.ts'

/** Null if its words are no longer stored. */
export async function sentContent(
  { db, senders, templates, tracking }: ViewDeps,
  { businessId, id }: { businessId: Id<'business'>; id: Id<'message'> },
): Promise<ContentView | null> {
  const row = await findSent(db, { businessId, id })
  const content = row && (await createContentReader(db)(row))
  if (!row || !content) return null
  const message: WholeMessage = { ...content, ...row }
  if (row.channel === 'sms' && row.templateVersionId === null) {
    const { text } = content
    return text === null
      ? null
      : { ...nothing, html: null, text, from: null, to: [row.to], subject: null }
  }
  const rendered = await orRefusal(() =>
    render({ templates, tracking: withoutOwnLinks(tracking) }, message, {}),
  )
  if (isRefusal(rendered)) {
    if (rendered.code === 'gone') return null
    throw rendered
  }
  const { subject, text, html } = rendered
  const words = { html: html === undefined ? null : textOf(html), text: textOf(text) }
  if (row.channel === 'sms') {
    return { ...words, ...nothing, from: null, to: [row.to], subject: null }
  }
  const { fields } = content
  const sender = await senders.senderOf(businessId, fields?.from)
  // The domain may have been removed since.
  const { from = fields?.from ?? null, replyTo } = isRefusal(sender) ? {} : sender
  return {
    ...words,
    from,
    to: [fields?.to ?? row.to].flat(),
    cc: fields?.cc ?? [],
    reply_to: [fields?.replyTo ?? replyTo ?? []].flat(),
    subject,
    headers: (fields?.headers ?? []).map(([name, value]) => ({ name, value })),
  }
}

const nothing = { cc: [], reply_to: [], headers: [] }

/** Links to the recipient's own pages are left out. */
const withoutOwnLinks = (tracking: Tracking): Tracking => ({
  ...tracking,
  preferencesUrl: () => undefined,
  viewUrl: () => undefined,
})

/** Undefined if its recipient was erased. */
function findSent(
  db: Db,
  { businessId, id }: { businessId: Id<'business'>; id: Id<'message'> },
): Promise<Message | undefined> {
  return db.maybe(sql`
    select m.business_id as "businessId", m.id, m.channel, m.kind, m.is_reply as "isReply",
      m.contact_id as "contactId", m.campaign_id as "campaignId", m.recipient as "to",
      m.template_version_id as "templateVersionId", m.shown_blocks as "shownBlocks", m.state,
      m.attempts, m.due_at as "dueAt", m.queued_at as "queuedAt", null as zone,
      null as "trackingConsent"
    from messages m
    where m.business_id = ${businessId} and m.id = ${id} and m.recipient <> 'erased'
  `)
}
