/** The content of an export link: what is exported, and of which business. */

import type { Filter } from '../contacts/filters/filter.ts'
import type { Id } from '../core/ids.ts'
import type { LinkMaker } from '../core/link-maker.ts'
import type { FilterInput as AuditChoice } from '../events/audit-log/entry.ts'

/** What goes out whole, without an id that says of what. */
export const exportKinds = ['contacts', 'suppressions'] as const

export const exportFormats = ['csv', 'ndjson'] as const
export type ExportFormat = (typeof exportFormats)[number]

export type ExportedThing =
  /** Contacts whom the search and all of the filters match; everybody if there are none. */
  | { of: 'contacts'; filters: Filter[]; q?: string }
  | { of: 'submissions'; form_id: Id<'form'>; keys: string[] }
  | { of: 'recipients'; campaign_id: Id<'campaign'> }
  /** People who entered an automation. */
  | { of: 'automation'; sequence_id: Id<'sequence'> }
  /** People who must not be written to. */
  | { of: 'suppressions' }
  /** Entries of the audit log, chosen as `audit.list` chooses them; as CSV only. */
  | { of: 'audit'; filter: AuditChoice }
  /** Everything about one person, as JSON only. */
  | { of: 'person'; contact_id: Id<'contact'> }

export interface ExportLink {
  business_id: Id<'business'>
  format: ExportFormat | 'json'
  thing: ExportedThing
  file_name: string
  /** Absent in a link from before this was recorded, which is over. */
  maker?: LinkMaker
}

export const exportLinkPurpose = 'export'
