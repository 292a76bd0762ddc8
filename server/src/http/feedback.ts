import type { Clicks } from '../feedback/clicks.ts'
import type { Opens } from '../feedback/opens.ts'
import type { PreferenceDeps } from '../feedback/preferences.ts'
import type { FeedbackDeps } from '../feedback/take-reports.ts'

/** What takes what comes back. */
export interface Feedback {
  clicks: Clicks
  opens: Opens
  preferences: PreferenceDeps
  /** For `takeMail` and `takeReports`. */
  reports: FeedbackDeps
}
