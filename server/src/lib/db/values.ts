/** Serialises values for PostgreSQL, and parses its answers. */
import pg from 'pg'
import { quoted } from './columns.ts'

/** Serialises a parameter as PostgreSQL reads it: text, or raw bytes. */
export function spell(value: unknown): string | Buffer | null {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return null
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return spellArray(value)
  if (ArrayBuffer.isView(value)) return bytesOf(value)
  return JSON.stringify(value)
}

function spellArray(values: readonly unknown[]): string {
  let text = ''
  for (const value of values) text += text === '' ? spellElement(value) : `,${spellElement(value)}`
  return `{${text}}`
}

function spellElement(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return spellArray(value)
  const spelt = spell(value)
  if (spelt === null) return 'NULL'
  if (typeof spelt !== 'string') return `"\\\\x${spelt.toString('hex')}"`
  return typeof value === 'object' ? quoted(spelt) : spelt
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** A column as the server describes it. */
export interface Field {
  name: string
  dataTypeID: number
}

export type RowReader = (values: readonly (string | null)[]) => unknown

/** Builds rows from the values of these columns. */
export function rowReader(fields: readonly Field[]): RowReader {
  const columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }))
  return (values) => {
    const row: Record<string, unknown> = {}
    let i = 0
    for (const { name, parse } of columns) {
      const value = values[i++]
      row[name] = value === null || value === undefined ? null : parse(value)
    }
    return row
  }
}

function parserOf(oid: number): (text: string) => unknown {
  if (oid === pg.types.builtins.INT8) return wholeNumber
  // A day has no time zone. The driver's Date would be midnight on this machine.
  if (oid === pg.types.builtins.DATE) return asItIs
  return pg.types.getTypeParser(oid, 'text')
}

const asItIs = (text: string) => text

/** Counts fit a double up to 2^53; beyond that, an error is better than a wrong number. */
function wholeNumber(text: string): number {
  const n = Number(text)
  if (!Number.isSafeInteger(n)) throw new RangeError('an int8 beyond 2^53 was read')
  return n
}
