/** Queries and replies (RFC 1035, section 4) for the few record types that are used. */
import { DnsFormatError, encodeName, readName } from './name.ts'

const typeCodes = { A: 1, CNAME: 5, SOA: 6, MX: 15, TXT: 16 } as const
export type RecordType = keyof typeof typeCodes
const typeNames = new Map(Object.entries(typeCodes).map(([name, code]) => [code as number, name]))

type Data =
  | { type: 'A'; address: string }
  | { type: 'CNAME'; target: string }
  /** `minimum`: seconds for which "no such record" may be cached (RFC 2308, section 5). */
  | { type: 'SOA'; minimum: number }
  | { type: 'MX'; preference: number; exchange: string }
  /** The strings of the record joined, as every reader of TXT records does (RFC 7208, 3.3). */
  | { type: 'TXT'; text: string }

/** `ttl`: seconds for which the record may be cached. */
export type DnsRecord = { name: string; ttl: number } & Data

export interface Reply {
  rcode: number
  /** Whether the reply did not fit; over TCP it will. */
  truncated: boolean
  answers: DnsRecord[]
  authority: DnsRecord[]
}

export interface Query {
  id: number
  name: string
  type: RecordType
}

const headerBytes = 12
const classIn = 1
const typeOpt = 41
const flags = { reply: 0x8000, truncated: 0x0200, recursionDesired: 0x0100, rcode: 0x000f }

/** A size that passes every network without fragmentation (RFC 9715, section 3.1). */
export const udpBytes = 1232

export function encodeQuery({ id, name, type }: Query): Buffer {
  const header = Buffer.alloc(headerBytes)
  header.writeUInt16BE(id, 0)
  header.writeUInt16BE(flags.recursionDesired, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(1, 10)
  // RFC 6891, 6.1.2: the root's name, OPT, and the accepted size.
  const opt = Buffer.alloc(11)
  opt.writeUInt16BE(typeOpt, 1)
  opt.writeUInt16BE(udpBytes, 3)
  return Buffer.concat([header, encodeName(name), shorts(typeCodes[type], classIn), opt])
}

/**
 * Parses the reply to this query; undefined for any other message. Throws a DnsFormatError where
 * the reply is malformed.
 */
export function decodeReply(message: Buffer, query: Query): Reply | undefined {
  if (message.length < headerBytes || message.readUInt16BE(0) !== query.id) return undefined
  const word = message.readUInt16BE(2)
  if ((word & flags.reply) === 0) return undefined
  const rcode = word & flags.rcode
  // A server that cannot parse the question may leave it out.
  if (message.readUInt16BE(4) !== 1) {
    return rcode === 0 ? undefined : { rcode, truncated: false, answers: [], authority: [] }
  }
  const question = readName(message, headerBytes)
  const typeAndClass = message.subarray(question.next, question.next + 4)
  const same =
    question.name === query.name && typeAndClass.equals(shorts(typeCodes[query.type], classIn))
  if (!same) return undefined
  if ((word & flags.truncated) !== 0) return { rcode, truncated: true, answers: [], authority: [] }
  const answers = readRecords(message, question.next + 4, message.readUInt16BE(6))
  const authority = readRecords(message, answers.next, message.readUInt16BE(8))
  return { rcode, truncated: false, answers: answers.records, authority: authority.records }
}

function readRecords(message: Buffer, start: number, count: number) {
  const records: DnsRecord[] = []
  let next = start
  for (let i = 0; i < count; i++) {
    const owner = readName(message, next)
    const at = owner.next
    if (at + 10 > message.length) throw new DnsFormatError('a record is cut off')
    const from = at + 10
    next = from + message.readUInt16BE(at + 8)
    if (next > message.length) throw new DnsFormatError('a record is cut off')
    const isIn = message.readUInt16BE(at + 2) === classIn
    const data = isIn && readData(message, message.readUInt16BE(at), from, next)
    // RFC 2181, section 8: a TTL with its highest bit set counts as zero.
    const ttl = message.readInt32BE(at + 4)
    if (data) records.push({ name: owner.name, ttl: Math.max(0, ttl), ...data })
  }
  return { records, next }
}

/** Undefined for a type that is never queried. */
function readData(message: Buffer, code: number, from: number, to: number): Data | undefined {
  const type = typeNames.get(code) as RecordType | undefined
  const data = message.subarray(from, to)
  switch (type) {
    case undefined:
      return undefined
    case 'A':
      if (data.length !== 4) throw new DnsFormatError('an address has four bytes')
      return { type, address: data.join('.') }
    case 'CNAME':
      return { type, target: nameWithin(message, from, to) }
    case 'MX':
      if (data.length < 3) throw new DnsFormatError('an MX record is cut off')
      return {
        type,
        preference: data.readUInt16BE(0),
        exchange: nameWithin(message, from + 2, to),
      }
    case 'SOA':
      if (data.length < 22) throw new DnsFormatError('an SOA record is cut off')
      return { type, minimum: data.readUInt32BE(data.length - 4) }
    case 'TXT':
      return { type, text: joined(data) }
  }
}

function nameWithin(message: Buffer, from: number, to: number): string {
  const { name, next } = readName(message, from)
  if (next !== to) throw new DnsFormatError('a name and its record end at different places')
  return name
}

function joined(data: Buffer): string {
  const strings: Buffer[] = []
  for (let at = 0; at < data.length; ) {
    const end = at + 1 + (data[at] ?? 0)
    if (end > data.length) throw new DnsFormatError('a string is cut off')
    strings.push(data.subarray(at + 1, end))
    at = end
  }
  return Buffer.concat(strings).toString('utf8')
}

function shorts(a: number, b: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt16BE(a, 0)
  bytes.writeUInt16BE(b, 2)
  return bytes
}
