/** What `meta.capabilities` says of the audience: each value is read from where it is enforced. */
import { trackingPolicies } from '../accounts/businesses/business.ts'
import { retainedKinds } from '../accounts/businesses/retention.ts'
import { attributionDays } from '../accounts/settings/setting-values.ts'
import { confirmationTimes } from '../contacts/consent/confirmation.ts'
import { consentBases, consentStatuses, consentSubjects } from '../contacts/contact.ts'
import { filterLimits, filterVersion, happenings } from '../contacts/filters/filter.ts'
import { everyKind } from '../contacts/filters/read.ts'
import { ownEventLimits } from '../contacts/own-events/own-event.ts'
import { segmentLimits } from '../contacts/segments/segment.ts'
import { importedReasons } from '../contacts/suppressions/import.ts'
import { topicLimits } from '../contacts/topics/topic.ts'
import { Type } from '../lib/schema/schema.ts'
import { days } from '../lib/time/clock.ts'

export const audienceView = Type.Object({
  filters: Type.Object({
    version: Type.Integer(),
    conditions: Type.Array(Type.String()),
    events: Type.Array(Type.String()),
    limits: Type.Record(Type.String(), Type.Integer()),
  }),
  segments: Type.Object({
    most: Type.Integer(),
    nested: Type.Integer(),
  }),
  topics: Type.Object({ most: Type.Integer() }),
  own_events: Type.Object({
    most_in_a_call: Type.Integer(),
    attribution_days: Type.Object({ minimum: Type.Integer(), maximum: Type.Integer() }),
  }),
  consent: Type.Object({
    subjects: Type.Array(Type.String()),
    statuses: Type.Array(Type.String()),
    bases: Type.Array(Type.String()),
    reminder_after_days: Type.Integer(),
    pending_ends_after_days: Type.Integer(),
  }),
  tracking: Type.Array(Type.String()),
  suppressions: Type.Object({
    reasons: Type.Array(Type.String()),
    hashes: Type.Array(Type.String()),
  }),
  retention: Type.Array(Type.String()),
})

const inDays = (ms: number): number => ms / days(1)

export const audienceFeatures = {
  filters: {
    version: filterVersion,
    conditions: [...everyKind],
    events: [...happenings],
    limits: {
      depth: filterLimits.depth,
      conditions: filterLimits.conditions,
      values: filterLimits.values,
      characters: filterLimits.length,
    },
  },
  segments: { most: segmentLimits.segments, nested: filterLimits.segments },
  topics: { most: topicLimits.topics },
  own_events: { most_in_a_call: ownEventLimits.events, attribution_days: { ...attributionDays } },
  consent: {
    subjects: [...consentSubjects],
    statuses: [...consentStatuses],
    bases: [...consentBases],
    reminder_after_days: inDays(confirmationTimes.reminderMs),
    pending_ends_after_days: inDays(confirmationTimes.endMs),
  },
  tracking: [...trackingPolicies],
  suppressions: { reasons: [...importedReasons], hashes: ['sha256'] },
  retention: [...retainedKinds],
}
