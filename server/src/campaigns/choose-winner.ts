import type { Tx } from '../platform/db.ts'
import { type Refusal, refuse } from '../platform/errors.ts'
import { formatId, type Id } from '../platform/ids.ts'
import { findVariants } from './queries.ts'
import { findTest, setWinner } from './test-queries.ts'
import { lockCampaign } from './transition-queries.ts'
import { fieldsOf, noSuchCampaign } from './view.ts'

interface Chosen {
  businessId: Id<'business'>
  id: Id<'campaign'>
  winner: number
  now: Date
}

/** A person does not wait for the time of the test: the run's next turn gives it to the others. */
export async function chooseWinner(
  tx: Tx,
  { businessId, id, winner, now }: Chosen,
): Promise<(ReturnType<typeof fieldsOf> & { warnings: string[] }) | Refusal> {
  const campaign = await lockCampaign(tx, businessId, id)
  if (!campaign) return noSuchCampaign(formatId('campaign', id))
  const key = { businessId, campaignId: id }
  const [test, variants] = await Promise.all([findTest(tx, key), findVariants(tx, businessId, id)])
  const isRunning = campaign.state === 'deployed' || campaign.state === 'paused'
  if (!test || test.winner !== null || !isRunning) {
    const why = !test
      ? 'it has no A/B test'
      : test.winner === null
        ? 'a winner is chosen while it is deployed or paused'
        : `variant ${test.winner} has won`
    const text = `The campaign is ${campaign.state}, and no winner can be chosen: ${why}.`
    return refuse('conflict', text, { data: { status: campaign.state } })
  }
  if (!variants.some(({ position }) => position === winner)) {
    const numbers = variants.map(({ position }) => position).join(', ')
    const text = `ab.winner must be one of its variants: ${numbers}.`
    return refuse('invalid_request', text, { field: 'ab.winner' })
  }
  await setWinner(tx, key, { winner, byHand: true, now })
  return { ...fieldsOf(campaign), warnings: [] }
}
