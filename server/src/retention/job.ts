/** The job of one business's nightly deletion. */
import type { Id } from '../core/ids.ts'

export const retentionJob = 'retention.business'

export interface RetentionPayload {
  business_id: Id<'business'>
}
