/** Whether a campaign that a connection orders is within its mandate, and if not, why. */

import type { Filter } from '../../contacts/filters/filter.ts'
import { orThrow } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { formatId } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import { withOffset } from '../../lib/time/wall-clock.ts'
import { ownDomainsOf } from '../../sender-domains/senders/own-domains.ts'
import { countRecipients } from '../audience/count.ts'
import { asPlanned } from '../audience/whole.ts'
import type { Campaign } from '../campaign.ts'
import type { Plan } from '../preflight/plan.ts'
import type { Schedule } from '../preflight/when.ts'
import { isWithinHours, judgeContent, type Outside } from './judge.ts'
import type { Mandate, Terms } from './mandate.ts'

interface OrderedCampaign {
  businessId: Id<'business'>
  campaign: Campaign
  plan: Plan
  when: Schedule
  /** The time zone of the business. */
  timeZone: string
  twoPeople: boolean
  /** The host of the pages on which people unsubscribe. */
  ownHost: string
  now: Date
}

export async function outsideOfMandate(
  deps: { db: Db; hmac: Hmac },
  { terms, pausedAt }: Mandate,
  order: OrderedCampaign,
): Promise<Outside[]> {
  const { businessId, campaign, plan, when, timeZone, twoPeople, ownHost, now } = order
  const outside: Outside[] = []
  const say = (reason: Outside['reason'], message: string) => outside.push({ reason, message })
  if (pausedAt !== null) say('paused', 'A person has paused the mandate.')
  if (twoPeople) say('two_people', 'In this business two people decide about each campaign.')
  if (campaign.channel !== 'email') say('channel', 'The mandate is for email.')
  const time = when.sendLocal?.slice(11, 16) ?? timeAt(when.sendAt ?? now, timeZone)
  if (!isWithinHours(terms.hours, time)) say('hours', hoursMissed(terms, time))
  if (plan.from !== terms.sender) {
    say('sender', `The sender was ${terms.sender} when the mandate was signed, and is another now.`)
  }
  if (!(await isOfTemplates(deps.db, businessId, campaign.id, terms))) {
    say('templates', 'It is not made of a template of the mandate.')
  }
  const sources = plan.contents.map(({ source }) => source)
  const ownHosts = [ownHost, ...(await ownDomainsOf(deps.db, businessId))]
  outside.push(...judgeContent(terms, { sources, previews: plan.samples, ownHosts }))
  const strangers = await countOutside(deps, order, terms.filter)
  if (strangers > 0) {
    say('audience', `${strangers} of its recipients are not in the audience of the mandate.`)
  }
  return outside
}

const timeAt = (moment: Date, zone: string): string => withOffset(moment, zone).slice(11, 16)

const hoursMissed = ({ hours: { from, to } }: Terms, time: string): string =>
  `Sending begins between ${from} and ${to}, and this would be at ${time}.`

/** How many of the recipients the audience of the mandate does not have. */
async function countOutside(
  { db, hmac }: { db: Db; hmac: Hmac },
  { businessId, campaign, plan, timeZone: zone, now }: OrderedCampaign,
  filter: Filter | null,
): Promise<number> {
  if (filter === null) return 0
  const audience = asPlanned(campaign.audience, plan.filter ?? null)
  const beyond = { and: [...(audience.filter ? [audience.filter] : []), { not: filter }] }
  const { channel, topic } = campaign
  const query = { businessId, channel, topic, quota: null, now, zone }
  const { recipients } = orThrow(
    await countRecipients(db, hmac, { ...query, audience: { ...audience, filter: beyond } }),
  )
  return recipients
}

async function isOfTemplates(
  db: Db,
  businessId: Id<'business'>,
  campaignId: Id<'campaign'>,
  { template_ids: allowed }: Terms,
): Promise<boolean> {
  if (allowed.length === 0) return true
  const { from } = await db.one<{ from: Id<'template'> | null }>(sql`
    select from_template as from from campaigns
    where business_id = ${businessId} and id = ${campaignId}
  `)
  return from !== null && allowed.includes(formatId('template', from))
}

/** The filter of a campaign's audience, narrowed to that of its mandate. */
export function withinMandate(filter: Filter | null, { terms }: Pick<Mandate, 'terms'>) {
  if (terms.filter === null) return filter
  return filter === null ? terms.filter : { and: [filter, terms.filter] }
}
