/**
 * Every example of the reference, for the code that runs them. `ids` are real ids, by prefix.
 * Samples read the variable CRIER_TOKEN (curl), the store `.crier/connection` (TypeScript), and
 * CRIER_URL with the stored connection (the command line).
 */
import type { Operation } from '../../core/operation.ts'
import type { Language } from '../blocks.ts'
import type { ExampleIds } from '../examples/ids.ts'
import { pagesOf } from '../pages/all.ts'
import type { Site } from '../site.ts'

export interface Sample {
  /** The page of the example: `operations/form.list`, `guides/errors`. */
  page: string
  /** The operation that it calls, if its page belongs to an operation. */
  operation?: string
  language: Language
  code: string
}

export function* allSamples(
  catalog: readonly Operation[],
  site: Site,
  ids: ExampleIds = {},
): Generator<Sample> {
  for (const { path, blocks } of pagesOf(catalog, site, ids)) {
    const [, operation] = /^operations\/(.+)$/.exec(path) ?? []
    for (const block of blocks) {
      if (block.kind !== 'code') continue
      const { language, code } = block
      yield { page: path, ...(operation !== undefined && { operation }), language, code }
    }
  }
}
