/**
 * The schema of filters, which refers to itself. Tools have a loose object in its place, because some
 * clients drop a tool with a recursive schema; the server checks filters in both cases.
 */

import { channels, consentStatuses, consentSubjects } from '../../contacts/contact.ts'
import {
  didLimits,
  everyOperator,
  filterLimits,
  filterReasons,
  happenings,
  topicStates,
} from '../../contacts/filters/filter.ts'
import { propertyLimits } from '../../contacts/own-events/property-rules.ts'
import { standings } from '../../contacts/suppressions/standing.ts'
import { topicKeyPattern } from '../../contacts/topics/topic.ts'
import { ref } from './schema.ts'

type Schema = Record<string, unknown>

const text = (more: Schema = {}): Schema => ({ type: 'string', ...more })
const oneOf = (values: readonly string[]): Schema => text({ enum: [...values] })
const only = (properties: Record<string, Schema>, required: readonly string[]): Schema => ({
  type: 'object',
  properties,
  required: [...required],
  additionalProperties: false,
})

const filter = ref('schemas', 'Filter')
const filters: Schema = { type: 'array', items: filter, minItems: 1 }

const within = text({ description: 'A duration up to now, such as 30 days.' })
const moment = (which: string) =>
  text({ description: `${which}: a day such as 2026-11-01, or a moment (RFC 3339).` })
const window = { within, since: moment('Inclusive'), until: moment('Exclusive') }

const value = {
  anyOf: [text({ maxLength: propertyLimits.valueLength }), { type: 'number' }, { type: 'boolean' }],
}
const shortText = (more: Schema = {}) =>
  text({ minLength: 1, maxLength: propertyLimits.valueLength, ...more })
const where: Schema = {
  type: 'object',
  description:
    'Of own events: what their properties must be, such as {"properties.plan": {"is": "pro"}}.',
  patternProperties: {
    '^properties\\.[^.]+(\\.[^.]+)?$': {
      anyOf: [
        only({ is: value }, ['is']),
        only(
          {
            in: { type: 'array', items: value, minItems: 1, maxItems: propertyLimits.values },
          },
          ['in'],
        ),
        only({ gt: { type: 'number' } }, ['gt']),
        only({ lt: { type: 'number' } }, ['lt']),
        only({ contains: shortText() }, ['contains']),
        only(
          {
            entry: shortText({
              description: 'In sequences: a property of the event by which the person entered.',
            }),
          },
          ['entry'],
        ),
      ],
    },
  },
  additionalProperties: false,
  minProperties: 1,
  maxProperties: propertyLimits.comparisons,
}

const amount = { type: 'number', minimum: -didLimits.amount, maximum: didLimits.amount }
const narrowing = {
  campaign_id: text(),
  template_id: text(),
  form_id: text(),
  channel: oneOf(channels),
  link: text({ maxLength: didLimits.linkLength }),
  machines: { type: 'boolean', description: 'Whether opens and clicks of machines count.' },
  currency: text({ minLength: 3, maxLength: 3 }),
  where,
  ...window,
}
const event = text({ description: `${happenings.join(', ')}, or an event of contact.track.` })
const scalar = [{ type: 'string' }, { type: 'number' }]

const conditions: Schema[] = [
  only(
    {
      field: text({ description: 'Such as email or attributes.plan (contact.fields).' }),
      op: oneOf(everyOperator),
      value: {
        anyOf: [...scalar, { type: 'boolean' }, { type: 'array', items: { anyOf: scalar } }],
      },
    },
    ['field', 'op'],
  ),
  only({ tag: text() }, ['tag']),
  only({ consent: oneOf(consentSubjects), is: oneOf(consentStatuses), ...window }, [
    'consent',
    'is',
  ]),
  only(
    {
      topic: text({ pattern: topicKeyPattern }),
      is: oneOf(topicStates),
      channel: oneOf(channels),
    },
    ['topic', 'is'],
  ),
  only({ reachable: oneOf(channels) }, ['reachable']),
  only(
    {
      suppressed: oneOf(channels),
      reasons: { type: 'array', items: oneOf(filterReasons), minItems: 1 },
    },
    ['suppressed'],
  ),
  only({ standing: oneOf(channels), is: oneOf(standings) }, ['standing', 'is']),
  only(
    {
      sample: { type: 'number', minimum: 0.01, maximum: 99.99, description: 'Percent.' },
      seed: text({ minLength: 1, maxLength: filterLimits.seedLength }),
    },
    ['sample', 'seed'],
  ),
  only({ segment: text({ description: 'seg_…' }) }, ['segment']),
  only(
    {
      did: event,
      ...narrowing,
      sum: oneOf(['value']),
      at_least: amount,
      at_most: amount,
      exactly: amount,
    },
    ['did'],
  ),
  only({ did_not: event, ...narrowing }, ['did_not']),
]

export const filterSchemas: Record<string, Schema> = {
  Filter: {
    description: 'Whom conditions fit, joined by and, or, not. A refusal names every fault.',
    anyOf: [
      only({ and: filters }, ['and']),
      only({ or: filters }, ['or']),
      only({ not: filter }, ['not']),
      ref('schemas', 'Condition'),
    ],
  },
  Condition: { description: 'One condition of a filter.', anyOf: conditions },
}

/** A field that holds a filter. */
export const filterOf = (description: string): Schema => ({ ...filter, description })

/** The fields that hold filters: of audiences and segments, of who leaves a sequence, and of counts by condition. */
const filterFields = new Set(['filter', 'exit', 'goal', 'condition'])

/** Replaces the loose object of tools in the fields that are filters. */
export function withFilterSchema<T>(document: T): T {
  return JSON.parse(JSON.stringify(document), (key, value: Schema | null) => {
    if (!filterFields.has(key)) return value
    if (isLooseObject(value)) return { ...value, ...filter, type: undefined }
    // Null where there is none.
    if (!Array.isArray(value?.['anyOf'])) return value
    const anyOf = value['anyOf'].map((option) => (isLooseObject(option) ? filter : option))
    return { ...value, anyOf }
  }) as T
}

const isLooseObject = (value: Schema | null): boolean =>
  value?.['type'] === 'object' && !('properties' in value) && !('patternProperties' in value)
