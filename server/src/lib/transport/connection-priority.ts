/**
 * Who gets a line next: urgent mail first, and a line more than the others may have, so
 * that a person who waits for a sign-in link never waits for other mail to be taken.
 */
/** Who goes first where lines are short. */
export type Turn = 'urgent' | 'normal' | 'bulk'

export interface ConnectionPriority {
  /** Runs `work` when its turn has come. */
  take<T>(turn: Turn, work: () => Promise<T>): Promise<T>
}

export function createConnectionPriority(lines: number, spare = 1): ConnectionPriority {
  const waiting: Record<Turn, (() => void)[]> = { urgent: [], normal: [], bulk: [] }
  let taken = 0

  const next = (): (() => void) | undefined => {
    if (waiting.urgent.length > 0) return taken < lines + spare ? waiting.urgent.shift() : undefined
    return taken < lines ? (waiting.normal.shift() ?? waiting.bulk.shift()) : undefined
  }
  const pass = (): void => {
    for (let go = next(); go; go = next()) {
      taken++
      go()
    }
  }
  return {
    async take(turn, work) {
      await new Promise<void>((go) => {
        waiting[turn].push(go)
        pass()
      })
      try {
        return await work()
      } finally {
        taken--
        pass()
      }
    },
  }
}
