/** `submit_sm` (SMPP 3.4, section 4.4.1) and its response. */
import type { TextPart } from '../in-parts.ts'
import { readFields, tag, writeFields, writeTag } from './fields.ts'
import { encodeText } from './text-coding.ts'

/**
 * How a long text is sent: with a header in each part (`udh`, which every network supports), with
 * the header's values in separate fields (`sar`), or whole, for the SMSC to cut (`payload`).
 */
export type LongTexts = 'udh' | 'sar' | 'payload'

export interface Submission {
  from: string | undefined
  to: string
  part: TextPart
  longTexts: LongTexts
}

const hasHeader = 0x40
/** Protocol and priority; delivery at once, and the SMSC's default validity period. */
const ordinary = writeFields(0, 0, '', '')
const noReplacement = 0
const noDefault = 0
const receiptWanted = 1
/** One octet holds the length of `short_message`, at most 254 (section 4.4.1). */
const longestShort = 254

export function encodeSubmit({ from, to, part, longTexts }: Submission): Buffer {
  const { coding, octets } = encodeText(part.body, part.encoding)
  const inMessage = part.header && longTexts === 'udh' ? part.header : Buffer.alloc(0)
  const message = Buffer.concat([inMessage, octets])
  const apart = message.length > longestShort
  return writeFields(
    '',
    sourceOf(from),
    writeFields(international, isdn, digitsOf(to)),
    inMessage.length > 0 ? hasHeader : 0,
    ordinary,
    part.last ? receiptWanted : 0,
    noReplacement,
    coding,
    noDefault,
    apart ? 0 : message.length,
    apart ? writeTag(tag.payload, message) : message,
    part.header && longTexts === 'sar' ? sarOf(part.header) : Buffer.alloc(0),
  )
}

const [unknown, international, networkOwn, alphanumeric, isdn] = [0, 1, 3, 5, 1]

/** Type and plan of a sender's address (sections 5.2.5 and 5.2.6). */
function sourceOf(from: string | undefined): Buffer {
  if (from === undefined || from === '') return writeFields(unknown, unknown, '')
  if (/^\+\d+$/.test(from)) return writeFields(international, isdn, digitsOf(from))
  if (/^\d+$/.test(from)) return writeFields(networkOwn, unknown, from)
  return writeFields(alphanumeric, unknown, from)
}

function digitsOf(number: string): string {
  return number.replace(/^\+/, '')
}

function sarOf(header: Buffer): Buffer {
  const [, , , reference = 0, total = 0, part = 0] = header
  return Buffer.concat([
    writeTag(tag.sarReference, Buffer.from([0, reference])),
    writeTag(tag.sarTotal, Buffer.from([total])),
    writeTag(tag.sarPart, Buffer.from([part])),
  ])
}

/** The `message_id`, which is at most 64 characters long (section 4.4.2). */
export function decodeSubmitAnswer(body: Buffer): string {
  return readFields(body).text(65)
}
