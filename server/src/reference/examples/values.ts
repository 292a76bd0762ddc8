/** Example values of fields, by name, if the schema alone does not determine a good one. */
import { type ExampleIds, idFor, inventedId } from './ids.ts'

/** The part of JSON Schema that our definitions use. */
export interface Schema {
  type?: string
  description?: string
  format?: string
  pattern?: string
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly Schema[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  additionalProperties?: boolean | Schema
  patternProperties?: Readonly<Record<string, Schema>>
  items?: Schema
  minimum?: number
}

const moment = '2026-11-20T10:00:00.000Z'

/** Fields whose name determines the kind of their id. */
const prefixes: Record<string, string> = {
  business_id: 'bus',
  form_id: 'frm',
  submission_id: 'sub',
  contact_id: 'con',
  webhook_id: 'whk',
  event_id: 'evt',
  delivery_id: 'dlv',
  message_id: 'msg',
  reply_id: 'rpl',
  campaign_id: 'cmp',
  template_id: 'tpl',
  domain_id: 'dom',
  segment_id: 'seg',
  id: 'evt',
}

const texts: Record<string, string> = {
  email: 'ana@example.com',
  phone: '+33612345678',
  name: 'Ana Ruiz',
  title: 'List forms',
  'business.name': 'North Yoga',
  'form.name': 'Newsletter',
  'tool.name': 'form.list',
  'event.type': 'form.submitted',
  'timeline.type': 'contact.updated',
  'deprecation.name': 'an.operation',
  until: '2027-06-01',
  reason: 'bounced',
  granted_scope: 'forms:read',
  tag: 'vip',
  alias: 'list_forms',
  label: 'Email',
  key: 'email',
  version: 'v1.1.0',
  scope: 'forms:read',
  tier: 'scale',
  role: 'viewer',
  metric: 'contacts',
  url: 'https://example.com/hooks/crier',
  source_url: 'https://example.com/newsletter',
  source: 'checkout page',
  subject: 'Welcome',
  domain: 'mail.example.com',
  from: 'North Yoga <hello@mail.example.com>',
  month: '2026-11-01',
  day: '2026-11-20',
  since: moment,
  at: moment,
  signing_secret: `whsec_${'x'.repeat(43)}`,
  fires_when: 'a form submission completes',
  agent: 'Mozilla/5.0',
  ip: '203.0.113.7',
}

/** Values of maps with arbitrary keys. */
const maps: Record<string, Record<string, unknown>> = {
  fields: { email: 'ana@example.com', name: 'Ana Ruiz' },
  attributes: { city: 'Lyon' },
  limits: { requests_per_minute: 600 },
  filter: { tag: 'vip' },
  condition: { tag: 'vip' },
}

/** A value that matches the schema. `key` is the name of the field, or the noun of an object. */
export function exampleValue(schema: Schema, key = '', ids: ExampleIds = {}, within = ''): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) {
    const choice = schema.anyOf.find(({ type }) => type !== 'null')
    return choice ? exampleValue(choice, key, ids, within) : null
  }
  switch (schema.type) {
    case 'string':
      return exampleText(schema, { key, within }, ids)
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    case 'null':
      return null
    case 'array':
      return [exampleValue(schema.items ?? {}, singular(key), ids, within)]
    case 'object':
      return exampleObject(schema, key, ids)
    default:
      return 'any value'
  }
}

function exampleObject(schema: Schema, key: string, ids: ExampleIds): Record<string, unknown> {
  const { properties, additionalProperties, patternProperties = {} } = schema
  if (properties) {
    return Object.fromEntries(
      Object.entries(properties)
        // The last page is the common case, so an optional `next_cursor` is left out.
        .filter(([name]) => name !== 'next_cursor' || schema.required?.includes(name))
        .map(([name, property]) => [name, exampleValue(property, name, ids, key)]),
    )
  }
  const [value = additionalProperties] = Object.values(patternProperties)
  if (maps[key]) return maps[key]
  return typeof value === 'object' ? { example: exampleValue(value, '', ids) } : {}
}

function exampleText(schema: Schema, { key, within }: Place, ids: ExampleIds): string {
  const typed = idFor({ pattern: schema.pattern, key }, ids)
  if (typed !== undefined) return typed
  const prefix = prefixes[key]
  if (prefix !== undefined) return ids[prefix] ?? inventedId(prefix)
  if (schema.format === 'date-time' || key.endsWith('_at')) return moment
  return texts[`${within}.${key}`] ?? texts[key] ?? (key || 'text')
}

/** The field's name, and the name of its object. */
interface Place {
  key: string
  within: string
}

/** `contacts` becomes `contact`: the singular names the items. */
function singular(key: string): string {
  return key.replace(/(ss|as)es$|s$/, '$1')
}
