/** Operations as tools: their listing, and the spellings each answers to. */
import type { Operation } from '../../platform/operation.ts'

/** How names are listed: dotted, or with underscores for models that refuse a dot. */
export type Spelling = 'dotted' | 'underscored'

export interface Tools {
  find(name: string): Operation | undefined
  list(spelling: Spelling): object[]
}

/**
 * Redirect hosts whose assistants accept only `^[a-zA-Z0-9_-]{1,64}$` as the name of
 * a tool. The operator adds others by UNDERSCORED_CLIENTS.
 */
export const underscoredHosts: readonly string[] = ['claude.ai', 'claude.com', 'chatgpt.com']

export function createTools(catalog: readonly Operation[], slug: string): Tools {
  const byName = new Map<string, Operation>()
  for (const operation of catalog) {
    const dotted = `${slug}.v1.${operation.name}`
    for (const name of [dotted, underscored(dotted), ...(operation.aliases ?? [])]) {
      if (byName.has(name)) throw new Error(`two operations answer to ${name}`)
      byName.set(name, operation)
    }
  }
  const listing = (spell: (dotted: string) => string) =>
    catalog.map((operation) => describe(operation, spell(`${slug}.v1.${operation.name}`)))
  const lists = {
    dotted: listing((name) => name),
    underscored: listing(underscored),
  }
  return { find: (name) => byName.get(name), list: (spelling) => lists[spelling] }
}

const underscored = (name: string) => name.replaceAll('.', '_')

/**
 * Output schemas are left out: an assistant's context is dear, and they stand in the
 * reference. All four hints are set, since their defaults are wrong for most tools.
 */
function describe(operation: Operation, name: string): object {
  const { title, summary, input, hints } = operation
  return {
    name,
    title,
    description: summary,
    inputSchema: { ...input, properties: withoutPatterns(input.properties) },
    annotations: {
      readOnlyHint: hints.readOnly,
      destructiveHint: hints.destructive,
      idempotentHint: hints.idempotent,
      openWorldHint: hints.openWorld,
    },
  }
}

/** A call is held to them all the same; an assistant copies ids and never makes one up. */
function withoutPatterns(properties: object): object {
  return Object.fromEntries(
    Object.entries(properties).map(([name, { pattern: _pattern, ...schema }]) => [name, schema]),
  )
}
