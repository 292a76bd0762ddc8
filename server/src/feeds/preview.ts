/** What the next issue of a feed would be, and what a start would agree to. */
import { createHash } from 'node:crypto'
import { readDeploySettings } from '../accounts/businesses/deploy-settings.ts'
import { mailLanguageAmong } from '../accounts/businesses/mail-language.ts'
import { senderProfileOf } from '../accounts/businesses/sender-profile.ts'
import { countRecipients } from '../campaigns/audience/count.ts'
import { type Gate, gateView } from '../campaigns/preflight/gates/gate.ts'
import { postalGate, senderGate } from '../campaigns/preflight/gates/sender.ts'
import type { Filter } from '../contacts/filters/filter.ts'
import { expandSegments } from '../contacts/segments/expand-segments.ts'
import { bySegmentId } from '../contacts/segments/where.ts'
import type { AppLanguage } from '../core/app-languages.ts'
import { isRefusal } from '../core/errors.ts'
import { formatId, type Id } from '../core/ids.ts'
import { type BusinessContext, operation } from '../core/operation.ts'
import { untrusted } from '../core/untrusted.ts'
import type { NamedQueues } from '../lib/concurrency/queues.ts'
import type { Db } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import type { Senders } from '../sender-domains/senders/senders.ts'
import type { Templates } from '../templates/compile.ts'
import { isEmail } from '../templates/source.ts'
import {
  byFeed,
  type Feed,
  type FeedDefinition,
  type FeedOrder,
  feedFields,
  feedIdInput,
  fieldsOf,
  readFeed,
} from './feed.ts'
import { type FetchDeps, type FetchFailure, fetchFeed } from './fetch.ts'
import { blocksIn, bytesOf, checkedIssue, filledContent, hostsOf, lookOf } from './issue.ts'
import type { FeedItem, ReadFeed } from './parse.ts'
import { nextTime } from './schedule.ts'

export interface FeedParts extends FetchDeps {
  senders: Senders
  templates: Templates
  audienceTurns: NamedQueues
  appUrl: string
}

export const feedItemView = Type.Object({
  title: Type.String(),
  url: Type.String(),
  text: Type.Optional(Type.String()),
  image: Type.Optional(Type.String()),
  author: Type.Optional(Type.String()),
  published: Type.Optional(Type.String()),
  price: Type.Optional(Type.String()),
  currency: Type.Optional(Type.String()),
})

export function feedPreview(parts: FeedParts) {
  return operation({
    name: 'feed.preview',
    title: 'Plan a feed',
    area: 'campaigns',
    summary:
      'Fetch the feed and show its newest items, the mail that they would make, how many would get it, the hosts of its links and pictures, gates with remedies, and the plan_hash for feed.start. Sends nothing.',
    reach: 'business',
    scope: 'messaging:send',
    role: 'viewer',
    tier: 'free',
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
    rest: 'GET /v1/feeds/:feed_id/preview',
    locate: { feed_id: byFeed },
    input: { feed_id: feedIdInput },
    output: Type.Object({
      ...feedFields,
      untrusted: untrusted({
        title: Type.Optional(Type.String()),
        found: Type.Array(feedItemView),
        subject: Type.String(),
        html: Type.String(),
        hosts: Type.Array(Type.String()),
      }),
      recipients: Type.Integer(),
      first_issue_at: Type.String({ description: 'ISO 8601, UTC.' }),
      gates: Type.Array(gateView),
      plan_hash: Type.String(),
    }),

    async run(context, { feed_id }) {
      const { db, business, now } = context
      const feed = await readFeed(db, business.id, feed_id)
      const plan = await planOf(context, parts, feed)
      return {
        ...fieldsOf(feed),
        untrusted: {
          title: plan.read.title,
          found: plan.items,
          subject: plan.subject,
          html: plan.html,
          hosts: plan.order.hosts,
        },
        recipients: plan.recipients,
        first_issue_at: nextTime(feed.definition.schedule, now, plan.timeZone).toISOString(),
        gates: plan.gates,
        plan_hash: plan.hash,
      }
    },
  })
}

export interface FeedPlan {
  read: ReadFeed
  /** The newest items, as one mail has them. */
  items: FeedItem[]
  subject: string
  html: string
  recipients: number
  timeZone: string
  gates: Gate[]
  /** What a start would agree to. */
  order: Omit<FeedOrder, 'userId' | 'connectionId' | 'callId'>
  hash: string
}

type Planning = Pick<BusinessContext, 'db' | 'business' | 'hmac' | 'now'>

/** Items whose hosts are shownItems and approved. */
const itemsShown = 50

/** The plan of a feed as it was saved last. */
export async function planOf(
  { db, business, hmac, now }: Planning,
  { senders, templates, audienceTurns, outbound }: FeedParts,
  feed: Feed,
): Promise<FeedPlan> {
  const { definition } = feed
  const fetched = await fetchFeed({ outbound }, definition)
  const read = fetched.outcome === 'read' ? fetched.feed : { title: '', items: [] }
  const [segment, deploying, sender, profile, look] = await Promise.all([
    segmentFilterOf(db, business.id, definition),
    readDeploySettings(db, business.id),
    senders.senderOf(business.id),
    senderProfileOf(db, business.id),
    lookOf(db, business.id),
  ])
  if (!deploying || !profile) throw new Error('a feed of a business that is not there')
  const items = read.items.slice(0, definition.items.max).map(({ item }) => item)
  const shownItems =
    items.length > 0 ? items : [invented(definition.url, mailLanguageAmong([profile.language]))]
  const filled = {
    name: feed.name,
    title: read.title,
    language: profile.language,
    groups: [{ items: shownItems }],
  }
  const content = await checkedIssue({ db, templates }, business.id, definition.content, filled)
  const { recipients } = await audienceTurns.take(business.id, () =>
    countRecipients(db, hmac, {
      businessId: business.id,
      channel: 'email',
      topic: definition.topic,
      audience: segment ? { filter: segment } : {},
      quota: null,
      now,
      zone: deploying.timeZone,
      source: 'feed',
    }),
  )
  const from = isRefusal(sender) ? '' : (sender.from ?? '')
  const everyItem = read.items.slice(0, itemsShown).map(({ item }) => item)
  const all = filledContent(definition.content, {
    ...filled,
    groups: [{ items: everyItem.length > 0 ? everyItem : shownItems }],
  })
  const hosts = [...new Set([...hostsOf(blocksIn(all)), new URL(definition.url).hostname])].sort()
  const order = {
    version: feed.version,
    definition,
    segment,
    hosts,
    from,
    look,
    bytes: bytesOf(content),
  }
  const [preview] = content.previews
  const subject = isEmail(content.source) ? content.source.subject : ''
  return {
    read,
    items,
    subject: preview?.subject ?? subject,
    html: preview?.html ?? '',
    recipients,
    timeZone: deploying.timeZone,
    gates: [
      senderGate(sender),
      postalGate(deploying),
      fetched.outcome === 'broken'
        ? brokenGate(fetched, definition.mapping !== undefined)
        : itemsGate(items.length),
    ],
    order,
    hash: hashOf(hmac, feed.id, [definition, segment, hosts, from, look]),
  }
}

/** Signed, so that it can only come from a preview of this feed. */
function hashOf(hmac: BusinessContext['hmac'], id: Id<'feed'>, parts: unknown): string {
  const print = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  return hmac('feed.plan', `${formatId('feed', id)} ${print}`)
    .toString('hex')
    .slice(0, 32)
}

/** Nothing can be made of what is no feed; one that is away may be there again at its time. */
function brokenGate({ problem, isAway }: FetchFailure, isMapped: boolean): Gate {
  const address = isMapped
    ? 'Say in mapping where the parts of its items stand, or take it away with feed.save and mapping: null.'
    : 'Give the address of an RSS, Atom or JSON Feed with feed.save.'
  return {
    gate: 'content',
    result: isAway ? 'warn' : 'block',
    evidence: `Nothing can be read at the address of the feed: it ${problem}.`,
    findings: [{ finding: isAway ? 'feed_away' : 'feed_unreadable', fault: problem }],
    remedy: isAway
      ? 'Look again later. Until somebody has seen its links and pictures, each mail waits for a person.'
      : address,
  }
}

/** A feed without items is no fault: a new blog has none. */
function itemsGate(items: number): Gate {
  const gate = 'content'
  if (items > 0) return { gate, result: 'pass', evidence: `${items} items would be in it.` }
  return {
    gate,
    result: 'warn',
    evidence: 'The feed has no items yet, so the mail was made with an invented one.',
    findings: [{ finding: 'feed_empty' }],
    remedy: 'Look again once the first item is published.',
  }
}

const inventedWords: Record<AppLanguage, { title: string; text: string }> = {
  en: { title: 'Title of the first post', text: 'The beginning of its text.' },
  de: { title: 'Titel des ersten Beitrags', text: 'Der Anfang seines Textes.' },
  fr: { title: 'Titre du premier article', text: 'Le début de son texte.' },
}

const invented = (url: string, language: AppLanguage): FeedItem => ({
  ...inventedWords[language],
  url,
})

/** The filter of the segment as it is now. */
export async function segmentFilterOf(
  db: Db,
  businessId: Id<'business'>,
  { segment_id: segment }: FeedDefinition,
): Promise<Filter | null> {
  return segment === null ? null : expandSegments(db, businessId, { segment }, bySegmentId)
}
