/** The content of a campaign: a separate template, which lists do not show. */

import { type Id, newId, parseId } from '../core/ids.ts'
import type { Origin } from '../core/operation.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import { designOf, type TemplateDesign, type TemplateInput } from './changes.ts'
import type { Compiled } from './compile.ts'
import { compiledWithPreviews } from './compiled-source.ts'
import { checkLocks } from './locks.ts'
import { previewData } from './preview-data.ts'
import type { Preview, PreviewDeps } from './previews.ts'
import type { TemplateSource } from './source.ts'
import {
  findConditions,
  insertTemplate,
  insertVersion,
  lockTemplate,
  updateTemplate,
} from './template.ts'
import { findVersion } from './version.ts'

/** Content that can be sent. It was compiled, and rendered for three kinds of recipient. */
export interface CheckedContent extends TemplateDesign {
  compiled: Compiled
  previews: Preview[]
}

/** Parts of existing content that the input leaves out stay as they are. */
export async function checkContent(
  deps: PreviewDeps,
  input: TemplateInput,
  { before, businessId }: { before?: TemplateDesign | undefined; businessId: Id<'business'> },
): Promise<CheckedContent> {
  const design = await designOf(before, input)
  await checkLocks(deps.db, businessId, { before, after: design })
  const wishes = { data: previewData, given: {} }
  const checked = await compiledWithPreviews(deps, businessId, design.source, wishes)
  return { ...design, ...checked }
}

export interface OwnedContent {
  /** Null for content that a list shows, as that of a sequence. */
  campaignId: Id<'campaign'> | null
  /** The template that gets the content as a version. Absent for a new template. */
  templateId?: Id<'template'> | undefined
  /** The id that a new template gets. */
  newTemplateId?: Id<'template'>
  content: Pick<CheckedContent, 'name' | 'channel' | 'source' | 'compiled'>
  /** The key of the mail in the gallery that a new one was made of. */
  gallery?: string | null | undefined
  origin: Origin
  now: Date
}

export interface SavedVersion {
  templateId: Id<'template'>
  versionId: Id<'templateVersion'>
}

/** The caller has locked the campaign's row. */
export async function saveOwned(
  tx: Tx,
  businessId: Id<'business'>,
  { campaignId, templateId, newTemplateId, content, gallery = null, origin, now }: OwnedContent,
): Promise<SavedVersion> {
  const { name, channel, source, compiled } = content
  const before = templateId && (await lockTemplate(tx, businessId, templateId))
  const id = templateId ?? newTemplateId ?? newId('template')
  const version = (before?.version ?? 0) + 1
  if (before) await updateTemplate(tx, businessId, { id, name, version, losesMark: true, now })
  else await insertTemplate(tx, businessId, { id, channel, name, campaignId, gallery, now })
  const versionId = newId('templateVersion')
  await insertVersion(tx, businessId, {
    templateId: id,
    version,
    id: versionId,
    source,
    compiled,
    connectionId: origin.connectionId,
    callId: parseId('request', origin.callId) ?? null,
    userId: origin.connectionId === null ? origin.userId : null,
    now,
  })
  return { templateId: id, versionId }
}

export interface VersionContent {
  source: TemplateSource
  compiled: Compiled
  /** The key of the mail in the gallery that it was made of. */
  gallery: string | null
}

export function versionContent(
  db: Db,
  businessId: Id<'business'>,
  versionId: Id<'templateVersion'>,
): Promise<VersionContent | undefined> {
  return findVersion(db, businessId, versionId)
}

/** The filters of the blocks of versions. Those without any are missing. */
export const versionConditions: typeof findConditions = (db, businessId, versionIds) =>
  findConditions(db, businessId, versionIds)
