/**
 * What a thread is at, in memory that it shares with the one that waits for it: so a deadline
 * needs no word for each question, and holds while the thread reads and says nothing.
 */

/** A question under way, by its number, since when, and what it has used before. */
export interface UnderWay {
  n: number
  /** Milliseconds of the clock of `nowMs`; undefined while our own code is at work. */
  since: number | undefined
  /** Of the thread's processor time, in milliseconds: at `since`, and of the question before it. */
  cpuAtMs: number
  usedMs: number
}

export interface ThreadClock {
  readonly memory: SharedArrayBuffer
  /** Begins with question `n`, whose time runs from now. */
  begin(n: number): void
  /** Strangers' work from here on, or our own, which takes no time of the question's. */
  run(): void
  rest(): void
  read(): UnderWay
  /** What was sent over in this round or before, and is not begun yet, is not to be begun. */
  recall(round: number): void
  isRecalled(round: number): boolean
}

const cellsOf = { number: 0, time: 1, cpu: 2, used: 3, recalled: 4 } as const
/** Stands for a time that does not run. */
const still = 0
/** Of the cells that hold processor time: they go round after days. */
const partsOfMs = 10

export function threadClock(
  memory = new SharedArrayBuffer(4 * Object.keys(cellsOf).length),
): ThreadClock {
  const cells = new Int32Array(memory)
  const { number, time, cpu, used, recalled } = cellsOf
  const run = () => {
    Atomics.store(cells, cpu, cpuParts())
    Atomics.store(cells, time, nowMs() || 1)
  }
  return {
    memory,
    begin(n) {
      // Whoever reads between these finds a new question at rest, never one with an old time.
      Atomics.store(cells, time, still)
      Atomics.store(cells, number, n)
      Atomics.store(cells, used, 0)
      run()
    },
    run,
    rest() {
      if (Atomics.load(cells, time) === still) return
      Atomics.store(cells, time, still)
      Atomics.add(cells, used, cpuParts() - Atomics.load(cells, cpu))
    },
    read() {
      const n = Atomics.load(cells, number)
      const since = Atomics.load(cells, time)
      const cpuAtMs = Atomics.load(cells, cpu) / partsOfMs
      const usedMs = Atomics.load(cells, used) / partsOfMs
      const isSame = Atomics.load(cells, number) === n && Atomics.load(cells, time) === since
      return { n, since: isSame && since !== still ? since : undefined, cpuAtMs, usedMs }
    },
    recall: (round) => void Atomics.store(cells, recalled, round),
    isRecalled: (round) => round <= Atomics.load(cells, recalled),
  }
}

/** Processor time that this thread has used, in milliseconds. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

function cpuParts(): number {
  return Math.floor(cpuMs() * partsOfMs) | 0
}

/** The same in all threads, unlike `performance.now`; it goes round within 50 days. */
export function nowMs(): number {
  const [seconds, nanos] = process.hrtime()
  return (seconds * 1000 + Math.floor(nanos / 1e6)) | 0
}

export function msSince(since: number): number {
  return (nowMs() - since) | 0
}
