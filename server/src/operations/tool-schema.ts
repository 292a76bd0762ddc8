/** Input schemas as a model reads them: in the list of tools, and in what `meta.find` finds. */
/** Limits higher than a model would exceed by itself are omitted. */
const farBound = 1_000_000
/**
 * Upper bounds of lists up to this value are shown, because a model may reach them. Longer lists of
 * words, such as the event types, are omitted; their field's description says where they stand.
 */
const shortList = 20

const omitted: Readonly<Record<string, (value: unknown) => boolean>> = {
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
 * Fields that many tools accept and the instructions explain once (`http/mcp/methods.ts`). This saves
 * 100 bytes for each tool.
 */
const explainedOnce: readonly string[] = ['business_id', 'idempotency_key', 'cursor', 'limit']

/**
 * Shortens schemas for the list of tools, since an assistant's context is expensive. It omits rules
 * that a model never meets in an honest call. Calls are still checked against the whole schema, and
 * a refusal names the rule. The whole schema is in the reference and in OpenAPI.
 *
 * The input schema of a tool, without the fields that `leftOut` names.
 */
export function toolSchema(input: object, leftOut: readonly string[] = []): object {
  const brief: { properties?: Record<string, object> } = briefSchema(input)
  const listed = Object.entries(brief.properties ?? {}).filter(([name]) => !leftOut.includes(name))
  const properties = listed.map(([name, field]) => [
    name,
    explainedOnce.includes(name) ? { ...field, description: undefined } : field,
  ])
  return { ...brief, properties: Object.fromEntries(properties) }
}

/** Rules that answers to a model may break, because a brief view leaves fields out. */
const rulesOfOutput: ReadonlySet<string> = new Set([
  'required',
  'additionalProperties',
  'pattern',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'description',
])

/** The output schema of a tool: which fields an answer can have, and of what type they are. */
export function outputSchema(output: object): object {
  const entries = Object.entries(output).flatMap(([key, value]): [string, unknown][] => {
    if (key === 'properties' && typeof value === 'object') {
      const fields = Object.entries(value as Record<string, object>)
      return [[key, Object.fromEntries(fields.map(([name, field]) => [name, outputSchema(field)]))]]
    }
    if (key === 'anyOf') return [[key, (value as object[]).map(outputSchema)]]
    if (key === 'items') return [[key, outputSchema(value as object)]]
    const isOpen = key === 'additionalProperties' || key === 'patternProperties'
    return isOpen || rulesOfOutput.has(key) ? [] : [[key, value]]
  })
  return Object.fromEntries(entries)
}

/** Whoever needs a list of what is mostly one value finds it in the reference. */
function withoutList(schema: object): object {
  const { anyOf, ...others } = schema as { anyOf?: readonly SchemaText[] }
  const [value, list, further] = anyOf ?? []
  const isOneOrList = value?.type === 'string' && list?.type === 'array' && further === undefined
  return isOneOrList ? { ...value, ...others } : schema
}

/** A value of one type or null: `type` says both, in fewer letters than `anyOf`. */
function withNull(schema: object): object {
  const { anyOf, ...others } = schema as { anyOf?: readonly SchemaText[] }
  const [value, nothing, further] = anyOf ?? []
  if (nothing?.type !== 'null' || further !== undefined) return schema
  const isBare = ['string', 'integer', 'number', 'boolean'].includes(value?.type ?? '')
  if (!isBare || (value && 'enum' in value)) return schema
  return { ...value, type: [value?.type, 'null'], ...others }
}

function briefSchema(schemas: object): object {
  const schema = withNull(withoutList(schemas))
  const kept = Object.entries(schema).filter(([key, value]) => !isLeftOut(key, value))
  return Object.fromEntries(kept.map(([key, value]) => [key, briefValue(key, value)]))
}

function briefValue(key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (key === 'properties') return briefProperties(value as Record<string, SchemaText>)
  if (key === 'anyOf') return (value as object[]).map(briefSchema)
  return key === 'items' || key === 'additionalProperties' ? briefSchema(value) : value
}

interface SchemaText {
  type?: string
  properties?: object
  description?: string
}

/** An object with the same fields as an earlier one, such as consent to SMS, only refers to it. */
function briefProperties(properties: Readonly<Record<string, SchemaText>>): object {
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
  return Object.hasOwn(omitted, key) && omitted[key]?.(value) === true
}
