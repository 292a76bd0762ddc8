import { readDeploySettings } from '../../accounts/businesses/deploy-settings.ts'
import { type Refusal, refuse } from '../../core/errors.ts'
import type { BusinessContext } from '../../core/operation.ts'
import type { Campaign } from '../model/campaign.ts'

/** The refusal if the business requires two people and this person ordered the campaign. */
export async function isOwnOrder(
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
