/** Reads the fields of a body: octets, strings that end with a NUL, and tagged fields last. */
import { BadPdu } from './pdu.ts'
import { status } from './status.ts'

export interface FieldReader {
  octet(): number
  octets(length: number): Buffer
  /** `size` includes the NUL, as in the tables of SMPP. */
  text(size: number): string
  /** All remaining fields by tag; the first of each tag counts. */
  tags(): Map<number, Buffer>
}

/** Throws BadPdu where the body is too short. */
export function readFields(body: Buffer): FieldReader {
  let at = 0
  const take = (length: number): number => {
    const from = at
    if (from + length > body.length) throw new BadPdu(status.badLength, 'the body ends too early')
    at += length
    return from
  }
  const reader: FieldReader = {
    octet: () => body.readUInt8(take(1)),
    octets(length) {
      const from = take(length)
      return body.subarray(from, from + length)
    },
    text(size) {
      const end = body.indexOf(0, at)
      if (end < 0 || end - at >= size) throw new BadPdu(status.badLength, 'a text has no end')
      const text = body.toString('latin1', at, end)
      at = end + 1
      return text
    },
    tags() {
      const tags = new Map<number, Buffer>()
      while (at < body.length) {
        const tag = body.readUInt16BE(take(2))
        const length = body.readUInt16BE(take(2))
        const value = reader.octets(length)
        if (!tags.has(tag)) tags.set(tag, value)
      }
      return tags
    },
  }
  return reader
}

/** Strings get a NUL at the end; numbers are one octet each. */
export function writeFields(...fields: (string | number | Buffer)[]): Buffer {
  return Buffer.concat(
    fields.map((field) => {
      if (typeof field === 'string') return Buffer.from(`${field.replaceAll('\0', '')}\0`, 'latin1')
      return typeof field === 'number' ? Buffer.from([field]) : field
    }),
  )
}

/** The tags of optional fields (section 5.3.2). */
export const tag = {
  receiptedMessageId: 0x001e,
  sarReference: 0x020c,
  sarTotal: 0x020e,
  sarPart: 0x020f,
  networkErrorCode: 0x0423,
  payload: 0x0424,
  messageState: 0x0427,
} as const

export function writeTag(number: number, value: Buffer): Buffer {
  const head = Buffer.allocUnsafe(4)
  head.writeUInt16BE(number, 0)
  head.writeUInt16BE(value.length, 2)
  return Buffer.concat([head, value])
}
