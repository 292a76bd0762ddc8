/**
 * A template: what a message says, in versions. Read the folder in this order:
 *
 * - `source.ts`, `blocks/` and `translations/`: a template as its author writes it.
 * - `save.ts`, with `changes.ts` (the fields of a call), `key.ts`, `locks.ts` (of the brand), and
 *   `convert.ts` (mail that another program made).
 * - `compiled-source.ts` and `compile.ts`: it is checked and compiled in a thread. `thread/` is what
 *   the thread does, and `variables.ts` what is filled in.
 * - `version.ts`: the version that a message uses.
 * - `preview.ts`, with `previews.ts` and `preview-data.ts`; `mail-programs/`, `markup-flaws.ts` and
 *   `personal-hosts.ts`: what a preview says of it.
 * - `view.ts` (a template as callers see it), `get.ts`, `list.ts`, `versions.ts`, `mark.ts`, `delete.ts`.
 * - `gallery.ts` and `gallery/`: templates to begin with. `copy-templates.ts`: into a new business.
 * - `owned.ts`: the content of a campaign. `restyle.ts`: what a change of the brand does.
 */

import { type Id, liveOf } from '../core/ids.ts'
import { highestId } from '../core/paging.ts'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import type { Compiled } from './compile.ts'
import type { TemplateChannel, TemplateSource } from './source.ts'
import type { Condition } from './variables.ts'

export interface Template {
  id: Id<'template'>
  channel: TemplateChannel
  name: string
  version: number
  source: TemplateSource
  /** When a person marked it as transactional. */
  transactionalAt: Date | null
  /** The key of the mail in the gallery that it was made of. */
  gallery: string | null
  /** The name by which programs address it. */
  key: string | null
  /** Words by which people find it. */
  tags: readonly string[]
  createdAt: Date
  updatedAt: Date
}

/** A template with the compiled form of its current version. */
export interface CompiledTemplate extends Template {
  versionId: Id<'templateVersion'>
  compiled: Compiled
}

interface NewTemplate {
  id: Id<'template'>
  channel: TemplateChannel
  name: string
  /** The campaign whose content it is. Lists do not show such a template. */
  campaignId: Id<'campaign'> | null
  /** The key of the mail in the gallery that it was made of. */
  gallery: string | null
  /** The name by which programs address it. */
  key?: string | null | undefined
  tags?: readonly string[] | undefined
  now: Date
}

export function insertTemplate(
  tx: Tx,
  businessId: Id<'business'>,
  template: NewTemplate,
): Promise<number> {
  return tx.run(sql`
    insert into templates (business_id, id, channel, name, version, campaign_id, gallery, key, tags,
      created_at, updated_at)
    values (${businessId}, ${template.id}, ${template.channel}, ${template.name}, 1,
      ${template.campaignId}, ${template.gallery}, ${template.key ?? null},
      ${template.tags ?? []}, ${template.now}, ${template.now})
  `)
}

export function updateTemplate(
  tx: Tx,
  businessId: Id<'business'>,
  template: {
    id: Id<'template'>
    name: string
    version: number
    /** A person's mark holds for the words that they saw, and is lost with this version. */
    losesMark: boolean
    now: Date
  },
): Promise<number> {
  return tx.run(sql`
    update templates set name = ${template.name}, version = ${template.version},
      transactional_at = case when ${template.losesMark}::boolean then null
        else transactional_at end,
      updated_at = ${template.now}
    where business_id = ${businessId} and id = ${template.id}
  `)
}

/** Calls that give keys in a business wait for each other, so that each sees the other's key. */
export function lockKeys(tx: Tx, businessId: Id<'business'>): Promise<number> {
  return tx.run(sql`select id from businesses where id = ${businessId} for no key update`)
}

export function updateKey(
  tx: Tx,
  businessId: Id<'business'>,
  { id, key }: { id: Id<'template'>; key: string | null },
): Promise<number> {
  return tx.run(sql`
    update templates set key = ${key} where business_id = ${businessId} and id = ${id}
  `)
}

export function updateTags(
  tx: Tx,
  businessId: Id<'business'>,
  { id, tags }: { id: Id<'template'>; tags: readonly string[] },
): Promise<number> {
  return tx.run(sql`
    update templates set tags = ${tags} where business_id = ${businessId} and id = ${id}
  `)
}

/** The template that bears the key. */
export async function findKey(
  db: Db | Tx,
  businessId: Id<'business'>,
  key: string,
): Promise<Id<'template'> | undefined> {
  const template = await db.maybe<{ id: Id<'template'> }>(sql`
    select id from templates where business_id = ${liveOf(businessId)} and key = ${key}
  `)
  return template?.id
}

interface NewVersion {
  templateId: Id<'template'>
  version: number
  id: Id<'templateVersion'>
  source: TemplateSource
  compiled: Compiled
  connectionId: Id<'connection'> | null
  callId: Id<'request'> | null
  /** The person who saved it, unless a program did. */
  userId?: Id<'user'> | null | undefined
  now: Date
}

export function insertVersion(
  tx: Tx,
  businessId: Id<'business'>,
  version: NewVersion,
): Promise<number> {
  return tx.run(sql`
    insert into template_versions (business_id, template_id, version, id, source, compiled,
      connection_id, call_id, user_id, created_at)
    values (${businessId}, ${version.templateId}, ${version.version}, ${version.id},
      ${JSON.stringify(version.source)}, ${JSON.stringify(version.compiled)},
      ${version.connectionId}, ${version.callId}, ${version.userId ?? null}, ${version.now})
  `)
}

/** Returns the version and locks it, so that nobody else raises it in the meantime. */
export function lockTemplate(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'template'>,
): Promise<{ version: number; gallery: string | null } | undefined> {
  return tx.maybe(sql`
    select version, gallery from templates
    where business_id = ${businessId} and id = ${id} and deleted_at is null for no key update
  `)
}

/** Marks an independent template as transactional, or takes the mark back. */
export function markTransactional(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'template'>,
  at: Date | null,
): Promise<number> {
  return tx.run(sql`
    update templates set transactional_at = ${at}
    where business_id = ${liveOf(businessId)} and id = ${id} and campaign_id is null and deleted_at is null
  `)
}

/** Finds only independent templates. A campaign's content is changed with the campaign. */
export function findTemplate(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'template'>,
): Promise<CompiledTemplate | undefined> {
  return db.maybe(sql`
    select t.id, t.channel, t.name, t.version, v.source, v.compiled, v.id as "versionId",
      t.transactional_at as "transactionalAt", t.gallery, t.key, t.tags, t.created_at as "createdAt",
      t.updated_at as "updatedAt"
    from templates t
    join template_versions v on v.business_id = t.business_id
      and v.template_id = t.id and v.version = t.version
    where t.business_id = ${liveOf(businessId)} and t.id = ${id} and t.campaign_id is null and t.deleted_at is null
  `)
}

/** The filters of the blocks of versions. Those without any are missing. */
export function findConditions(
  db: Db,
  businessId: Id<'business'>,
  versionIds: readonly Id<'templateVersion'>[],
): Promise<{ versionId: Id<'templateVersion'>; conditions: Condition[] }[]> {
  return db.all(sql`
    select id as "versionId", compiled -> 'conditions' as conditions from template_versions
    where business_id = any(${[businessId, liveOf(businessId)]}::uuid[]) and id = any(${versionIds}::uuid[])
      and compiled -> 'conditions' is not null
  `)
}

interface ListedVersion {
  version: number
  connectionId: Id<'connection'> | null
  /** The person who saved it; null for a program, and for versions of earlier releases. */
  email: string | null
  createdAt: Date
  /** Only when one version is read, because sources may be long. */
  source?: TemplateSource
}

export function listVersions(
  db: Db,
  businessId: Id<'business'>,
  { templateId, limit }: { templateId: Id<'template'>; limit: number },
): Promise<ListedVersion[]> {
  return db.all(sql`
    select version, connection_id as "connectionId", created_at as "createdAt",
      (select email from users u where u.id = template_versions.user_id) as email
    from template_versions
    where business_id = ${liveOf(businessId)} and template_id = ${templateId}
    order by version desc limit ${limit}
  `)
}

/** One version, or none. */
export function findVersionNumbered(
  db: Db,
  businessId: Id<'business'>,
  { templateId, version }: { templateId: Id<'template'>; version: number },
): Promise<ListedVersion[]> {
  return db.all(sql`
    select version, connection_id as "connectionId", created_at as "createdAt", source,
      (select email from users u where u.id = template_versions.user_id) as email
    from template_versions
    where business_id = ${liveOf(businessId)} and template_id = ${templateId} and version = ${version}
  `)
}

interface TemplatePage {
  /** Lists only templates older than this one. */
  before: Id<'template'> | null
  limit: number
  tag: string | null
  /** Occurs in the name, the key or a tag. */
  words: string | null
  /** What of a text keeps it from being found by its words; null for nothing. */
  hidden: string | null
}

/** Lists templates, newest first, without the sources, which may be long. */
export function listTemplates(
  db: Db,
  businessId: Id<'business'>,
  page: TemplatePage,
): Promise<Omit<Template, 'source'>[]> {
  return db.all(sql`
    select id, channel, name, version, transactional_at as "transactionalAt", gallery, key, tags,
      created_at as "createdAt", updated_at as "updatedAt"
    from templates
    where business_id = ${liveOf(businessId)} and id < ${page.before ?? highestId} and campaign_id is null
      and deleted_at is null
      and (${page.tag}::text is null or tags @> array[${page.tag}::text])
      and (${page.words}::text is null or exists (
        select from unnest(array[name, key] || tags) as words (text)
        where position(lower(${page.words}) in lower(text)) > 0
          and (${page.hidden}::text is null or text !~ ${page.hidden})
      ))
    order by id desc limit ${page.limit}
  `)
}

/** The tags that templates have, in order. */
export async function listTags(
  db: Db,
  businessId: Id<'business'>,
  limit: number,
): Promise<string[]> {
  const rows = await db.all<{ tag: string }>(sql`
    select distinct tag collate "C" as tag from templates, unnest(tags) as tag
    where business_id = ${liveOf(businessId)} and campaign_id is null and deleted_at is null
    order by tag limit ${limit}
  `)
  return rows.map(({ tag }) => tag)
}
