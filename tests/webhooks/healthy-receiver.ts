/** A receiver that answers, and the latencies of events to it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type DeliveryTestbed, deliveryWorker } from '../support/businesses/deliveries.ts'
import { answers } from './hostile-receivers.ts'

/** The seconds of events, and the number of events in each. */
const [span, rate] = [8, 25]
export const events = span * rate
/** The extra time for the last events to arrive. */
const graceMs = 20_000

/** Sorted milliseconds from each event to its receipt; fewer than `events` if some never came. */
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

/** The sorted latency that this share of them does not exceed. */
export const at = (latencies: readonly number[], share: number): number =>
  latencies[Math.ceil(latencies.length * share) - 1] ?? 0
