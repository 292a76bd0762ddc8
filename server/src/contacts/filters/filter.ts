/**
 * Filters, as callers write them and as they are stored: conditions, joined by `and`, `or` and
 * `not`. Which contacts match is decided when the filter is used, by a single where clause
 * (`compile.ts`).
 */

import { Type } from '../../lib/schema/schema.ts'
import type { Channel, ConsentStatus, ConsentSubject, TopicStatus } from '../contact.ts'
import type { PropertyRules } from '../own-events/property-rules.ts'
import type { Standing } from '../suppressions/standing.ts'

export type Filter =
  | { and: readonly Filter[] }
  | { or: readonly Filter[] }
  | { not: Filter }
  | Condition

export type Condition =
  | FieldCondition
  | TagCondition
  | ConsentCondition
  | TopicCondition
  | ReachableCondition
  | SuppressedCondition
  | StandingCondition
  | SampleCondition
  | SegmentCondition
  | DidCondition
  | DidNotCondition

export interface FieldCondition {
  /** One of `ownFields`, or `attributes.` followed by a key. */
  field: string
  op: Operator
  /** Absent with `exists` and `missing`. */
  value?: FilterValue
}

export interface TagCondition {
  tag: string
}

export interface ConsentCondition extends Window {
  consent: ConsentSubject
  is: ConsentStatus
}

/** The status of a topic. A contact who left the whole channel has left their chosen topics. */
export interface TopicCondition {
  topic: string
  is: TopicStatus | 'none'
  /** The channel; email if it is absent. */
  channel?: Channel
}

export const topicStates = ['subscribed', 'unsubscribed', 'none'] as const

/** Contacts who have the address, consented, and are not suppressed. */
export interface ReachableCondition {
  reachable: Channel
}

/** Contacts whose address nothing is sent to, for one of the reasons or for any. */
export interface SuppressedCondition {
  suppressed: Channel
  reasons?: readonly FilterReason[]
}

/** Contacts who stand so: each contact stands in exactly one way for each channel. */
export interface StandingCondition {
  standing: Channel
  is: Standing
}

/** The reasons of suppressions that a contact's address may have. */
export const filterReasons = ['bounce', 'complaint', 'stop', 'manual', 'unsubscribed'] as const
type FilterReason = (typeof filterReasons)[number]

/** A percentage of contacts; the same seed selects the same people. */
export interface SampleCondition {
  sample: number
  seed: string
}

/** Contacts who are in another segment when the filter is used. */
export interface SegmentCondition {
  segment: string
}

export type FilterValue = string | number | boolean | readonly (string | number)[]

export const operators = {
  text: ['is', 'is_not', 'in', 'not_in', 'contains', 'not_contains', 'starts_with', 'ends_with'],
  number: ['is', 'is_not', 'in', 'not_in', 'gt', 'gte', 'lt', 'lte', 'between'],
  date: ['before', 'after', 'on', 'between', 'within', 'older_than', 'upcoming', 'anniversary'],
  any: ['exists', 'missing'],
} as const
export type Operator = (typeof operators)[keyof typeof operators][number]

export const everyOperator: readonly Operator[] = [...new Set(Object.values(operators).flat())]

/** Built-in fields of every contact. */
export const ownFields = {
  email: 'text',
  email_domain: 'text',
  phone: 'text',
  external_id: 'text',
  name: 'text',
  first_name: 'text',
  last_name: 'text',
  language: 'text',
  source: 'text',
  created_at: 'date',
  updated_at: 'date',
} as const
export type OwnField = keyof typeof ownFields

export const isOwnField = (field: string): field is OwnField => Object.hasOwn(ownFields, field)

/** Operators of built-in dates, which are always in the past. */
export const operatorsOfThePast: readonly Operator[] = [
  'before',
  'after',
  'on',
  'between',
  'within',
  'older_than',
]

const attributes = 'attributes.'

/** `plan` for `attributes.plan`; undefined where the field is not an attribute. */
export function attributeKey(field: string): string | undefined {
  return field.startsWith(attributes) ? field.slice(attributes.length) : undefined
}

export const attributeField = (key: string): string => `${attributes}${key}`

/**
 * The version of the grammar, for callers that keep filters. New conditions do not raise it: a
 * filter of today stays valid and keeps its meaning.
 */
export const filterVersion = 1

export const filterLimits = {
  /** How deep `and`, `or` and `not` may be nested. */
  depth: 5,
  conditions: 50,
  /** Values of all lists together. */
  values: 500,
  /** Characters of the filter as JSON. */
  length: 16_000,
  /** Characters of one value. */
  valueLength: 4_000,
  seedLength: 64,
  /** How deep segments may be nested. */
  segments: 3,
  /** Conditions of a filter, including those of its segments. */
  conditionsInAll: 200,
  /** The longest duration in years. */
  years: 100,
} as const

/**
 * A loose schema for clients: some clients drop a tool with a recursive schema, and a schema
 * written out three levels deep takes 114 kB. The server checks filters strictly (`read.ts`).
 */
const filter = (description: string) =>
  Type.Optional(Type.Unsafe<object>({ type: 'object', description }))

const explained =
  'Whom conditions fit, joined by and, or, not: {"and":[{"tag":"vip"},{"field":"attributes.plan","op":"in","value":["pro"]}]}, {"not":{"consent":"email","is":"subscribed","within":"30 days"}}. A refusal says what is right.'
export const filterInput = filter(explained)

/** For callers who know `contact.list`, which explains how a filter is written. */
export const sameFilterInput = filter('As in contact.list.')

/** The time of an event: a duration before now, or days in the business's time zone. */
export interface Window {
  within?: string
  /** Inclusive. */
  since?: string
  /** Exclusive. */
  until?: string
}

/** Events that the service records itself; any other name is one of the business's own events. */
export const happenings = [
  'message.sent',
  'message.delivered',
  'message.opened',
  'message.clicked',
  'message.bounced',
  'message.replied',
  'form.submitted',
] as const
export type Happening = (typeof happenings)[number]

export const isHappening = (name: string): name is Happening =>
  (happenings as readonly string[]).includes(name)

/** The fields that narrow a condition on behaviour. */
export interface Narrowing extends Window {
  campaign_id?: string
  template_id?: string
  form_id?: string
  channel?: Channel
  link?: string
  /** For own events: only those with a value in this currency. */
  currency?: string
  /** Whether opens and clicks by machines count, too. */
  machines?: boolean
  /** For own events: what their properties must be. */
  where?: PropertyRules
}

/** How often it happened, by default at least once; or the total value, with `sum`. */
export interface Amount {
  /** The sum of the values of own events. */
  sum?: 'value'
  at_least?: number
  at_most?: number
  exactly?: number
}

export interface DidCondition extends Narrowing, Amount {
  did: string
}

export interface DidNotCondition extends Narrowing {
  did_not: string
}

export const windowKeys = ['within', 'since', 'until'] as const
export const amountKeys = ['at_least', 'at_most', 'exactly'] as const
export const narrowingKeys = [
  'campaign_id',
  'template_id',
  'form_id',
  'channel',
  'link',
  'machines',
  'currency',
  'where',
] as const
type NarrowingKey = (typeof narrowingKeys)[number]

const ofOwnEvents = ['currency', 'where'] as const
const ofMessages = ['campaign_id', 'template_id', 'channel'] as const
const narrowings: Readonly<Record<Happening, readonly NarrowingKey[]>> = {
  'message.sent': ofMessages,
  'message.delivered': ofMessages,
  'message.opened': [...ofMessages, 'machines'],
  'message.clicked': [...ofMessages, 'machines', 'link'],
  'message.bounced': ofMessages,
  'message.replied': ['channel'],
  'form.submitted': ['form_id'],
}

/** The fields that can narrow an event, besides its time. */
export const narrowingsOf = (event: string): readonly NarrowingKey[] =>
  isHappening(event) ? narrowings[event] : ofOwnEvents

export const didLimits = {
  amount: 1_000_000,
  linkLength: 2_000,
} as const

/** Normalises a link as clicks store it: as a browser spells it. */
export function linkOf(text: string): string | undefined {
  const url = text.length <= didLimits.linkLength ? URL.parse(text) : null
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url.href : undefined
}

/** Whether a single event suffices: such conditions can be evaluated together. */
export function isSimple({ sum, at_least, at_most, exactly }: DidCondition): boolean {
  if (sum !== undefined || at_most !== undefined || exactly !== undefined) return false
  return at_least === undefined || at_least === 1
}

/**
 * Whether the absence of such an event says nothing about people who are not tracked, or whose mail
 * program opens everything.
 */
export const leavesUnknown = ({ did, machines = false }: DidCondition): boolean =>
  !machines && (did === 'message.opened' || did === 'message.clicked')
