/**
 * The limits of each tier: the one file to change in order to offer other limits. `null` means
 * unlimited. A business that is over a limit keeps what it has but gets no more.
 */
import type { Tier } from '../../core/operation.ts'

export interface TierLimits {
  contacts: number | null
  /** Per calendar month (UTC). */
  emails: number | null
  sms: number | null
  domains: number | null
  webhooks: number | null
  members: number | null
}

export const tierLimits: Readonly<Record<Tier, TierLimits>> = {
  free: { contacts: 500, emails: 1_000, sms: 0, domains: 1, webhooks: 1, members: 2 },
  growth: {
    contacts: 25_000,
    emails: 250_000,
    sms: 2_500,
    domains: 5,
    webhooks: 10,
    members: 10,
  },
  scale: {
    contacts: null,
    emails: null,
    sms: null,
    domains: null,
    webhooks: null,
    members: null,
  },
}
