/** The fields of a schema as rows of a table. */
import type { Schema } from './examples/values.ts'

/** `path | type | meaning`, with nested fields below their parent. */
export function fieldRows(schema: Schema, prefix = ''): string[][] {
  const { properties = {}, required = [] } = schema
  return Object.entries(properties).flatMap(([key, field]) => {
    const name = `${prefix}${key}`
    const must = required.includes(key) ? '' : ', optional'
    const row = [`\`${name}\``, typeOf(field) + must, meaningOf(field)]
    return [row, ...inner(field, name)]
  })
}

function inner(field: Schema, name: string): string[][] {
  if (field.properties) return fieldRows(field, `${name}.`)
  if (field.items?.properties) return fieldRows(field.items, `${name}[].`)
  const choice = field.anyOf?.find(({ properties }) => properties)
  return choice ? fieldRows(choice, `${name}.`) : []
}

function meaningOf(field: Schema): string {
  const description =
    field.description ?? field.anyOf?.find(({ description }) => description)?.description
  return description ?? ''
}

function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(', ')
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' or ')
  if (schema.type === 'array') return schema.items ? `list of ${plural(schema.items)}` : 'list'
  const [value = schema.additionalProperties] = Object.values(schema.patternProperties ?? {})
  if (!schema.properties && typeof value === 'object') return `${typeOf(value)} by key`
  return schema.type ?? 'anything'
}

function plural(items: Schema): string {
  const type = typeOf(items)
  return /^[a-z]+$/.test(type) ? `${type}s` : type
}
