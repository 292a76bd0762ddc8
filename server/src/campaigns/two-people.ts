import { readDeploySettings } from '../accounts/businesses/deploy-settings.ts'
import { approversOf } from '../accounts/businesses/memberships.ts'
import { type Refusal, refuse } from '../core/errors.ts'
import type { BusinessContext } from '../core/operation.ts'
import type { Campaign } from './campaign.ts'

/** The refusal if the business requires two people and this person ordered the campaign. */
export async function ownOrderRefusal(
  { db, business, principal }: Pick<BusinessContext, 'db' | 'business' | 'principal'>,
  { orderedBy }: Pick<Campaign, 'orderedBy'>,
): Promise<Refusal | undefined> {
  if (orderedBy !== principal.userId) return undefined
  const deploying = await readDeploySettings(db, business.id)
  if (!deploying?.twoPeople) return undefined
  const text =
    'This business asks for two people: another admin or owner approves what you or your app deployed.'
  return refuse('conflict', text, { data: { reason: 'two_people' } })
}

/** How many other people may approve it, where this person may not since they ordered it. */
export async function countOtherApprovers(
  context: Pick<BusinessContext, 'db' | 'business' | 'principal'>,
  campaign: Pick<Campaign, 'orderedBy'>,
): Promise<number | undefined> {
  if (!(await ownOrderRefusal(context, campaign))) return undefined
  const approvers = await approversOf(context.db, context.business.id)
  return approvers.filter(({ userId }) => userId !== context.principal.userId).length
}
