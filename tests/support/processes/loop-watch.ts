/**
 * Watches a service in this process while it is attacked: how long its loop was held at once,
 * and how `/healthz` answered. Time that the loop was held is counted by the CPU time of this
 * thread, so that a machine which is busy with other work condemns nobody.
 */

export interface LoopWatch {
  /** The longest the thread computed between two turns of the loop, in milliseconds. */
  longestTurnMs: number
  /** The slowest answer of `/healthz` by the clock on the wall, in milliseconds. */
  slowestHealthMs: number
  healthAnswers: number
}

const everyMs = 10
const healthEveryMs = 50

/** Runs the attack and watches until it is over. Fails where `/healthz` does not answer 200. */
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
