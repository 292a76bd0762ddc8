/**
 * Receipts of an SMSC: separate fields where it sends them, and the text that SMPP 3.4 gives as an
 * example (appendix B), which most send with small differences.
 */
import type { SmsReceipt } from '../transport.ts'
import { tag } from './fields.ts'

export interface Receipt {
  providerId: string
  state: SmsReceipt['state']
  final: boolean
  code: string | undefined
  words: string
}

interface Meaning {
  state: SmsReceipt['state']
  final: boolean
}

const onItsWay: Meaning = { state: 'accepted', final: false }
const delivered: Meaning = { state: 'delivered', final: true }
const expired: Meaning = { state: 'expired', final: true }
const failed: Meaning = { state: 'failed', final: true }
const rejected: Meaning = { state: 'rejected', final: true }

/** `message_state` (section 5.2.28), from 1. */
const byNumber = [onItsWay, delivered, expired, rejected, failed, onItsWay, failed, rejected]

const byName = new Map<string, Meaning>([
  ['ENROUTE', onItsWay],
  ['ACCEPTD', onItsWay],
  ['DELIVRD', delivered],
  ['EXPIRED', expired],
  ['DELETED', rejected],
  ['UNDELIV', failed],
  ['UNKNOWN', failed],
  ['REJECTD', rejected],
])

/** Longer receipts quote the text at their end. */
const longest = 1000

/** Undefined where it contains no id or no state. */
export function readReceipt(whole: string, tags: Map<number, Buffer>): Receipt | undefined {
  const text = whole.slice(0, longest)
  const id = textOf(tags.get(tag.receiptedMessageId)) ?? fieldOf(text, 'id')
  const name = fieldOf(text, 'stat')?.toUpperCase().slice(0, 7)
  const number = tags.get(tag.messageState)?.[0]
  const meaning = (number ? byNumber[number - 1] : undefined) ?? byName.get(name ?? '')
  if (!id || !meaning) return undefined
  const code = fieldOf(text, 'err') ?? networkCode(tags.get(tag.networkErrorCode))
  return { providerId: id.slice(0, 64), ...meaning, code, words: wordsOf(text, number) }
}

function fieldOf(text: string, name: string): string | undefined {
  return new RegExp(`(?:^|\\s)${name}:\\s*([^\\s]{1,64})`, 'i').exec(text)?.[1]
}

function textOf(value: Buffer | undefined): string | undefined {
  return value?.toString('latin1').replace(/\0.*$/s, '') || undefined
}

/** The type of the network, and its error code (section 5.3.2.31). */
function networkCode(value: Buffer | undefined): string | undefined {
  return value?.length === 3 ? String(value.readUInt16BE(1)) : undefined
}

/** The receipt without the part of the text that it quotes. */
function wordsOf(text: string, number: number | undefined): string {
  const quoted = text.search(/text:/i)
  const words = (quoted < 0 ? text : text.slice(0, quoted).trimEnd()).slice(0, 300)
  return words || `message_state ${number}`
}
