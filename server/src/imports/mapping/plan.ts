/** How a file is read: which bytes are text, which column becomes what, and what its people agreed to. */

import type { ConsentSubject } from '../../contacts/model/contact.ts'
import type { Encoding } from '../format/encoding.ts'

/** Services whose exported files are known by their columns. */
export const knownSources = ['crier', 'mailchimp', 'brevo', 'listmonk', 'klaviyo'] as const
export type KnownSource = (typeof knownSources)[number]

/** What the bytes of a file are, as its beginning shows. */
export interface Layout {
  encoding: Encoding
  delimiter: string
  /** Names of the columns: the first line, or `Column 1` and so on where it holds a person already. */
  columns: string[]
  hasHeader: boolean
  /** The byte at which the first row begins. */
  start: number
  known: KnownSource | null
}

export const modes = ['update', 'only_new', 'fill_blanks'] as const
export type Mode = (typeof modes)[number]

export interface Agreement {
  /** Where people said so. */
  source: string
  /** What they agreed to, word for word. */
  text: string
}

/** What whoever brought the file decides. */
export interface Choices {
  /** By column; null for one that is left out. */
  targets: (string | null)[]
  tags: string[]
  mode: Mode
  /** A blank cell takes the value away, where it otherwise says nothing. */
  blanksErase: boolean
  /** By channel, or of being tracked, that the people of the file agreed: nothing is assumed without it. */
  consent: Partial<Record<ConsentSubject, Agreement>>
}

export interface Plan extends Layout, Choices {
  /** For the ledger: which file said so. */
  fileName: string
}
