import type { FeedbackDeps } from '../../bounces/ingest-reports.ts'
import type { PreferenceDeps } from '../../subscriptions/preferences.ts'
import type { Clicks } from '../../tracking/clicks.ts'
import type { Opens } from '../../tracking/opens.ts'

/** What takes what comes back. */
export interface Feedback {
  clicks: Clicks
  opens: Opens
  preferences: PreferenceDeps
  /** For `ingestBounce` and `ingestReports`. */
  reports: FeedbackDeps
}
