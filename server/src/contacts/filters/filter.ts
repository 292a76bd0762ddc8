/**
 * Who is meant, as callers write it and as it is kept: conditions, and what joins them. Which
 * people that are is decided when it is asked, by one where-clause (`compile.ts`).
 */
import type { Channel, ConsentStatus, TopicStatus } from '../model/contact.ts'
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
  | SampleCondition
  | SegmentCondition
  | DidCondition
  | DidNotCondition

export interface FieldCondition {
  /** One of `ownFields`, or `attributes.` and a key. */
  field: string
  op: Operator
  /** Absent with `exists` and `missing`. */
  value?: FilterValue
}

export interface TagCondition {
  tag: string
}

export interface ConsentCondition extends Window {
  consent: Channel
  is: ConsentStatus
}

/** What somebody said of a topic. Who left the whole channel has left the topics that they chose. */
export interface TopicCondition {
  topic: string
  is: TopicStatus | 'none'
  /** Email where it is absent. */
  channel?: Channel
}

export const topicStates = ['subscribed', 'unsubscribed', 'none'] as const

/** Has the address, agreed, and is not suppressed. */
export interface ReachableCondition {
  reachable: Channel
}

/** So many of a hundred, the same people for the same seed. */
export interface SampleCondition {
  sample: number
  seed: string
}

/** Whoever is in another segment at the moment of asking. */
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

/** Fields of every contact. */
export const ownFields = {
  email: 'text',
  email_domain: 'text',
  phone: 'text',
  name: 'text',
  language: 'text',
  source: 'text',
  created_at: 'date',
  updated_at: 'date',
} as const
export type OwnField = keyof typeof ownFields

export const isOwnField = (field: string): field is OwnField => Object.hasOwn(ownFields, field)

/** Of those of dates: what has happened to every contact lies in the past. */
export const operatorsOfThePast: readonly Operator[] = [
  'before',
  'after',
  'on',
  'between',
  'within',
  'older_than',
]

const attributes = 'attributes.'

/** `plan` of `attributes.plan`; undefined where the field is none of the business's own. */
export function attributeKey(field: string): string | undefined {
  return field.startsWith(attributes) ? field.slice(attributes.length) : undefined
}

export const attributeField = (key: string): string => `${attributes}${key}`

export const filterLimits = {
  /** Of `and`, `or` and `not` within each other. */
  depth: 5,
  conditions: 50,
  /** Of all lists together. */
  values: 500,
  /** Characters of JSON. */
  length: 16_000,
  /** Characters of one value. */
  valueLength: 4_000,
  seedLength: 64,
  /** Of segments within each other. */
  segments: 3,
  /** Of a filter with those of its segments. */
  conditionsInAll: 200,
  /** How far a duration reaches. */
  years: 100,
} as const
