import type { Id } from '../../core/ids.ts'
import type { NewJob } from '../../lib/jobs/job.ts'
import type { Domain } from './domain.ts'

export const checkJobKind = 'domain.check'

export interface CheckPayload {
  business_id: Id<'business'>
  domain_id: Id<'domain'>
  /** The check is this one while the domain's next check is at this moment. */
  at: string
}

/** Written with the domain's `nextCheckAt`, so that polling never ends and is never doubled. */
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
  return { kind: checkJobKind, lane: businessId, payload, dueAt: nextCheckAt }
}
