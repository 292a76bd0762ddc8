import type { Id } from '../../core/ids.ts'

export interface StoredFile {
  businessId: Id<'business'>
  /** As `Files` knows it. */
  name: string
}
