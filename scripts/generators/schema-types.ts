/** A JSON schema as a TypeScript type, its descriptions as comments. */

/** The part of JSON Schema that our definitions use; anything else is refused. */
export interface Schema {
  type?: string
  description?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  /** A schema of `components`, whose name is that of its type. */
  $ref?: string
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  patternProperties?: Record<string, Schema>
  items?: Schema
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}

export function typeOf(schema: Schema, indent = ''): string {
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  if (schema.enum) return schema.enum.map((value) => literal(value)).join(' | ')
  if (schema.const !== undefined) return literal(schema.const)
  const options = schema.anyOf ?? schema.oneOf
  if (options) return options.map((option) => typeOf(option, indent)).join(' | ')
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return `Array<${typeOf(schema.items ?? {}, indent)}>`
    case 'object':
      return objectType(schema, indent)
    case undefined:
      return 'unknown'
    default:
      throw new Error(`no type for the schema ${JSON.stringify(schema).slice(0, 200)}`)
  }
}

function objectType(schema: Schema, indent: string): string {
  const { properties = {}, required = [], patternProperties = {} } = schema
  const [additionalProperties = schema.additionalProperties] = Object.values(patternProperties)
  const inner = `${indent}  `
  const fields = Object.entries(properties).map(([key, property]) => {
    const sign = required.includes(key) ? '' : '?'
    return `${comment(property.description, inner)}${inner}${name(key)}${sign}: ${typeOf(property, inner)}\n`
  })
  if (fields.length > 0) return `{\n${fields.join('')}${indent}}`
  const values =
    typeof additionalProperties === 'object' ? typeOf(additionalProperties, indent) : ''
  return `Record<string, ${values || (additionalProperties === false ? 'never' : 'unknown')}>`
}

/** A comment block on its own lines; empty where there is no text. */
export function comment(text: string | undefined, indent: string): string {
  if (!text) return ''
  return `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n`
}

/** `contact.upsert` as `ContactUpsert`. */
export function pascal(words: string): string {
  return words.replace(/(?:^|[._-])([a-z])/g, (_match, letter: string) => letter.toUpperCase())
}

export function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replace(/[\\']/g, '\\$&')}'` : JSON.stringify(value)
}

function name(key: string): string {
  return /^[a-zA-Z_]\w*$/.test(key) ? key : literal(key)
}
