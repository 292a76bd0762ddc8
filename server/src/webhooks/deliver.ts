/** Carries deliveries out: begins, sends and records them, many at once. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createBatcher } from '../platform/batch.ts'
import { later, seconds } from '../platform/clock.ts'
import type { Job, Verdict } from '../platform/jobs/job.ts'
import type { Log } from '../platform/log.ts'
import { isOutage } from '../platform/outage.ts'
import { type BeginDeps, type Beginning, beginAll } from './begin.ts'
import { createRecorder, type Ended } from './record.ts'
import { createKeyring, type Sealer } from './secrets.ts'
import { type SendDeps, send } from './send.ts'

export interface DeliverDeps extends BeginDeps, Omit<SendDeps, 'keyOf'> {
  log: Log
  vault: Sealer
}

/** Attempts that are begun in one go. */
const perFlush = 100
/** After a fault of ours; the receiver's seven attempts are not touched by it. */
const afterFaultMs = seconds(10)
const recordRetryMs = 500
/** Less than the lease lasts. */
const recordTries = 16

export function createDelivery(deps: DeliverDeps): (job: Job) => Promise<Verdict> {
  const { clock, log } = deps
  const begin = createBatcher<Job, Beginning>({
    maxItems: perFlush,
    eachAlone: false,
    flush: (jobs) => beginAll(deps, jobs),
  })
  const record = createRecorder(deps)
  const sending = { ...deps, keyOf: createKeyring(deps.vault) }

  const deliver = async (job: Job): Promise<Verdict> => {
    const beginning = await begin(job)
    if (beginning.is === 'gone') return { outcome: 'done' }
    if (beginning.is === 'held') return { outcome: 'returned', at: clock.now() }
    const { begun } = beginning
    const ended = { begun, result: await send(sending, begun) }
    const at = await patiently(record, ended)
    return { outcome: 'settled', ...(at && { at }) }
  }

  return async (job) => {
    try {
      return await deliver(job)
    } catch (err) {
      log.error({ err, job: job.id, attempt: job.attempt }, 'webhooks.delivery_faulty')
      return { outcome: 'returned', at: later(clock.now(), afterFaultMs) }
    }
  }
}

/** What was sent is recorded through a short outage, or it would be sent once more. */
async function patiently(
  record: (ended: Ended) => Promise<Date | undefined>,
  ended: Ended,
): Promise<Date | undefined> {
  for (let tries = 1; ; tries++) {
    try {
      return await record(ended)
    } catch (error) {
      if (!isOutage(error) || tries === recordTries) throw error
      await sleep(recordRetryMs)
    }
  }
}
