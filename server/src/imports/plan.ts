/** How to read a file: its encoding, the target of each column, and what its people agreed to. */

import type { ConsentSubject } from '../contacts/contact.ts'
import type { ImportedReason } from '../contacts/suppressions/import.ts'
import type { Encoding } from './csv.ts'

/** Services whose exported files are recognised by their columns. */
export const knownSources = ['crier', 'mailchimp', 'brevo', 'listmonk', 'klaviyo'] as const
export type KnownSource = (typeof knownSources)[number]

/** What a file holds: contacts, or people who must not be written to. */
export const importKinds = ['contacts', 'suppressions'] as const
export type ImportKind = (typeof importKinds)[number]

/** The format of the file, derived from its beginning. */
export interface Layout {
  encoding: Encoding
  delimiter: string
  /** Names of the columns: the first line, or `Column 1` and so on if that line holds a person. */
  columns: string[]
  hasHeader: boolean
  /** The byte at which the first row begins. */
  start: number
  known: KnownSource | null
}

export const modes = ['update', 'only_new', 'fill_blanks'] as const
type Mode = (typeof modes)[number]

export interface Agreement {
  /** Where people gave their consent. */
  source: string
  /** The wording that they agreed to. */
  text: string
}

/** The choices that the uploader makes. */
export interface Choices {
  /** By column. Null for a column that is left out. */
  targets: (string | null)[]
  tags: string[]
  mode: Mode
  /** Whether a blank cell erases the value. By default it changes nothing. */
  blanksErase: boolean
  /** Agreement of the file's people, by channel or to tracking. Nothing is assumed without it. */
  consent: Partial<Record<ConsentSubject, Agreement>>
  /** The reason of suppressions, for rows that do not say it. */
  reason?: ImportedReason
  /** The country in which numbers without a country code are read: two capital letters. */
  country?: string
  /** By column, what stands for a cell of this text, without outer spaces. */
  values?: Record<string, Record<string, string>>
  /** By target, what a row without a value of its own gets. */
  defaults?: Record<string, string>
  /** Set if the mapping is that of the last import of a file with the same headings. */
  isRemembered?: boolean
}

export interface Plan extends Layout, Choices {
  kind: ImportKind
  /** The file that the consent ledger names as the source. */
  fileName: string
}
