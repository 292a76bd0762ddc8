/** A receiver that answers, and how long events take to it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type DeliveryTestbed, deliveryWorker } from '../support/businesses/deliveries.ts'
import { answers } from './hostile-receivers.ts'

/** Seconds of events, and how many of them in each. */
const [span, rate] = [8, 25]
export const events = span * rate
/** For the last of them to come. */
const graceMs = 20_000

/** Milliseconds from each event to its receipt, sorted; fewer than `events` where some never came. */
export async function latenciesIn(testbed: DeliveryTestbed): Promise<number[]> {
  const latencies: number[] = []
  const healthy = await answers((body) => {
    const { created_at } = JSON.parse(body) as { created_at: string }
    latencies.push(Date.now() - Date.parse(created_at))
  })
  await testbed.subscribe(`http://healthy.example:${healthy.port}/`, ['contact.updated'])
  const worker = await deliveryWorker(testbed)
  for (let i = 0; i < events; i++) {
    const until = sleep(1000 / rate)
    await testbed.emit('contact.updated', undefined, worker.wake)
    await until
  }
  const end = Date.now() + graceMs
  while (latencies.length < events && Date.now() < end) await sleep(50)
  await worker.stop()
  await healthy.close()
  return latencies.sort((a, b) => a - b)
}

/** Of sorted ones, the one that so large a share does not exceed. */
export const at = (latencies: readonly number[], share: number): number =>
  latencies[Math.ceil(latencies.length * share) - 1] ?? 0
