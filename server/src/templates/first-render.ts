/** The first render of a template, for which others of it wait. */

/** A crowd waits for the first of it so long; it may have come to nothing. */
const firstMs = 1_000

export interface FirstRender {
  over: Promise<void>
  end(): void
}

export function firstRender(): FirstRender {
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  setTimeout(end, firstMs).unref()
  return { over, end }
}
