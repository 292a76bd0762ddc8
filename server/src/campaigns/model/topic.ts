/** The topic of a campaign, as callers write it. */
import { topicLimits } from '../../contacts/topics/topic.ts'
import { Type } from '../../lib/schema/schema.ts'

export const campaignTopicInput = Type.Optional(
  Type.String({
    maxLength: topicLimits.keyLength,
    description: 'By topic.list: who chose it, or no topic, gets it.',
  }),
)
