/** Webhook deliveries through kills of their workers, and their section of the page. */
import { type CutAttempts, deliveryLoop } from '../tests/crash/support/loops/delivery-loop.ts'
import { globalSetup, globalTeardown } from '../tests/support/global-setup.ts'
import { table } from './markdown.ts'
import { showProgress } from './progress.ts'

const events = 20_000

/** Throws where an event is lost, or is delivered twice though no attempt was interrupted. */
export async function deliverySoak(kills: number, seed: number): Promise<string> {
  const began = performance.now()
  await globalSetup()
  const progress = showProgress(kills, 'kills during deliveries')
  try {
    const onKill = (done: number) => progress.step(done, '')
    const { kills: cuts, lapsed, ...counts } = await deliveryLoop({ events, kills, seed, onKill })
    const sum = (of: (kill: CutAttempts) => number) => cuts.reduce((n, kill) => n + of(kill), 0)
    const [inFlight, repeated] = [sum((kill) => kill.inFlight), sum((kill) => kill.repeated)]
    const cutOff = repeated + lapsed.repeated
    if (counts.lost > 0 || counts.duplicates > cutOff) {
      throw new Error(`lost ${counts.lost}; ${counts.duplicates} came twice of ${cutOff} cut off`)
    }
    const most = Math.max(...cuts.map((kill) => kill.inFlight))
    const cells = [
      counts.events,
      counts.requests,
      counts.lost,
      counts.duplicates,
      inFlight,
      most,
      lapsed.inFlight,
    ]
    const row = [kills, ...cells].map((n) => n.toLocaleString('en-GB'))
    const head = [
      'kills',
      'events',
      'requests',
      'lost',
      'twice',
      'in flight at kills',
      'at one',
      'lapsed',
    ]
    const minutes = (performance.now() - began) / 60_000
    return section(kills, seed, minutes, table(head, [row]))
  } finally {
    progress.end()
    await globalTeardown()
  }
}

function section(kills: number, seed: number, minutes: number, figures: string): string {
  return `## kill -9 of workers that deliver webhooks

${kills} kills at random moments in ${minutes.toFixed(1)} minutes, seed ${seed}: two workers, one of them killed and started again each time, while events are emitted to eight webhooks.
Every event reached its receiver. What came twice had been in a worker's hands when it was killed, or when its lease of 0.9 s lapsed because the machine was too slow to renew it.

${figures}
`
}
