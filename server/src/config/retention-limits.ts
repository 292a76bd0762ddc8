/** For how many months data can be kept. */
export const retentionLimits = { minMonths: 1, maxMonths: 120 } as const

/**
 * The fewest for history and own events: caps, attribution and requests for permission look back over
 * as much as half a year.
 */
export const fewestHistoryMonths = 6
