/** Operations as tools: their listing, and the spellings under which each can be called. */

import type { Operation } from '../../core/operation.ts'
import { nearest } from '../../lib/text/nearest.ts'
import { callNames, type Spelling } from '../call-names.ts'
import { toolSchema } from './brief-schema.ts'

export interface Tools {
  find(name: string): Operation | undefined
  /** The listed name most similar to an unknown one. */
  nearest(name: string, spelling: Spelling): string | undefined
  list(spelling: Spelling): object[]
}

/**
 * Redirect hosts of assistants that accept only `^[a-zA-Z0-9_-]{1,64}$` as a tool's name. The
 * operator adds others with UNDERSCORED_CLIENTS.
 */
export const underscoredHosts: readonly string[] = ['claude.ai', 'claude.com', 'chatgpt.com']

export function createTools(catalog: readonly Operation[], slug: string): Tools {
  const byName = new Map<string, Operation>()
  for (const operation of catalog) {
    const dotted = `${slug}.v1.${operation.name}`
    const spellings = [dotted, callNames(slug, 'underscored')(operation.name)]
    for (const name of [...spellings, ...(operation.aliases ?? [])]) {
      if (byName.has(name)) throw new Error(`two operations answer to ${name}`)
      byName.set(name, operation)
    }
  }
  const listed = catalog.filter(({ unlisted }) => !unlisted)
  const listing = (spelling: Spelling) => {
    const name = callNames(slug, spelling)
    return listed.map((operation) => describe(operation, name(operation.name)))
  }
  const lists = { dotted: listing('dotted'), underscored: listing('underscored') }
  return {
    find: (name) => byName.get(name),
    nearest(name, spelling) {
      const called = callNames(slug, spelling)
      // A model may omit the service's name, or write a bare name from a document.
      const names = new Map(
        listed.flatMap((operation) => [
          [operation.name, called(operation.name)],
          [operation.name.replaceAll('.', '_'), called(operation.name)],
          [called(operation.name), called(operation.name)],
        ]),
      )
      return names.get(nearest(name, names.keys()) ?? '')
    },
    list: (spelling) => lists[spelling],
  }
}

/**
 * Output schemas are omitted: an assistant's context is expensive, and the reference has them.
 * Hints are set wherever they mean something, because their defaults are wrong for most tools.
 */
function describe(operation: Operation, name: string): object {
  const { title, summary, input, hints } = operation
  return {
    name,
    title,
    description: summary,
    inputSchema: toolSchema(input),
    annotations: {
      readOnlyHint: hints.readOnly,
      destructiveHint: hints.destructive,
      // This hint is meaningless for a tool that only reads (MCP, "ToolAnnotations").
      ...(!hints.readOnly && { idempotentHint: hints.idempotent }),
      openWorldHint: hints.openWorld,
    },
  }
}
