/**
 * Creates a part at its first use, so that a service that never needs it never loads it: mail and
 * outbound requests would be a quarter of an idle service's memory.
 */
export interface Lazy<T> {
  get(): Promise<T>
  /** Runs `work` on the part if it was ever created. */
  ifMade(work: (part: T) => Promise<void>): Promise<void>
}

export function lazily<T>(make: () => Promise<T>): Lazy<T> {
  let part: Promise<T> | undefined
  return {
    get() {
      // A failed creation is not cached, so that the next use tries again.
      part ??= make().catch((error: unknown) => {
        part = undefined
        throw error
      })
      return part
    },
    async ifMade(work) {
      if (part) await work(await part)
    },
  }
}
