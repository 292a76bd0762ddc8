import { readDeploySettings } from '../accounts/businesses/deploy-settings.ts'
import { isRefusal, orRefusal } from '../core/errors.ts'
import { type Id, parseId } from '../core/ids.ts'
import { isApprover, operation } from '../core/operation.ts'
import { sqlWithin } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import { type AudienceAsked, audienceRows, plannedFor, rangeEnd } from './audience/audience.ts'
import { expandAudience } from './audience/whole.ts'
import { byCampaign, findCampaign } from './campaign.ts'
import type { PlanParties } from './preflight/dependencies.ts'
import { checkAllowed } from './states.ts'
import { campaignIdInput, noSuchCampaign } from './view.ts'

/** As many of the recipients as a person reads before they press "Send". */
const firstShown = 3
/** Contacts that one statement covers; mostly the first of them have recipients enough. */
const perStatement = 10_000

export function campaignConfirmation({ audienceTurns, undoMs }: PlanParties) {
  return operation({
    name: 'campaign.confirmation',
    title: 'See who gets a campaign first',
    summary: 'What the app shows before it sends a draft: the first recipients by name.',
    reach: 'business',
    scope: 'messaging:send',
    role: 'viewer',
    tier: 'free',
    appOnly: true,
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    rest: 'GET /v1/campaigns/:campaign_id/confirmation',
    locate: { campaign_id: byCampaign },
    input: { campaign_id: campaignIdInput },
    output: Type.Object({
      first: Type.Array(
        Type.Object({ name: Type.Union([Type.String(), Type.Null()]), address: Type.String() }),
      ),
      undo_seconds: Type.Union([Type.Integer(), Type.Null()], {
        description: 'How long it can be undone; null where a person may have to approve it first.',
      }),
    }),

    async run({ db, business, now, principal }, { campaign_id }) {
      const id = parseId('campaign', campaign_id)
      const campaign = id && (await findCampaign(db, business.id, id))
      if (!campaign) throw noSuchCampaign(campaign_id)
      checkAllowed('preview', campaign)
      const deploying = await readDeploySettings(db, business.id)
      if (!deploying) throw new Error('a business that is called and not there')
      const audience = await orRefusal(() => expandAudience(db, business.id, campaign.audience))
      const { channel, topic } = campaign
      const audienceKey = { businessId: business.id, channel, topic, now, zone: deploying.timeZone }
      const first = isRefusal(audience)
        ? []
        : await audienceTurns.take(business.id, () =>
            firstRecipients(db, { ...audienceKey, audience, quota: null }),
          )
      const startsByItself = isApprover(principal, business) && !deploying.twoPeople
      return { first, undo_seconds: startsByItself ? undoMs / 1000 : null }
    },
  })
}

interface FirstRecipient {
  name: string | null
  address: string
}

/** The first recipients in the order of their contacts. */
async function firstRecipients(
  db: Db,
  audienceQuery: Omit<AudienceAsked, 'range'>,
): Promise<FirstRecipient[]> {
  const recipients: FirstRecipient[] = []
  let after: Id<'contact'> | null = null
  while (recipients.length < firstShown) {
    const end: { id: Id<'contact'> } | undefined = await rangeEnd(db, audienceQuery.businessId, {
      after,
      size: perStatement,
    })
    const range = { after, upTo: end?.id ?? null }
    const statement = sqlWithin`
      select c.name, a.address
      from (${audienceRows({ ...audienceQuery, range })}) a
      join contacts c on c.business_id = ${audienceQuery.businessId} and c.id = a.contact_id
      where a.reason is null order by a.contact_id limit ${firstShown - recipients.length}
    `
    recipients.push(
      ...(await db.all<FirstRecipient>(plannedFor(audienceQuery.audience, statement))),
    )
    if (!end) break
    after = end.id
  }
  return recipients
}
