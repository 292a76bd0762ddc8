/** The audience of a campaign, as callers write it. */

import { contactLimits } from '../../contacts/contact.ts'
import { sameFilterInput } from '../../contacts/filters/filter.ts'
import { readFilter } from '../../contacts/filters/read.ts'
import { segmentIdInput } from '../../contacts/segments/segment.ts'
import { refuse } from '../../core/errors.ts'
import { Type } from '../../lib/schema/schema.ts'
import { isSingleLine, singleLine } from '../../lib/text/single-line.ts'
import { type Audience, campaignLimits } from '../campaign.ts'

const fields = {
  tags: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: contactLimits.tagLength }), {
      maxItems: campaignLimits.tags,
      description: 'Has one of them.',
    }),
  ),
  not_sent_within_days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: campaignLimits.quietDays }),
  ),
  segment_id: Type.Optional(segmentIdInput),
  filter: sameFilterInput,
}

export const audienceInput = Type.Optional(
  Type.Object(fields, {
    additionalProperties: false,
    description: 'Of all who agreed to the channel.',
  }),
)

export const audienceView = Type.Object(fields)

type AudienceGiven = Omit<Audience, 'filter'> & { filter?: object }

/** Reads an audience into one spelling, so that equal audiences have equal JSON. */
export function readAudience(input: AudienceGiven = {}): Audience {
  const tags = input.tags?.map(singleLine)
  const invalidTag = tags?.findIndex((tag) => !isSingleLine(tag)) ?? -1
  if (invalidTag >= 0) {
    const field = `audience.tags[${invalidTag}]`
    throw refuse('invalid_request', `${field} must be one line of text.`, {
      field,
      data: { reason: 'one_line' },
    })
  }
  const filter =
    input.filter === undefined ? undefined : readFilter(input.filter, 'audience.filter')
  return {
    ...(tags && tags.length > 0 && { tags: [...new Set(tags)].sort() }),
    ...(input.not_sent_within_days !== undefined && {
      not_sent_within_days: input.not_sent_within_days,
    }),
    ...(input.segment_id !== undefined && { segment_id: input.segment_id }),
    ...(filter && { filter }),
  }
}
