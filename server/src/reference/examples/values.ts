/** Example values of fields, by name, if the schema alone does not determine a good one. */

import { singular } from '../singular.ts'
import { type ExampleIds, idFor, inventedId } from './ids.ts'
import { empty, exact, moment, seldom, texts } from './texts.ts'

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
  minItems?: number
  minimum?: number
}

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
  mail_id: 'mai',
  note_id: 'nte',
  reply_id: 'rpl',
  campaign_id: 'cmp',
  template_id: 'tpl',
  domain_id: 'dom',
  segment_id: 'seg',
  sequence_id: 'seq',
  feed_id: 'fed',
  image_id: 'img',
  dark_image_id: 'img',
  import_id: 'imp',
  confirmation_id: 'cnf',
  sample_id: 'prp',
  tagging_id: 'tgg',
  suppression_id: 'act',
  mandate_id: 'mdt',
  removal_id: 'rmv',
  batch_id: 'bat',
  proposal_id: 'prp',
  connection_id: 'cnx',
  user_id: 'usr',
  replay_of: 'dlv',
  id: 'evt',
}

/** Values of maps with arbitrary keys. */
const maps: Record<string, Record<string, unknown>> = {
  fields: { email: 'ana@example.com', name: 'Ana Ruiz' },
  attributes: { city: 'Lyon' },
  limits: { requests_per_minute: 600 },
  filter: { tag: 'vip' },
  condition: { tag: 'vip' },
  enter: { on: 'consent.given' },
  exit: { did: 'order', since: 'entry' },
  goal: { did: 'order', since: 'entry' },
  hours: { from: '09:00', to: '19:00' },
  step: { wait: '3 days' },
}

/** The key of the one value in a map that is not above. */
const mapKeys: Record<string, string> = {
  by_type: 'string',
  consent: 'email',
  counts: 'sent',
  email: 'news',
  headers: 'content-type',
  labels: 'email',
  metadata: 'order',
  operators: 'string',
  options: 'city',
  sms: 'news',
  texts: 'de',
}

/** A value that matches the schema. `key` is the name of the field, or the noun of an object. */
export function exampleValue(schema: Schema, key = '', ids: ExampleIds = {}, within = ''): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) {
    const isEmpty = empty.has(key) || empty.has(`${within}.${key}`)
    if (isEmpty && schema.anyOf.some(({ type }) => type === 'null')) return null
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
      return entryKeys(schema, key).map((entry) =>
        exampleValue(schema.items ?? {}, entry, ids, within),
      )
    case 'object':
      return exampleObject(schema, key, ids)
    default:
      return 'any value'
  }
}

/** A list that needs two entries, such as `campaign_ids`, has another one. */
function entryKeys({ minItems = 1 }: Schema, key: string): string[] {
  const entry = singular(key)
  return minItems > 1 ? [entry, `other_${entry}`] : [entry]
}

function exampleObject(schema: Schema, key: string, ids: ExampleIds): Record<string, unknown> {
  const { properties, additionalProperties, patternProperties = {} } = schema
  if (properties) {
    return Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => schema.required?.includes(name) || !isSeldom(key, name))
        .map(([name, property]) => [
          name,
          // Over REST such a field is there too, and empty.
          isSeldom(key, name) && takesNull(property)
            ? null
            : (exactValue(property, key, name) ?? exampleValue(property, name, ids, key)),
        ]),
    )
  }
  const [value = additionalProperties] = Object.values(patternProperties)
  if (maps[key]) return maps[key]
  const inner = mapKeys[key] ?? 'example'
  return typeof value === 'object' ? { [inner]: exampleValue(value, inner, ids, key) } : {}
}

const takesNull = ({ anyOf = [] }: Schema) => anyOf.some(({ type }) => type === 'null')

function exactValue(schema: Schema, key: string, name: string): unknown {
  const choices = schema.anyOf ?? [schema]
  return [exact.get(`${key}.${name}`), exact.get(name)].find((value) =>
    choices.some((choice) => value !== undefined && allows(choice, value)),
  )
}

function allows({ type, enum: choices, format, pattern }: Schema, value: unknown): boolean {
  if (choices) return choices.includes(value)
  if (format !== undefined || pattern !== undefined) return false
  if (Array.isArray(value)) return type === 'array'
  return typeof value === (type === 'integer' ? 'number' : type)
}

const isSeldom = (key: string, name: string) => seldom.has(name) || seldom.has(`${key}.${name}`)

function exampleText(schema: Schema, { key, within }: Place, ids: ExampleIds): string {
  const typed = idFor({ pattern: schema.pattern, key }, ids)
  if (typed !== undefined) return typed
  const prefix = prefixes[key]
  if (prefix !== undefined) return ids[prefix] ?? inventedId(prefix)
  if (schema.format === 'date-time' || isTime(key)) return moment
  return texts[`${within}.${key}`] ?? texts[key] ?? (key || 'any text')
}

/** The field's name, and the name of its object. */
interface Place {
  key: string
  within: string
}

const isTime = (key: string) => ['_at', '_until', '_since'].some((end) => key.endsWith(end))
