/**
 * Operations that are streamed rather than called. Each has a route but is not a tool
 * (http/rest/routes.ts).
 */
import { campaignProgress } from '../campaigns/progress.ts'
import type { Operation } from '../core/operation.ts'

export const streamedOperations: readonly Operation[] = [campaignProgress]
