/**
 * The content of a message as callers write it: checked, recognised when the same call is repeated,
 * and read again when the message is sent.
 */

import { createHash } from 'node:crypto'
import { limits } from '../config.ts'
import type { Channel } from '../contacts/contact.ts'
import { type Refusal, refuse } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import { createBatcher, ofBusinesses } from '../lib/concurrency/batch.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { checkAttachments } from '../lib/email/message.ts'
import { formatCharacter } from '../lib/text/visible-text.ts'
import type { Labels } from './labels.ts'
import type { Content, Message, StoredAttachment } from './message.ts'

interface ContentInput {
  subject?: string
  html?: string
  text?: string
  template_id?: string
  template_key?: string
  variables?: Record<string, unknown>
  attachments?: StoredAttachment[]
  track_opens?: boolean
  track_clicks?: boolean
}

/**
 * Reads the content: its own text, or a template with its variables. Refuses if both are missing.
 */
export function readContent(request: ContentInput): Content {
  const { subject, html, text, variables, attachments } = request
  if (request.template_id !== undefined || request.template_key !== undefined) {
    const own = html === undefined ? 'text' : 'html'
    if (html !== undefined || text !== undefined) {
      throw refuseContent(own, `${own} and template_id cannot be used together: give one of them.`)
    }
  } else {
    if (html === undefined && text === undefined) {
      throw refuseContent(
        'html',
        'The message has no content: pass html, text or both, or a template_id.',
      )
    }
    if (!html?.trim() && !text?.trim()) {
      const field = html === undefined ? 'text' : 'html'
      throw refuseContent(field, 'The message is empty: pass html, text or both, with content.')
    }
    if (!subject?.trim()) throw refuseContent('subject', 'The message needs a subject.')
    const format = formatCharacter(subject)
    if (format) {
      throw refuseContent(
        'subject',
        `subject contains ${format}, an invisible character. Remove it.`,
      )
    }
  }
  if (variables && Buffer.byteLength(JSON.stringify(variables)) > limits.emailVariablesBytes) {
    const text = `variables can be at most ${limits.emailVariablesBytes} bytes as JSON.`
    throw refuse('too_large', text, { field: 'variables' })
  }
  checkFiles(attachments)
  checkImages(html, attachments)
  return {
    subject: subject?.trim() ?? null,
    html: html ?? null,
    text: text ?? null,
    variables: variables ?? null,
    attachments: attachments?.length ? attachments : null,
    trackOpens: request.track_opens ?? true,
    trackClicks: request.track_clicks ?? true,
  }
}

function checkFiles(attachments: StoredAttachment[] = []): void {
  const files = attachments.map(fileOf)
  const bad = attachments.findIndex(({ content }) => !isBase64(content))
  if (bad >= 0) {
    throw refuseContent(
      `attachments[${bad}].content`,
      'content must be the file as base64 (RFC 4648).',
    )
  }
  const bytes = files.reduce((sum, { content }) => sum + content.length, 0)
  if (bytes > limits.emailAttachmentBytes) {
    const text = `The attachments total ${bytes} bytes; the limit is ${limits.emailAttachmentBytes}. Send a link instead.`
    throw refuse('too_large', text, { field: 'attachments' })
  }
  checkAttachments(files)
}

export function fileOf({ filename, content_type, content, content_id }: StoredAttachment) {
  return {
    filename,
    contentType: content_type,
    content: Buffer.from(content, 'base64'),
    ...(content_id !== undefined && { contentId: content_id }),
  }
}

/** Accepts base64 with its padding, or without any. */
function isBase64(text: string): boolean {
  let end = text.length
  while (end > text.length - 2 && text[end - 1] === '=') end--
  const padded = end < text.length
  if (padded ? text.length % 4 !== 0 : end % 4 === 1) return false
  return !/[^A-Za-z0-9+/]/.test(padded ? text.slice(0, end) : text)
}

/**
 * A hash of the values that make two messages equal: recipient, content, and the requested time, if
 * any.
 */
export function contentHash(
  channel: Channel,
  values: {
    to: string
    templateVersionId: string | null
    content: Content
    sendAt: Date | undefined
    labels?: Labels
    topic?: string
  },
): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([channel, values], inOrder))
    .digest()
}

/** Sorts keys, so that objects are equal if they differ only in the order of their keys. */
function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
}

function refuseContent(field: string, text: string): Refusal {
  return refuse('invalid_request', text, { field })
}

/** RFC 2392: an address of the web has a content id with its special characters encoded. */
function decoded(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}

/** An image that the HTML shows by `cid:` and nothing brings is a broken one in every mail program. */
function checkImages(
  html: string | undefined,
  attachments: readonly StoredAttachment[] = [],
): void {
  const ids = new Set(attachments.map(({ content_id: id }) => id))
  for (const [, id = ''] of html?.matchAll(/\bsrc=["']?cid:([^"'\s>]+)/gi) ?? []) {
    if (ids.has(id) || ids.has(decoded(id))) continue
    const text = `The HTML shows cid:${id.slice(0, 100)}, and no attachment has that content_id.`
    throw refuseContent('html', text)
  }
}

export type ReadContent = (message: Message) => Promise<Content | undefined>

/** A small number, because each content may have megabytes of attachments. */
const perRead = 16

/** A campaign's message has no content of its own. Its template's version has the content. */
export const campaignContent: Content = {
  subject: null,
  html: null,
  text: null,
  variables: null,
  attachments: null,
  trackOpens: true,
  trackClicks: true,
}

interface ContentKey {
  businessId: Id<'business'>
  id: Id<'message'>
}

/** Reads the content of messages. Simultaneous reads share a statement. */
export function createContentReader(db: Db): ReadContent {
  const readOwn = createBatcher<ContentKey, Content | undefined>({
    maxItems: perRead,
    inFlight: 2,
    eachAlone: false,
    businessOf: ofBusinesses(db, ({ businessId }) => businessId),
    async flush(keys) {
      const contents = new Map((await findContents(db, keys)).map((row) => [row.id, row]))
      return keys.map(({ id }) => contents.get(id))
    },
  })
  return async (message) => (message.campaignId === null ? readOwn(message) : campaignContent)
}

export function findContents(db: Db, keys: ContentKey[]): Promise<(Content & { id: string })[]> {
  return db.all(sql`
    select c.message_id as id, c.subject, c.html, c.body_text as text, c.variables, c.attachments,
      c.header_fields as fields, c.language,
      c.track_opens as "trackOpens", c.track_clicks as "trackClicks"
    from unnest(
      ${keys.map((key) => key.businessId)}::uuid[], ${keys.map((key) => key.id)}::uuid[]
    ) as asked (business_id, id)
    join message_contents c on c.business_id = asked.business_id and c.message_id = asked.id
  `)
}
