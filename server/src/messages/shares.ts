/**
 * What jobs that send at the same time have in hand, together somewhat more than the lines
 * take. A message that is ready and waits for the jobs beside it is memory and nothing else:
 * ten jobs with all that each could use held 280 of them, and outlived collection after
 * collection.
 */
export interface Share {
  /** How many messages it may have in hand now. */
  readonly size: number
  leave(): void
}

export interface Shares {
  join(): Share
}

/** Of each, however many they are: one that waits for its relay must not stop the others. */
const least = 4
/** Of a line's next message, so that it finds it prepared. */
const ahead = 8

export function createShares(lines: number): Shares {
  const most = lines + ahead
  let jobs = 0
  return {
    join() {
      jobs++
      let left = false
      return {
        get size() {
          // Twice of what is needed: those whose sender is slowed do not use theirs.
          return Math.min(most, Math.max(least, Math.ceil((2 * most) / jobs)))
        },
        leave() {
          if (!left) jobs--
          left = true
        },
      }
    },
  }
}
