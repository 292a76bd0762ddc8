/**
 * The id of a text at its SMSC. Some SMSCs answer with a hexadecimal number and write the same
 * number in decimal, padded with zeros, into the receipt. The operator sets `ids=hex` in SMS_URL
 * for these.
 */
export type IdBase = 'same' | 'hex'

export function nameId(id: string, base: IdBase, where: 'answer' | 'receipt'): string {
  if (base === 'same') return id
  if (where === 'answer') return /^[\da-f]{1,32}$/i.test(id) ? String(BigInt(`0x${id}`)) : id
  return /^\d{1,40}$/.test(id) ? String(BigInt(id)) : id
}
