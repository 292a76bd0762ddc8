/** Gathers the findings of a dry run, window by window. */

import type { KnownPerson } from '../../contacts/people-on-file.ts'
import type { ImportKind } from '../mapping/plan.ts'
import { addProfiles, type ColumnProfile } from '../mapping/profile.ts'
import { type Found, type FoundRefusal, importLimits } from '../model/import.ts'
import { leftOutCode } from '../model/left-out.ts'
import { addressesOf, type FileRow, type RowFault } from '../reading/read-rows.ts'
import type { Window } from '../reading/reader.ts'
import { createSeen } from './doubled.ts'

const mostKinds = 20
const mostRows = 20
/** The number of cells that show whether a guessed encoding is right. */
export const doubtfulCells = 3

export interface Tally {
  /** `known` has an entry for each row with a person, in the same order. */
  add(window: Window, known: readonly KnownPerson[]): void
  found(): Found
  /** Gives back the memory of the addresses. Nothing can be added afterwards. */
  close(): void
  readonly profiles: readonly ColumnProfile[]
}

export function createTally(kind: ImportKind): Tally {
  const seen = createSeen()
  const profiles: ColumnProfile[] = []
  const refusals = new Map<string, FoundRefusal>()
  const leftOut = new Map<string, FoundRefusal>()
  const doubtful = new Set<string>()
  const sample: Found['sample'] = []
  const counts = { rows: 0, valid: 0, doubled: 0, known: 0 }
  const people = { unsubscribed: 0, suppressed: 0, erased: 0, withoutEvidence: 0 }

  const gather = (groups: Map<string, FoundRefusal>, fault: RowFault): void => {
    const key = `${fault.code} ${fault.field}`
    const group = groups.get(key)
    if (group) {
      group.count++
      if (group.rows.length < mostRows) group.rows.push(counts.rows)
    } else if (groups.size < mostKinds) {
      groups.set(key, { ...fault, count: 1, rows: [counts.rows] })
    }
  }

  const take = (row: FileRow, known: KnownPerson | undefined): void => {
    const { email, phone, sha256 } = addressesOf(row) ?? {}
    // Who was erased is on the list already, and that they were erased is nobody's business.
    const isListed = kind === 'suppressions' && known?.isErased
    if (known?.isErased && !isListed) people.erased++
    else counts.valid++
    const repeated = [email, phone, sha256].filter((text) => text !== undefined && seen.add(text))
    if (repeated.length > 0) counts.doubled++
    if (known?.isContact) counts.known++
    if (known?.hasLeft) people.unsubscribed++
    if (known?.isSuppressed || isListed) people.suppressed++
    if (row.withoutEvidence) people.withoutEvidence++
  }

  return {
    profiles,
    add(window, known) {
      addProfiles(profiles, window.profiles)
      for (const cell of window.doubtful) {
        if (doubtful.size < doubtfulCells) doubtful.add(cell)
      }
      let place = 0
      for (const row of window.rows) {
        counts.rows++
        if (addressesOf(row)) take(row, known[place++])
        else if (row.fault) gather(refusals, row.fault)
        for (const { field, message } of row.leftOut ?? []) {
          gather(leftOut, { code: leftOutCode, field, message })
        }
        const { cells } = row
        if (!cells) continue
        if (sample.length < importLimits.sampleRows) sample.push({ cells: cells.map(shortened) })
      }
    },
    found: () => ({
      ...counts,
      ...people,
      doubledAtLeast: seen.isFull,
      refusals: mostFrequentFirst(refusals),
      leftOut: mostFrequentFirst(leftOut),
      doubtful: [...doubtful],
      sample,
    }),
    close: () => seen.free(),
  }
}

const mostFrequentFirst = (groups: ReadonlyMap<string, FoundRefusal>) =>
  [...groups.values()].sort((a, b) => b.count - a.count)

const longestCell = 200
const shortened = (cell: string) =>
  cell.length > longestCell ? `${cell.slice(0, longestCell)}…` : cell
