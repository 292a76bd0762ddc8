/**
 * Filters, as callers write them and as they are stored: conditions, joined by `and`, `or` and
 * `not`. Which contacts match is decided when the filter is used, by a single where clause
 * (`compile.ts`).
 */
import type { Channel, ConsentStatus, ConsentSubject, TopicStatus } from '../contact.ts'
import type { DidCondition, DidNotCondition } from './did.ts'
import type { Window } from './window.ts'

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
