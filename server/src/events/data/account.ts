/** Data of the events about domains and usage. */
import { Type } from '../../lib/schema/schema.ts'
import { moment } from './fields.ts'

export const domainVerified = Type.Object({
  domain: Type.String({ description: 'The sender domain, such as mail.example.com.' }),
  verified_at: moment('When its DKIM record was found right.'),
})

export const domainDegraded = Type.Object({
  domain: Type.String({ description: 'The sender domain, such as mail.example.com.' }),
  missing_since: moment('Since when checks have found its DKIM record missing or wrong.'),
})

export const usageThreshold = Type.Object({
  metric: Type.Enum(['contacts', 'emails', 'sms', 'domains', 'webhooks', 'members'], {
    description: 'What is counted.',
  }),
  threshold: Type.Enum([50, 80, 100], { description: 'Share of the limit reached, per cent.' }),
  used: Type.Integer({ description: 'The count that reached it.' }),
  limit: Type.Integer({ description: "What the business's tier allows." }),
  tier: Type.Enum(['free', 'growth', 'scale'], { description: "The business's tier." }),
  month: Type.String({ description: 'First day of the month, UTC, such as 2026-11-01.' }),
})
