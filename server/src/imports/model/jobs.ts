/** Builds the jobs of imports by kind, for the code that queues them. */

import type { Id } from '../../core/ids.ts'
import type { NewJob } from '../../lib/jobs/job.ts'

export const importJobs = {
  check: 'import.check',
  run: 'import.run',
  undo: 'import.undo',
  mail: 'import.mail',
  expire: 'import.expire',
} as const

export interface ImportPayload {
  business_id: Id<'business'>
  import_id: Id<'import'>
}

export function importJob(
  kind: keyof typeof importJobs,
  { businessId, id, dueAt }: { businessId: Id<'business'>; id: Id<'import'>; dueAt?: Date },
): NewJob {
  const payload: ImportPayload = { business_id: businessId, import_id: id }
  const priority = kind === 'mail' ? 'normal' : 'bulk'
  const job = { kind: importJobs[kind], lane: businessId, payload, priority } as const
  return dueAt ? { ...job, dueAt } : job
}
