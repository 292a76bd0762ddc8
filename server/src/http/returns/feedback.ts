import type { FeedbackDeps } from '../../bounces/ingest-reports.ts'
import type { PreferenceDeps } from '../../subscriptions/preferences.ts'
import type { Clicks } from '../../tracking/clicks.ts'
import type { Opens } from '../../tracking/opens.ts'

/** The handlers of everything that comes back. */
export interface Feedback {
  clicks: Clicks
  opens: Opens
  preferences: PreferenceDeps
  /** For `ingestBounce` and `ingestReports`. */
  reports: FeedbackDeps
}
