/** The import of a file: its states, what its dry run found, and what became of its rows. */

import { formatId, type Id, parseId } from '../../core/ids.ts'
import type { Origin } from '../../core/operation.ts'
import type { Encoding } from '../format/encoding.ts'
import type { Choices, Layout } from '../mapping/plan.ts'
import type { StoredFile } from '../reading/stored-file.ts'

export const importStates = [
  'awaiting_file',
  'checking',
  'ready',
  'running',
  'paused',
  'done',
  'failed',
  'cancelled',
  'undoing',
  'undone',
] as const
export type ImportState = (typeof importStates)[number]

/** Rows by what became of them. */
export interface Counts {
  created: number
  updated: number
  unchanged: number
  refused: number
  /** Rows whose person has left a channel, and that would have brought them back. */
  stayed_unsubscribed: number
  /** Rows that say `subscribed` and nothing of where: they got no consent. */
  without_evidence: number
  /** Contacts by what undoing came to. */
  undone?: { deleted: number; restored: number; left: number }
}

export const noCounts: Counts = {
  created: 0,
  updated: 0,
  unchanged: 0,
  refused: 0,
  stayed_unsubscribed: 0,
  without_evidence: 0,
}

export interface FoundRefusal {
  code: string
  field: string
  message: string
  count: number
  /** The first of them. */
  rows: number[]
}

/** What the dry run found. */
export interface Found {
  rows: number
  valid: number
  /** Rows whose address stands in a row before. */
  doubled: number
  /** The file has more different addresses than were compared. */
  doubledAtLeast: boolean
  known: number
  /** Rows that would be taken, of people who left, who are suppressed, or who were erased. */
  unsubscribed: number
  suppressed: number
  erased: number
  withoutEvidence: number
  refusals: FoundRefusal[]
  /** Cells with letters beyond ASCII, where the encoding is a guess. */
  doubtful: string[]
  sample: { cells: string[] }[]
}

export interface FileText {
  encoding: Encoding
  /** Length of the byte-order mark that said so. */
  markLength: number
  /** The bytes are no UTF-8, and nothing says what they are: whoever brought them confirms it. */
  isGuess: boolean
}

export interface ImportFault {
  code: string
  message: string
}

export interface Import {
  id: Id<'import'>
  state: ImportState
  fileName: string
  /** Uploads that began: each writes a file of its own, and the last of them counts. */
  uploads: number
  bytes: number | null
  sha256: Buffer | null
  hasFile: boolean
  /** How its bytes are text, as the upload showed. */
  text: FileText | null
  layout: Layout | null
  choices: Choices | null
  found: Found | null
  nextByte: number
  nextRow: number
  counts: Counts
  workedMs: number
  fault: ImportFault | null
  userId: Id<'user'> | null
  connectionId: Id<'connection'> | null
  callId: Id<'request'> | null
  createdAt: Date
  startedAt: Date | null
  finishedAt: Date | null
}

export const importLimits = {
  /** Bytes of a file. */
  fileBytes: 1024 ** 3,
  /** Characters of its name. */
  fileName: 200,
  /** Hours for which an upload address is good. */
  uploadHours: 24,
  /** Days for which a file, its errors and what undoing needs are kept. */
  keptDays: 7,
  /** Imports of a business that wait for their file, and those whose file is kept. */
  awaiting: 200,
  withFile: 20,
  /** Refused rows that `errors.csv` shows, and characters of each. */
  errors: 100_000,
  errorCharacters: 65_536,
  /** Rows that the answer of a dry run shows. */
  sampleRows: 20,
} as const

export function fileOf(
  businessId: Id<'business'>,
  { id, uploads }: Pick<Import, 'id' | 'uploads'>,
): StoredFile {
  return { businessId, name: `imports/${businessId}/${id}-${uploads}` }
}

export function originOf({
  connectionId,
  userId,
  callId,
}: Pick<Import, 'connectionId' | 'userId' | 'callId'>): Origin {
  return {
    connectionId,
    ...(userId && { userId }),
    callId: callId ? formatId('request', callId) : '',
  }
}

export const callIdOf = ({ callId }: Origin) => parseId('request', callId) ?? null

/** Of states in which nothing more happens by itself, but that an import may be undone. */
export const endStates: readonly ImportState[] = ['done', 'failed', 'cancelled', 'undone']
