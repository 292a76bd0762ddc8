import { refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'
import { isSingleLine, singleLine } from '../../lib/text/single-line.ts'
import type { SegmentUser } from '../segments/users.ts'
import {
  fieldsOf,
  lockTopics,
  saveTopic,
  type Topic,
  type TopicTranslation,
  topicFields,
  topicKeyInput,
  topicLimits,
  translationsInput,
} from './topic.ts'

/** Campaigns of a topic that are ordered and not over. */
export type CampaignsOfTopic = (
  db: Db,
  businessId: Id<'business'>,
  key: string,
) => Promise<SegmentUser[]>

export function topicSave({ campaignsOfTopic }: { campaignsOfTopic: CampaignsOfTopic }) {
  return operation({
    name: 'topic.save',
    title: 'Save a topic',
    area: 'contacts',
    summary:
      'Create or change a topic that people can choose or leave separately: topic is its permanent key. archived: true stops offering it; what people chose stays.',
    reach: 'business',
    scope: 'audience:write',
    role: 'editor',
    tier: 'free',
    hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    rest: 'PUT /v1/topics/:topic',
    input: {
      topic: topicKeyInput,
      name: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: topicLimits.nameLength,
          description: 'As people read it; needed for a new one.',
        }),
      ),
      description: Type.Optional(
        Type.String({ maxLength: topicLimits.descriptionLength, description: 'For people, too.' }),
      ),
      translations: Type.Optional(translationsInput),
      archived: Type.Optional(Type.Boolean()),
      position: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: topicLimits.topicsInAll,
          description: 'Its place among the topics, as people see them.',
        }),
      ),
    },
    output: Type.Object(topicFields),

    async run(
      { business, now, write },
      { topic: key, archived, position, translations, ...words },
    ) {
      const changes = {
        ...readWords(words, ''),
        translations: translations && readTranslations(translations),
      }
      return write((tx) =>
        save(tx, business.id, {
          key,
          changes: { ...changes, archived, position },
          campaignsOfTopic,
          now,
        }),
      )
    },
  })
}

interface Words {
  name?: string
  description?: string | null
}

/** Both are single lines, because they are shown beside a box that people tick. */
function readWords(
  { name, description }: { name?: string; description?: string },
  within: string,
): Words {
  const words: Words = {
    ...(name !== undefined && { name: singleLine(name) }),
    ...(description !== undefined && { description: singleLine(description) || null }),
  }
  for (const field of ['name', 'description'] as const) {
    const text = words[field]
    if (typeof text !== 'string' || isSingleLine(text)) continue
    throw refuse('invalid_request', `${within}${field} must be one line of text.`, {
      field: `${within}${field}`,
      data: { reason: 'one_line' },
    })
  }
  return words
}

/** Each language once. */
function readTranslations(translations: readonly TopicTranslation[]): TopicTranslation[] {
  return translations.map((translation, i) => {
    const { language } = translation
    if (translations.findIndex((other) => other.language === language) < i) {
      const text = `translations has ${language} twice: give each language once.`
      const field = `translations[${i}].language`
      throw refuse('invalid_request', text, { field, data: { reason: 'language_twice' } })
    }
    const { name = '', description } = readWords(translation, `translations[${i}].`)
    return { language, name, ...(description && { description }) }
  })
}

interface Saving {
  key: string
  changes: Words & {
    translations: TopicTranslation[] | undefined
    archived: boolean | undefined
    position: number | undefined
  }
  campaignsOfTopic: CampaignsOfTopic
  now: Date
}

async function save(
  tx: Tx,
  businessId: Id<'business'>,
  { key, changes, campaignsOfTopic, now }: Saving,
): Promise<ReturnType<typeof fieldsOf>> {
  const all = await lockTopics(tx, businessId)
  const before = all.find((entry) => entry.key === key)
  const name = changes.name ?? before?.name
  if (name === undefined) {
    const text = 'name is missing: a new topic needs the name that people read.'
    throw refuse('invalid_request', text, { field: 'name', data: { reason: 'missing' } })
  }
  const wasArchived = before?.archivedAt ?? null
  const isArchived = changes.archived ?? wasArchived !== null
  const topic: Topic = {
    key,
    name,
    description:
      changes.description ?? (changes.description === null ? null : (before?.description ?? null)),
    translations: changes.translations ?? before?.translations ?? [],
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
    archivedAt: isArchived ? (wasArchived ?? now) : null,
    position: before?.position ?? null,
  }
  const others = all.filter((entry) => entry !== before)
  checkRoom(topic, others)
  checkName(topic, others)
  if (topic.archivedAt) checkUnused(key, await campaignsOfTopic(tx, businessId, key))
  // A place beyond the last one is the last one.
  const position = changes.position && Math.min(changes.position, others.length + 1)
  const placed = position === undefined ? topic : { ...topic, position }
  if (position !== undefined) await placeOthers(tx, businessId, { topic: placed, others })
  if (before && isSame(before, placed)) return fieldsOf(before)
  await saveTopic(tx, businessId, placed)
  return fieldsOf(placed)
}

/** Numbers the others around the place of a topic. */
async function placeOthers(
  tx: Tx,
  businessId: Id<'business'>,
  { topic, others }: { topic: Topic; others: readonly Topic[] },
): Promise<void> {
  const ownPosition = topic.position ?? 1
  for (const [i, other] of others.entries()) {
    const position = i + 1 < ownPosition ? i + 1 : i + 2
    if (other.position !== position) await saveTopic(tx, businessId, { ...other, position })
  }
}

function checkRoom({ archivedAt }: Topic, others: readonly Topic[]): void {
  const { topics, topicsInAll } = topicLimits
  const open = others.filter((other) => other.archivedAt === null)
  const isFull = archivedAt === null && open.length >= topics
  if (!isFull && others.length < topicsInAll) return
  const text = isFull
    ? `A business has at most ${topics} topics: archive one first.`
    : `A business has at most ${topicsInAll} topics, archived ones included: restore one of those instead.`
  throw refuse('conflict', text, {
    field: 'topic',
    fix: { tool: 'topic.list', arguments: {} },
    data: { reason: 'too_many_topics', limit: isFull ? topics : topicsInAll },
  })
}

/** Two boxes on a page must not have the same name. */
function checkName({ name, archivedAt }: Topic, others: readonly Topic[]): void {
  if (archivedAt !== null) return
  const spelled = (text: string) => text.toLowerCase()
  const other = others.find(
    (topic) => topic.archivedAt === null && spelled(topic.name) === spelled(name),
  )
  if (!other) return
  const text = `The topic ${other.key} is named ${JSON.stringify(other.name)} already: choose another name.`
  throw refuse('conflict', text, { field: 'name', data: { reason: 'name_taken' } })
}

function checkUnused(key: string, users: readonly SegmentUser[]): void {
  const [first, ...more] = users
  if (!first) return
  const others = more.length === 0 ? '' : ` and ${more.length} more`
  const text = `The topic ${key} is used by ${first.label} (${first.id})${others}: archive it once they are over.`
  const data = { used_by: [first, ...more].slice(0, 5).map(({ id }) => id) }
  throw refuse('conflict', text, { field: 'archived', data: { reason: 'topic_in_use', ...data } })
}

function isSame(before: Topic, after: Topic): boolean {
  const comparable = ({ name, description, translations, archivedAt, position }: Topic) => {
    // A list each, since the database stores the fields of an object in an order of its own.
    const words = translations.map((entry) => [
      entry.language,
      entry.name,
      entry.description ?? null,
    ])
    return JSON.stringify([name, description, words, archivedAt !== null, position])
  }
  return comparable(before) === comparable(after)
}
