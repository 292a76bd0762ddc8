/**
 * How many days a campaign takes while providers do not know its sender, by the limits of the
 * warm-up. Pure.
 */
import type { WarmUp, WarmUpLine } from '../../sender-domains/model/warm-up.ts'

export interface ProviderPlan {
  provider: string
  recipients: number
  days: number
}

/** The days that this many messages take, today included. */
export function daysFor(
  recipients: number,
  { sentToday, daysLeft }: Pick<WarmUpLine, 'sentToday' | 'daysLeft'>,
  limits: readonly number[],
): number {
  let remaining = recipients + sentToday
  let day = limits.length - daysLeft
  for (; day < limits.length; day++) {
    remaining -= limits[day] ?? 0
    if (remaining <= 0) break
  }
  return day - (limits.length - daysLeft) + 1
}

/** The providers that take the longest, the longest first. */
export function planOfProviders(
  recipients: ReadonlyMap<string, number>,
  { days: limits, providers, newProvider }: WarmUp,
): ProviderPlan[] {
  const lines = new Map(providers.map((line) => [line.provider, line]))
  return [...recipients]
    .map(([provider, count]) => ({
      provider,
      recipients: count,
      days: daysFor(count, lines.get(provider) ?? { ...newProvider, sentToday: 0 }, limits),
    }))
    .toSorted((a, b) => b.days - a.days || b.recipients - a.recipients)
}

const large = ['gmail', 'microsoft', 'yahoo', 'apple']

/** Whether those who read the mail should get it first, because not all of it goes out at once. */
export function isWarming({ providers, newProvider }: WarmUp): boolean {
  const largeProviders = providers.filter(({ provider }) => large.includes(provider))
  if (largeProviders.length === 0) return newProvider.daysLeft > 0
  return largeProviders.some(({ daysLeft }) => daysLeft > 0)
}
