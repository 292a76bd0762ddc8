/**
 * Those who ask under one name go one after the other. Callers that repeat a call while
 * it still runs wait here, where waiting costs a promise, and not in the database, where
 * it costs a connection that the first one's neighbours need.
 */
export interface NamedQueues {
  take<T>(name: string, work: () => Promise<T>): Promise<T>
}

export function createQueues(): NamedQueues {
  const last = new Map<string, Promise<unknown>>()
  return {
    async take(name, work) {
      const before = last.get(name)
      const { promise: done, resolve: finish } = Promise.withResolvers<void>()
      last.set(name, done)
      await before
      try {
        return await work()
      } finally {
        if (last.get(name) === done) last.delete(name)
        finish()
      }
    },
  }
}
