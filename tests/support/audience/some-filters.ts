/** Filters and people for property tests, with few different values, so that filters match somebody. */
import { randomUUID } from 'node:crypto'
import {
  channels,
  consentStatuses,
  consentSubjects,
  contactSources,
} from 'crier-server/contacts/contact.ts'
import type { Condition, Filter } from 'crier-server/contacts/filters/filter.ts'
import { standings } from 'crier-server/contacts/suppressions/standing.ts'
import { fc } from '../properties.ts'
import type { PlainPerson } from './oracle.ts'
import { didCondition, someDeed } from './some-deeds.ts'
import { aMoment, days, duration, moments, oneOf, time } from './some-times.ts'

/** The statuses of consent to texts and tracking, which no mail asks to confirm. */
const plainStatuses = consentStatuses.filter((status) => status !== 'pending')

const noDates = [
  '2026-02-29',
  '2027-02-29T10:00:00Z',
  '2026-13-01',
  '2026-11-01T25:00:00Z',
  '2026-11-01T10:00:00',
  '20261101',
  'now',
  'infinity',
  '2026-11-01 and more',
  '0000-01-01',
]
/** Values that would break a statement if they became part of its text. */
const hostile = [
  "o'hara",
  "'; drop table contacts; --",
  '$1',
  '$1::text',
  '%',
  '_',
  '\\',
  '"',
  '{a,b}',
  '?|',
  '[]',
  'null',
]
const texts = ['pro', 'Pro', 'team', 'ünï', 'ÜNÏ', '', ...hostile]
const numbers = [-1, 0, 0.1, 5, 200, 1e21, 1e-7]
const keys = ['plan', 'spent', 'vip', 'day', '$1', "a'b", 'a"b\\', 'c.d', '%s', 'constructor']
const tags = ['vip', 'VIP', 'staff', ...hostile.slice(0, 4)]
const topics = ['news', 'offers', 'constructor', '0']
const names = ['Ana Lima', 'ana lima', 'Zoë', "O'Hara", '100% _', null]

const aText = oneOf(texts)
const part = aText.filter((text) => text !== '')

const attribute = oneOf(keys).map((key) => `attributes.${key}`)
const textField = oneOf(['email', 'email_domain', 'phone', 'name', 'language', 'source'])
const ownText = oneOf(['ana@example.com', 'EXAMPLE.com', '+33612345678', 'Ana Lima', 'fr', 'api'])
const valueOfText = fc.oneof(ownText, part)

const fieldCondition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ field: attribute, op: oneOf(['exists', 'missing'] as const) }),
  fc.record({ field: textField, op: oneOf(['exists', 'missing'] as const) }),
  fc.record({
    field: attribute,
    op: oneOf(['is', 'is_not'] as const),
    value: fc.oneof(aText, oneOf(numbers), fc.boolean()),
  }),
  fc.record({
    field: attribute,
    op: oneOf(['in', 'not_in'] as const),
    value: fc.array(fc.oneof(aText, oneOf(numbers)), { minLength: 1, maxLength: 4 }),
  }),
  fc.record({
    field: fc.oneof(attribute, textField),
    op: oneOf(['contains', 'not_contains', 'starts_with', 'ends_with'] as const),
    value: fc.oneof(valueOfText, oneOf(['a', 'o', 'ex', 'com'])),
  }),
  fc.record({ field: textField, op: oneOf(['is', 'is_not'] as const), value: valueOfText }),
  fc.record({
    field: textField,
    op: oneOf(['in', 'not_in'] as const),
    value: fc.array(valueOfText, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({
    field: attribute,
    op: oneOf(['gt', 'gte', 'lt', 'lte'] as const),
    value: oneOf(numbers),
  }),
  fc.record({
    field: attribute,
    op: fc.constant('between' as const),
    value: fc.tuple(oneOf(numbers), oneOf(numbers)).map((two) => two.sort((a, b) => a - b)),
  }),
)

const dateField = fc.oneof(
  { weight: 3, arbitrary: fc.constant('attributes.day') },
  { weight: 1, arbitrary: oneOf(['created_at', 'updated_at']) },
)
const inOrder = (a: string, b: string) => Date.parse(a) - Date.parse(b)
const dateCondition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ field: dateField, op: oneOf(['before', 'after'] as const), value: time }),
  fc.record({ field: dateField, op: fc.constant('on' as const), value: oneOf(days) }),
  fc.record({
    field: dateField,
    op: fc.constant('between' as const),
    value: fc.tuple(time, time).map((two) => two.sort(inOrder)),
  }),
  fc.record({ field: dateField, op: oneOf(['within', 'older_than'] as const), value: duration }),
  fc.record({
    field: fc.constant('attributes.day'),
    op: fc.constant('upcoming' as const),
    value: duration,
  }),
  fc.record({
    field: fc.constant('attributes.day'),
    op: fc.constant('anniversary' as const),
    value: oneOf(['1 hour', '1 day', '7 days', '1 month', '1 year']),
  }),
)

const otherCondition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ tag: oneOf(tags) }),
  fc.record({ consent: oneOf(consentSubjects), is: oneOf(consentStatuses) }),
  fc.record({
    consent: oneOf(consentSubjects),
    is: oneOf(['subscribed', 'unsubscribed'] as const),
    within: duration,
  }),
  fc.record(
    {
      consent: oneOf(consentSubjects),
      is: oneOf(['subscribed', 'unsubscribed'] as const),
      since: time,
      until: time,
    },
    { requiredKeys: ['consent', 'is'] },
  ),
  fc.record(
    {
      topic: oneOf(topics),
      is: oneOf(['subscribed', 'unsubscribed', 'none'] as const),
      channel: oneOf(channels),
    },
    { requiredKeys: ['topic', 'is'] },
  ),
  fc.record({ reachable: oneOf(channels) }),
  fc.record(
    { suppressed: oneOf(channels), reasons: oneOf([['bounce'], ['stop', 'manual']] as const) },
    { requiredKeys: ['suppressed'] },
  ),
  fc.record({ standing: oneOf(channels), is: oneOf(standings) }),
  fc.record({ sample: oneOf([0.01, 10, 50, 99.99]), seed: oneOf(['spring', "a'b", 'ü']) }),
)

const condition = fc.oneof(fieldCondition, dateCondition, otherCondition, didCondition)

const joining = (filter: fc.Arbitrary<Filter>) => fc.array(filter, { minLength: 1, maxLength: 4 })

export const someFilter: fc.Arbitrary<Filter> = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4 },
    { weight: 2, arbitrary: condition },
    { weight: 1, arbitrary: joining(tie('filter')).map((and) => ({ and })) },
    { weight: 1, arbitrary: joining(tie('filter')).map((or) => ({ or })) },
    { weight: 1, arbitrary: tie('filter').map((not) => ({ not })) },
  ),
})).filter

const attributeValue = fc.oneof(oneOf(texts), oneOf(numbers), fc.boolean())

const someTopics = fc.dictionary(oneOf(topics), oneOf(['subscribed', 'unsubscribed'] as const), {
  maxKeys: 3,
})

/** People may have the same address; `withOwnAddresses` gives each their own. */
export const somePerson: fc.Arbitrary<PlainPerson> = fc.record({
  id: fc.constant('').map(() => randomUUID()),
  email: fc.option(oneOf(['ana@example.com', 'zoe@example.org', "o'hara@example.com"])),
  phone: fc.constant(null),
  name: oneOf(names),
  language: oneOf(['fr', 'de-AT', null]),
  source: oneOf(contactSources),
  createdAt: aMoment,
  updatedAt: aMoment,
  attributes: fc
    .tuple(
      fc.dictionary(oneOf(keys), attributeValue, { maxKeys: 5 }),
      fc.option(fc.oneof(oneOf(days), oneOf(moments), oneOf(noDates)), { nil: undefined }),
    )
    .map(([held, day]) => ({ ...held, ...(day !== undefined && { day }) })),
  tags: fc.uniqueArray(oneOf(tags), { maxLength: 3 }),
  consent: fc.record({
    email: oneOf(consentStatuses),
    sms: oneOf(plainStatuses),
    tracking: oneOf(plainStatuses),
  }),
  topics: fc.record({ email: someTopics, sms: someTopics }),
  said: fc.array(
    fc.record({
      channel: oneOf(consentSubjects),
      action: oneOf(['subscribed', 'unsubscribed'] as const),
      at: aMoment,
    }),
    { maxLength: 4 },
  ),
  suppressed: fc.record({ email: fc.boolean(), sms: fc.boolean() }),
  did: fc.array(someDeed, { maxLength: 8 }),
})
