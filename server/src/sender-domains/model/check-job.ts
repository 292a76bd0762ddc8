import type { Id } from '../../core/ids.ts'
import type { NewJob } from '../../lib/jobs/job.ts'
import type { Domain } from './domain.ts'

export const checkJobKind = 'domain.check'

export interface CheckPayload {
  business_id: Id<'business'>
  domain_id: Id<'domain'>
  /** The check is current only while the domain's next check is due at this time. */
  at: string
}

/** Queued together with the domain's `nextCheckAt`, so that polling neither ends nor doubles. */
export function checkJob({
  businessId,
  id,
  nextCheckAt,
}: Pick<Domain, 'businessId' | 'id' | 'nextCheckAt'>): NewJob {
  const payload: CheckPayload = {
    business_id: businessId,
    domain_id: id,
    at: nextCheckAt.toISOString(),
  }
  return { kind: checkJobKind, businessId, payload, dueAt: nextCheckAt }
}
