/** `deliver_sm` (SMPP 3.4, section 4.6.1): a person's text, a part of one, or a receipt. */
import type { PartPlace } from '../transport.ts'
import { type FieldReader, readFields, tag } from './fields.ts'
import { type Receipt, readReceipt } from './receipt.ts'
import { decodeText } from './text-coding.ts'

export interface ReceivedPart {
  from: string
  to: string
  body: string
  /** The place of the part in a text that came in several. */
  partPlace: PartPlace | undefined
}

export type Delivered =
  | ({ kind: 'receipt' } & Receipt)
  | ({ kind: 'text' } & ReceivedPart)
  /** Neither: data of a program, or an intermediate notification, which was not requested. */
  | { kind: 'other' }

const headerFlag = 0x40
/** Bits 2 to 5 of esm_class give the type of the message (section 5.2.12). */
const typeOf = (esmClass: number): number => esmClass & 0x3c
const receiptType = 0x04
const ordinaryType = 0x00

/** Throws BadPdu. */
export function decodeDeliver(body: Buffer): Delivered {
  const fields = readFields(body)
  fields.text(6)
  const from = readAddress(fields)
  const to = readAddress(fields)
  const esmClass = fields.octet()
  fields.octets(2)
  fields.text(17)
  fields.text(17)
  fields.octets(2)
  const coding = fields.octet()
  fields.octet()
  const short = fields.octets(fields.octet())
  const tags = fields.tags()
  const octets = short.length > 0 ? short : (tags.get(tag.payload) ?? short)
  const type = typeOf(esmClass)
  // Some SMSCs omit the type, although the fields identify a receipt.
  if (type === receiptType || (tags.has(tag.receiptedMessageId) && tags.has(tag.messageState))) {
    const receipt = readReceipt(octets.toString('latin1'), tags)
    return receipt ? { kind: 'receipt', ...receipt } : { kind: 'other' }
  }
  if (type !== ordinaryType) return { kind: 'other' }
  const { partPlace, content } =
    esmClass & headerFlag ? readHeader(octets) : withoutHeader(octets, tags)
  const text = decodeText(coding, content)
  return text === undefined ? { kind: 'other' } : { kind: 'text', from, to, body: text, partPlace }
}

/** Phone numbers come with their country code and mostly without a plus. */
function readAddress(fields: FieldReader): string {
  const type = fields.octet()
  fields.octet()
  const address = fields.text(21)
  const digits = address.replace(/^(\+|00)/, '')
  const isNumber = /^\d+$/.test(digits)
  if (!isNumber || digits.length < 7 || digits.length > 15) return address
  // Types 0 and 1 are unknown, which careless SMSCs send, and international.
  return type <= 1 || address !== digits ? `+${digits}` : address
}

interface Content {
  partPlace: ReceivedPart['partPlace']
  content: Buffer
}

/** 3GPP TS 23.040, section 9.2.3.24: elements of tag, length and value. */
function readHeader(octets: Buffer): Content {
  const end = 1 + (octets[0] ?? 0)
  const content = octets.subarray(end)
  for (let at = 1; at + 1 < end; at += 2 + (octets[at + 1] ?? 0)) {
    const [element, length] = [octets[at], octets[at + 1]]
    const value = octets.subarray(at + 2, Math.min(end, at + 2 + (length ?? 0)))
    if (element === 0x00 && value.length === 3) {
      const [reference = 0, total = 0, part = 0] = value
      return { partPlace: partPlaceOf(reference, total, part), content }
    }
    if (element === 0x08 && value.length === 4) {
      const reference = value.readUInt16BE(0)
      return { partPlace: partPlaceOf(reference, value[2] ?? 0, value[3] ?? 0), content }
    }
  }
  return { partPlace: undefined, content }
}

function withoutHeader(content: Buffer, tags: Map<number, Buffer>): Content {
  const reference = tags.get(tag.sarReference)
  const [total, part] = [tags.get(tag.sarTotal)?.[0], tags.get(tag.sarPart)?.[0]]
  if (reference?.length !== 2 || total === undefined || part === undefined) {
    return { partPlace: undefined, content }
  }
  return { partPlace: partPlaceOf(reference.readUInt16BE(0), total, part), content }
}

/** A part whose number exceeds the total is a text of its own. */
function partPlaceOf(reference: number, total: number, part: number): ReceivedPart['partPlace'] {
  return total > 1 && part >= 1 && part <= total ? { reference, total, part } : undefined
}
