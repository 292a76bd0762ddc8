/**
 * Writes that do not wait to hear whether they could be done as they nearly always can. What
 * is presumed is said in the statement, which divides by zero where it is not so: the
 * transaction fails, and is made again by a way that looks first.
 */

export type OptimisticWrites = <T>(work: (presuming: boolean) => Promise<T>) => Promise<T>

/** Times that nothing is presumed once it was wrong: what is in the way often comes again. */
const waryFor = 50

/** Has work done presuming, and once more without where something was not as presumed. */
export function createOptimisticWrites(): OptimisticWrites {
  let wary = 0
  return async (work) => {
    if (wary > 0) {
      wary--
      return work(false)
    }
    try {
      return await work(true)
    } catch (error) {
      if (!wasOptimistic(error)) throw error
      wary = waryFor
      return work(false)
    }
  }
}

/** 22012, `division_by_zero`: nothing else of ours divides in the database. */
export function wasOptimistic(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '22012'
}
