/** What a link to an export says: what goes out, and whose it is. */

import type { Filter } from '../contacts/filters/filter.ts'
import type { Id } from '../core/ids.ts'

export const exportFormats = ['csv', 'ndjson'] as const
export type ExportFormat = (typeof exportFormats)[number]

export type ExportedThing =
  /** Whom all of the filters fit; everybody without any. */
  | { of: 'contacts'; filters: Filter[] }
  | { of: 'submissions'; form_id: Id<'form'>; keys: string[] }
  | { of: 'recipients'; campaign_id: Id<'campaign'> }
  /** Everything about one person, in JSON alone. */
  | { of: 'person'; contact_id: Id<'contact'> }

export interface ExportLink {
  business_id: Id<'business'>
  format: ExportFormat | 'json'
  thing: ExportedThing
  file_name: string
}

export const exportLinkPurpose = 'export'
