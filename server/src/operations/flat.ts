/**
 * The shape of answers over REST. What strangers typed stands beside the other fields, as in events
 * and webhooks; only for a model, in a tool's result, it is marked by a field `untrusted` of its own.
 * Each field of an answer is there, null where there is nothing, and each list says whether more
 * follows and from where: tools leave out what says nothing.
 */
import { isRefusal } from '../core/errors.ts'
import type { Operation } from '../core/operation.ts'
import { isObject } from '../lib/text/i-json.ts'

interface Schema {
  type?: unknown
  description?: string
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
  anyOf?: readonly Schema[]
  additionalProperties?: unknown
}

type Described = Pick<Operation, 'name' | 'hints'>

const mark = 'untrusted'
const cursor = 'next_cursor'

/** The schema of the same answer over REST. */
export function flatSchema<S extends Schema>(operation: Described, schema: S): S {
  const flat = asFlat(schema, isFilled(operation))
  const { properties, required = [] } = flat
  if (!properties || !isList(operation, properties)) return flat
  const next = { type: 'string', description: 'Pass it as cursor for the next page.' }
  const added = {
    ...(!(cursor in properties) && { [cursor]: orNull(next) }),
    ...(!('more' in properties) && { more: { type: 'boolean', description: 'If more follows.' } }),
  }
  return {
    ...flat,
    properties: { ...properties, ...added },
    required: [...required, ...Object.keys(added)],
  }
}

/** The answer of the operation over REST. */
export function flatAnswer(operation: Operation, answer: unknown): unknown {
  let plan = plans.get(operation)
  if (plan === undefined) {
    plan = planOf(operation.output as Schema, isFilled(operation)) ?? null
    plans.set(operation, plan)
  }
  const flat = plan && !isRefusal(answer) ? made(answer, plan) : answer
  if (isRefusal(flat) || !isObject(flat) || !isList(operation, operation.output.properties)) {
    return flat
  }
  const next = flat[cursor] ?? null
  return { ...flat, [cursor]: next, more: flat['more'] ?? next !== null }
}

const plans = new WeakMap<Operation, Plan | null>()

/** What the contract's own routes answer has no field beside those that it names. */
const ofContract: ReadonlySet<string> = new Set(['webhook.save', 'webhook.failed'])
const isFilled = ({ name }: Described) => !ofContract.has(name)

function isList(
  { name, hints }: Described,
  properties: Readonly<Record<string, unknown>>,
): boolean {
  if (ofContract.has(name)) return false
  return (
    cursor in properties ||
    (hints.readOnly && (name.endsWith('.list') || name.endsWith('.versions')))
  )
}

/**
 * What callers define is answered as they wrote it, so that they can send it back: such objects are
 * closed, or have one of these names.
 */
const defined: ReadonlySet<string> = new Set([
  'attention',
  'audience',
  'choices',
  'content',
  'filter',
  'logo',
  'sender',
  'source',
  'utm',
])

const isClosed = ({ additionalProperties }: Schema) => additionalProperties === false

const isNull = ({ type }: Schema) => type === 'null'

function orNull({ description, ...schema }: Schema): Schema {
  const choices = schema.anyOf ?? [schema]
  const anyOf = choices.some(isNull) ? choices : [...choices, { type: 'null' }]
  return { ...(schema.anyOf && schema), ...(description !== undefined && { description }), anyOf }
}

function asFlat<S extends Schema>(schema: S, isWhole: boolean): S {
  const { properties, required = [], items, anyOf } = schema
  if (properties) {
    const { [mark]: marked, ...others } = properties
    const inner = marked?.properties ?? {}
    // It stands in one of the two: in the mark where strangers wrote it, beside it where they did not.
    const isInEither = (key: string) => key in others && key in inner
    const doubled = required.find(isInEither)
    if (doubled !== undefined) throw new Error(`${doubled} stands in an answer and in its ${mark}`)
    const innerNeeds = (marked?.required ?? []).filter(
      (key) => required.includes(mark) || isInEither(key),
    )
    const needed = [...required.filter((key) => key !== mark), ...innerNeeds]
    const fills = isWhole && !isClosed(schema)
    const fields = Object.entries({ ...others, ...inner, ...others }).map(([key, field]) => {
      const flat = asFlat(field, isWhole && !defined.has(key))
      return [key, fills && !needed.includes(key) ? orNull(flat) : flat] as const
    })
    return {
      ...schema,
      properties: Object.fromEntries(fields),
      ...(fills
        ? { required: fields.map(([key]) => key) }
        : schema.required && { required: needed }),
    }
  }
  const isOne = isWhole && oneObject(anyOf)
  return {
    ...schema,
    ...(items && { items: asFlat(items, isWhole) }),
    ...(anyOf && { anyOf: anyOf.map((choice) => asFlat(choice, isOne)) }),
  }
}

/** If an answer may have one of several shapes, its fields show which one it has. */
function oneObject(anyOf: readonly Schema[] = []): boolean {
  return (
    anyOf.filter(({ type, properties, items }) => type === 'object' || properties || items).length <
    2
  )
}

/** What is to be done with a value of a schema; there is none where it stays as it is. */
interface Plan {
  fields: ReadonlyMap<string, Plan>
  /** The fields that are null where they are absent. */
  filled: readonly string[]
  items?: Plan | undefined
}

function planOf(schema: Schema, isWhole: boolean): Plan | undefined {
  const { properties, items, anyOf } = schema
  if (properties) {
    const flat = asFlat(schema, isWhole)
    const fields = Object.entries(properties).flatMap(([key, field]) => {
      const plan =
        planOf(field, isWhole && !defined.has(key)) ?? (key === mark ? asItIs : undefined)
      return plan ? [[key, plan] as const] : []
    })
    const filled = isWhole && !isClosed(schema) ? Object.keys(flat.properties ?? {}) : []
    return fields.length > 0 || filled.length > 0 ? { fields: new Map(fields), filled } : undefined
  }
  if (items) {
    const plan = planOf(items, isWhole)
    return plan && { ...asItIs, items: plan }
  }
  const choice = anyOf?.find((each) => each.properties ?? each.items)
  return choice && planOf(choice, isWhole && oneObject(anyOf))
}

const asItIs: Plan = { fields: new Map(), filled: [] }

/** By the schema, so that a stranger's own key `untrusted` stays what it is. */
function made(value: unknown, plan: Plan): unknown {
  const { fields, filled, items } = plan
  if (Array.isArray(value)) return items ? value.map((item) => made(item, items)) : value
  if (!isObject(value)) return value
  const entries: [string, unknown][] = []
  for (const [key, field] of Object.entries(value)) {
    const inner = fields.get(key)
    const whole = inner ? made(field, inner) : field
    if (key === mark && inner && isObject(whole)) entries.push(...Object.entries(whole))
    else entries.push([key, whole])
  }
  const answer = Object.fromEntries(entries)
  for (const key of filled) answer[key] ??= null
  return answer
}
