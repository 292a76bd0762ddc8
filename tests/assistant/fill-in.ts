/** Fills a tool's arguments with facts in plain words, by the words of its schema alone. */
import { bestOf } from './words.ts'

export type Values = Record<string, unknown>

export interface Schema {
  type?: string
  description?: string
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
}

/** A known fact: described in words that are in no catalogue, and its value. */
export interface Fact {
  about: string
  is: Known
}

/**
 * A list of facts is an object, `list` is an array, `exactly` is a value as it stands, and
 * `remembered` comes from an answer.
 */
export type Known =
  | string
  | number
  | boolean
  | readonly Fact[]
  | { list: readonly Known[] }
  | { exactly: unknown }
  | typeof remembered

export const remembered = Symbol('it stands in an earlier answer')

export interface Surroundings {
  memory: ReadonlyMap<string, unknown>
  /** The arguments of the tool that a text mentions. */
  schemaOf(text: string): Schema | undefined
}

export function fillIn(schema: Schema, given: readonly Fact[], around: Surroundings): Values {
  const { properties = {}, required = [] } = schema
  const inputs: Values = {}
  for (const { about, is } of given) {
    const open = Object.entries(properties).filter(([key]) => !(key in inputs))
    const best = bestOf(about, open, ([key, within]) => ({ title: key, rest: saidOf(within) }))
    if (!best)
      throw new Error(`no place for “${about}” among ${Object.keys(properties).join(', ')}`)
    const [key, within] = best.choice
    inputs[key] = is === remembered ? around.memory.get(key) : shaped(within, is, around)
  }
  for (const key of required) inputs[key] ??= around.memory.get(key)
  return inputs
}

function shaped(schema: Schema, known: Known, around: Surroundings): unknown {
  if (typeof known === 'symbol') return undefined
  if (typeof known === 'object' && 'exactly' in known) return known.exactly
  if (schema.anyOf) return shaped(branchOf(schema.anyOf, known), known, around)
  if (typeof known === 'string' && schema.enum) {
    const texts = schema.enum.map(String)
    return bestOf(known, texts, (text) => ({ title: text, rest: '' }))?.choice ?? known
  }
  if (typeof known !== 'object') return known
  if ('list' in known) {
    const own = schema.items?.properties || schema.items?.type !== 'object'
    const items = own ? schema.items : around.schemaOf(schema.description ?? '')
    return known.list.map((entry) => shaped(items ?? {}, entry, around))
  }
  if (schema.properties) return fillIn(schema, known, around)
  // An object with free keys: the facts' own names are the keys.
  return Object.fromEntries(known.map(({ about, is }) => [about, is]))
}

function branchOf(branches: readonly Schema[], known: Known): Schema {
  const type = Array.isArray(known) ? 'object' : typeof known === 'object' ? 'array' : typeof known
  return branches.find((branch) => branch.type === type) ?? branches[0] ?? {}
}

/** The words of a schema: descriptions, choices and the names of its parts. */
export function saidOf({
  description = '',
  enum: choices = [],
  properties,
  items,
  anyOf,
}: Schema): string {
  const parts = Object.entries(properties ?? {}).map(([key, one]) => `${key} ${saidOf(one)}`)
  const within = [...(items ? [items] : []), ...(anyOf ?? [])].map(saidOf)
  return [description, ...choices, ...parts, ...within].join(' ')
}
