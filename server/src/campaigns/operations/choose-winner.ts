import { refuse } from '../../core/errors.ts'
import { formatId, type Id } from '../../core/ids.ts'
import type { Tx } from '../../lib/db/types.ts'
import { judge } from '../ab-test/evidence.ts'
import { evidenceNow } from '../ab-test/pick-winner.ts'
import { findTest, setWinner } from '../ab-test/test-queries.ts'
import { findVariants } from '../model/queries.ts'
import { fieldsOf, noSuchCampaign } from '../model/view.ts'
import { lockCampaign } from '../sending/transition-queries.ts'

interface Chosen {
  businessId: Id<'business'>
  id: Id<'campaign'>
  winner: number
  now: Date
}

/**
 * A person need not wait for the end of the test: the next tick releases the winner to the others.
 */
export async function chooseWinner(
  tx: Tx,
  { businessId, id, winner, now }: Chosen,
): Promise<ReturnType<typeof fieldsOf> & { warnings: string[] }> {
  const campaign = await lockCampaign(tx, businessId, id)
  if (!campaign) throw noSuchCampaign(formatId('campaign', id))
  const key = { businessId, campaignId: id }
  const [test, variants] = await Promise.all([findTest(tx, key), findVariants(tx, businessId, id)])
  const isRunning = campaign.state === 'deployed' || campaign.state === 'paused'
  if (!test || test.winner !== null || !isRunning) {
    const why = !test
      ? 'it has no A/B test'
      : test.winner === null
        ? 'a winner is chosen while it is deployed or paused'
        : `variant ${test.winner} was chosen`
    const text = `The campaign is ${campaign.state}, and no winner can be chosen: ${why}.`
    throw refuse('conflict', text, { data: { status: campaign.state } })
  }
  if (!variants.some(({ position }) => position === winner)) {
    const numbers = variants.map(({ position }) => position).join(', ')
    const text = `ab.winner must be one of its variants: ${numbers}.`
    throw refuse('invalid_request', text, { field: 'ab.winner' })
  }
  const evidence = await evidenceNow(tx, key, test)
  const { leader, isBeyondChance } = judge(evidence)
  const chosen = { winner, byHand: true, isBeyondChance: isBeyondChance && leader === winner }
  await setWinner(tx, key, { ...chosen, evidence, now })
  return { ...fieldsOf(campaign), warnings: [] }
}
