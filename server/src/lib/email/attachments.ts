/** Files that are sent with a message: their limits, and names that are safe to save under. */
import { type Refusal, refuse } from '../schema/refusal.ts'
import { foldedField, oneLine } from './header-text.ts'
import type { Scratch } from './scratch.ts'

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
export function isInvitation({ contentType }: Attachment): boolean {
  return /^text\/calendar *;/i.test(contentType) && /; *method=/i.test(contentType)
}

/** The part without a name: a form of the same content and no file. */
export function writeAlternative(scratch: Scratch, { contentType, content }: Attachment): void {
  scratch.ascii(foldedField('Content-Type', contentType))
  scratch.ascii('Content-Transfer-Encoding: base64\r\n\r\n')
  writeBase64(scratch, content)
}

/** The name without a path to another folder, at a length that every file system accepts. */
export function safeFilename(name: string): string {
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
export function writeAttachment(
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
