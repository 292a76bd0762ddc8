/** Makes a mail of the items of a feed: who sees which, and what of it is unusual. */
import { createHash } from 'node:crypto'
import { findBrand } from '../accounts/businesses/brand.ts'
import type { Filter } from '../contacts/filters/filter.ts'
import { refuse } from '../core/errors.ts'
import { formatId, type Id } from '../core/ids.ts'
import type { Db } from '../lib/db/types.ts'
import { excerpt } from '../lib/text/excerpt.ts'
import type { Block, FeedBlock } from '../templates/blocks/block.ts'
import { type CheckedContent, checkContent } from '../templates/owned.ts'
import { type PreviewDeps, shownBytes } from '../templates/previews.ts'
import { isEmail } from '../templates/source.ts'
import type { FeedContent, FeedTexts, StartedFeed } from './feed.ts'
import type { FeedItem } from './parse.ts'

/** Characters of titles within a subject. */
export const titleLengths = { feed: 100, item: 150 } as const

/** Items of one earlier issue, or of this one. */
export interface ItemGroup {
  items: readonly FeedItem[]
  /** Who sees them; everybody who gets the mail where it is left out. */
  showIf?: Filter
}

export interface Filled {
  name: string
  title: string
  language: string
  groups: readonly ItemGroup[]
}

/**
 * The content with the items in place of its feed block, one block for each group. The newest item is
 * in the first group, which everybody sees, so that the subject may name it.
 */
export function filledContent(
  { translations, ...first }: FeedContent,
  { language, ...filled }: Omit<Filled, 'name'>,
): FeedContent {
  const others = Object.entries(translations ?? {}).map(([tag, texts]) => [
    tag,
    filledTexts(texts, { ...filled, language: tag }),
  ])
  return {
    ...filledTexts(first, { ...filled, language }),
    ...(others.length > 0 && { translations: Object.fromEntries(others) }),
  }
}

function filledTexts(
  content: FeedTexts,
  { title, language, groups }: Omit<Filled, 'name'>,
): FeedTexts {
  const [newest] = groups.flatMap(({ items }) => items)
  const words: Record<string, string> = {
    'feed.title': excerpt(title, titleLengths.feed),
    'item.title': excerpt(newest?.title ?? '', titleLengths.item),
  }
  const fillTitles = (text: string) =>
    text.replace(
      /\{\{\s{0,20}(feed\.title|item\.title)\s{0,20}\}\}/g,
      // A brace at its edge would be Liquid with one of the words beside it.
      (_, name: string) => (words[name] ?? '').replace(/^[{%]/, ' $&').replace(/\{$/, '{ '),
    )
  const blocks = content.blocks.flatMap((block): Block[] =>
    block.type === 'feed' ? groups.map((group) => blockOf(block, group, language)) : [block],
  )
  return {
    subject: fillTitles(content.subject),
    ...(content.preheader !== undefined && { preheader: fillTitles(content.preheader) }),
    blocks,
  }
}

function blockOf(block: FeedBlock, { items, showIf }: ItemGroup, language: string): FeedBlock {
  const { hide = [] } = block
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' })
  return {
    ...block,
    items: items.map(({ title, url, text, image, author, published, price, currency }) => {
      const dates = hide.includes('dates')
        ? []
        : [author, published && day.format(new Date(published))]
      const about = [price && priceIn(language, price, currency), ...dates]
        .filter(Boolean)
        .join(' · ')
      return {
        title,
        url,
        ...(!hide.includes('texts') && text !== undefined && { text }),
        ...(!hide.includes('pictures') && image !== undefined && { src: image }),
        ...(about !== '' && { about }),
      }
    }),
    ...(showIf && { show_if: showIf }),
  }
}

/** As the language writes it, where the price is a plain number. */
function priceIn(language: string, price: string, currency: string | undefined): string {
  if (currency === undefined) return price
  const amount = /^\d{1,12}(?:\.\d{1,4})?$/.test(price) ? Number(price) : undefined
  if (amount === undefined) return `${price} ${currency}`
  return new Intl.NumberFormat(language, { style: 'currency', currency }).format(amount)
}

export interface EarlierIssue {
  number: number
  campaignId: Id<'campaign'>
  /** The day in the zone of the business. */
  day: string
  /** None of one that was cancelled, and none where there is no room. */
  items: readonly FeedItem[]
}

/**
 * The items of earlier issues for those who got neither that issue nor a later one, and were there by
 * then: each person gets what came since their own last mail.
 */
export function earlierGroups(earlier: readonly EarlierIssue[]): ItemGroup[] {
  const ordered = earlier.toSorted((a, b) => b.number - a.number)
  return ordered.flatMap(({ day, items }, n) => {
    if (items.length === 0) return []
    const showIf = {
      and: [
        { field: 'created_at', op: 'before', value: day },
        ...ordered.slice(0, n + 1).map(({ campaignId }) => ({
          did_not: 'message.sent',
          campaign_id: formatId('campaign', campaignId),
        })),
      ],
    } as Filter
    return [{ items, showIf }]
  })
}

/** Compiles the filled mail as a campaign's content. */
export async function checkedIssue(
  deps: PreviewDeps,
  businessId: Id<'business'>,
  content: FeedContent,
  filled: Filled,
): Promise<CheckedContent> {
  const { subject, preheader, blocks, translations } = filledContent(content, filled)
  const input = {
    name: filled.name,
    channel: 'email' as const,
    subject,
    ...(preheader !== undefined && { preheader }),
    blocks,
    ...(translations && { translations: { ...translations } }),
  }
  return checkContent(deps, input, { businessId })
}

/** The blocks of a mail in all of its languages. */
export function blocksIn({
  blocks = [],
  translations = {},
}: {
  blocks?: readonly Block[] | undefined
  translations?: Readonly<Record<string, { blocks?: readonly Block[] | undefined }>> | undefined
}): Block[] {
  return [{ blocks }, ...Object.values(translations)].flatMap((texts) => [...(texts.blocks ?? [])])
}

/** The hosts of all links and pictures of a mail's blocks, and of addresses within their words. */
export function hostsOf(blocks: readonly Block[]): string[] {
  const hosts = new Set<string>()
  JSON.stringify(blocks, (_, value: unknown) => {
    if (typeof value !== 'string') return value
    for (const [url] of value.matchAll(/https?:\/\/[^\s"'<>()\]\\]+/gi)) {
      const host = URL.parse(url)?.hostname.replace(/\.$/, '')
      if (host) hosts.add(host)
    }
    return value
  })
  return [...hosts].sort()
}

export const bytesOf = ({ previews }: Pick<CheckedContent, 'previews'>): number =>
  Math.max(0, ...previews.map(({ html = '' }) => Buffer.byteLength(html)))

/** A print of what else decides how the mail looks. */
export async function lookOf(db: Db, businessId: Id<'business'>): Promise<string> {
  const brand = await findBrand(db, businessId)
  return createHash('sha256')
    .update(JSON.stringify(brand ?? null))
    .digest('hex')
    .slice(0, 32)
}

/** A mail may have so many times the bytes of the one that was shown, and a few thousand at least. */
const usualTimes = 3
/** New items since the last issue, in whole mails, that are not unusual. */
const usualMails = 3

export const waitReasons = ['each', 'hosts', 'items', 'size', 'sender', 'brand', 'ended'] as const
export type WaitReason = (typeof waitReasons)[number]

interface Issue {
  content: CheckedContent
  newItems: number
  from: string
  look: string
  now: Date
}

/** Why a person has to see this issue; undefined where the approval covers it. */
export function waitReason(
  { definition, hosts, bytes, from: approvedFrom, look: approvedLook, endsAt }: StartedFeed,
  { content, newItems, from, look, now }: Issue,
): WaitReason | undefined {
  if (definition.approve === 'each') return 'each'
  if (endsAt !== null && now >= new Date(endsAt)) return 'ended'
  if (from !== approvedFrom) return 'sender'
  if (look !== approvedLook) return 'brand'
  const everyBlock = isEmail(content.source) ? blocksIn(content.source) : []
  // Items of earlier issues were judged with those.
  const blocks = everyBlock.filter((block) => !(block.type === 'feed' && block.show_if))
  if (hostsOf(blocks).some((host) => !hosts.includes(host))) return 'hosts'
  if (newItems > usualMails * definition.items.max) return 'items'
  const size = bytesOf(content)
  if (size > shownBytes || size > usualTimes * Math.max(bytes, 10_000)) return 'size'
  return undefined
}

/** Refuses content without one feed block, which stands for the items. */
export function checkFeedBlock(blocks: readonly Block[], within = 'content.blocks'): void {
  const at = blocks.flatMap((block, n) => (block.type === 'feed' ? [n] : []))
  if (at.length !== 1) {
    const rule = at.length === 0 ? 'needs a block {"type": "feed"}' : 'can have one feed block'
    throw refuse('invalid_request', `${within} ${rule}: the items stand in its place.`, {
      field: within,
      data: { reason: 'feed_block' },
    })
  }
  const block = blocks[at[0] ?? 0]
  const faultyField = block && 'items' in block ? 'items' : block?.show_if ? 'show_if' : undefined
  if (faultyField) {
    const field = `${within}[${at[0]}].${faultyField}`
    throw refuse('invalid_request', `${field} is filled in by the service: leave it out.`, {
      field,
      data: { reason: 'feed_block' },
    })
  }
}
