/** The thread in which submitted mails are parsed (`mail-reader.ts` asks it). */

import PostalMime, { type Address, type Attachment, decodeWords, type Email } from 'postal-mime'
import { answerQuestions } from '../../lib/threads/thread-side.ts'
import type { SubmittedFile, SubmittedMail } from './mail.ts'

/** Null where the mail has more or deeper parts, or longer fields, than the parser reads. */
answerQuestions<Uint8Array, SubmittedMail | null>(async (source, progress) => {
  progress.step('parsing')
  return parseMail(source).catch(() => null)
})

/** A mail with more or deeper parts is refused; programs write two or three levels. */
const bounds = {
  maxNestingDepth: 10,
  maxHeadersSize: 64 * 1024,
  // An attached mail stays one file.
  forceRfc822Attachments: true,
  attachmentEncoding: 'base64',
} as const

const ownPrefix = 'x-crier-'
const passedNames = /^(?:in-reply-to|references|list-.+|precedence|auto-submitted|x-.+)$/

/** Splits a mail, which a stranger may have written, into what Crier sends on. */
async function parseMail(source: Uint8Array): Promise<SubmittedMail> {
  const mail = await PostalMime.parse(source, bounds)
  const { html, text, subject, messageId } = mail
  const own = mail.headers.filter(({ key }) => key.startsWith(ownPrefix))
  return {
    messageId,
    from: shown(mail.from),
    replyTo: (mail.replyTo ?? []).flatMap((entry) =>
      (entry.group ?? [entry]).flatMap((address) => shown(address) ?? []),
    ),
    to: addressesOf(mail.to),
    cc: addressesOf(mail.cc),
    names: namesOf([...(mail.to ?? []), ...(mail.cc ?? [])]),
    subject: subject ?? '',
    html,
    // A mail of files alone has an empty text.
    text: text ?? (html === undefined ? '' : undefined),
    files: mail.attachments.map(fileOf),
    headers: passedOn(mail),
    settings: own.map(({ key, value }) => [key.slice(ownPrefix.length), decodeWords(value).trim()]),
  }
}

/** A group of addresses has no address of its own. */
function shown(address: Address | undefined): string | undefined {
  if (!address?.address) return undefined
  const { name, address: plain } = address
  const readable = readableName(name)
  return readable === '' ? plain : `${readable} <${plain}>`
}

function addressesOf(list: Address[] = []): string[] {
  return list.flatMap((entry) => entry.group ?? [entry]).flatMap(({ address }) => address || [])
}

function namesOf(list: Address[] = []): [string, string][] {
  return list
    .flatMap((entry) => entry.group ?? [entry])
    .flatMap(({ name, address }) => {
      const readable = readableName(name)
      return !address || readable === '' ? [] : [[address.toLowerCase(), readable]]
    })
}

/** What would end the name early is left out of it. */
const readableName = (name: string) => name.replaceAll(/[<>"\\]/g, '').trim()

function passedOn({ headers }: Email): [string, string][] {
  return headers
    .filter(({ key }) => passedNames.test(key) && !key.startsWith(ownPrefix))
    .map(({ originalKey, value }) => [originalKey, value.trim()])
}

function fileOf(attachment: Attachment, index: number): SubmittedFile {
  const { filename, mimeType, content, contentId, related, method } = attachment
  const isCalendar = mimeType.toLowerCase() === 'text/calendar'
  // Only an image that the HTML shows needs a name that the HTML can use.
  const id = related && contentId?.replaceAll(/[<>]/g, '')
  return {
    filename: filename ?? (isCalendar ? 'invite.ics' : `attachment-${index + 1}`),
    content_type: isCalendar && method ? `${mimeType}; charset=utf-8; method=${method}` : mimeType,
    content: isCalendar ? withLineEnds(content as string) : (content as string),
    ...(id && { content_id: id }),
  }
}

/** The parser writes calendars in UTF-8 with bare line feeds; RFC 5545 section 3.1 asks for both. */
function withLineEnds(base64: string): string {
  const text = Buffer.from(base64, 'base64').toString('utf8')
  return Buffer.from(text.replaceAll('\n', '\r\n')).toString('base64')
}
