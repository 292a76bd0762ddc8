/** A topic is something that a business writes about, and that people may choose or leave. */

import { type Refusal, refuse } from '../../core/errors.ts'
import { type Id, liveOf } from '../../core/ids.ts'
import { type RecipientLanguage, recipientLanguages } from '../../core/recipient-words/languages.ts'
import { sql, sqlWithin } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'

export interface Topic {
  /** Its name in calls and filters, which never changes. */
  key: string
  name: string
  description: string | null
  /** What people read in its place whose pages are in another language. */
  translations: readonly TopicTranslation[]
  createdAt: Date
  updatedAt: Date
  archivedAt: Date | null
  /** Its place among the others, from 1; null if nobody has ordered it. */
  position: number | null
}

export interface TopicTranslation {
  language: RecipientLanguage
  name: string
  description?: string
}

/** The topic in the words of one language, as far as it has them. */
export function topicIn(topic: Topic, language: RecipientLanguage): Topic {
  const own = topic.translations.find((translation) => translation.language === language)
  if (!own) return topic
  return { ...topic, name: own.name, description: own.description ?? topic.description }
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
export const translationsInput = Type.Array(
  Type.Object(
    {
      language: Type.Enum(recipientLanguages),
      name: Type.String({ minLength: 1, maxLength: topicLimits.nameLength }),
      description: Type.Optional(Type.String({ maxLength: topicLimits.descriptionLength })),
    },
    { additionalProperties: false },
  ),
  {
    maxItems: recipientLanguages.length,
    description: 'In other languages, all of them; [] removes them.',
  },
)

export const topicFields = {
  topic: Type.String(),
  name: Type.String(),
  description: Type.Union([Type.String(), Type.Null()]),
  translations: Type.Array(
    Type.Object({
      language: Type.Enum(recipientLanguages),
      name: Type.String(),
      description: Type.Optional(Type.String()),
    }),
  ),
  archived: Type.Boolean(),
  created_at: Type.String({ description: 'ISO 8601, UTC.' }),
  updated_at: Type.String({ description: 'ISO 8601, UTC.' }),
}

export function fieldsOf({ key, name, description, translations, ...times }: Topic) {
  return {
    topic: key,
    name,
    description,
    translations: [...translations],
    archived: times.archivedAt !== null,
    created_at: times.createdAt.toISOString(),
    updated_at: times.updatedAt.toISOString(),
  }
}

const lookUpTopics = { fix: { tool: 'topic.list', arguments: {} } }

export function noSuchTopic(key: string, field = 'topic'): Refusal {
  const text = `This business has no topic ${JSON.stringify(key)}: topic.save makes one.`
  return refuse('not_found', text, { field, ...lookUpTopics })
}

export function archivedTopic(key: string, field = 'topic'): Refusal {
  const text = `The topic ${key} is archived: topic.save with archived: false offers it again.`
  const fix = { tool: 'topic.save', arguments: { topic: key, archived: false } }
  return refuse('conflict', text, { field, fix, data: { reason: 'archived_topic' } })
}

const wholeTopic = sql`
  key, name, description, created_at as "createdAt", updated_at as "updatedAt",
  archived_at as "archivedAt", position, translations
`

/** Lists topics in their order: those that were placed, then the others as they were created. */
export function listTopics(db: Db, businessId: Id<'business'>): Promise<Topic[]> {
  return db.all(sqlWithin`
    select ${wholeTopic} from topics where business_id = ${liveOf(businessId)} 
    order by position nulls last, created_at, key
  `)
}

export function findTopic(
  db: Db,
  businessId: Id<'business'>,
  key: string,
): Promise<Topic | undefined> {
  return db.maybe(sqlWithin`
    select ${wholeTopic} from topics where business_id = ${liveOf(businessId)} and key = ${key}
  `)
}

/**
 * The topics, locked so that no other call changes one or adds one meanwhile: for that the business is
 * locked, since there may be no topic yet. A call that waited for the locks reads the topics again.
 */
export async function lockTopics(tx: Tx, businessId: Id<'business'>): Promise<Topic[]> {
  await tx.run(sql`select from businesses where id = ${businessId} for no key update`)
  await tx.run(sql`
    select from topics where business_id = ${businessId} order by key for update
  `)
  return listTopics(tx, businessId)
}

export function saveTopic(
  tx: Tx,
  businessId: Id<'business'>,
  { key, name, description, createdAt, updatedAt, archivedAt, position, translations }: Topic,
): Promise<number> {
  return tx.run(sql`
    insert into topics (business_id, key, name, description, created_at, updated_at, archived_at,
      position, translations)
    values (${businessId}, ${key}, ${name}, ${description}, ${createdAt}, ${updatedAt},
      ${archivedAt}, ${position}, ${JSON.stringify(translations)}::jsonb)
    on conflict (business_id, key) do update
    set name = excluded.name, description = excluded.description,
      updated_at = excluded.updated_at, archived_at = excluded.archived_at,
      position = excluded.position, translations = excluded.translations
  `)
}

/** Which of these topics exist. */
export function findTopics(
  db: Db,
  businessId: Id<'business'>,
  keys: readonly string[],
): Promise<{ key: string; isArchived: boolean }[]> {
  return db.all(sql`
    select key, archived_at is not null as "isArchived" from topics
    where business_id = ${liveOf(businessId)} and key = any (${keys}::text[])
  `)
}

/** The key, null for "", undefined if none is named; or the refusal if nothing can be sent. */
export async function readTopic(
  db: Db,
  businessId: Id<'business'>,
  key: string | undefined,
): Promise<string | null | undefined | Refusal> {
  if (key === undefined) return undefined
  if (key === '') return null
  const topic = await findTopic(db, businessId, key)
  if (!topic) return noSuchTopic(key)
  return topic.archivedAt === null ? key : archivedTopic(key)
}
