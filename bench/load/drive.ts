/** The parent's side of a load generator, which is a separate process so that it blocks nobody. */
import { once } from 'node:events'
import { startHelper } from '../support/helper.ts'
import type { Bounds, FromGenerator, Load, Setup, ToGenerator } from './generator.ts'

export const connections = 64

export interface Driver {
  /** Ends at whichever limit is reached first. Throws on the first wrong response. */
  run(bounds: Partial<Bounds>): Promise<Load>
  stop(): Promise<void>
}

// No bench runs for longer than this, whatever its settings.
const most: Bounds = { seconds: 300, requests: 2_000_000 }
const grace = 30_000

export async function startDriver(
  setup: Omit<Setup, 'connections'> & { connections?: number },
): Promise<Driver> {
  const helper = startHelper('../load/generator.ts')
  const { child } = helper
  const ask = async (message: ToGenerator, within: number): Promise<FromGenerator> => {
    const answers = once(child, 'message', { signal: AbortSignal.timeout(within) })
    child.send(message)
    const [answer] = (await helper.during(answers)) as [FromGenerator]
    if ('failed' in answer) throw new Error(answer.failed)
    return answer
  }
  await ask({ setup: { connections, ...setup } }, grace)
  return {
    async run(bounds) {
      const run = {
        seconds: Math.min(bounds.seconds ?? most.seconds, most.seconds),
        requests: Math.min(bounds.requests ?? most.requests, most.requests),
      }
      const answer = await ask({ run }, run.seconds * 1000 + grace)
      if (!('load' in answer)) throw new Error('the load generator gave no figures')
      return answer.load
    },
    stop: helper.end,
  }
}
