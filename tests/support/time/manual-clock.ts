import type { Clock } from 'crier-server/lib/time/clock.ts'

/** A clock that stands still until a test moves it. */
export class ManualClock implements Clock {
  #now: number
  constructor(start = '2026-11-20T10:00:00Z') {
    this.#now = Date.parse(start)
  }

  now(): Date {
    return new Date(this.#now)
  }

  forward(milliseconds: number): void {
    this.#now += milliseconds
  }
}
