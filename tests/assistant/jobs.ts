/**
 * The jobs of `job-costs.ts` as tests: each in a business of its own, by an assistant that knows nothing
 * yet. The calls that a job took and the bytes that it cost must be those that the page of interop
 * states.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setBusiness } from 'crier-server/accounts/settings/settings.ts'
import type { Tier } from 'crier-server/core/operation.ts'
import type { OwnTestbed } from '../operations/support/testbed.ts'
import { campaignScene } from '../support/businesses/campaigns.ts'
import type { RestCaller } from '../support/clients/rest-caller.ts'
import { furtherJobs, jobCosts } from './job-costs.ts'
import { checkTranscript } from './transcripts.ts'
import { newWorker, type Worker } from './worker.ts'

type Scene = Awaited<ReturnType<typeof campaignScene>>

export interface Workplace extends Scene {
  worker: Worker
  /** The owner in the app. */
  person: RestCaller
}

/** What the owner has to see before they say yes, and what may not have happened until then. */
interface Question {
  shows: readonly RegExp[]
  nothingYet(): Promise<void>
}

/** The owner reads what an answer says, and says yes. Up to here nothing has been done. */
export async function ownersYes(
  { worker }: Workplace,
  answer: unknown,
  { shows, nothingYet }: Question,
): Promise<void> {
  const words = worker.plain(answer)
  for (const needed of shows) assert.match(words, needed)
  await nothingYet()
}

/** From now on a campaign that an assistant orders waits for a person, as in a new business. */
export const asksFirst = (testbed: OwnTestbed, { businessId }: Workplace): Promise<unknown> =>
  setBusiness(testbed.db, businessId, { key: 'deploy_limit', value: '0', now: new Date() })

/** The owner approves on the page of a campaign the plan that it shows; before, it waits. */
export async function approvedByOwner(
  place: Workplace,
  order: Record<string, unknown>,
  { campaign_id, nothingYet }: { campaign_id: string } & Pick<Question, 'nothingYet'>,
): Promise<void> {
  await ownersYes(place, order, {
    shows: [/"status":"awaiting_approval"/, /"approval_url":"http/],
    nothingYet,
  })
  const { plan_hash } = await place.person.get<{ plan_hash: string }>('campaign.preview', {
    campaign_id,
  })
  const decision = { campaign_id, decision: 'approve', plan_hash }
  await place.person.get('campaign.decide', decision)
}

/** Ids, times and counts vary in length, and answers with what has been counted by then. */
const variation = { share: 0.2, bytes: 400 }

export function jobs(testbed: () => OwnTestbed) {
  return {
    job(number: number, run: (workplace: Workplace) => Promise<void>, tier: Tier = 'scale'): void {
      const stated = [...jobCosts, ...furtherJobs].find((entry) => entry.number === number)
      void test(`job ${number}: ${stated?.words}`, async (t) => {
        const scene = await campaignScene(testbed(), tier)
        const caller = await testbed().caller({ businesses: [scene.businessId] })
        const worker = await newWorker(caller)
        const person = await testbed().appCaller({ businesses: [scene.businessId] })
        await run({ ...scene, worker, person })
        const { calls, bytes } = worker.cost
        t.diagnostic(JSON.stringify({ number, calls, bytes }))
        assert.deepEqual(calls, stated?.calls)
        checkTranscript(number, worker.transcript())
        const off = Math.abs(bytes - (stated?.bytes ?? 0))
        assert.ok(off <= Math.max(bytes * variation.share, variation.bytes), `${bytes} bytes`)
      })
    },
  }
}
