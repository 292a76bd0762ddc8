/**
 * Connections kept for origins used lately, a bounded number of them: the one that was not
 * used for longest makes room. (undici's Agent refuses the request that is one too many.)
 */
import { type Dispatcher, Pool } from 'undici'
import { canFail } from '../concurrency/can-fail.ts'

export interface Origins {
  /** Where requests to the URL's origin are sent, now: the next call may close another's. */
  poolOf(url: Pick<URL, 'origin'>): Dispatcher
  /** Origins kept at the moment. */
  readonly size: number
  close(): Promise<void>
}

export interface OriginsOptions {
  max: number
  pool: Pool.Options
}

export function createOrigins({ max, pool: options }: OriginsOptions): Origins {
  // In the order of their last use.
  const pools = new Map<string, Pool>()

  const makeRoom = (): void => {
    const [oldest] = pools
    if (!oldest || pools.size < max) return
    const [origin, pool] = oldest
    pools.delete(origin)
    // What is under way on it ends as it would have.
    void canFail('its requests tell their callers themselves', pool.close())
  }

  return {
    get size() {
      return pools.size
    },
    poolOf({ origin }) {
      let pool = pools.get(origin)
      if (pool) pools.delete(origin)
      else {
        makeRoom()
        pool = new Pool(origin, options)
      }
      pools.set(origin, pool)
      return pool
    },
    async close() {
      const all = [...pools.values()]
      pools.clear()
      await Promise.all(all.map((pool) => pool.destroy()))
    },
  }
}
