/** A topic is something that a business writes about, and that people may choose or leave. */
import { type Refusal, refuse } from '../../core/errors.ts'
import { Type } from '../../lib/schema/schema.ts'

export interface Topic {
  /** Its name in calls and filters, which never changes. */
  key: string
  name: string
  description: string | null
  createdAt: Date
  updatedAt: Date
  archivedAt: Date | null
}

export const topicLimits = {
  keyLength: 32,
  nameLength: 60,
  descriptionLength: 200,
  /** The most topics of a business, without archived ones. */
  topics: 20,
  /** The most topics of a business, archived ones included. */
  topicsInAll: 100,
} as const

/** Lower case letters, digits, - and _. */
export const topicKeyPattern = `^[a-z0-9][a-z0-9_-]{0,${topicLimits.keyLength - 1}}$`

export const topicKeyInput = Type.String({ pattern: topicKeyPattern })

const topicKey = new RegExp(topicKeyPattern)

export const isTopicKey = (text: string): boolean => topicKey.test(text)

export const topicFields = {
  topic: Type.String(),
  name: Type.String(),
  description: Type.Union([Type.String(), Type.Null()]),
  archived: Type.Boolean(),
  created_at: Type.String({ description: 'ISO 8601, UTC.' }),
  updated_at: Type.String({ description: 'ISO 8601, UTC.' }),
}

export function fieldsOf({ key, name, description, ...times }: Topic) {
  return {
    topic: key,
    name,
    description,
    archived: times.archivedAt !== null,
    created_at: times.createdAt.toISOString(),
    updated_at: times.updatedAt.toISOString(),
  }
}

const looked = { fix: { tool: 'topic.list', arguments: {} } }

export function noSuchTopic(key: string, field = 'topic'): Refusal {
  const text = `This business has no topic ${JSON.stringify(key)}: topic.save makes one.`
  return refuse('not_found', text, { field, ...looked })
}

export function isArchived(key: string, field = 'topic'): Refusal {
  const text = `The topic ${key} is archived: topic.save with archived: false offers it again.`
  const fix = { tool: 'topic.save', arguments: { topic: key, archived: false } }
  return refuse('conflict', text, { field, fix })
}
