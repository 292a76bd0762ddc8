/** Texts as octets, by `data_coding` (SMPP 3.4, section 5.2.19; 3GPP TS 23.038, section 4). */
import { decodeGsm, encodeGsm } from '../gsm-alphabet.ts'
import type { SmsEncoding } from '../segments.ts'

export const gsmCoding = 0x00
export const ucs2Coding = 0x08

export interface EncodedText {
  coding: number
  octets: Buffer
}

export function encodeText(text: string, encoding: SmsEncoding): EncodedText {
  const gsm = encoding === 'gsm-7' ? encodeGsm(text) : undefined
  return gsm
    ? { coding: gsmCoding, octets: gsm }
    : { coding: ucs2Coding, octets: Buffer.from(text, 'utf16le').swap16() }
}

const charsets: Record<number, string> = {
  1: 'latin1',
  3: 'latin1',
  5: 'shift_jis',
  6: 'iso-8859-5',
  7: 'iso-8859-8',
  13: 'euc-jp',
  14: 'euc-kr',
}

/** Undefined where the octets are data of a program rather than text. */
export function decodeText(coding: number, octets: Buffer): string | undefined {
  if (coding === gsmCoding) return decodeGsm(octets)
  if (coding === ucs2Coding) return new TextDecoder('utf-16be').decode(octets)
  const charset = charsets[coding]
  if (charset !== undefined) return new TextDecoder(charset).decode(octets)
  // For codings with a message class, bit 2 distinguishes data from text.
  return coding >= 0xf0 && (coding & 0x04) === 0 ? decodeGsm(octets) : undefined
}
