/** The first render of a template, for which other renders of it wait. */

/** How long other renders wait for the first one, which may never finish. */
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
