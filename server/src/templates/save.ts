import { senderProfileOf } from '../accounts/businesses/sender-profile.ts'
import { recordSave } from '../accounts/saves/last-save.ts'
import { ifVersionInput, refuseStale, versionOfNothing } from '../accounts/saves/stale-save.ts'
import { limits } from '../config.ts'
import { type Refusal, refuse } from '../core/errors.ts'
import { formatId, type Id, newId, parseId } from '../core/ids.ts'
import {
  type BusinessContext,
  isConnection,
  type Origin,
  operation,
  type Principal,
} from '../core/operation.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import { type Static, Type } from '../lib/schema/schema.ts'
import { segmentsOf, smsEncodings } from '../lib/sms/segments.ts'
import { excerpt } from '../lib/text/excerpt.ts'
import { isSingleLine, singleLine } from '../lib/text/single-line.ts'
import { blocksInput } from './blocks/input.ts'
import { designOf, type TemplateDesign, type TemplateInput } from './changes.ts'
import type { Compiled, Templates } from './compile.ts'
import { compiledWithPreviews } from './compiled-source.ts'
import { chosenEntry, galleryInput, slotsInput } from './gallery/choice.ts'
import { emptySlotsIn } from './gallery/entries.ts'
import { giveKey, readKey, refuseUsedKey } from './key.ts'
import { checkLocks } from './locks.ts'
import { previewData } from './preview-data.ts'
import { isListed, type Preview, warningsOf } from './previews.ts'
import { partNames, type TemplateChannel, templateChannels, templateLimits } from './source.ts'
import {
  type CompiledTemplate,
  findKey,
  findTemplate,
  insertTemplate,
  insertVersion,
  lockTemplate,
  updateTags,
  updateTemplate,
} from './template.ts'
import { translationsInput } from './translations/translations.ts'
import { neededIn } from './version.ts'
import { noSuchTemplate, templateIdInput } from './view.ts'

const tagsInput = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: templateLimits.tagLength }), {
    maxItems: templateLimits.tags,
    description: 'All of its tags. No version is made for them.',
  }),
)

/** In order, each once. */
function readTags(input: readonly string[]): string[] {
  const tags = input.map(singleLine)
  const invalidTag = tags.findIndex((tag) => !isSingleLine(tag))
  if (invalidTag >= 0) {
    const field = `tags[${invalidTag}]`
    throw refuse('invalid_request', `${field} must be one line of text.`, {
      field,
      data: { reason: 'one_line' },
    })
  }
  return [...new Set(tags)].sort()
}

const output = Type.Object({
  template_id: Type.Optional(Type.String()),
  version: Type.Integer(),
  needs: Type.Array(Type.String()),
  warnings: Type.Array(Type.String()),
  previews: Type.Array(
    Type.Object({
      data: Type.Enum(previewData),
      language: Type.Optional(Type.String()),
      subject: Type.String(),
      html: Type.Optional(Type.String()),
      html_bytes: Type.Integer(),
      text: Type.String(),
      segments: Type.Optional(Type.Integer()),
      encoding: Type.Optional(Type.Enum(smsEncodings)),
    }),
  ),
})

/**
 * A version is compiled and rendered three times before it is saved, so a version that cannot be
 * sent is never stored.
 */
export function templateSave({ templates }: { templates: Templates }) {
  return operation({
    name: 'template.save',
    title: 'Save a template',
    area: 'templates',
    everyday: true,
    summary:
      'Create a template or a version (by template_id or key): what you leave out stays, "" removes it. Liquid over contact.name, contact.attributes.KEY, business.name, unsubscribe_url and your variables; values are escaped. Previews sample, longest and empty data. if_version: refused if changed since. Sends nothing.',
    reach: 'business',
    scope: 'messaging:send',
    role: 'editor',
    tier: 'free',
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    rest: ['POST /v1/templates', 'PATCH /v1/templates/:template_id'],
    idInBody: true,
    bodyBytes: limits.contentBytes,
    input: {
      template_id: Type.Optional(templateIdInput),
      key: Type.Optional(Type.String({ maxLength: templateLimits.keyLength })),
      tags: tagsInput,
      name: Type.Optional(Type.String({ minLength: 1, maxLength: templateLimits.nameLength })),
      channel: Type.Optional(Type.Enum(templateChannels)),
      subject: Type.Optional(Type.String()),
      preheader: Type.Optional(Type.String()),
      html: Type.Optional(Type.String()),
      mjml: Type.Optional(Type.String()),
      blocks: blocksInput,
      gallery: galleryInput,
      slots: slotsInput,
      text: Type.Optional(Type.String()),
      translations: translationsInput,
      variables: Type.Optional(Type.Object({}, { description: 'For the previews.' })),
      if_version: ifVersionInput,
      dry_run: Type.Optional(Type.Boolean({ description: 'Only preview, in full.' })),
    },
    output,

    async run({ db, business, principal, now, origin, write }, input) {
      const key = readKey(input.key)
      const before = await templateBefore(db, business.id, { ...input, key })
      if (!before && input.if_version !== undefined) throw versionOfNothing('template')
      await refuseUsedKey(db, business.id, { before, key })
      const chosen = await chosenFor(db, business.id, { ...input, before })
      const tags = input.tags && readTags(input.tags)
      const { gallery: _gallery, slots: _slots, tags: _tags, ...own } = input
      const design = await designOf(before, { ...chosen?.content, ...own })
      const stale = before && (await refuseStaleOf(db, { principal, business, before, input }))
      if (stale) throw stale
      await checkLocks(db, business.id, { before, after: design })
      const wishes = { data: previewData, given: { ...input.variables } }
      const deps = { db, templates }
      const checked = await compiledWithPreviews(deps, business.id, design.source, wishes)
      const { compiled, previews } = checked
      // A person may mark it between this and the save, having read the words before.
      const losesMark = isConnection(principal) && before !== undefined && !isSame(before, design)
      const warnings = [
        ...(losesMark && before.transactionalAt ? [markIsLost] : []),
        ...slotWarnings(compiled),
        ...(await warningsOf(previews, design.source)),
      ]
      const gallery = chosen?.key ?? null
      const toSave: ToSave = {
        ...design,
        key,
        tags,
        gallery,
        compiled,
        before,
        losesMark,
        origin,
        now,
      }
      return write(async (tx) => {
        const saved = input.dry_run ? undefined : await save(tx, business.id, toSave)
        return {
          ...(saved && { template_id: formatId('template', saved.id) }),
          version: saved?.version ?? before?.version ?? 0,
          needs: neededIn(compiled),
          warnings,
          previews: previews
            .filter(isListed)
            .map((preview) => shown(preview, design.channel, input.dry_run ?? false)),
        }
      })
    },
  })
}

export interface GalleryTemplate {
  id: Id<'template'>
  /** The key of the mail in the gallery. */
  gallery: string
  channel: TemplateChannel
  /** Saves it; until then, nothing is stored. */
  insert(tx: Tx): Promise<void>
}

/** A new template of a mail of the gallery, compiled, for what is saved together with it. */
export async function templateOfGallery(
  { db, business, origin, now }: Pick<BusinessContext, 'db' | 'business' | 'origin' | 'now'>,
  { templates }: { templates: Templates },
  choice: { gallery: string; slots: Record<string, string> },
): Promise<GalleryTemplate> {
  const chosen = await chosenFor(db, business.id, { ...choice, before: undefined })
  const design = await designOf(undefined, chosen?.content ?? {})
  const wishes = { data: previewData, given: {} }
  const { compiled } = await compiledWithPreviews(
    { db, templates },
    business.id,
    design.source,
    wishes,
  )
  const id = newId('template')
  const { gallery } = choice
  const { name, channel } = design
  const start = { id, channel, name, campaignId: null, gallery, now }
  return {
    id,
    gallery,
    channel,
    async insert(tx) {
      await insertTemplate(tx, business.id, start)
      await addVersion(
        tx,
        business.id,
        { source: design.source, compiled, origin, now },
        { id, version: 1 },
      )
    },
  }
}

interface GalleryChoice {
  before: CompiledTemplate | undefined
  gallery?: string
  slots?: Record<string, string>
}

/** The words of the gallery's mail that a new template begins with. */
async function chosenFor(
  db: Db,
  businessId: Id<'business'>,
  { before, gallery, slots }: GalleryChoice,
): Promise<{ key: string; content: TemplateInput } | undefined> {
  if (gallery === undefined) {
    if (!slots) return undefined
    const text = 'slots are those of a mail of the gallery: give its key as gallery, too.'
    throw refuse('invalid_request', text, { field: 'gallery', data: { reason: 'missing' } })
  }
  if (before) {
    const text =
      'gallery begins a new template: leave template_id out, take a key that no template has, or change the words.'
    throw refuse('invalid_request', text, { field: 'gallery', data: { reason: 'gallery_for_new' } })
  }
  const profile = await senderProfileOf(db, businessId)
  const language = profile?.language ?? 'en'
  const { key, channel, title, content } = chosenEntry({ gallery, slots, language })
  return { key, content: { name: title, channel, ...content } }
}

function slotWarnings({ parts: { subject, text, html = '' } }: Compiled): string[] {
  const empty = emptySlotsIn([subject, text, html])
  return empty.length === 0 ? [] : [`These slots are empty: ${empty.join(', ')}.`]
}

const markIsLost =
  'A person had marked this template as transactional. The mark held for the words that they saw, and it is gone now that a connected app has changed them: a person can set it again in the app.'

/** Characters of a preview's text that the response shows unless it is a dry run. */
const textShown = 1_000

function shown(
  { html, ...preview }: Preview,
  channel: TemplateChannel,
  withHtml: boolean,
): Static<typeof output>['previews'][number] {
  if (channel === 'sms') {
    const { segments, encoding } = segmentsOf(preview.text.trim())
    return { ...preview, html_bytes: 0, segments, encoding }
  }
  return {
    ...preview,
    text: withHtml ? preview.text : excerpt(preview.text, textShown),
    html_bytes: Buffer.byteLength(html ?? ''),
    ...(withHtml && html !== undefined && { html }),
  }
}

interface Attempt {
  principal: Principal
  business: { id: Id<'business'> }
  before: CompiledTemplate
  input: TemplateInput & { if_version?: number }
}

/** If the template is changed between this check and the save, the save itself refuses. */
function refuseStaleOf(
  db: Db,
  { principal, business, before, input }: Attempt,
): Promise<Refusal | undefined> {
  const stored: Record<string, unknown> = { ...before.source, name: before.name }
  const fields = ['name', ...partNames, 'blocks', 'translations'].filter((field) =>
    Object.hasOwn(input, field),
  )
  const changes: Record<string, unknown> = { ...input }
  return refuseStale(db, principal, {
    noun: 'template',
    object: { businessId: business.id, objectId: before.id },
    ifVersion: input.if_version,
    version: before.version,
    yours: Object.fromEntries(fields.map((field) => [field, changes[field]])),
    theirs: Object.fromEntries(fields.map((field) => [field, stored[field] ?? ''])),
    fix: readIt(before.id),
  })
}

const readIt = (id: Id<'template'>) => ({
  tool: 'template.list',
  arguments: { template_id: formatId('template', id) },
})

async function templateBefore(
  db: Db,
  businessId: Id<'business'>,
  { template_id: templateId, key }: { template_id?: string; key: string | null | undefined },
): Promise<CompiledTemplate | undefined> {
  if (templateId === undefined) {
    const bearer = typeof key === 'string' ? await findKey(db, businessId, key) : undefined
    return bearer && findTemplate(db, businessId, bearer)
  }
  const id = parseId('template', templateId)
  const template = id && (await findTemplate(db, businessId, id))
  if (!template) throw noSuchTemplate(templateId)
  return template
}

interface ToSave extends TemplateDesign {
  /** Undefined leaves it as it is. */
  key: string | null | undefined
  tags: readonly string[] | undefined
  gallery: string | null
  compiled: Compiled
  before: CompiledTemplate | undefined
  losesMark: boolean
  origin: Origin
  now: Date
}

interface Saved {
  id: Id<'template'>
  version: number
}

async function save(tx: Tx, businessId: Id<'business'>, toSave: ToSave): Promise<Saved> {
  const { before, name, channel, key, tags, gallery, losesMark, now } = toSave
  await giveKey(tx, businessId, { before, key })
  if (!before) {
    const saved = { id: newId('template'), version: 1 }
    const start = { id: saved.id, channel, name, campaignId: null, gallery, key, tags, now }
    await insertTemplate(tx, businessId, start)
    await addVersion(tx, businessId, toSave, saved)
    return saved
  }
  const locked = await lockTemplate(tx, businessId, before.id)
  if (locked?.version !== before.version) {
    const text = 'The template was changed by another call meanwhile: read it, then save again.'
    throw refuse('conflict', text, {
      field: 'template_id',
      data: { reason: 'changed_meanwhile' },
      fix: readIt(before.id),
    })
  }
  if (tags) await updateTags(tx, businessId, { id: before.id, tags })
  if (isSame(before, toSave) && name === before.name)
    return { id: before.id, version: before.version }
  const saved = { id: before.id, version: before.version + 1 }
  await updateTemplate(tx, businessId, { ...saved, name, losesMark, now })
  await addVersion(tx, businessId, toSave, saved)
  return saved
}

const isSame = (design: TemplateDesign, other: TemplateDesign) =>
  JSON.stringify(design.source) === JSON.stringify(other.source)

async function addVersion(
  tx: Tx,
  businessId: Id<'business'>,
  { source, compiled, origin, now }: Pick<ToSave, 'source' | 'compiled' | 'origin' | 'now'>,
  { id, version }: Saved,
): Promise<void> {
  await insertVersion(tx, businessId, {
    templateId: id,
    version,
    id: newId('templateVersion'),
    source,
    compiled,
    connectionId: origin.connectionId,
    callId: parseId('request', origin.callId) ?? null,
    userId: origin.connectionId === null ? origin.userId : null,
    now,
  })
  await recordSave(tx, { businessId, objectId: id }, { origin, now })
}
