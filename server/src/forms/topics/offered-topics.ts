/** The topics that a form offers. Its field holds their keys, and people read their names. */
import { listTopics, noSuchTopic, type Topic } from '../../contacts/topics/topic.ts'
import type { Refusal } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import type { FormField } from '../form.ts'

/** The topics by key, without archived ones. */
export type OfferedTopics = ReadonlyMap<string, Topic>

/** A form without a topics field costs no query. */
export async function offeredTopicsOf(
  db: Db,
  businessId: Id<'business'>,
  fields: readonly FormField[],
): Promise<OfferedTopics> {
  if (!fields.some(({ type }) => type === 'topics')) return new Map()
  const topics = await listTopics(db, businessId)
  const offered = topics.filter(({ archivedAt }) => archivedAt === null)
  return new Map(offered.map((topic) => [topic.key, topic]))
}

/** The refusal of a form that offers a topic which the business does not have. */
export async function unknownTopic(
  db: Db,
  businessId: Id<'business'>,
  fields: readonly FormField[],
): Promise<Refusal | undefined> {
  const names = await offeredTopicsOf(db, businessId, fields)
  const index = fields.findIndex(({ type }) => type === 'topics')
  const options = fields[index]?.options ?? []
  const n = options.findIndex((key) => !names.has(key))
  const key = options[n]
  return key === undefined ? undefined : noSuchTopic(key, `fields[${index}].options[${n}]`)
}

/** Returns the fields as visitors see them, without topics that have been archived since. */
export function withoutArchived(fields: readonly FormField[], names: OfferedTopics): FormField[] {
  return fields.flatMap((field) => {
    if (field.type !== 'topics') return [field]
    const options = (field.options ?? []).filter((key) => names.has(key))
    return options.length > 0 ? [{ ...field, options }] : []
  })
}
