/** Operations as tools: their listing, and the spellings under which each can be called. */
import type { Operation } from '../../core/operation.ts'
import { nearest } from '../../lib/text/nearest.ts'
import { callNames, type Spelling } from '../call-names.ts'

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

/** Limits higher than a model would exceed by itself are omitted. */
const farBound = 1_000_000
/**
 * Upper bounds of lists up to this value are shown, because a model may reach them. Longer lists of
 * words, such as the event types, are omitted; their field's description says where they stand.
 */
const shortList = 20

const leftOut: Readonly<Record<string, (value: unknown) => boolean>> = {
  pattern: () => true,
  minLength: () => true,
  maxLength: () => true,
  minItems: () => true,
  maxItems: (most) => Number(most) > shortList,
  uniqueItems: () => true,
  enum: (values) => (values as unknown[]).length > shortList,
  minProperties: () => true,
  maxProperties: () => true,
  propertyNames: () => true,
  additionalProperties: (rule) => typeof rule === 'boolean',
  minimum: (least) => Number(least) <= 1,
  maximum: (most) => Number(most) >= farBound,
}

/**
 * Fields that many tools accept and the instructions explain once (`instructions.ts`). This saves
 * 100 bytes for each tool.
 */
const explainedOnce: readonly string[] = ['business_id', 'idempotency_key', 'cursor', 'limit']

/**
 * Shortens schemas for the list of tools, since an assistant's context is expensive. It omits rules
 * that a model never meets in an honest call. Calls are still checked against the whole schema, and
 * a refusal names the rule. The whole schema is in the reference and in OpenAPI.
 *
 * The input schema of a tool.
 */
function toolSchema(input: object): object {
  const brief: { properties?: Record<string, object> } = briefSchema(input)
  const properties = Object.entries(brief.properties ?? {}).map(([name, field]) => [
    name,
    explainedOnce.includes(name) ? { ...field, description: undefined } : field,
  ])
  return { ...brief, properties: Object.fromEntries(properties) }
}

function briefSchema(schema: object): object {
  const kept = Object.entries(schema).filter(([key, value]) => !isLeftOut(key, value))
  return Object.fromEntries(kept.map(([key, value]) => [key, briefValue(key, value)]))
}

function briefValue(key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (key === 'properties') return briefProperties(value as Record<string, Described>)
  if (key === 'anyOf') return (value as object[]).map(briefSchema)
  return key === 'items' || key === 'additionalProperties' ? briefSchema(value) : value
}

interface Described {
  properties?: object
  description?: string
}

/** An object with the same fields as an earlier one, such as consent to SMS, only refers to it. */
function briefProperties(properties: Readonly<Record<string, Described>>): object {
  const before = new Map<string, string>()
  const brief = Object.entries(properties).map(([name, schema]) => {
    const fields = schema.properties && Object.keys(schema.properties).join(' ')
    const same = fields === undefined ? undefined : before.get(fields)
    if (fields !== undefined && same === undefined) before.set(fields, name)
    if (same === undefined) return [name, briefSchema(schema)]
    return [
      name,
      {
        type: 'object',
        description: [schema.description, `Fields as of ${same}.`].filter(Boolean).join(' '),
      },
    ]
  })
  return Object.fromEntries(brief)
}

function isLeftOut(key: string, value: unknown): boolean {
  return Object.hasOwn(leftOut, key) && leftOut[key]?.(value) === true
}
