/**
 * Webhook deliveries by hand: a test emits events and fans them out, and claims and carries out
 * the deliveries that are due by its clock, over the real network stack.
 */

import { type Id, parseId } from 'crier-server/core/ids.ts'
import type { DataOf, EventTypeName } from 'crier-server/events/catalog.ts'
import { emitAll, type NewEvent } from 'crier-server/events/emit.ts'
import { eventJobs } from 'crier-server/events/jobs.ts'
import { eventSamples } from 'crier-server/events/samples.ts'
import type { Database } from 'crier-server/lib/db/types.ts'
import { createOutbound, type Outbound } from 'crier-server/lib/http-client/outbound-fetch.ts'
import { settle } from 'crier-server/lib/jobs/claim.ts'
import { type TellWorker, tellOfJobs, type Verdict } from 'crier-server/lib/jobs/job.ts'
import { createWorker, type Worker, type WorkerOptions } from 'crier-server/lib/jobs/worker.ts'
import type { Clock } from 'crier-server/lib/time/clock.ts'
import { createDelivery, type DeliverDeps } from 'crier-server/webhooks/delivery/deliver.ts'
import { queueDeliveries } from 'crier-server/webhooks/delivery/follow.ts'
import { webhookJobs } from 'crier-server/webhooks/delivery/jobs.ts'
import { laneOf } from 'crier-server/webhooks/model/delivery.ts'
import { type Caller, callerIn, testVault } from '../clients/calls.ts'
import { silent, takeFrom } from '../jobs/jobs.ts'
import { ManualClock } from '../time/manual-clock.ts'
import { newBusiness } from './business.ts'
import { placeEvents } from './fan-out.ts'
import {
  TestRights,
  type ToolsOptions,
  testGuard,
  type WebhookTools,
  webhookTools,
} from './webhooks.ts'

/** A business with webhooks, and the parts that make deliveries. */
export interface DeliveryTestbed {
  db: Database
  rights: TestRights
  tools: WebhookTools
  outbound: Outbound
  businessId: Id<'business'>
  owner: Caller
  /** The dependencies of webhook jobs. */
  parts: DeliverDeps
  subscribe(url: string, events?: readonly EventTypeName[]): Promise<Subscribed>
  /** `tell` is notified of the fan-out's job once it is committed. */
  emit<T extends EventTypeName>(type: T, data?: DataOf<T>, tell?: TellWorker): Promise<void>
  close(): Promise<void>
}

export interface Subscribed {
  webhook_id: string
  signing_secret: string
  url: string
}

/** Unless the options say otherwise, all names resolve to loopback, which is allowed. */
export async function deliveryTestbed(
  db: Database,
  clock: Clock,
  options: ToolsOptions = {},
): Promise<DeliveryTestbed> {
  const rights = new TestRights()
  const network = {
    allow: ['127.0.0.0/8:*'],
    allowHttp: options.allow?.length !== 0,
    resolve: async () => ['127.0.0.1'],
    ...options,
  }
  const tools = webhookTools({ ...network, rights })
  const outbound = createOutbound({ guard: testGuard(network) })
  const businessId = await newBusiness(db)
  const owner = callerIn({ db, clock }, businessId)
  const common = { db, clock, rights, vault: testVault, slug: 'svc', log: silent }
  return {
    db,
    rights,
    tools,
    outbound,
    businessId,
    owner,
    parts: { ...common, outbound: { get: async () => outbound } },
    subscribe: (url, events = ['usage.threshold']) => owner.get(tools.save, { url, events }),
    async emit(type, data, tell) {
      const event = { businessId, type, data: data ?? eventSamples[type] } as NewEvent
      await db.tx((tx) => {
        if (tell) tellOfJobs(tx, tell)
        return emitAll(tx, [event], clock.now())
      })
    },
    close: () => outbound.close(),
  }
}

export interface Bench extends DeliveryTestbed {
  clock: ManualClock
  /** Runs the fan-out: gives events their positions and queues their deliveries. */
  fanOut(): Promise<void>
  /** Claims due deliveries once, makes them, and returns their number. */
  deliver(webhookId: string, options?: { perTurn?: number; test?: boolean }): Promise<number>
}

/** A testbed with a manual clock, in which nothing happens by itself. */
export async function deliveryBench(db: Database, options: ToolsOptions = {}): Promise<Bench> {
  const clock = new ManualClock()
  const testbed = await deliveryTestbed(db, clock, options)
  const carryOut = createDelivery(testbed.parts)
  return {
    ...testbed,
    clock,
    fanOut: () => placeEvents({ db, clock, follow: queueDeliveries() }),
    async deliver(text, { perTurn = 8, test = false } = {}) {
      const webhookId = parseId('webhook', text)
      if (!webhookId) throw new Error(`${text} is no id of a webhook`)
      const jobs = await takeFrom(
        db,
        clock,
        laneOf({ businessId: testbed.businessId, webhookId, test }),
        perTurn,
      )
      const verdicts = await Promise.all(jobs.map(carryOut))
      const left = verdicts.flatMap((outcome: Verdict, i) => {
        const job = jobs[i]
        return job && outcome.outcome !== 'settled' ? [{ job, outcome }] : []
      })
      if (left.length > 0) await settle(db, left, clock.now())
      return jobs.length
    },
  }
}

/** Starts a worker that fans out and delivers, like that of a service. */
export async function deliveryWorker(
  testbed: DeliveryTestbed,
  options: Partial<WorkerOptions> = {},
): Promise<Worker> {
  const { db, clock, log } = testbed.parts
  const kinds = {
    ...eventJobs({ db, clock, follow: queueDeliveries((news) => worker.wake(news)) }),
    ...webhookJobs(testbed.parts),
  }
  const worker: Worker = createWorker({ db, clock, log, kinds, slots: 64, ...options })
  await worker.start()
  return worker
}
