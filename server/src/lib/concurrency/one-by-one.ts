/**
 * Queues by name: work under one name runs one after the other, or a fixed number at once. Callers
 * that repeat a running call wait here, where waiting costs a promise, rather than in the
 * database, where it costs a connection that others need.
 */
export interface NamedQueues {
  take<T>(name: string, work: () => Promise<T>): Promise<T>
}

export function createQueues(atOnce = 1): NamedQueues {
  const queues = new Map<string, { running: number; waiting: (() => void)[] }>()
  return {
    async take(name, work) {
      const queue = queues.get(name) ?? { running: 0, waiting: [] }
      queues.set(name, queue)
      if (queue.running < atOnce) queue.running++
      else await new Promise<void>((turn) => queue.waiting.push(turn))
      try {
        return await work()
      } finally {
        const next = queue.waiting.shift()
        if (next) next()
        else queue.running--
        if (queue.running === 0) queues.delete(name)
      }
    },
  }
}
