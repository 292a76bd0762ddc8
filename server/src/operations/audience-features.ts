/** What `meta.capabilities` says of the audience: each value is read from where it is enforced. */
import { trackingPolicies } from '../accounts/businesses/business.ts'
import { retainedKinds } from '../accounts/businesses/retention.ts'
import { attributionDays } from '../accounts/settings/setting-values.ts'
import { happenings } from '../contacts/filters/did.ts'
import { filterLimits, filterVersion } from '../contacts/filters/filter.ts'
import { everyKind } from '../contacts/filters/read-condition.ts'
import { confirmationTimes } from '../contacts/model/ask-for-confirmation.ts'
import { consentBases, consentStatuses, consentSubjects } from '../contacts/model/contact.ts'
import { ownEventLimits } from '../contacts/model/own-event.ts'
import { topicLimits } from '../contacts/model/topic.ts'
import { segmentLimits } from '../contacts/segments/segment.ts'
import { importedReasons } from '../contacts/suppression/imported.ts'
import { Type } from '../lib/schema/schema.ts'
import { days } from '../lib/time/clock.ts'

const texts = (description: string) => Type.Array(Type.String(), { description })
const count = (description: string) => Type.Integer({ description })

export const audienceView = Type.Object(
  {
    filters: Type.Object({
      version: count('Of the grammar; a filter of an earlier version stays valid.'),
      conditions: texts('The key that each kind of condition has.'),
      events: texts('What did and did_not can ask for, beside your own events.'),
      limits: Type.Record(Type.String(), Type.Integer()),
    }),
    segments: Type.Object({
      most: count('Segments of one business.'),
      nested: count('How deep a segment may name others.'),
    }),
    topics: Type.Object({ most: count('Topics that one business offers at a time.') }),
    own_events: Type.Object({
      most_in_a_call: count('Events that one contact.track takes.'),
      attribution_days: Type.Object({ minimum: Type.Integer(), maximum: Type.Integer() }),
    }),
    consent: Type.Object({
      subjects: texts('What a contact can agree to; tracking is a consent of its own.'),
      statuses: texts('pending: a mail asks the person to confirm.'),
      bases: texts('What consent rests on.'),
      reminder_after_days: count('When a person who has not confirmed is reminded, once.'),
      pending_ends_after_days: count('When consent that nobody confirmed ends.'),
    }),
    tracking: texts('What tracking of business.save takes.'),
    suppressions: Type.Object({
      reasons: texts('What suppression.import takes as a reason.'),
      hashes: texts('Hashes of addresses that it takes in place of addresses.'),
    }),
    retention: texts('What retention of business.save can delete after some months.'),
  },
  { description: 'What filters, topics, own events and consent can do here.' },
)

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
