import type { Id } from '../../core/ids.ts'

/** What a link to the refused rows of an import says. */
export interface ErrorsLink {
  business_id: Id<'business'>
  import_id: Id<'import'>
}

export const errorsLinkPurpose = 'import-errors'
