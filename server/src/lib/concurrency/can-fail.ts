/**
 * Ignores an error on purpose. `why` says what makes that safe, so that every ignored failure can
 * be found and questioned.
 */
export async function canFail<T>(_why: string, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch {
    return undefined
  }
}
