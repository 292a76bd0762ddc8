/**
 * Ignores an error on purpose. The reason says what makes that safe, so that every ignored failure can
 * be found and questioned.
 */
export async function ignoreError<T>(_reason: string, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch {
    return undefined
  }
}
