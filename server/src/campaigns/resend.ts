import { covers } from '../contacts/consent/covers.ts'
import { contactIdInput } from '../contacts/contact.ts'
import { markAddresses } from '../contacts/suppressions/hash-addresses.ts'
import { refuse } from '../core/errors.ts'
import { formatId, type Id, newId, parseId } from '../core/ids.ts'
import { type BusinessContext, isApprover, operation } from '../core/operation.ts'
import { recordAudit } from '../events/audit.ts'
import { plannedAnew, sql, sqlWithin } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import { insertCampaignMessages } from '../messages/campaign-messages.ts'
import { approvalRefusal, countRecipients, lockAllowance } from '../usage/approval-limit.ts'
import { takeOfConnection } from '../usage/connection-limit.ts'
import { overLimit, reserve } from '../usage/reserve.ts'
import type { Campaign } from './campaign.ts'
import { byCampaign, findVariants } from './campaign.ts'
import { lockRunning, type RunKey } from './campaign-run.ts'
import { addCounts, deltasOf } from './results/outcomes.ts'
import { lockIfAllowed } from './sending/transitions.ts'
import { campaignIdInput, noSuchCampaign } from './view.ts'

/** The most recipients of one call; a further call continues with the rest. */
const perCall = 1_000

/**
 * Marketing is sent at most once, so a message that may have arrived is never resent
 * automatically. A person may know better: calling this is their decision for each recipient.
 */
export const campaignResend = operation({
  name: 'campaign.resend',
  title: 'Resend unknown',
  area: 'campaigns',
  summary:
    'Send a campaign again to recipients whose message ended as unknown: the connection broke before the answer, so it may have arrived. Call it only if a person asks, after campaign.why with status unknown: some get it twice. contact_ids, or all: true.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'admin',
  tier: 'free',
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  rest: 'POST /v1/campaigns/:campaign_id/resend',
  locate: { campaign_id: byCampaign },
  input: {
    campaign_id: campaignIdInput,
    contact_ids: Type.Optional(Type.Array(contactIdInput)),
    all: Type.Optional(Type.Boolean()),
  },
  output: Type.Object({
    campaign_id: Type.String(),
    resent: Type.Integer(),
    refused: Type.Array(Type.Object({ contact_id: Type.String(), reason: Type.String() })),
    more: Type.Boolean({ description: `Others are unknown: a call takes ${perCall}.` }),
  }),

  async run(context, { campaign_id, contact_ids, all }) {
    const { db, business, hmac, write } = context
    const id = parseId('campaign', campaign_id)
    if (!id) throw noSuchCampaign(campaign_id)
    const chosen = chosenOf(contact_ids, all)
    await markAddresses(db, hmac, business.id)
    return write(async (tx) => {
      const campaign = await lockIfAllowed('resend', tx, { businessId: business.id, id })
      const sent = await resend(tx, context, campaign, chosen)
      return { campaign_id, ...sent }
    })
  },
})

/** The chosen contacts; null for all. */
function chosenOf(
  ids: readonly string[] | undefined,
  all: boolean | undefined,
): Id<'contact'>[] | null {
  if (all === true && ids === undefined) return null
  if (all === true || ids === undefined || ids.length === 0) {
    const text = 'contact_ids are missing: list the contacts to resend to, or pass all: true.'
    throw refuse('invalid_request', text, {
      field: 'contact_ids',
      data: { reason: 'nobody_chosen' },
    })
  }
  if (ids.length > perCall) {
    const text = `contact_ids can have at most ${perCall} ids.`
    throw refuse('invalid_request', text, {
      field: 'contact_ids',
      data: { reason: 'too_many_chosen', limit: perCall },
    })
  }
  const parsed = ids.map((id) => parseId('contact', id))
  return [...new Set(parsed.filter((id) => id !== undefined))]
}

interface Resent {
  resent: number
  refused: { contact_id: string; reason: string }[]
  more: boolean
}

interface UnknownRecipient {
  contactId: Id<'contact'>
  variant: number | null
  marks: number
  /** Null if the contact no longer exists, or no longer has such an address. */
  address: string | null
  mark: Buffer | null
  consent: string | null
  /** Whether the contact's choices cover the topic; null where the contact is gone. */
  isCovered: boolean | null
}

type Reachable = UnknownRecipient & { address: string; mark: Buffer }

async function resend(
  tx: Tx,
  context: BusinessContext,
  campaign: Campaign,
  chosen: Id<'contact'>[] | null,
): Promise<Resent> {
  const { business, origin, now } = context
  const { channel, topic } = campaign
  const key = { businessId: business.id, campaignId: campaign.id }
  const criteria = { channel, topic, contactIds: chosen, limit: perCall + 1 }
  const recipients = await lockUnknown(tx, key, criteria)
  const unknown = recipients.slice(0, perCall)
  const reachable = unknown.filter(
    (recipient): recipient is Reachable => whyNot(recipient) === undefined,
  )
  const metric = channel === 'email' ? 'emails' : 'sms'
  const { tier } = business
  const amount = reachable.length * ((await lockRunning(tx, key))?.units ?? 1)
  const taking = { businessId: business.id, metric, amount, tier, partial: false } as const
  const [granted = 0] = amount > 0 ? await reserve(tx, [taking], now) : [0]
  if (granted < amount) throw overLimit(metric, tier)
  const byApprover = isApprover(context.principal, business)
  await countAgain(tx, key, { campaign, reachable, byApprover, now })
  const ordered = { businessId: business.id, recipients: reachable.length }
  const beyond = await takeOfConnection(tx, context, ordered, now)
  if (beyond) throw beyond
  await sendAgain(tx, { key, campaign, rows: reachable, origin, now })
  const ids = new Set(unknown.map(({ contactId }) => contactId))
  const others = (chosen ?? []).filter((id) => !ids.has(id))
  return {
    resent: reachable.length,
    refused: [
      ...unknown.flatMap((recipient) => {
        const reason = whyNot(recipient)
        return reason === undefined ? [] : [refusedOne(recipient.contactId, reason)]
      }),
      ...others.map((id) => refusedOne(id, 'not_unknown')),
    ],
    more: recipients.length > perCall,
  }
}

interface Repeat {
  campaign: Campaign
  reachable: readonly unknown[]
  /** Whether an approver made the call, which is enough unless the business requires two people. */
  byApprover: boolean
  now: Date
}

/** Messages that nobody approved count against the limit each time they are sent. */
async function countAgain(
  tx: Tx,
  { businessId }: { businessId: Id<'business'> },
  { campaign, reachable, byApprover, now }: Repeat,
): Promise<void> {
  if (reachable.length === 0 || campaign.approval === 'approved') return
  const demand = { businessId, at: now, amount: reachable.length }
  const allowance = await lockAllowance(tx, [demand])
  if (byApprover && !allowance.needsTwoPeople(businessId)) return
  if (!allowance.take(demand)) {
    throw approvalRefusal(allowance.limitOf(businessId), { channel: campaign.channel })
  }
  await countRecipients(tx, [demand])
}

const refusedOne = (id: Id<'contact'>, reason: string) => {
  return { contact_id: formatId('contact', id), reason }
}

function whyNot({ address, mark, consent, isCovered }: UnknownRecipient): string | undefined {
  if (consent === null) return 'erased'
  if (address === null || mark === null) return 'no_address'
  if (consent !== 'subscribed') return 'unsubscribed'
  return isCovered ? undefined : 'topic_not_chosen'
}

interface ToSend extends Pick<BusinessContext, 'origin' | 'now'> {
  key: { businessId: Id<'business'>; campaignId: Id<'campaign'> }
  campaign: Campaign
  rows: Reachable[]
}

/** The old message stays as it is; from now on the new one counts. */
async function sendAgain(tx: Tx, { key, campaign, rows, origin, now }: ToSend): Promise<void> {
  if (rows.length === 0) return
  const variants = await findVariants(tx, key.businessId, key.campaignId)
  const messages = rows.flatMap(({ contactId, address, mark, variant }) => {
    const content = variants.find(({ position }) => position === variant) ?? variants[0]
    if (!content) return []
    const { templateId, versionId: templateVersionId } = content
    const { channel, topic } = campaign
    const message = { channel, topic, templateId, templateVersionId, to: address, mark }
    return [{ ...key, id: newId('message'), contactId, ...message }]
  })
  const again: Again[] = messages.map(({ contactId, id }) => ({ contactId, id }))
  await takeAgain(tx, key, again, now)
  await addCounts(
    tx,
    rows.flatMap((row) => lessUnknown(key, row)),
  )
  await insertCampaignMessages(tx, messages, { origin, now })
  const subject = formatId('campaign', campaign.id)
  const details = { recipients: rows.length }
  const entry = { businessId: key.businessId, action: 'campaign.resend', subject, details, origin }
  await recordAudit(tx, [entry], now)
}

function lessUnknown(key: ToSend['key'], { variant, marks }: UnknownRecipient) {
  const way = { was: 'unknown', state: 'taken', reason: null, had: marks, marks } as const
  return [...deltasOf(way)].map(([metric, amount]) => {
    return { ...key, variant: variant ?? 0, metric, amount }
  })
}

interface ResendQuery {
  channel: 'email' | 'sms'
  topic: string | null
  /** The contacts to resend to; null for all. */
  contactIds: readonly Id<'contact'>[] | null
  limit: number
}

/** Locked until the transaction ends, so that two simultaneous calls send once. */
export function lockUnknown(
  tx: Tx,
  { businessId, campaignId }: RunKey,
  { channel, topic, contactIds, limit }: ResendQuery,
): Promise<UnknownRecipient[]> {
  return tx.all(sqlWithin`
    select r.contact_id as "contactId", r.variant, r.marks,
      case when ${channel} = 'email' then c.email else c.phone end as address,
      case when ${channel} = 'email' then c.email_mark else c.phone_mark end as mark,
      case when ${channel} = 'email' then c.email_consent else c.sms_consent end as consent,
      ${covers({ channel: sql`${channel}::text`, topic: sql`${topic}::text` })} as "isCovered"
    from campaign_recipients r
    left join contacts c on c.business_id = r.business_id and c.id = r.contact_id
    where r.business_id = ${businessId} and r.campaign_id = ${campaignId} and r.in_doubt
      and (${contactIds}::uuid[] is null or r.contact_id = any(${contactIds}::uuid[]))
    order by r.contact_id limit ${limit} for no key update of r
  `)
}

interface Again {
  contactId: Id<'contact'>
  id: Id<'message'>
}

export function takeAgain(
  tx: Tx,
  { businessId, campaignId }: RunKey,
  rows: readonly Again[],
  now: Date,
): Promise<number> {
  const contactIds = rows.map((row) => row.contactId)
  return tx.run(
    plannedAnew(sql`
      update campaign_recipients r
      set state = 'taken', reason = null, message_id = new.message_id, updated_at = ${now}
      from unnest(
        ${contactIds}::uuid[], ${rows.map((row) => row.id)}::uuid[]
      ) as new (contact_id, message_id)
      where r.business_id = ${businessId} and r.campaign_id = ${campaignId}
        and r.contact_id = any(${contactIds}::uuid[])
        and r.contact_id = new.contact_id and r.state = 'unknown'
    `),
  )
}
