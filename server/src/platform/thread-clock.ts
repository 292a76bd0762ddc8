/**
 * What a thread is at, in memory that it shares with the one that waits for it: so a deadline
 * needs no word for each question, and holds while the thread reads and says nothing.
 */

/** A question under way, by its number, and since when. */
export interface UnderWay {
  n: number
  /** Milliseconds of the clock of `nowMs`; undefined while our own code is at work. */
  since: number | undefined
}

export interface ThreadClock {
  readonly memory: SharedArrayBuffer
  /** Begins with question `n`, whose time runs from now. */
  begin(n: number): void
  /** Strangers' work from here on, or our own, which takes no time of the question's. */
  run(): void
  rest(): void
  read(): UnderWay
}

const [number, time] = [0, 1]
/** Stands for a time that does not run. */
const still = 0

export function threadClock(memory = new SharedArrayBuffer(8)): ThreadClock {
  const cells = new Int32Array(memory)
  const run = () => void Atomics.store(cells, time, nowMs() || 1)
  return {
    memory,
    begin(n) {
      // Whoever reads between these finds a new question at rest, never one with an old time.
      Atomics.store(cells, time, still)
      Atomics.store(cells, number, n)
      run()
    },
    run,
    rest: () => void Atomics.store(cells, time, still),
    read() {
      const n = Atomics.load(cells, number)
      const since = Atomics.load(cells, time)
      const isSame = Atomics.load(cells, number) === n
      return { n, since: isSame && since !== still ? since : undefined }
    },
  }
}

/** The same in all threads, unlike `performance.now`; it goes round within 50 days. */
export function nowMs(): number {
  const [seconds, nanos] = process.hrtime()
  return (seconds * 1000 + Math.floor(nanos / 1e6)) | 0
}

export function msSince(since: number): number {
  return (nowMs() - since) | 0
}
