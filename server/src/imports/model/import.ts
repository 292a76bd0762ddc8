/** The import of a file: its states, the findings of its dry run, and the outcomes of its rows. */

import { formatId, type Id, parseId } from '../../core/ids.ts'
import type { Origin } from '../../core/operation.ts'
import type { NewJob } from '../../lib/jobs/job.ts'
import type { Encoding } from '../format/encoding.ts'
import type { FaultWords } from '../mapping/fault-words.ts'
import type { Choices, ImportKind, Layout, Plan } from '../mapping/plan.ts'
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

/** The number of rows by outcome. */
export interface Counts {
  created: number
  updated: number
  unchanged: number
  refused: number
  /** Rows that would have resubscribed a person who had left a channel. */
  stayed_unsubscribed: number
  /** Rows that say `subscribed` without a source. They got no consent. */
  without_evidence: number
  /** Cells that could not be read. Their rows were imported without them. */
  left_out: number
  /** The number of contacts by the outcome of undoing. */
  undone?: { deleted: number; restored: number; left: number }
}

export const noCounts: Counts = {
  created: 0,
  updated: 0,
  unchanged: 0,
  refused: 0,
  stayed_unsubscribed: 0,
  without_evidence: 0,
  left_out: 0,
}

export interface FoundRefusal extends FaultWords {
  code: string
  field: string
  count: number
  /** The numbers of the first such rows. */
  rows: number[]
}

/** The findings of the dry run. */
export interface DryRunFindings {
  rows: number
  valid: number
  /** Rows whose address already occurs in an earlier row. */
  doubled: number
  /** Whether the file has more different addresses than were compared. */
  doubledAtLeast: boolean
  known: number
  /** Rows that would be imported, of people who left, who are suppressed, or who were erased. */
  unsubscribed: number
  suppressed: number
  erased: number
  withoutEvidence: number
  refusals: FoundRefusal[]
  /** Cells that would be left out. Absent in findings that are older than it. */
  leftOut?: FoundRefusal[]
  /** Absent in findings about suppressions, and in those that are older than it. */
  addresses?: FoundAddresses
  /** Cells with letters beyond ASCII, if the encoding is a guess. */
  doubtful: string[]
  /** By column, the texts that occur, if they are few. Absent in findings that are older than it. */
  distinct?: (string[] | null)[]
  sample: { cells: string[] }[]
}

interface DomainRows {
  domain: string
  contacts: number
}

/** Of the email addresses of a file, those that are probably wrong. */
export interface FoundAddresses {
  without_mail: number
  typos: number
  roles: number
  throw_away: number
  domains: { all: number; asked: number }
  proposals: string[]
  examples: {
    without_mail: DomainRows[]
    typos: (DomainRows & { meant: string })[]
    throw_away: DomainRows[]
  }
}

export interface FileText {
  encoding: Encoding
  /** The length of the byte-order mark that declared the encoding. */
  markLength: number
  /** The bytes are not UTF-8 and have no mark, so the uploader has to confirm the encoding. */
  isGuess: boolean
}

export interface ImportFault {
  code: string
  message: string
  /** Absent in faults that were stored before it was. */
  field?: string
}

/** The field of faults that concern the uploaded file as a whole. */
export const fileField = 'file'

export interface Import {
  id: Id<'import'>
  state: ImportState
  kind: ImportKind
  fileName: string
  /** The number of uploads that began. Each writes its own file, and only the last one counts. */
  uploads: number
  bytes: number | null
  sha256: Buffer | null
  hasFile: boolean
  /** The encoding of the file, as the upload detected it. */
  text: FileText | null
  layout: Layout | null
  choices: Choices | null
  found: DryRunFindings | null
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
  /** The most bytes of a file. */
  fileBytes: 1024 ** 3,
  /** The most bytes of a file that a call brings as text. */
  textBytes: 1024 ** 2,
  /** The most characters of its name. */
  fileName: 200,
  /** The number of hours for which an upload address is valid. */
  uploadHours: 24,
  /** Days for which a file, its errors and its undo data are kept. */
  keptDays: 7,
  /** The most imports of a business that wait for their file, and that have a stored file. */
  awaiting: 200,
  withFile: 20,
  /** The most refused rows and left out cells that `errors.csv` shows, and the most characters of each. */
  errors: 100_000,
  errorCharacters: 65_536,
  /** The most email domains of a file that are counted, and of each kind that are shown. */
  domains: 20_000,
  domainsShown: 20,
  /** The number of rows that the response of a dry run shows. */
  sampleRows: 20,
} as const

export function fileOf(
  businessId: Id<'business'>,
  { id, uploads }: Pick<Import, 'id' | 'uploads'>,
): StoredFile {
  return { businessId, name: `imports/${businessId}/${id}-${uploads}` }
}

/** How its file is read; undefined before that is known. */
export function planOf({ layout, choices, kind, fileName }: Import): Plan | undefined {
  return layout && choices ? { ...layout, ...choices, kind, fileName } : undefined
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

/** States that do not change by themselves. The caller may still undo an import. */
export const endStates: readonly ImportState[] = ['done', 'failed', 'cancelled', 'undone']

export const importJobs = {
  check: 'import.check',
  run: 'import.run',
  undo: 'import.undo',
  mail: 'import.mail',
  expire: 'import.expire',
} as const

export interface ImportPayload {
  business_id: Id<'business'>
  import_id: Id<'import'>
}

export function importJob(
  kind: keyof typeof importJobs,
  { businessId, id, dueAt }: { businessId: Id<'business'>; id: Id<'import'>; dueAt?: Date },
): NewJob {
  const payload: ImportPayload = { business_id: businessId, import_id: id }
  const priority = kind === 'mail' ? 'normal' : 'bulk'
  const job = { kind: importJobs[kind], lane: businessId, payload, priority } as const
  return dueAt ? { ...job, dueAt } : job
}
