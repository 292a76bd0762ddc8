/** Carries deliveries out: begins, sends and records them, many at once. */
import { createBatcher } from '../../lib/concurrency/batch.ts'
import { canFail } from '../../lib/concurrency/can-fail.ts'
import type { Job, Verdict } from '../../lib/jobs/job.ts'
import type { Log } from '../../lib/process/log.ts'
import { later, seconds } from '../../lib/time/clock.ts'
import { createKeyring, type Sealer } from '../model/secrets.ts'
import { carryOut } from './batch.ts'
import { type BeginDeps, type Beginning, type Begun, beginAll } from './begin.ts'
import { logLost } from './interrupted-attempts.ts'
import { createRecorder } from './record.ts'
import { type SendDeps, send } from './send.ts'

export interface DeliverDeps extends BeginDeps, Omit<SendDeps, 'keyOf'> {
  log: Log
  vault: Sealer
}

/** Jobs that are begun in one go. */
const perFlush = 100
/** After a fault of ours; the receiver's seven attempts are not touched by it. */
const afterFaultMs = seconds(10)

export function createDelivery(deps: DeliverDeps): (job: Job) => Promise<Verdict> {
  const { db, clock, log } = deps
  const begin = createBatcher<Job, Beginning>({
    maxItems: perFlush,
    eachAlone: false,
    flush: (jobs) => beginAll(deps, jobs),
  })
  const sending = { ...deps, keyOf: createKeyring(deps.vault) }
  const parts = {
    now: () => clock.now(),
    send: (begun: Begun) => send(sending, begun),
    record: createRecorder(deps),
  }

  const deliver = async (job: Job): Promise<Verdict> => {
    const beginning = await begin(job)
    if (beginning.is === 'gone') return { outcome: 'done' }
    if (beginning.is === 'held') return { outcome: 'returned', at: clock.now() }
    if (beginning.is === 'splitJobs') return { outcome: 'settled', at: clock.now() }
    const { begun } = beginning
    try {
      const at = await carryOut(parts, beginning)
      return { outcome: 'settled', ...(at && { at }) }
    } catch (error) {
      const lost = begun.filter(({ isPromised }) => !isPromised).map(lostOf)
      await canFail('the job comes again either way', logLost(db, lost))
      throw error
    }
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

function lostOf({ id, createdAt, delivery, job, target }: Begun) {
  return { delivery, id, at: createdAt, attempt: job.attempt, url: target.url }
}
