/** Data of the events about domains and usage. */
import { Type } from '../../lib/schema/schema.ts'
import { moment } from './fields.ts'

export const domainVerified = Type.Object({
  domain: Type.String({
    description: 'The name of the sender domain, such as `mail.example.com`.',
  }),
  verified_at: moment('When DNS had the right DKIM record.'),
})

export const domainDegraded = Type.Object({
  domain: Type.String({
    description: 'The name of the sender domain, such as `mail.example.com`.',
  }),
  missing_since: moment('Since when checks find the DKIM record missing or wrong.'),
})

export const webhookFailing = Type.Object({
  webhook_id: Type.String({ description: 'The webhook whose receiver fails, `whk_…`.' }),
  host: Type.String({ description: 'The host that it leads to.' }),
  failing_since: moment('When the first of these attempts failed.'),
  reason: Type.Enum(['hour', 'given_up'], {
    description:
      'Why it is told now: it has failed for an hour, or an event was given up after its last attempt.',
  }),
  status: Type.Optional(
    Type.Integer({
      description: 'The HTTP status of the last failed attempt; absent without an answer.',
    }),
  ),
  error: Type.String({ description: 'What was wrong with it, in words.' }),
})

export const usageThreshold = Type.Object({
  metric: Type.Enum(['contacts', 'emails', 'sms', 'domains', 'webhooks', 'members'], {
    description: 'What is counted.',
  }),
  threshold: Type.Enum([50, 80, 100], {
    description: 'The reached share of the limit, in per cent.',
  }),
  used: Type.Integer({ description: 'The count that reached the threshold.' }),
  limit: Type.Integer({ description: 'How much the tier of the business allows.' }),
  tier: Type.Enum(['free', 'growth', 'scale'], { description: 'The tier of the business.' }),
  month: Type.String({ description: 'The first day of the month in UTC, such as `2026-11-01`.' }),
})
