/**
 * Watches a service in this process during an attack: how long its event loop was blocked,
 * and how `/healthz` answered. The blocking is measured as CPU time of this thread, so that other
 * work on the machine does not count.
 */

export interface LoopWatch {
  /** The longest time the thread computed between two turns of the event loop, in milliseconds. */
  longestTurnMs: number
  /** The slowest answer of `/healthz` in wall-clock milliseconds. */
  slowestHealthMs: number
  healthAnswers: number
}

const everyMs = 10
const healthEveryMs = 50

/** Runs the attack and watches until it ends. Fails if `/healthz` does not answer 200. */
export async function watched(url: string, attack: () => Promise<void>): Promise<LoopWatch> {
  const seen: LoopWatch = { longestTurnMs: 0, slowestHealthMs: 0, healthAnswers: 0 }
  let before = process.threadCpuUsage()
  const turns = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before)
    before = process.threadCpuUsage()
    seen.longestTurnMs = Math.max(seen.longestTurnMs, (user + system) / 1000)
  }, everyMs)
  let over = false
  const health = (async () => {
    while (!over) {
      const began = performance.now()
      const answer = await fetch(`${url}/healthz`)
      await answer.arrayBuffer()
      if (answer.status !== 200) throw new Error(`/healthz answers ${answer.status}`)
      seen.slowestHealthMs = Math.max(seen.slowestHealthMs, performance.now() - began)
      seen.healthAnswers++
      await new Promise((resolve) => setTimeout(resolve, healthEveryMs))
    }
  })()
  try {
    await attack()
  } finally {
    over = true
    await health
    clearInterval(turns)
  }
  return seen
}
