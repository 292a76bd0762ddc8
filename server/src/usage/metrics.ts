/**
 * What is counted for a business. Monthly metrics start at zero with each calendar
 * month (UTC); standing ones are how many there are now.
 */
export const monthlyMetrics = ['calls', 'emails', 'sms'] as const
export const standingMetrics = ['contacts', 'domains', 'webhooks', 'members'] as const

export type MonthlyMetric = (typeof monthlyMetrics)[number]
export type StandingMetric = (typeof standingMetrics)[number]
export type Metric = MonthlyMetric | StandingMetric
/** What a tier limits. */
export type LimitedMetric = Exclude<Metric, 'calls'>

export function isMonthly(metric: Metric): metric is MonthlyMetric {
  return (monthlyMetrics as readonly Metric[]).includes(metric)
}

/** Shares of a limit, in per cent, at which `usage.threshold` fires (contract, "Events"). */
export const thresholds = [50, 80, 100] as const

/** `2026-11-20`: the UTC day a moment falls in. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}

/** `2026-11-01`: the first UTC day of a moment's month. */
export function monthOf(moment: Date): string {
  return `${moment.toISOString().slice(0, 7)}-01`
}
