import { recordSave } from '../accounts/saves/last-save.ts'
import { inContent } from '../campaigns/content.ts'
import { expandSegments } from '../contacts/segments/expand-segments.ts'
import { segmentIdInput } from '../contacts/segments/segment.ts'
import { bySegmentId } from '../contacts/segments/where.ts'
import { readTopic, topicKeyInput } from '../contacts/topics/topic.ts'
import { isRefusal, orThrow, type Refusal, refuse } from '../core/errors.ts'
import { formatId, type Id, newId } from '../core/ids.ts'
import { type BusinessContext, operation } from '../core/operation.ts'
import { recordAudit } from '../events/audit.ts'
import { sql, sqlWithin } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import { isSingleLine, singleLine } from '../lib/text/single-line.ts'
import { checkFetchedAddress } from '../sender-domains/senders/fetched-address.ts'
import type { PreviewDeps } from '../templates/previews.ts'
import { templateLimits } from '../templates/source.ts'
import { sameTranslationsInput } from '../templates/translations/translations.ts'
import {
  approvals,
  byFeed,
  checkPossible,
  type Feed,
  type FeedContent,
  type FeedDefinition,
  type FeedTexts,
  feedFields,
  feedIdInput,
  feedLimits,
  fieldsOf,
  lockFeed,
  readFeed,
  takes,
  wholeFeed,
  writeFeed,
} from './feed.ts'
import { checkedIssue, checkFeedBlock, titleLengths } from './issue.ts'
import { checkMapping, type Mapping, mappingInput } from './mapping.ts'
import { everies, mostTimes, readSchedule, type Schedule } from './schedule.ts'

const contentInput = Type.Object(
  {
    subject: Type.Optional(Type.String({ maxLength: templateLimits.subjectLength })),
    preheader: Type.Optional(Type.String({ maxLength: templateLimits.preheaderLength })),
    blocks: Type.Optional(Type.Unsafe<unknown[]>({ type: 'array' })),
    translations: sameTranslationsInput,
  },
  { additionalProperties: false },
)

interface WrittenContent {
  subject?: string
  preheader?: string
  blocks?: unknown[]
  translations?: Record<string, unknown>
}

interface Written {
  url?: string
  mapping?: Mapping | null
  times?: string[]
  every?: Schedule['every']
  at?: string
  topic?: string | null
  segment_id?: string | null
  content?: WrittenContent
  items?: { max?: number; take?: FeedDefinition['items']['take'] }
  approve?: FeedDefinition['approve']
  begin_with?: number
}

export function feedSave({ templates }: Pick<PreviewDeps, 'templates'>) {
  return operation({
    name: 'feed.save',
    title: 'Save a feed',
    area: 'campaigns',
    summary:
      'Save a blog by mail (RSS, Atom, JSON Feed, or JSON of your own with a mapping) in one call, or change one: what you leave out stays. times: ["mon 08:00"], or every: day, week or month with at, by the clock of the business. content: {subject, blocks} with one block {"type": "feed"} where the items stand; {{ item.title }} in the subject is the newest item, {{ feed.title }} the feed. Each person gets what came since their own last mail; without anything new no mail is sent. Sends nothing: feed.preview, then feed.start.',
    reach: 'business',
    scope: 'audience:write',
    role: 'editor',
    tier: 'free',
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    rest: ['POST /v1/feeds', 'PATCH /v1/feeds/:feed_id'],
    status: 201,
    locate: { feed_id: byFeed },
    input: {
      feed_id: Type.Optional(feedIdInput),
      name: Type.Optional(Type.String({ minLength: 1, maxLength: feedLimits.nameLength })),
      url: Type.Optional(Type.String({ minLength: 1, maxLength: feedLimits.urlLength })),
      mapping: Type.Optional(Type.Union([mappingInput, Type.Null()])),
      times: Type.Optional(Type.Array(Type.String(), { maxItems: mostTimes })),
      every: Type.Optional(Type.Enum(everies)),
      at: Type.Optional(Type.String({ description: 'Such as 08:00.' })),
      topic: Type.Optional(Type.Union([topicKeyInput, Type.Null()])),
      segment_id: Type.Optional(Type.Union([segmentIdInput, Type.Null()])),
      content: Type.Optional(contentInput),
      items: Type.Optional(
        Type.Object(
          {
            max: Type.Optional(Type.Integer({ minimum: 1, maximum: feedLimits.items })),
            take: Type.Optional(Type.Enum(takes)),
          },
          { additionalProperties: false },
        ),
      ),
      approve: Type.Optional(
        Type.Enum(approvals, { description: 'Whether a person sees each issue first.' }),
      ),
      begin_with: Type.Optional(Type.Integer({ minimum: 0, maximum: feedLimits.beginWith })),
    },
    output: Type.Object(feedFields),

    async run(context, { feed_id, name, ...input }) {
      const { db, business, origin, now, write } = context
      const line = name === undefined ? undefined : singleLine(name)
      if (line !== undefined && !isSingleLine(line)) {
        throw refuse('invalid_request', 'name must be one line of text.', {
          field: 'name',
          data: { reason: 'one_line' },
        })
      }
      const existing = feed_id === undefined ? undefined : await readFeed(db, business.id, feed_id)
      if (input.url !== undefined && addressOf(input.url) !== existing?.definition.url) {
        const address = { url: input.url, field: 'url', page: '/feeds' }
        await checkFetchedAddress(context, { ...address, action: 'Reading a feed' })
      }
      if (existing) checkPossible('save', existing)
      if (!existing && line === undefined) throw missing('name')
      const definition = await definitionOf(db, business.id, {
        before: existing?.definition,
        input,
      })
      // With an invented item, since the feed may be away just now, and titles as long as they can be.
      await checkedIssue({ db, templates }, business.id, definition.content, {
        name: line ?? existing?.name ?? '',
        title: 'W'.repeat(titleLengths.feed + 1),
        language: 'en',
        groups: [{ items: [longestItem] }],
      }).catch(throwInContent)
      return write(async (tx) => {
        if (!existing) {
          return fieldsOf(await addFeed(tx, context, { name: line ?? '', definition }))
        }
        const locked = await lockFeed(tx, business.id, formatId('feed', existing.id))
        checkPossible('save', locked)
        if (locked.version !== existing.version) throw changedMeanwhile(locked)
        const isOther = JSON.stringify(definition) !== JSON.stringify(locked.definition)
        if (line !== undefined) await refuseNamesake(tx, business.id, { id: locked.id, name: line })
        // What waited for a person was something else.
        const isNew = locked.status === 'awaiting_approval'
        const saved: Feed = {
          ...locked,
          name: line ?? locked.name,
          definition,
          version: locked.version + (isOther ? 1 : 0),
          ...(isOther && { wanted: null }),
          ...(isOther && isNew && { status: 'draft' as const }),
          updatedAt: now,
        }
        await writeFeed(tx, business.id, saved)
        const subject = formatId('feed', saved.id)
        const entry = { businessId: business.id, action: 'feed.save', subject, origin }
        await recordAudit(tx, [entry], now)
        await recordSave(tx, { businessId: business.id, objectId: saved.id }, { origin, now })
        return fieldsOf(saved)
      })
    },
  })
}

const longestItem = {
  title: 'W'.repeat(titleLengths.item + 1),
  url: 'https://example.com/post',
  text: 'Text',
}

interface Merging {
  before: FeedDefinition | undefined
  input: Written
}

async function definitionOf(
  db: Db,
  businessId: Id<'business'>,
  { before, input }: Merging,
): Promise<FeedDefinition> {
  const { times, every, at } = input
  const url = input.url === undefined ? before?.url : addressOf(input.url)
  if (url === undefined) throw missing('url')
  const isTimeOnly = at !== undefined && every === undefined && times === undefined
  const schedule = isTimeOnly
    ? readSchedule({ times: undefined, every: before?.schedule.every, at })
    : readSchedule({ times, every, at })
  if (!schedule && !before) throw missing('times')
  const topic = input.topic === null ? null : orThrow(await readTopic(db, businessId, input.topic))
  const segmentId = input.segment_id === undefined ? (before?.segment_id ?? null) : input.segment_id
  if (segmentId !== null) {
    await expandSegments(db, businessId, { segment: segmentId }, bySegmentId)
  }
  const mapping = input.mapping === undefined ? before?.mapping : input.mapping
  if (mapping) checkMapping(mapping)
  const content = await contentOf(before?.content, input.content)
  const usual = before?.items ?? { max: 5, take: 'newest' as const }
  return {
    url,
    ...(mapping && { mapping }),
    schedule: schedule ?? before?.schedule ?? {},
    topic: topic === undefined ? (before?.topic ?? null) : topic,
    segment_id: segmentId,
    content,
    items: { max: input.items?.max ?? usual.max, take: input.items?.take ?? usual.take },
    approve: input.approve ?? before?.approve ?? 'once',
    begin_with: input.begin_with ?? before?.begin_with ?? 0,
  }
}

function addressOf(input: string): string {
  const url = URL.parse(input.trim())
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (!url || !isWeb || url.username !== '' || url.password !== '') {
    const text =
      'url must be the address of a feed, such as https://example.com/feed.xml, without a password.'
    throw refuse('invalid_request', text, { field: 'url', data: { reason: 'wrong_form' } })
  }
  return url.href
}

async function contentOf(
  before: FeedContent | undefined,
  input: Written['content'] = {},
): Promise<FeedContent> {
  const { readBlocks } = await import('../templates/blocks/read.ts')
  const blocks = input.blocks ? readInContent(() => readBlocks(input.blocks ?? [])) : before?.blocks
  const subject = input.subject ?? before?.subject
  if (blocks === undefined) throw missing('content.blocks')
  if (subject === undefined || subject.trim() === '') throw missing('content.subject')
  checkFeedBlock(blocks)
  const preheader = input.preheader ?? before?.preheader
  const translations = await translationsOf(before?.translations, input.translations)
  return {
    subject,
    ...(preheader !== undefined && preheader !== '' && { preheader }),
    blocks,
    ...(Object.keys(translations).length > 0 && { translations }),
  }
}

/** Each language that is named replaces what it had, or goes where it is null; the others stay. */
async function translationsOf(
  before: FeedContent['translations'] = {},
  input: Readonly<Record<string, unknown>> = {},
): Promise<Record<string, FeedTexts>> {
  const { readBlocks } = await import('../templates/blocks/read.ts')
  const { readTranslations } = await import('../templates/translations/read-translations.ts')
  const texts = new Map(Object.entries(before))
  for (const [tag, parts] of readInContent(() => readTranslations(input))) {
    if (parts === null) {
      texts.delete(tag)
      continue
    }
    const at = `content.translations.${tag}`
    const { subject = '', preheader, blocks, ...others } = parts
    if (subject.trim() === '') throw missing(`${at}.subject`)
    if (!blocks) throw missing(`${at}.blocks`)
    const [other] = Object.keys(others)
    if (other !== undefined) {
      const text = `${at}.${other} is not known: ${at} accepts subject, preheader, blocks.`
      throw refuse('invalid_request', text, {
        field: `${at}.${other}`,
        data: { reason: 'unknown_field' },
      })
    }
    const read = readInContent(() => readBlocks([...blocks]))
    checkFeedBlock(read, `${at}.blocks`)
    texts.set(tag, { subject, ...(preheader && { preheader }), blocks: read })
  }
  return Object.fromEntries(texts)
}

function readInContent<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    return throwInContent(error)
  }
}

function throwInContent(error: unknown): never {
  throw isRefusal(error) ? inContent(error as Refusal) : error
}

interface NewFeed {
  name: string
  definition: FeedDefinition
}

async function addFeed(
  tx: Tx,
  { business, origin, now }: BusinessContext,
  { name, definition }: NewFeed,
): Promise<Feed> {
  const { n } = await tx.one<{ n: number }>(sql`
    select count(*)::int as n from feeds where business_id = ${business.id} and deleted_at is null
  `)
  if (n >= feedLimits.feeds) {
    const text = `A business can have ${feedLimits.feeds} feeds: delete one first.`
    throw refuse('conflict', text, {
      fix: { tool: 'feed.list', arguments: {} },
      data: { reason: 'too_many_feeds', limit: feedLimits.feeds },
    })
  }
  const id = newId('feed')
  await refuseNamesake(tx, business.id, { id, name })
  const feed = await tx.maybe<Feed>(sqlWithin`
    insert into feeds (business_id, id, name, status, definition, version, created_at, updated_at)
    values (${business.id}, ${id}, ${name}, 'draft', ${JSON.stringify(definition)}, 1, ${now}, ${now})
    on conflict do nothing
    returning ${wholeFeed}
  `)
  if (!feed) throw nameIsTaken()
  await recordSave(tx, { businessId: business.id, objectId: id }, { origin, now })
  return feed
}

async function refuseNamesake(
  tx: Tx,
  businessId: Id<'business'>,
  { id, name }: Pick<Feed, 'id' | 'name'>,
): Promise<void> {
  const other = await tx.maybe<{ id: Id<'feed'> }>(sql`
    select id from feeds
    where business_id = ${businessId} and lower(name) = lower(${name}) and id <> ${id}
      and deleted_at is null
  `)
  if (other) throw nameIsTaken(other.id)
}

function nameIsTaken(id?: Id<'feed'>) {
  const text = 'Another feed of this business has this name. Choose another, or change that one.'
  const fix = id && { tool: 'feed.get', arguments: { feed_id: formatId('feed', id) } }
  return refuse('conflict', text, {
    field: 'name',
    ...(fix && { fix }),
    data: { reason: 'name_taken' },
  })
}

export function changedMeanwhile({ id }: Pick<Feed, 'id'>) {
  const text =
    'The feed was changed by another call meanwhile: look at it again. Nothing was changed.'
  return refuse('conflict', text, {
    data: { reason: 'changed_meanwhile' },
    fix: { tool: 'feed.get', arguments: { feed_id: formatId('feed', id) } },
  })
}

function missing(field: string) {
  const text = `${field} is missing: a new feed needs it. To change one, give its feed_id.`
  return refuse('invalid_request', text, { field, data: { reason: 'missing' } })
}
