/**
 * A limit for cheap and frequent requests of strangers, counted in memory by each node for itself.
 * `attempts.ts` counts those whose limits must hold across nodes and restarts.
 */
import type { Clock } from '../time/clock.ts'
import { advance, countOne, createWindow, type RateWindow } from './rate-limit.ts'

export interface LocalLimit {
  /** Counts one for `key` and returns true if the last 60 seconds had fewer than the limit. */
  take(key: string): boolean
  /** Keys held in memory. */
  readonly size: number
}

export interface LocalLimitOptions {
  clock: Clock
  perMinute: number
  /** The most keys in memory, about 400 bytes each. Beyond it the longest idle key is dropped. */
  maxKeys?: number
}

export function createLocalLimit(options: LocalLimitOptions): LocalLimit {
  const { clock, perMinute, maxKeys = 20_000 } = options
  // Ordered by the last check of each key, oldest first.
  const windows = new Map<string, RateWindow>()
  return {
    take(key) {
      const second = Math.floor(clock.now().getTime() / 1000)
      const window = windows.get(key) ?? createWindow(second)
      advance(window, second)
      windows.delete(key)
      windows.set(key, window)
      if (windows.size > maxKeys) windows.delete(windows.keys().next().value as string)
      if (window.sum >= perMinute) return false
      countOne(window)
      return true
    },
    get size() {
      return windows.size
    },
  }
}
