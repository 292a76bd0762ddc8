/**
 * Which lines of a ledger were read, as short hashes. A backup holds those of its beginning: a line
 * that is not among them is newer than the backup, whatever time it bears.
 */
import { createHash } from 'node:crypto'
import type { OptOut } from '../../contacts/opt-outs.ts'

export const seenName = 'ledger.seen'

/** Long enough that no two of a million lines have the same hash by chance. */
const hashBytes = 8

/** Identifies a line by its content, in whatever order its fields were written. */
export function lineKey(line: OptOut): string {
  const { at, kind, mark } = line
  const fields = Object.entries(line).filter(([name]) => !['at', 'kind', 'mark'].includes(name))
  const sorted = fields.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([at, kind, mark, ...sorted])
}

const hashOf = (line: OptOut) =>
  createHash('sha256').update(lineKey(line)).digest().subarray(0, hashBytes)

export const packLines = (lines: readonly OptOut[]): Buffer => Buffer.concat(lines.map(hashOf))

export type IsSeen = (line: OptOut) => boolean

/** @param packed of `packLines`. */
export function seenIn(packed: Buffer): IsSeen {
  const seen = new Set<string>()
  for (let at = 0; at + hashBytes <= packed.length; at += hashBytes) {
    seen.add(packed.toString('latin1', at, at + hashBytes))
  }
  return (line) => seen.has(hashOf(line).toString('latin1'))
}
