/**
 * The metrics that are counted for a business. Monthly metrics start at zero with each calendar
 * month (UTC). Standing metrics count objects that exist now.
 */
export const monthlyMetrics = ['calls', 'emails', 'sms'] as const
export const standingMetrics = ['contacts', 'domains', 'webhooks', 'members'] as const

export type MonthlyMetric = (typeof monthlyMetrics)[number]
export type StandingMetric = (typeof standingMetrics)[number]
export type Metric = MonthlyMetric | StandingMetric
/** Metrics that a tier limits. */
export type LimitedMetric = Exclude<Metric, 'calls'>

export function isMonthly(metric: Metric): metric is MonthlyMetric {
  return (monthlyMetrics as readonly Metric[]).includes(metric)
}

/** Percentages of a monthly limit at which `usage.threshold` is sent (contract 9.8). */
export const thresholds = [50, 80, 100] as const

/** The UTC day of a moment: `2026-11-20`. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}

/** The first day of a month that is written like `2026-11`; undefined if it is not one. */
export function firstDayOf(month: string): string | undefined {
  const moment = new Date(`${month}-01T00:00:00Z`)
  return !Number.isNaN(moment.getTime()) && monthOf(moment) === `${month}-01`
    ? `${month}-01`
    : undefined
}

/** The first UTC day of a moment's month: `2026-11-01`. */
export function monthOf(moment: Date): string {
  return `${moment.toISOString().slice(0, 7)}-01`
}
