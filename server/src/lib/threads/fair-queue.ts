/**
 * Who is served next where several businesses share one worker: the one that has had least of
 * its time. Time is counted, not questions, so that a business with slow ones waits for those
 * of others and not the other way round (start-time fair queuing, Goyal and others, 1996). A
 * business that was away comes back as an equal of those that wait: it has saved nothing up.
 */
import { setNewest } from '../concurrency/set-newest.ts'

export interface DequeuedItem<Item> {
  item: Item
  tenant: string
  /** What it is believed to cost, counted at once; `settle` puts it right. */
  guessMs: number
}

export interface FairQueue<Item> {
  readonly size: number
  sizeOf(tenant: string): number
  add(tenant: string, item: Item): void
  /** In front of the tenant's others, for what was taken and not served. */
  putBack(taken: DequeuedItem<Item>): void
  take(): DequeuedItem<Item> | undefined
  /** What a question that was taken cost in truth. */
  settle(taken: Pick<DequeuedItem<Item>, 'tenant' | 'guessMs'>, ms: number): void
  /** All that a tenant has waiting, which waits no longer. */
  remove(tenant: string): Item[]
  /** The same of everybody. */
  clear(): Item[]
}

interface Tenant<Item> {
  /** Milliseconds it was served, on a scale that all share. */
  servedMs: number
  /** Of its last questions, the newer counting more. */
  meanMs: number
  waiting: Item[]
}

/** What a question of somebody unknown is taken to cost. */
const firstGuessMs = 5
/** How much the newest question counts in the mean. */
const newestShare = 0.3
/** Tenants without questions whose time is remembered. */
const mostRemembered = 1_000

export function createFairQueue<Item>(): FairQueue<Item> {
  const active = new Map<string, Tenant<Item>>()
  const away = new Map<string, Tenant<Item>>()
  /** Where those stand who are served now: whoever comes does not begin before it. */
  let floorMs = 0
  let size = 0

  const tenantOf = (name: string): Tenant<Item> => {
    const there = active.get(name)
    if (there) return there
    const tenant = away.get(name) ?? { servedMs: 0, meanMs: firstGuessMs, waiting: [] }
    away.delete(name)
    tenant.servedMs = Math.max(tenant.servedMs, floorMs)
    active.set(name, tenant)
    return tenant
  }

  const rest = (name: string, tenant: Tenant<Item>) => {
    active.delete(name)
    setNewest(away, [name, tenant], mostRemembered)
  }

  const remove = (name: string): Item[] => {
    const tenant = active.get(name)
    if (!tenant) return []
    const { waiting } = tenant
    tenant.waiting = []
    size -= waiting.length
    rest(name, tenant)
    return waiting
  }

  return {
    get size() {
      return size
    },
    sizeOf: (name) => active.get(name)?.waiting.length ?? 0,
    add(name, item) {
      tenantOf(name).waiting.push(item)
      size++
    },
    putBack({ tenant: name, item }) {
      tenantOf(name).waiting.unshift(item)
      size++
    },
    take() {
      let least: [string, Tenant<Item>] | undefined
      for (const one of active) {
        if (!least || one[1].servedMs < least[1].servedMs) least = one
      }
      if (!least) return undefined
      const [name, tenant] = least
      const item = tenant.waiting.shift() as Item
      size--
      floorMs = Math.max(floorMs, tenant.servedMs)
      const guessMs = tenant.meanMs
      tenant.servedMs += guessMs
      if (tenant.waiting.length === 0) rest(name, tenant)
      return { item, tenant: name, guessMs }
    },
    settle({ tenant: name, guessMs }, ms) {
      const tenant = active.get(name) ?? away.get(name)
      if (!tenant) return
      tenant.servedMs += ms - guessMs
      // Nothing was served where it cost nothing: it says nothing of the next one.
      if (ms > 0) tenant.meanMs += newestShare * (ms - tenant.meanMs)
    },
    remove,
    clear: () => [...active.keys()].flatMap(remove),
  }
}
