/**
 * The state of a thread, in memory that it shares with the thread that waits for it. So a deadline
 * needs no message for each question, and holds while the thread is busy and sends nothing.
 */

/** A question under way: its number, its start, and the time that it used before. */
export interface UnderWay {
  n: number
  /** Milliseconds of `nowMs`'s clock; undefined while our own code is running. */
  since: number | undefined
  /** The thread's processor time in ms at `since`, and the question's time before that. */
  cpuAtMs: number
  usedMs: number
}

export interface ThreadClock {
  readonly memory: SharedArrayBuffer
  /** Begins with question `n`, whose time counts from now. */
  begin(n: number): void
  /** `run`: strangers' work follows. `rest`: our own work follows, which does not count. */
  run(): void
  rest(): void
  read(): UnderWay
  /** Questions sent over in this round or before that have not begun must not begin. */
  recall(round: number): void
  isRecalled(round: number): boolean
}

const cellsOf = { number: 0, time: 1, cpu: 2, used: 3, recalled: 4 } as const
/** Represents a clock that is stopped. */
const still = 0
/** The unit of the cells with processor time, which overflow after days. */
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
      // A reader between these stores finds a new question at rest, never one with an old time.
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

/** The same in all threads, unlike `performance.now`. It overflows within 50 days. */
export function nowMs(): number {
  const [seconds, nanos] = process.hrtime()
  return (seconds * 1000 + Math.floor(nanos / 1e6)) | 0
}

export function msSince(since: number): number {
  return (nowMs() - since) | 0
}
