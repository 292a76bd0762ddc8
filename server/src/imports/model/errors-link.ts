import type { Id } from '../../core/ids.ts'
import type { LinkMaker } from '../../core/link-maker.ts'

/** The payload of a link to the refused rows of an import. */
export interface ErrorsLink {
  business_id: Id<'business'>
  import_id: Id<'import'>
  /** Absent in a link from before this was recorded, which is over. */
  maker?: LinkMaker
}

export const errorsLinkPurpose = 'import-errors'
