import { timeZoneOf } from '../accounts/businesses/time-zone.ts'
import { channelEligibility } from '../contacts/consent/eligibility.ts'
import { contactIdInput } from '../contacts/contact.ts'
import { recipientLabels } from '../contacts/recipients.ts'
import { judgeConditions } from '../contacts/segments/compile-conditions.ts'
import { markAddresses } from '../contacts/suppressions/hash-addresses.ts'
import { isRefusal, orRefusal, refuse } from '../core/errors.ts'
import { formatId, type Id, parseId } from '../core/ids.ts'
import { isMasked } from '../core/masking.ts'
import { type BusinessContext, operation } from '../core/operation.ts'
import { highestId, nextCursor, type Page, pageFrom, pageInput, pageOf } from '../core/paging.ts'
import { untrusted } from '../core/untrusted.ts'
import { type Static, Type } from '../lib/schema/schema.ts'
import { holdOf } from '../messages/throttle/provider-holds.ts'
import { eventView, timelineOf } from '../messages/timeline.ts'
import { audienceOf, pageOfAudience } from './audience/audience.ts'
import { expandAudience, nobody } from './audience/whole.ts'
import type { Campaign } from './campaign.ts'
import { byCampaign, findCampaign } from './campaign.ts'
import { linkHash } from './results/links.ts'
import { engagementBits } from './results/outcomes.ts'
import {
  findRecipient,
  listRecipients,
  type RecipientPage,
  type ShownRecipient,
} from './results/recipients.ts'
import { explain, explainHold } from './results/why-words.ts'
import { campaignIdInput, noSuchCampaign } from './view.ts'

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const recipient = Type.Object({
  contact_id: Type.String(),
  status: Type.String(),
  reason: orNull('Why it was left out or put off, such as not_subscribed.'),
  clause: orNull('What of the audience fits it: everyone, the tag, or the filter.'),
  variant: Type.Union([Type.Integer(), Type.Null()]),
  message_id: orNull('msg_…'),
  at: orNull('When its status last changed. ISO 8601, UTC.'),
  why: Type.String(),
  untrusted: Type.Optional(
    untrusted({
      address: orNull('Where the contact gets such campaigns today.'),
      name: orNull('The name of the contact.'),
    }),
  ),
})

const evidence = Type.Object({
  consent: Type.Object({
    status: Type.String(),
    topic: Type.Optional(Type.String()),
    source: orNull('Where it was last said.'),
    at: orNull('ISO 8601, UTC.'),
  }),
  suppression: Type.Union([
    Type.Object({ reason: Type.String(), source: Type.String(), since: Type.String() }),
    Type.Null(),
  ]),
  events: Type.Array(eventView),
  conditions: Type.Optional(
    Type.Array(
      Type.Object({
        path: Type.String(),
        condition: Type.Unsafe<object>({ type: 'object' }),
        true: Type.Boolean(),
      }),
    ),
  ),
})

/** More than a link of an email can have. */
const longestUrl = 4_000

export const campaignWhy = operation({
  name: 'campaign.why',
  title: 'Explain a recipient',
  area: 'campaigns',
  everyday: true,
  summary: 'Why a contact got it or not, or recipients by status.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/campaigns/:campaign_id/recipients',
  locate: { campaign_id: byCampaign },
  input: {
    campaign_id: campaignIdInput,
    contact_id: Type.Optional(contactIdInput),
    status: Type.Optional(Type.String()),
    link: Type.Optional(Type.String({ maxLength: longestUrl })),
    ...pageInput,
  },
  output: Type.Object({
    campaign_id: Type.String(),
    recipients: Type.Array(recipient),
    evidence: Type.Optional(evidence),
    next_cursor: nextCursor,
  }),

  async run(context, { campaign_id, contact_id, status, link, ...filters }) {
    const { db, business } = context
    const campaignId = parseId('campaign', campaign_id)
    const campaign = campaignId && (await findCampaign(db, business.id, campaignId))
    if (!campaign) throw noSuchCampaign(campaign_id)
    if (status !== undefined) checkStatus(status)
    if (link !== undefined) checkMayFindByLink(context)
    refuseDeleted(campaign)
    if (contact_id !== undefined) return whyOf(context, campaign, contact_id)
    const page = pageOf('contact', filters)
    if (!campaign.frozenAt && link === undefined)
      return beforeTheFreeze(context, campaign, { status, page })
    const selection = {
      campaignId: campaign.id,
      ...selectionOf(status),
      before: page.before ?? (highestId as Id<'contact'>),
      limit: page.limit,
    }
    const rows =
      link === undefined
        ? await listRecipients(db, business.id, { ...selection, link: null })
        : await followersOf(context, link, selection)
    const { shown: recipients, next } = pageFrom('contact', rows.map(withId), page, viewOf)
    return {
      campaign_id,
      recipients: await labelled(context, campaign, recipients),
      ...next,
    }
  },
})

/** Opened and clicked say what people did, and the others how far the message came. */
function selectionOf(status: string | undefined): Pick<RecipientPage, 'state' | 'marks'> {
  if (status === 'opened' || status === 'clicked') {
    return { state: null, marks: engagementBits[status] }
  }
  return { state: status ?? null, marks: 0 }
}

/** Nobody can say any more who got it, and nothing else may be said in its place. */
function refuseDeleted({ recipientsDeletedAt }: Campaign): void {
  if (!recipientsDeletedAt) return
  const day = recipientsDeletedAt.toISOString().slice(0, 10)
  const text = `Who got this campaign was deleted on ${day}, as the retention of this business says. campaign.get has its totals.`
  throw refuse('not_found', text, {
    field: 'campaign_id',
    fix: { tool: 'campaign.get' },
    data: { reason: 'recipients_deleted' },
  })
}

/** What a recipient is before the audience is frozen. */
const prospects: Readonly<Record<string, boolean>> = { would_get: true, would_be_skipped: false }

interface ProspectPage {
  status: string | undefined
  page: Page<'contact'>
}

/** Who would get the campaign if it were frozen now, and who would be skipped. */
async function beforeTheFreeze(
  context: BusinessContext,
  campaign: Campaign,
  { status, page }: ProspectPage,
) {
  const { db, business, hmac, now } = context
  const campaign_id = formatId('campaign', campaign.id)
  const wouldGet = status === undefined ? null : prospects[status]
  if (wouldGet === undefined) return { campaign_id, recipients: [] }
  await markAddresses(db, hmac, business.id)
  const [zone, whole] = await Promise.all([
    timeZoneOf(db, business.id),
    orRefusal(() => expandAudience(db, business.id, campaign.audience)),
  ])
  const { channel, topic } = campaign
  const { rows, floor } = await pageOfAudience(db, {
    businessId: business.id,
    channel,
    topic,
    audience: isRefusal(whole) ? { filter: nobody } : whole,
    now,
    zone,
    before: page.before ?? (highestId as Id<'contact'>),
    wouldGet,
    limit: page.limit,
  })
  const outcomes = rows.map(({ contactId, reason, clause }) => {
    const state = reason === null ? 'would_get' : 'would_be_skipped'
    const none = { variant: null, messageId: null, dueAt: null, updatedAt: undefined }
    return { ...none, id: contactId, contactId, state, reason, clause }
  })
  const { shown: people, next } = pageFrom('contact', outcomes, page, viewOf)
  return {
    campaign_id,
    recipients: await labelled(context, campaign, people),
    ...(next ?? (floor && { next_cursor: formatId('contact', floor) })),
  }
}

const statuses: readonly string[] = [
  ...Object.keys(prospects),
  'pending',
  'taken',
  'sent',
  'delivered',
  'bounced',
  'failed',
  'unknown',
  'skipped',
  'cancelled',
  'opened',
  'clicked',
]

/** Checked by hand, because an enum would take too much room in the list of tools. */
function checkStatus(status: string): void {
  if (statuses.includes(status)) return
  const text = `status must be one of ${statuses.join(', ')}.`
  throw refuse('invalid_request', text, {
    field: 'status',
    data: { reason: 'not_a_choice', allowed: statuses.join(', ') },
  })
}

/** The link is stored as it was reported: mostly as a browser spells it, with a slash after the host. */
async function followersOf(
  { db, business }: Context,
  link: string,
  page: Omit<RecipientPage, 'link'>,
): Promise<ShownRecipient[]> {
  const rows = await listRecipients(db, business.id, { ...page, link: linkHash(link) })
  const { href = link } = URL.parse(link) ?? {}
  if (rows.length > 0 || href === link) return rows
  return listRecipients(db, business.id, { ...page, link: linkHash(href) })
}

/** A link may be filled in with a part of an address, and tells by it whose it is. */
function checkMayFindByLink(context: BusinessContext): void {
  if (!isMasked(context)) return
  const text =
    'This connection sees addresses and numbers masked, and a link can hold a part of one: it is not told who followed a link. The page of the campaign in the app shows it; status clicked lists who followed any.'
  throw refuse('invalid_request', text, {
    field: 'link',
    data: { reason: 'masked_condition', sees: 'masked' },
  })
}

/** Adds whom each row is about, as people know them. */
async function labelled(
  { db, business }: Pick<Context, 'db' | 'business'>,
  { channel }: Campaign,
  rows: readonly Outcome[],
): Promise<View[]> {
  const contactIds = rows.map(({ contactId }) => contactId)
  const labels = await recipientLabels(db, business.id, { channel, contactIds })
  return rows.map((row) => {
    const label = labels.get(row.contactId)
    return { ...viewOf(row), ...(label && { untrusted: label }) }
  })
}

/** In a list of people, a recipient's id is that of the contact. */
const withId = (row: ShownRecipient) => ({ ...row, id: row.contactId })

type Context = Pick<BusinessContext, 'db' | 'business' | 'hmac' | 'now'>
type View = Static<typeof recipient>
/** A row of the campaign, or what stands for one where it has none. */
type Outcome = Omit<ShownRecipient, 'updatedAt'> & { updatedAt: Date | undefined }

interface Answer {
  campaign_id: string
  recipients: View[]
  evidence: Static<typeof evidence>
}

async function whyOf(
  { db, business, hmac, now }: Context,
  campaign: Campaign,
  contact_id: string,
): Promise<Answer> {
  const contactId = parseId('contact', contact_id)
  const { channel, topic } = campaign
  const contactQuery = contactId && { businessId: business.id, contactId, channel, topic }
  const recipientKey = contactId && { campaignId: campaign.id, contactId }
  const [standing, row] = await Promise.all([
    contactQuery && channelEligibility(db, hmac, contactQuery),
    recipientKey && findRecipient(db, business.id, recipientKey),
  ])
  // An erased person is still a recipient.
  if (!contactId || (!standing && !row)) {
    const text = `This business has no contact ${contact_id}.`
    throw refuse('not_found', text, { field: 'contact_id', fix: { tool: 'contact.list' } })
  }
  if (!row) await markAddresses(db, hmac, business.id)
  const status =
    row ?? (await outsider(db, campaign, { businessId: business.id, contactId, standing, now }))
  const conditions =
    standing && (await evaluateConditions({ db, business, hmac, now }, campaign, contactId))
  const story = row?.messageId ? await timelineOf(db, business.id, row.messageId) : undefined
  const hold =
    row?.messageId && (await holdOf(db, { businessId: business.id, messageId: row.messageId }, now))
  const recipients = await labelled({ db, business }, campaign, [status])
  const { lastSaid, suppression } = standing ?? {}
  return {
    campaign_id: formatId('campaign', campaign.id),
    recipients: hold
      ? recipients.map((entry) => ({ ...entry, why: explainHold(hold) }))
      : recipients,
    evidence: {
      consent: {
        status: standing?.consent ?? 'none',
        ...(topic !== null && { topic: standing?.topic ?? 'none' }),
        source: lastSaid?.source ?? null,
        at: lastSaid?.createdAt.toISOString() ?? null,
      },
      suppression: suppression
        ? {
            reason: suppression.reason,
            source: suppression.source,
            since: suppression.createdAt.toISOString(),
          }
        : null,
      events: story?.events ?? [],
      ...(conditions && conditions.length > 0 && { conditions }),
    },
  }
}

/** Evaluates each condition of the audience's segment and filter. */
async function evaluateConditions(
  context: Context,
  { audience: { filter, segment_id } }: Campaign,
  contactId: Id<'contact'>,
) {
  const judged = await Promise.all([
    segment_id === undefined
      ? []
      : judgeConditions(context, { segment: segment_id }, { contactId, at: 'audience.segment_id' }),
    filter ? judgeConditions(context, filter, { contactId, at: 'audience.filter' }) : [],
  ])
  return judged.flatMap((all = []) =>
    all.map(({ path, condition, isTrue }) => ({ path, condition, true: isTrue })),
  )
}

interface Outsider {
  businessId: Id<'business'>
  contactId: Id<'contact'>
  standing: { createdAt: Date } | undefined
  now: Date
}

/** Explains somebody for whom the campaign has no row, by the statement that would write it. */
async function outsider(
  db: Context['db'],
  campaign: Campaign,
  { businessId, contactId, standing, now }: Outsider,
): Promise<Outcome> {
  const { channel, topic, frozenAt } = campaign
  const [zone, whole] = await Promise.all([
    timeZoneOf(db, businessId),
    orRefusal(() => expandAudience(db, businessId, campaign.audience)),
  ])
  const audience = isRefusal(whole) ? { filter: nobody } : whole
  const fits = await audienceOf(db, { businessId, channel, topic, audience, contactId, now, zone })
  const none = { contactId, variant: null, messageId: null, dueAt: null, updatedAt: undefined }
  const base = { ...none, reason: fits?.reason ?? null, clause: fits?.clause ?? null }
  if (frozenAt && standing && standing.createdAt >= frozenAt) {
    return { ...base, state: 'added_later', reason: null }
  }
  if (!fits || frozenAt) return { ...base, state: 'not_in_audience', reason: null }
  return { ...base, state: fits.reason === null ? 'would_get' : 'would_be_skipped' }
}

function viewOf(row: Outcome): View {
  return {
    contact_id: formatId('contact', row.contactId),
    status: row.state,
    reason: row.reason,
    clause: row.clause,
    variant: row.variant,
    message_id: row.messageId && formatId('message', row.messageId),
    at: row.updatedAt?.toISOString() ?? null,
    // An infinite date arrives as a number: a recipient who waits for the winner has no time yet.
    why: explain(typeof row.dueAt === 'number' ? 'waiting_for_winner' : row.state, row.reason),
  }
}
