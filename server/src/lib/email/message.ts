/**
 * Builds one whole message from its parts: header fields, text, HTML, files. No value can add or
 * end a header field: human-readable text is reduced to one line, and everything else is refused
 * unless it is exactly valid.
 */

import { hash } from 'node:crypto'
import { isRefusal, type Refusal, refuse } from '../schema/refusal.ts'
import {
  foldedField,
  isHeaderName,
  isHeaderValue,
  type Mailbox,
  oneLine,
  parseMailbox,
  smtpAddress,
  spellMailbox,
  textField,
} from './header-fields.ts'
import { MessageScratch, type Scratch, type Written } from './message-scratch.ts'
import { type PiecedText, writeQuoted } from './quoted-printable.ts'

export interface MailToBuild {
  /** `ana@example.com`, `Ana <ana@example.com>`, or its parts, as for `to` and `replyTo`. */
  from: string | Mailbox
  to: string | Mailbox | readonly string[]
  replyTo?: string | Mailbox | readonly string[]
  /** Addresses that the mail lists as copied to. */
  cc?: readonly string[]
  subject: string
  /** A whole text, or the pieces of a rendered template. HTML or text must be given. */
  html?: PiecedText
  text?: PiecedText
  /** Further header fields in ASCII; fields that the builder writes itself are refused. */
  headers?: readonly (readonly [name: string, value: string])[]
  attachments?: readonly Attachment[]
  /** `id@domain`, with or without its angle brackets. */
  messageId: string
  date: Date
}

// Only one message is built at a time, because nothing below awaits.
const scratch = new MessageScratch()

/** The message with CRLF line ends, ready to be signed. Throws the Refusal of an invalid part. */
export async function buildMessage(mail: MailToBuild): Promise<Buffer> {
  write(mail)
  return scratch.take()
}

/**
 * Does the same, but returns a view that is valid until the next message is built, for callers that
 * copy it at once.
 */
export function viewOfMessage(mail: MailToBuild): Written {
  write(mail)
  return scratch.written()
}

function write(mail: MailToBuild): void {
  checkAttachments(mail.attachments ?? [])
  const head = headOf(mail)
  // A bare CR or LF is impossible at this point. Some servers would take it for the end of the
  // message, and the rest for another message. Encoded bodies contain none by construction.
  if (/\r(?!\n)|(?<!\r)\n/.test(head)) throw new Error('a line break that is not CRLF')
  scratch.clear()
  scratch.ascii(head)
  writeBody(mail, boundaryOf(mail.messageId))
}

function headOf(mail: MailToBuild): string {
  const messageId = mail.messageId.replace(/^<(.*)>$/, '$1')
  if (
    !/^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+@[A-Za-z0-9.-]+$/.test(messageId) ||
    messageId.length > 200
  ) {
    throw wrong('message_id', 'is not of the form id@domain.')
  }
  return [
    mailboxField('From', mail.from, 'from'),
    toField(mail.to),
    ccField(mail.cc),
    mail.replyTo === undefined ? '' : replyToField(mail.replyTo),
    textField('Subject', mail.subject),
    `Date: ${dateOf(mail.date)}\r\n`,
    `Message-ID: <${messageId}>\r\n`,
    ...(mail.headers ?? []).map(([name, value]) => furtherField(name, value)),
    'MIME-Version: 1.0\r\n',
  ].join('')
}

function mailboxField(name: string, input: string | Mailbox, field: string): string {
  const mailbox = typeof input === 'string' ? parseMailbox(input) : input
  const spelled = smtpAddress(mailbox.address, field)
  if (isRefusal(spelled)) throw spelled
  return foldedField(name, spellMailbox(mailbox, spelled, name.length + 2))
}

function toField(input: MailToBuild['to']): string {
  if (typeof input === 'string' || 'address' in input) return mailboxField('To', input, 'to')
  return mailboxesField('To', input, 'to')
}

/** One address or several (RFC 5322 section 3.6.2). */
function replyToField(input: NonNullable<MailToBuild['replyTo']>): string {
  if (typeof input === 'string' || 'address' in input) {
    return mailboxField('Reply-To', input, 'reply_to')
  }
  return mailboxesField('Reply-To', input, 'reply_to')
}

function ccField(addresses: readonly string[] = []): string {
  if (addresses.length === 0) return ''
  return mailboxesField('Cc', addresses, 'cc')
}

function mailboxesField(name: string, texts: readonly string[], field: string): string {
  const spelled = texts.map((text) => {
    const mailbox = parseMailbox(text)
    const address = smtpAddress(mailbox.address, field)
    if (isRefusal(address)) throw address
    return spellMailbox(mailbox, address, name.length + 2)
  })
  return foldedField(name, spelled.join(', '))
}

/** Only this builder, or a server that relays the message, writes these fields. */
const own =
  /^(?:from|sender|to|cc|bcc|reply-to|subject|date|message-id|mime-version|content-.*|dkim-signature|received|return-path|resent-.*|arc-.*|authentication-results)$/i

function furtherField(name: string, value: string): string {
  if (!isHeaderName(name) || own.test(name)) {
    throw wrong(
      'headers',
      'must have names of letters, digits and dashes, and none that Crier writes.',
    )
  }
  if (!isHeaderValue(value)) {
    throw wrong(
      'headers',
      'must have values of printable ASCII in one line, no word longer than 900.',
    )
  }
  return foldedField(name, value)
}

/** RFC 5322 section 3.3, in UTC. */
function dateOf(date: Date): string {
  return date.toUTCString().replace('GMT', '+0000')
}

/** `=_` never occurs in quoted-printable or base64 (RFC 2045 section 6.7). */
function boundaryOf(messageId: string): string {
  return `=_${hash('sha256', messageId, 'hex').slice(0, 24)}`
}

function writeBody(mail: MailToBuild, boundary: string): void {
  const all = mail.attachments ?? []
  // Without HTML a mail cannot show a picture inline, so it becomes an attached file.
  const isInline = ({ contentId }: Attachment) => contentId !== undefined && mail.html !== undefined
  const inline = all.filter(isInline)
  const invitation = all.find((entry) => isInvitation(entry) && !isInline(entry))
  const attachments = all.filter((entry) => !isInline(entry) && entry !== invitation)
  if (attachments.length === 0) {
    writeTexts(mail, { base: boundary, inline, invitation })
    return
  }
  const outer = `${boundary}m`
  scratch.ascii(`Content-Type: multipart/mixed; boundary="${outer}"\r\n\r\n--${outer}\r\n`)
  writeTexts(mail, { base: boundary, inline, invitation })
  for (const attachment of attachments) {
    scratch.ascii(`\r\n--${outer}\r\n`)
    writeAttachment(scratch, attachment)
  }
  scratch.ascii(`\r\n--${outer}--\r\n`)
}

interface Beside {
  base: string
  inline: readonly Attachment[]
  /** A calendar that asks or answers: one more form of the same content (RFC 6047 section 2.4). */
  invitation: Attachment | undefined
}

function writeTexts({ text, html }: MailToBuild, { base, inline, invitation }: Beside): void {
  if (!invitation && html === undefined) {
    writeText('plain', text ?? '')
    return
  }
  if (!invitation && html !== undefined && text === undefined) {
    writeHtml(html, base, inline)
    return
  }
  const boundary = `${base}a`
  scratch.ascii(`Content-Type: multipart/alternative; boundary="${boundary}"\r\n\r\n`)
  // Readers show the last part that they support (RFC 2046 section 5.1.4).
  scratch.ascii(`--${boundary}\r\n`)
  if (text !== undefined || html === undefined) {
    writeText('plain', text ?? '')
    if (html !== undefined) scratch.ascii(`\r\n--${boundary}\r\n`)
  }
  if (html !== undefined) writeHtml(html, base, inline)
  if (invitation) {
    scratch.ascii(`\r\n--${boundary}\r\n`)
    writeAlternative(scratch, invitation)
  }
  scratch.ascii(`\r\n--${boundary}--\r\n`)
}

/** HTML, with the images that it shows by `cid:` in one part (RFC 2387, RFC 2392). */
function writeHtml(html: PiecedText, base: string, inline: readonly Attachment[]): void {
  if (inline.length === 0) {
    writeText('html', html)
    return
  }
  const boundary = `${base}r`
  scratch.ascii(`Content-Type: multipart/related; type="text/html"; boundary="${boundary}"\r\n\r\n`)
  scratch.ascii(`--${boundary}\r\n`)
  writeText('html', html)
  for (const attachment of inline) {
    scratch.ascii(`\r\n--${boundary}\r\n`)
    writeAttachment(scratch, attachment)
  }
  scratch.ascii(`\r\n--${boundary}--\r\n`)
}

function writeText(kind: 'plain' | 'html', content: PiecedText): void {
  scratch.ascii(
    `Content-Type: text/${kind}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n`,
  )
  writeQuoted(scratch, content)
  scratch.ascii('\r\n')
}

function wrong(field: string, rule: string): Refusal {
  return refuse('invalid_request', `${field} ${rule}`, { field, data: { reason: 'wrong_form' } })
}

export const attachmentLimits = {
  files: 20,
  /** Bytes of all files. Most mailboxes accept 25 MB, and base64 adds a third. */
  bytes: 10 * 1024 * 1024,
} as const

export interface Attachment {
  filename: string
  /** The media type, such as `application/pdf` or `text/calendar; method=REQUEST`. */
  contentType: string
  content: Buffer
  /** The name by which the HTML refers to the image as `cid:` (RFC 2392). */
  contentId?: string
}

/** Refuses files that a message cannot carry. */
export function checkAttachments(attachments: readonly Attachment[]): void {
  if (attachments.length > attachmentLimits.files) {
    throw no('attachments', `can have at most ${attachmentLimits.files} files.`)
  }
  const bytes = attachments.reduce((sum, { content }) => sum + content.length, 0)
  if (bytes > attachmentLimits.bytes) {
    const text = `attachments total ${bytes} bytes; the limit is ${attachmentLimits.bytes}: send a link instead.`
    throw refuse('too_large', text, {
      field: 'attachments',
      data: { reason: 'attachments_too_large', limit: attachmentLimits.bytes },
    })
  }
  const invalidId = attachments.findIndex(({ contentId = 'a' }) => !isContentId(contentId))
  if (invalidId >= 0) {
    throw no(
      `attachments[${invalidId}].content_id`,
      'must be up to 100 letters, digits, dots, dashes, underscores and @, the first a letter or digit.',
    )
  }
  const invalidType = attachments.findIndex(({ contentType }) => !isMediaType(contentType))
  if (invalidType < 0) return
  throw no(
    `attachments[${invalidType}].content_type`,
    'must be a type of one part, such as application/pdf or text/calendar; method=REQUEST.',
  )
}

const isContentId = (id: string) => /^[A-Za-z0-9][A-Za-z0-9._@-]{0,99}$/.test(id)

const longestType = 300

/**
 * RFC 6838 section 4.2, with parameters (RFC 2045 section 5.1). Types of several parts may not be
 * base64 (section 6.4), and a boundary belongs to them.
 */
function isMediaType(type: string): boolean {
  if (type.length > longestType) return false
  const [essence = '', ...rest] = type.split(';')
  const name =
    /^(?!multipart\/|message\/)[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,63}$/i
  if (!name.test(essence.trimEnd())) return false
  if (rest.length === 0) return essence === essence.trimEnd()
  const parameter =
    /^ *(?!boundary\b)[a-z0-9!#$&^_.+*-]{1,64}=(?:[a-z0-9!#$%&'*+.^_`{|}~-]+|"[ !#-:<-[\]-~]*") *$/i
  return rest.every((text) => parameter.test(text))
}

/** A calendar that asks or answers, which mail programs show with its buttons. */
function isInvitation({ contentType }: Attachment): boolean {
  return /^text\/calendar *;/i.test(contentType) && /; *method=/i.test(contentType)
}

/** The part without a name: a form of the same content and no file. */
function writeAlternative(scratch: Scratch, { contentType, content }: Attachment): void {
  scratch.ascii(foldedField('Content-Type', contentType))
  scratch.ascii('Content-Transfer-Encoding: base64\r\n\r\n')
  writeBase64(scratch, content)
}

/** The name without a path to another folder, at a length that every file system accepts. */
function safeFilename(name: string): string {
  const safe = oneLine(name)
    .replace(/[/\\:*?"<>|]+/g, '_')
    .replace(/^[. ]+|[. ]+$/g, '')
  const short = Buffer.byteLength(safe) <= longestName ? safe : shortened(safe)
  return short === '' ? 'attachment' : short
}

const longestName = 150

/** Shortens the middle of the name, because its ending selects the program that opens it. */
function shortened(name: string): string {
  const ending = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? ''
  let stem = ''
  for (const character of name.slice(0, name.length - ending.length)) {
    if (Buffer.byteLength(stem + character + ending) > longestName) break
    stem += character
  }
  return stem + ending
}

/** Writes the part: its fields, an empty line, and base64 in lines of 76 characters. */
function writeAttachment(
  scratch: Scratch,
  { filename, contentType, content, contentId }: Attachment,
): void {
  scratch.ascii(foldedField('Content-Type', contentType))
  scratch.ascii('Content-Transfer-Encoding: base64\r\n')
  const name = filenameParameter(safeFilename(filename))
  const disposition = contentId === undefined ? 'attachment' : 'inline'
  scratch.ascii(foldedField('Content-Disposition', `${disposition}; ${name}`))
  if (contentId !== undefined) scratch.ascii(foldedField('Content-ID', `<${contentId}>`))
  scratch.ascii('\r\n')
  writeBase64(scratch, content)
}

function writeBase64(scratch: Scratch, content: Buffer): void {
  const text = content.toString('base64')
  for (let at = 0; at < text.length; at += 76) scratch.ascii(`${text.slice(at, at + 76)}\r\n`)
}

/** Splits a name that is long or beyond ASCII into pieces (RFC 2231 sections 3 and 4). */
function filenameParameter(name: string): string {
  if (/^[ -~]{1,50}$/.test(name)) return `filename="${name}"`
  const pieces: string[] = ['']
  for (const character of name) {
    const spelt = /[A-Za-z0-9._-]/.test(character) ? character : percent(character)
    const last = pieces.length - 1
    if ((pieces[last] ?? '').length + spelt.length > 50) pieces.push(spelt)
    else pieces[last] += spelt
  }
  return pieces.map((piece, n) => `filename*${n}*=${n === 0 ? "utf-8''" : ''}${piece}`).join('; ')
}

function percent(character: string): string {
  return [...Buffer.from(character)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('')
}

function no(field: string, rule: string): Refusal {
  return refuse('invalid_request', `${field} ${rule}`, { field, data: { reason: 'wrong_form' } })
}
