import type { Id } from '../../core/ids.ts'

/** The payload of a link to the refused rows of an import. */
export interface ErrorsLink {
  business_id: Id<'business'>
  import_id: Id<'import'>
}

export const errorsLinkPurpose = 'import-errors'
