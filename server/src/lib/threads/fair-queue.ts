/**
 * Decides which of several businesses a shared worker serves next: the one that has used the least
 * of its time. Time is counted, not questions, so that a business with slow questions waits for the
 * others and not the other way round (start-time fair queuing, Goyal and others, 1996). A business
 * that returns after a pause is an equal of those that wait, with no time saved up.
 */
import { setNewest } from '../concurrency/set-newest.ts'

export interface DequeuedItem<Item> {
  item: Item
  tenant: string
  /** The estimated cost, counted at once; `settle` corrects it. */
  guessMs: number
}

export interface FairQueue<Item> {
  readonly size: number
  /** From now on, questions of this tenant are served only while no other tenant waits. */
  setBehind(tenant: string): void
  /** Makes it an equal of the others again. */
  endBehind(tenant: string): void
  sizeOf(tenant: string): number
  add(tenant: string, item: Item): void
  /** Puts an item that was taken and not served back in front of the tenant's others. */
  putBack(taken: DequeuedItem<Item>): void
  take(): DequeuedItem<Item> | undefined
  /** Records the true cost of a question that was taken. */
  settle(taken: Pick<DequeuedItem<Item>, 'tenant' | 'guessMs'>, ms: number): void
  /** Removes and returns all waiting items of a tenant. */
  remove(tenant: string): Item[]
  /** Removes and returns all waiting items of all tenants. */
  clear(): Item[]
}

interface Tenant<Item> {
  /** Milliseconds for which it was served, on a scale that all tenants share. */
  servedMs: number
  /** The mean cost of its last questions; newer ones count more. */
  meanMs: number
  waiting: Item[]
}

/** The estimated cost of the first question of an unknown tenant. */
const firstGuessMs = 5
/** The weight of the newest question in the mean. */
const newestShare = 0.3
/** The most tenants without questions whose time is remembered. */
const mostRemembered = 1_000

export function createFairQueue<Item>(): FairQueue<Item> {
  const active = new Map<string, Tenant<Item>>()
  const away = new Map<string, Tenant<Item>>()
  const behind = new Set<string>()
  /** The position of the tenants being served now; a new tenant does not begin before it. */
  let floorMs = 0
  let size = 0

  const tenantOf = (name: string): Tenant<Item> => {
    const existing = active.get(name)
    if (existing) return existing
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

  const isBefore = (
    [name, tenant]: [string, Tenant<Item>],
    [otherName, other]: [string, Tenant<Item>],
  ): boolean => {
    const isBehind = behind.has(name)
    return isBehind === behind.has(otherName) ? tenant.servedMs < other.servedMs : !isBehind
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
    setBehind: (name) => void behind.add(name),
    endBehind: (name) => void behind.delete(name),
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
      let first: [string, Tenant<Item>] | undefined
      for (const other of active) {
        if (!first || isBefore(other, first)) first = other
      }
      if (!first) return undefined
      const [name, tenant] = first
      const item = tenant.waiting.shift() as Item
      size--
      // What a tenant behind the others had before does not move the others.
      if (!behind.has(name)) floorMs = Math.max(floorMs, tenant.servedMs)
      const guessMs = tenant.meanMs
      tenant.servedMs += guessMs
      if (tenant.waiting.length === 0) rest(name, tenant)
      return { item, tenant: name, guessMs }
    },
    settle({ tenant: name, guessMs }, ms) {
      const tenant = active.get(name) ?? away.get(name)
      if (!tenant) return
      tenant.servedMs += ms - guessMs
      // A cost of 0 means that nothing was served, so it says nothing about the next question.
      if (ms > 0) tenant.meanMs += newestShare * (ms - tenant.meanMs)
    },
    remove,
    clear: () => [...active.keys()].flatMap(remove),
  }
}
