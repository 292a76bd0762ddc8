import type { Id } from '../../core/ids.ts'

export interface StoredFile {
  businessId: Id<'business'>
  /** The name under which `Files` stores it. */
  name: string
}
