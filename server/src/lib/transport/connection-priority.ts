/**
 * Decides who gets the next connection. Urgent mail is first and may use one more than the rest, so
 * that a person who waits for a sign-in link never waits for other mail. One connection is reserved
 * from bulk mail: a remote server that holds a campaign's connections must not delay a receipt.
 */
/** The priority where connections are short. */
export type Turn = 'urgent' | 'normal' | 'bulk'

export interface ConnectionPriority {
  /** Runs `work` when its turn has come. */
  take<T>(turn: Turn, work: () => Promise<T>): Promise<T>
}

export function createConnectionPriority(lines: number, spare = 1): ConnectionPriority {
  const waiting: Record<Turn, (() => void)[]> = { urgent: [], normal: [], bulk: [] }
  // A single connection cannot be reserved.
  const mostBulk = Math.max(1, lines - 1)
  let inUse = 0
  let bulk = 0

  const next = (): (() => void) | undefined => {
    if (waiting.urgent.length > 0) return inUse < lines + spare ? waiting.urgent.shift() : undefined
    if (inUse >= lines) return undefined
    const normal = waiting.normal.shift()
    if (normal || bulk >= mostBulk) return normal
    return waiting.bulk.shift()
  }
  const pass = (): void => {
    for (let go = next(); go; go = next()) {
      go()
    }
  }
  return {
    async take(turn, work) {
      await new Promise<void>((go) => {
        waiting[turn].push(() => {
          inUse++
          if (turn === 'bulk') bulk++
          go()
        })
        pass()
      })
      try {
        return await work()
      } finally {
        inUse--
        if (turn === 'bulk') bulk--
        pass()
      }
    },
  }
}
