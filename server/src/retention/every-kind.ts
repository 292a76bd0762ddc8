import type { RetainedData } from '../accounts/businesses/retention.ts'
import { retainedContacts, retainedEvidence } from '../contacts/retention.ts'
import { retainedSubmissions } from '../forms/retention/submissions.ts'
import { retainedMessages } from '../messages/model/retention.ts'

/** The kinds of data that domains delete once its retention has passed. */
export const everyRetainedData: readonly RetainedData[] = [
  retainedMessages,
  retainedEvidence,
  retainedSubmissions,
  retainedContacts,
]
