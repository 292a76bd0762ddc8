import { senderProfileOf } from '../accounts/businesses/sender-profile.ts'
import { recordSave } from '../accounts/saves/last-save.ts'
import type { Filter } from '../contacts/filters/filter.ts'
import { refuse } from '../core/errors.ts'
import { formatId, type Id, newId, parseId } from '../core/ids.ts'
import { operation } from '../core/operation.ts'
import { sql } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import { saveOwned, versionContent } from '../templates/owned.ts'
import { findTest, upsertTest } from './ab-test/variant-test.ts'
import { readAudience } from './audience/audience-input.ts'
import {
  type Audience,
  byCampaign,
  type Campaign,
  campaignLimits,
  findCampaign,
  findVariants,
  insertVariants,
} from './campaign.ts'
import { listCounts } from './campaign-run.ts'
import { lockIfAllowed } from './sending/transitions.ts'
import { campaignFields, campaignIdInput, fieldsOf, noSuchCampaign } from './view.ts'

export const campaignCopy = operation({
  name: 'campaign.copy',
  title: 'Copy a campaign',
  area: 'campaigns',
  summary:
    'Make a new draft with the content, audience, topic and A/B test of a campaign in any state. Its time, approval and results are not copied. not_opened: for those whom it was sent to and who neither opened nor clicked; not_sent: for those of a paused or cancelled one who got nothing. Never sends.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'editor',
  tier: 'free',
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  rest: 'POST /v1/campaigns/:campaign_id/copy',
  status: 201,
  locate: { campaign_id: byCampaign },
  input: {
    campaign_id: campaignIdInput,
    name: Type.Optional(Type.String({ minLength: 1, maxLength: campaignLimits.nameLength })),
    not_opened: Type.Optional(Type.Boolean()),
    not_sent: Type.Optional(Type.Boolean()),
  },
  output: Type.Object({ ...campaignFields, warnings: Type.Optional(Type.Array(Type.String())) }),

  run(
    { business, now, origin, write },
    { campaign_id, name, not_opened = false, not_sent = false },
  ) {
    return write(async (tx) => {
      const id = parseId('campaign', campaign_id)
      if (!id) throw noSuchCampaign(campaign_id)
      // Locked, so that the copy is not half of one version of the draft and half of another.
      const original = await lockIfAllowed('copy', tx, { businessId: business.id, id })
      if (not_sent) checkRest(original, not_opened)
      const copyId = newId('campaign')
      const copyName = name ?? nameOfCopy(original.name)
      const again = not_opened ? await thoseWhoDidNotOpen(tx, business.id, original) : undefined
      const { audience = not_sent ? thoseWithoutIt(original) : original.audience } = again ?? {}
      await insertCopy(tx, business.id, { original, audience, id: copyId, name: copyName, now })
      const variants = []
      for (const variant of await findVariants(tx, business.id, id)) {
        const version = await versionContent(tx, business.id, variant.versionId)
        if (!version) throw new Error('a campaign whose content is not there')
        const content = { name: copyName, channel: original.channel, ...version }
        const { gallery } = version
        const owned = { campaignId: copyId, content, gallery, origin, now }
        const { position, share } = variant
        variants.push({ position, share, ...(await saveOwned(tx, business.id, owned)) })
      }
      await insertVariants(tx, business.id, copyId, variants)
      const test = await findTest(tx, { businessId: business.id, campaignId: id })
      if (test) await upsertTest(tx, { businessId: business.id, campaignId: copyId }, test)
      await recordSave(tx, { businessId: business.id, objectId: copyId }, { origin, now })
      const copy = await findCampaign(tx, business.id, copyId)
      if (!copy) throw new Error('a campaign that was written is not there')
      const warnings = again?.warnings ?? (not_sent ? warningsOfRest(original) : undefined)
      return { ...fieldsOf(copy), ...(warnings && { warnings }) }
    })
  },
})

/**
 * The recipients of whom no open and no click is known. Those whom the business does not track are
 * left out, and those for whom a machine opened it, since they may have read it. It counts what was
 * recorded of this campaign, whatever the business records by now.
 */
async function thoseWhoDidNotOpen(
  tx: Tx,
  businessId: Id<'business'>,
  { id, channel, state }: Campaign,
): Promise<{ audience: Audience; warnings: string[] }> {
  if (channel !== 'email') {
    const text = 'not_opened is for campaigns by email: nobody knows who read a text.'
    throw refuse('invalid_request', text, {
      field: 'not_opened',
      data: { reason: 'opens_of_texts' },
    })
  }
  const [profile, counts] = await Promise.all([
    senderProfileOf(tx, businessId),
    listCounts(tx, businessId, id),
  ])
  const countOf = (name: string) =>
    counts.reduce((sum, { metric, amount }) => sum + (metric === name ? amount : 0), 0)
  if (countOf('sent') === 0) {
    const text = "This campaign hasn't been sent to anyone yet, so there is nobody to resend it to."
    throw refuse('conflict', text, {
      field: 'not_opened',
      data: { reason: 'sent_to_nobody', status: state },
    })
  }
  const isTracked = profile?.trackOpens && profile.tracking !== 'nobody'
  const opens = ['opened', 'opened_by_machine', 'clicked'].map(countOf)
  if (!isTracked && opens.every((count) => count === 0)) {
    const text = 'No opens are recorded in this business, so nobody knows who did not open it.'
    throw refuse('conflict', text, { field: 'not_opened', data: { reason: 'opens_unknown' } })
  }
  const campaign_id = formatId('campaign', id)
  const isKnown: Filter =
    profile?.tracking === 'agreed'
      ? { consent: 'tracking', is: 'subscribed' }
      : { not: { consent: 'tracking', is: 'unsubscribed' } }
  const filter: Filter = {
    and: [
      { did: 'message.sent', campaign_id },
      { did_not: 'message.opened', campaign_id, machines: true },
      { not: { did: 'message.clicked', campaign_id } },
      isKnown,
    ],
  }
  const byMachines = countOf('opened_by_machine')
  return {
    audience: readAudience({ filter }),
    warnings: [
      'Some of them read it: who reads without loading images is not seen.',
      ...(byMachines > 0
        ? [
            `Contacts whose mail program or scanner opened it are left out: there were such opens for ${byMachines}, and nobody knows whether they read it.`,
          ]
        : []),
      'Contacts who are not tracked are left out: nobody knows whether they opened it.',
    ],
  }
}

/** While it is sent, the rest grows smaller, and people would get both. */
function checkRest({ state }: Campaign, isOther: boolean): void {
  if (isOther) {
    const text = 'not_sent and not_opened are different people: pass one of them.'
    throw refuse('invalid_request', text, { field: 'not_sent', data: { reason: 'one_of' } })
  }
  if (state === 'paused' || state === 'cancelled') return
  const text = `This campaign is ${state}: not_sent is for the rest of one that is paused or cancelled.`
  throw refuse('conflict', text, {
    field: 'not_sent',
    fix: { tool: 'campaign.pause' },
    data: { reason: 'not_stopped', status: state },
  })
}

/** Both can be sent while the original can be resumed. */
function warningsOfRest({ state }: Campaign): string[] | undefined {
  if (state !== 'paused') return undefined
  return [
    'Cancel the original before the copy is sent: if it is resumed too, the same people get both.',
  ]
}

/** Its audience without those to whom it was sent, as far as it got. */
function thoseWithoutIt({ id, audience }: Campaign): Audience {
  const rest: Filter = { did_not: 'message.sent', campaign_id: formatId('campaign', id) }
  const { filter, ...others } = audience
  return readAudience({ ...others, filter: filter ? { and: [filter, rest] } : rest })
}

const suffix = ' (copy)'

/** A copy of a copy does not get the suffix twice. */
function nameOfCopy(name: string): string {
  if (name.endsWith(suffix)) return name
  return `${name.slice(0, campaignLimits.nameLength - suffix.length)}${suffix}`
}

interface Copy extends Pick<Campaign, 'id' | 'name' | 'audience'> {
  original: Campaign
  now: Date
}

/**
 * UTM parameters that the freeze took over from the business are left out, since the links of the
 * copy follow the business's default as those of the original did.
 */
function insertCopy(
  tx: Tx,
  businessId: Id<'business'>,
  { original, audience, id, name, now }: Copy,
): Promise<number> {
  return tx.run(sql`
    insert into campaigns (business_id, id, name, channel, state, audience, topic, audience_wish,
      utm, in_archive, version, written_by, from_template, zone_mode, created_at, updated_at)
    select c.business_id, ${id}, ${name}, c.channel, 'draft', ${JSON.stringify(audience)}, c.topic, c.audience_wish,
      case when c.frozen_at is not null and c.utm = coalesce(b.utm, '{}') then null else c.utm end,
      c.in_archive, 1, c.written_by, c.from_template, 'business', ${now}, ${now}
    from campaigns c join businesses b on b.id = c.business_id
    where c.business_id = ${businessId} and c.id = ${original.id}
  `)
}
