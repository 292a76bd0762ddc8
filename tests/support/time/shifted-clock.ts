import type { Clock } from 'crier-server/lib/time/clock.ts'

/** A clock that runs on by itself, and that a test can move forward. */
export class ShiftedClock implements Clock {
  #ahead = 0

  now(): Date {
    return new Date(Date.now() + this.#ahead)
  }

  forward(milliseconds: number): void {
    this.#ahead += milliseconds
  }
}
