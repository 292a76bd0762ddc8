/** What is watched rather than called: routes that stream, and no tools (http/rest/progress.ts). */
import { campaignProgress } from '../campaigns/operations/progress.ts'
import type { Operation } from '../core/operation.ts'

export const watched: readonly Operation[] = [campaignProgress]
