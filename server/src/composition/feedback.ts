/** Builds the parts that process feedback on messages: clicks, opens, preferences and reports. */

import type { ReadSenderProfile } from '../accounts/businesses/sender-profile.ts'
import type { FeedbackDeps } from '../bounces/ingest-reports.ts'
import { reportJobs } from '../bounces/ingest-reports.ts'
import type { Messages } from '../bounces/message-lookup.ts'
import type { Vault } from '../lib/crypto/vault.ts'
import type { Database } from '../lib/db/types.ts'
import type { JobKinds } from '../lib/jobs/job.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Outcomes } from '../messages/campaign-outcomes.ts'
import {
  acceptancesOf,
  asksPermission,
  findMessages,
  recordReports,
  topicOfMessage,
} from '../messages/reports/reports.ts'
import { pauseStream } from '../messages/throttle/pause-stream.ts'
import type { PreferenceDeps } from '../subscriptions/preferences.ts'
import { type Clicks, createClicks, visitJobs } from '../tracking/clicks.ts'
import { createOpens, type Opens } from '../tracking/opens.ts'

export interface Feedback {
  clicks: Clicks
  opens: Opens
  preferences: PreferenceDeps
  /** Dependencies of `ingestBounce` and `ingestReports`. */
  reports: FeedbackDeps
  kinds: JobKinds
}

export interface FeedbackParts {
  db: Database
  clock: Clock
  vault: Vault
  senderProfileOf: ReadSenderProfile
  outcomes: Outcomes
}

export function createFeedback({
  db,
  clock,
  vault,
  senderProfileOf,
  outcomes,
}: FeedbackParts): Feedback {
  const record: Messages['recordReports'] = (tx, news, now) =>
    recordReports(tx, news, now, outcomes)
  const messages = {
    find: findMessages,
    topicOf: topicOfMessage,
    asksPermission,
    acceptances: acceptancesOf,
    recordReports: record,
    // Only after crier doctor --mail are there any.
    noteAnswers: async (...answers: Parameters<Messages['noteAnswers']>) =>
      (await import('../messages/relays/probes.ts')).noteAnswers(...answers),
    pauseStream,
  }
  const reports = { db, clock, vault, senderProfileOf, messages }
  return {
    clicks: createClicks(reports),
    opens: createOpens(reports),
    preferences: reports,
    reports,
    kinds: { ...reportJobs(reports), ...visitJobs(reports) },
  }
}
