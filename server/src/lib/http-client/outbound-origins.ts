/**
 * Keeps connections to a bounded number of recently used origins. The least recently used one makes
 * room. (undici's Agent refuses the request to one origin too many.)
 */
import { type Dispatcher, Pool } from 'undici'
import { ignoreError } from '../concurrency/ignore-error.ts'

export interface Origins {
  /** The current pool of the URL's origin. The next call may close the pool of another origin. */
  poolOf(url: Pick<URL, 'origin'>): Dispatcher
  /** The number of origins with a pool. */
  readonly size: number
  close(): Promise<void>
}

export interface OriginsOptions {
  max: number
  pool: Pool.Options
}

export function createOrigins({ max, pool: options }: OriginsOptions): Origins {
  // In the order of last use.
  const pools = new Map<string, Pool>()

  const makeRoom = (): void => {
    const [oldest] = pools
    if (!oldest || pools.size < max) return
    const [origin, pool] = oldest
    pools.delete(origin)
    // Requests that are under way on the pool end normally.
    void ignoreError('its requests tell their callers themselves', pool.close())
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
