/**
 * The jobs of `job-costs.ts` as tests: each in a business of its own, by an assistant that knows nothing
 * yet. The calls that a job took and the bytes that it cost must be those that the page of interop
 * states.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tier } from 'crier-server/core/operation.ts'
import type { OwnTestbed } from '../operations/support/testbed.ts'
import { campaignScene } from '../support/businesses/campaigns.ts'
import { jobCosts } from './job-costs.ts'
import { newWorker, type Worker } from './worker.ts'

type Scene = Awaited<ReturnType<typeof campaignScene>>

export interface Workplace extends Scene {
  worker: Worker
}

/** Ids, times and counts vary in length, and answers with what has been counted by then. */
const variation = { share: 0.2, bytes: 400 }

export function jobs(testbed: () => OwnTestbed) {
  return {
    job(number: number, run: (workplace: Workplace) => Promise<void>, tier: Tier = 'scale'): void {
      const stated = jobCosts.find((entry) => entry.number === number)
      void test(`job ${number}: ${stated?.words}`, async (t) => {
        const scene = await campaignScene(testbed(), tier)
        const caller = await testbed().caller({ businesses: [scene.businessId] })
        const worker = await newWorker(caller)
        await run({ ...scene, worker })
        const { calls, bytes } = worker.cost
        t.diagnostic(JSON.stringify({ number, calls, bytes }))
        assert.deepEqual(calls, stated?.calls)
        const off = Math.abs(bytes - (stated?.bytes ?? 0))
        assert.ok(off <= Math.max(bytes * variation.share, variation.bytes), `${bytes} bytes`)
      })
    },
  }
}
