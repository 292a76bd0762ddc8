/**
 * The requests of one key in the last minute, as a ring of one-second counts with a running sum. A
 * request counts until its second is 61 seconds old, which is at least 60 s wherever in its second
 * it came. So no 60 s, wherever they begin, contain more than the limit.
 */
export const windowSeconds = 60
const slots = windowSeconds + 1

export interface RateWindow {
  /** The current second of the ring; it only moves forward. */
  second: number
  /** Requests counted on this node and on others. */
  sum: number
  /** The last second with a request. */
  newest: number
  readonly own: Uint16Array
  /** The counts of other nodes; absent until another node reports some. */
  others: Uint16Array | undefined
}

export function createWindow(second: number): RateWindow {
  return { second, sum: 0, newest: second, own: new Uint16Array(slots), others: undefined }
}

/** Moves the ring to `second` and drops counts that are then too old. */
export function advance(window: RateWindow, second: number): void {
  const steps = second - window.second
  // A clock that a correction set back a little stands still here. A clock that was an hour ahead
  // must not cause refusals for an hour.
  if (steps <= 0 && steps > -slots) return
  if (steps >= slots || steps <= -slots) {
    window.own.fill(0)
    window.others = undefined
    window.sum = 0
    window.newest = second
  } else {
    for (let at = window.second + 1; at <= second; at++) {
      const i = at % slots
      window.sum -= countAt(window, i)
      window.own[i] = 0
      if (window.others) window.others[i] = 0
    }
  }
  window.second = second
}

export function countOne(window: RateWindow): void {
  const i = window.second % slots
  window.own[i] = (window.own[i] ?? 0) + 1
  window.sum++
  window.newest = window.second
}

/** Seconds until `sum` falls below `limit` by itself; 0 where it is below. */
export function secondsUntilBelow(window: RateWindow, limit: number): number {
  let sum = window.sum
  for (let at = window.second - windowSeconds; sum >= limit && at <= window.second; at++) {
    sum -= countAt(window, at % slots)
    if (sum < limit) return at + slots - window.second
  }
  return 0
}

/** Seconds until all counts have expired. */
export function secondsUntilEmpty(window: RateWindow): number {
  return window.sum === 0 ? 0 : window.newest + slots - window.second
}

/** Counts of consecutive seconds, of which `lastSecond` is the last. */
export interface Counts {
  lastSecond: number
  counts: number[]
}

/** This node's own counts, without the empty seconds before the first request. */
export function ownCounts(window: RateWindow): Counts {
  const counts: number[] = []
  for (let at = window.second - windowSeconds; at <= window.second; at++) {
    const n = window.own[at % slots] ?? 0
    if (n > 0 || counts.length > 0) counts.push(n)
  }
  return { lastSecond: window.second, counts }
}

/** Replaces the known counts of the other nodes with these. */
export function replaceOthers(window: RateWindow, nodes: Counts[]): void {
  if (!window.others && nodes.length === 0) return
  for (const n of window.others ?? []) window.sum -= n
  const others = new Uint16Array(slots)
  for (const { lastSecond, counts } of nodes) {
    for (const [i, n] of counts.entries()) {
      // Requests that a node with a fast clock dates in the future count as of now.
      const at = Math.min(lastSecond - counts.length + 1 + i, window.second)
      if (at < window.second - windowSeconds || n === 0) continue
      others[at % slots] = (others[at % slots] ?? 0) + n
      window.sum += n
      window.newest = Math.max(window.newest, at)
    }
  }
  window.others = nodes.length === 0 ? undefined : others
}

function countAt(window: RateWindow, i: number): number {
  return (window.own[i] ?? 0) + (window.others?.[i] ?? 0)
}
