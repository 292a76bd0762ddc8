/** All that takes what comes back, put together. */
import type { ReadLetterhead } from '../businesses/letterhead.ts'
import type { Outcomes } from '../messages/campaign-outcomes.ts'
import { findMessages, recordNews } from '../messages/outcomes.ts'
import { pauseStream } from '../messages/pause-stream.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db.ts'
import type { JobKinds } from '../platform/jobs/job.ts'
import type { Vault } from '../platform/vault.ts'
import { type Clicks, createClicks } from './clicks.ts'
import type { Messages } from './messages.ts'
import { createOpens, type Opens } from './opens.ts'
import type { PreferenceDeps } from './preferences.ts'
import { reportJobs } from './report-jobs.ts'
import type { FeedbackDeps } from './take-reports.ts'
import { visitJobs } from './visit-jobs.ts'

export interface Feedback {
  clicks: Clicks
  opens: Opens
  preferences: PreferenceDeps
  /** For `takeMail` and `takeReports`. */
  reports: FeedbackDeps
  kinds: JobKinds
}

export interface FeedbackParts {
  db: Database
  clock: Clock
  vault: Vault
  letterheadOf: ReadLetterhead
  outcomes: Outcomes
}

export function createFeedback({ outcomes, ...deps }: FeedbackParts): Feedback {
  const record: Messages['recordNews'] = (tx, news, now) => recordNews(tx, news, now, outcomes)
  const messages = { find: findMessages, recordNews: record, pauseStream }
  const reports = { ...deps, messages }
  return {
    clicks: createClicks(deps),
    opens: createOpens(reports),
    preferences: reports,
    reports,
    kinds: { ...reportJobs(deps), ...visitJobs(reports) },
  }
}
