/** The recipients of a campaign with their outcomes: as they are listed, exported, and shown to the person. */

import type { PersonPage, PersonPart, PersonRow } from '../../contacts/exporting/person-part.ts'
import { type Id, parseId } from '../../core/ids.ts'
import { highestId } from '../../core/paging.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import { findCampaign } from '../campaign.ts'
import { noSuchCampaign } from '../view.ts'

export interface ShownRecipient {
  contactId: Id<'contact'>
  state: string
  reason: string | null
  clause: string | null
  variant: number | null
  messageId: Id<'message'> | null
  /** Infinity for recipients who wait for the winning variant. */
  dueAt: Date | number | null
  updatedAt: Date
}

export function findRecipient(
  db: Db,
  businessId: Id<'business'>,
  { campaignId, contactId }: { campaignId: Id<'campaign'>; contactId: Id<'contact'> },
): Promise<ShownRecipient | undefined> {
  return db.maybe(sql`
    select contact_id as "contactId", state, reason, clause, variant, message_id as "messageId",
      due_at as "dueAt", updated_at as "updatedAt"
    from campaign_recipients
    where business_id = ${businessId} and campaign_id = ${campaignId}
      and contact_id = ${contactId}
  `)
}

export interface RecipientPage {
  campaignId: Id<'campaign'>
  state: string | null
  /** Only those with one of these bits of `engagementBits`; 0 for all. */
  marks: number
  /** Only people, not machines, who followed the link of this hash. */
  link: Buffer | null
  before: Id<'contact'>
  limit: number
}

/** Lists the newest contacts first. Unknown outcomes have an index of their own. */
export function listRecipients(
  db: Db,
  businessId: Id<'business'>,
  { link, ...page }: RecipientPage,
): Promise<ShownRecipient[]> {
  const { campaignId, state, marks, before, limit } = page
  if (link) return listByLink(db, businessId, { ...page, link })
  if (state === 'unknown') return listUnknown(db, businessId, { campaignId, before, limit })
  return db.all(sql`
    select contact_id as "contactId", state, reason, clause, variant, message_id as "messageId",
      due_at as "dueAt", updated_at as "updatedAt"
    from campaign_recipients
    where business_id = ${businessId} and campaign_id = ${campaignId}
      and contact_id < ${before} and (${state}::text is null or state = ${state})
      and (${marks} = 0 or marks & ${marks} <> 0)
    order by contact_id desc limit ${limit}
  `)
}

/** Who followed the link is read by the key of the link, however many got the campaign. */
function listByLink(
  db: Db,
  businessId: Id<'business'>,
  { campaignId, state, marks, link, before, limit }: RecipientPage,
): Promise<ShownRecipient[]> {
  return db.all(sql`
    select r.contact_id as "contactId", r.state, r.reason, r.clause, r.variant,
      r.message_id as "messageId", r.due_at as "dueAt", r.updated_at as "updatedAt"
    from campaign_link_people p
    join campaign_recipients r on r.business_id = p.business_id
      and r.campaign_id = p.campaign_id and r.contact_id = p.contact_id
    where p.business_id = ${businessId} and p.campaign_id = ${campaignId}
      and p.url_hash = ${link} and not p.machine and p.contact_id < ${before}
      and (${state}::text is null or r.state = ${state})
      and (${marks} = 0 or r.marks & ${marks} <> 0)
    order by p.contact_id desc limit ${limit}
  `)
}

function listUnknown(
  db: Db,
  businessId: Id<'business'>,
  { campaignId, before, limit }: Pick<RecipientPage, 'campaignId' | 'before' | 'limit'>,
): Promise<ShownRecipient[]> {
  return db.all(sql`
    select contact_id as "contactId", state, reason, clause, variant, message_id as "messageId",
      due_at as "dueAt", updated_at as "updatedAt"
    from campaign_recipients
    where business_id = ${businessId} and campaign_id = ${campaignId} and in_doubt
      and contact_id < ${before}
    order by contact_id desc limit ${limit}
  `)
}

const perPage = 1_000

export async function* exportRecipients(
  db: Db,
  businessId: Id<'business'>,
  campaignId: Id<'campaign'>,
): AsyncGenerator<ShownRecipient[]> {
  for (let before = highestId as Id<'contact'>; ; ) {
    const page = await listRecipients(db, businessId, {
      campaignId,
      state: null,
      marks: 0,
      link: null,
      before,
      limit: perPage,
    })
    if (page.length === 0) return
    yield page
    before = page.at(-1)?.contactId ?? before
  }
}

export async function campaignNamed(
  db: Db,
  businessId: Id<'business'>,
  campaignId: string,
): Promise<Id<'campaign'>> {
  const id = parseId('campaign', campaignId)
  const campaign = id && (await findCampaign(db, businessId, id))
  if (campaign) return campaign.id
  throw noSuchCampaign(campaignId)
}

export const recipientPersonPart: PersonPart = {
  name: 'campaigns',
  tables: ['campaign_recipients', 'campaign_link_people'],
  page: (db, { businessId, contact }, page) =>
    recipientRows(db, { businessId, id: contact.id }, page),
}

/** The campaigns that one person was in, with the links that they followed. */
function recipientRows(
  db: Db,
  { businessId, id }: { businessId: Id<'business'>; id: Id<'contact'> },
  { after, limit }: PersonPage,
): Promise<PersonRow[]> {
  return db.all(sql`
    select r.campaign_id::text as key,
      to_jsonb(r) - '{business_id,contact_id,marks,in_doubt}'::text[] || jsonb_build_object(
        'links', (
          select jsonb_agg(jsonb_build_object('url', l.url, 'machine', p.machine))
          from campaign_link_people p
          left join campaign_links l on l.business_id = ${businessId}
            and l.campaign_id = p.campaign_id and l.url_hash = p.url_hash
          where p.business_id = ${businessId} and p.campaign_id = r.campaign_id
            and p.contact_id = r.contact_id
        )
      ) as row
    from campaign_recipients r
    where r.business_id = ${businessId} and r.contact_id = ${id} and r.campaign_id::text > ${after}
    order by r.campaign_id::text limit ${limit}
  `)
}
