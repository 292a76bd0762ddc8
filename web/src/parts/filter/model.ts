/** Filters as rows that a person can edit. Filters that rows cannot express stay as they are. */
import type { Filter as WrittenFilter } from '@crier-mail/sdk/session'

/** One that the service takes, of which any key may be asked for. */
export type Filter = WrittenFilter & Record<string, unknown>
/** A filter that has no condition yet. The service refuses it. */
export const unfinished = {} as Filter

/** All of the items hold, any of them, or none of them. */
export type Join = 'and' | 'or' | 'none'
/** The type of a custom field; a field that nobody has yet may have any. */
export type FieldType = 'text' | 'number' | 'boolean' | 'date' | 'any'

export interface FilterRow {
  /** Only for React. */
  id: number
  kind: string
  operator: string
  value: string
  /** The name of a custom field. */
  key: string
  type: FieldType
  /** The campaign or form of an activity; empty for any. */
  of: string
  /** Whether the name of the custom field is typed rather than chosen. */
  isTyped?: boolean
  /** In an automation: counted from when the person entered it, in place of a period. */
  since?: 'entry' | 'step'
}

export interface FilterGroup {
  id: number
  join: Join
  items: FilterItem[]
}

export type FilterItem = FilterRow | FilterGroup

export const isGroup = (item: FilterItem): item is FilterGroup => 'items' in item

export const fieldKinds = [
  'email',
  'email_domain',
  'external_id',
  'phone',
  'name',
  'first_name',
  'last_name',
  'language',
  'source',
] as const
/** The kinds that are no custom fields, in the order of the menu. */
export const kinds = [
  'tag',
  'standing',
  'topic',
  'consent',
  'reachable',
  'segment',
  'did',
  'did_not',
  ...fieldKinds,
  'created_at',
] as const

const textOperators = ['is', 'is_not', 'contains', 'starts_with', 'ends_with', 'exists', 'missing']
const numberOperators = ['is', 'is_not', 'gt', 'gte', 'lt', 'lte', 'exists', 'missing']

const operatorsByType: Record<FieldType, readonly string[]> = {
  text: textOperators,
  number: numberOperators,
  boolean: ['is', 'exists', 'missing'],
  date: [
    'within',
    'older_than',
    'upcoming',
    'anniversary',
    'before',
    'on',
    'after',
    'exists',
    'missing',
  ],
  any: [...textOperators, 'gt', 'gte', 'lt', 'lte'],
}

const operatorsByKind: Record<string, readonly string[]> = {
  tag: ['has', 'has_not'],
  standing: ['email', 'sms'],
  consent: ['email', 'sms', 'tracking'],
  reachable: ['email', 'sms'],
  topic: ['subscribed', 'unsubscribed', 'none'],
  segment: ['among', 'not_among'],
  source: ['is', 'is_not'],
  created_at: ['within', 'older_than', 'before', 'on', 'after'],
}

export const deeds = [
  'message.sent',
  'message.delivered',
  'message.opened',
  'message.clicked',
  'message.replied',
  'message.bounced',
  'form.submitted',
] as const

/** An event of the business whose name is typed: nobody may have done it yet. */
export const typedEvent = 'own'

/** The choices beside the kind in a row; `events` are the business's own. */
export function operatorsOf(
  { kind, type }: Pick<FilterRow, 'kind' | 'type'>,
  events: readonly string[] = [],
): readonly string[] {
  if (kind === 'did' || kind === 'did_not') return [...deeds, ...events]
  if (kind === 'attribute') return operatorsByType[type]
  return operatorsByKind[kind] ?? textOperators
}

/** What the activity can be limited to. */
export function narrowingOf({ kind, operator }: FilterRow): 'campaign' | 'form' | undefined {
  if (kind !== 'did' && kind !== 'did_not') return undefined
  if (operator === 'form.submitted') return 'form'
  return operator.startsWith('message.') ? 'campaign' : undefined
}

export type ValueKind =
  | 'none'
  | 'text'
  | 'number'
  | 'boolean'
  | 'day'
  | 'duration'
  | 'standing'
  | 'consent'
  | 'source'
  | 'topic'
  | 'segment'

const kindsOfChoices = ['standing', 'consent', 'source', 'topic', 'segment'] as const

export function valueKindOf({ kind, operator, type }: FilterRow): ValueKind {
  if (kind === 'reachable' || operator === 'exists' || operator === 'missing') return 'none'
  const choices = kindsOfChoices.find((text) => text === kind)
  if (choices) return choices
  if (['within', 'older_than', 'upcoming', 'anniversary'].includes(operator)) return 'duration'
  if (['before', 'on', 'after'].includes(operator)) return 'day'
  if (kind.startsWith('did')) return 'duration'
  if (['gt', 'gte', 'lt', 'lte'].includes(operator)) return 'number'
  return kind === 'attribute' && (type === 'number' || type === 'boolean') ? type : 'text'
}

export const units = ['hour', 'day', 'week', 'month', 'year'] as const

/** "60 days" as a number and a unit; an empty number for no duration. */
export function durationOf(value: string): { count: string; unit: string } {
  const [count = '', unit = 'day'] = value.split(' ')
  return { count, unit: unit.endsWith('s') ? unit.slice(0, -1) : unit }
}

export const durationText = (count: string, unit: string): string =>
  count === '' ? '' : `${count} ${unit}${count === '1' ? '' : 's'}`

let lastId = 0

const starts: Record<string, string> = {
  standing: 'subscribed',
  consent: 'subscribed',
  source: 'form',
  duration: '30 days',
  boolean: 'true',
}

export function newRow(kind = 'tag', key = '', type: FieldType = 'any'): FilterRow {
  const operator = operatorsOf({ kind, type })[0] ?? ''
  return withStart({ id: ++lastId, kind, operator, value: '', key, type, of: '' })
}

/** The row with a value that fits its operator, where there is an obvious one. */
export function withStart(row: FilterRow): FilterRow {
  const kind = valueKindOf(row)
  const value = row.kind.startsWith('did') ? '' : (starts[kind] ?? '')
  return { ...row, value }
}

export const newGroup = (items: FilterItem[] = [newRow()], join: Join = 'and'): FilterGroup => ({
  id: ++lastId,
  join,
  items,
})

/** Incomplete rows are left out until they are complete. */
export function toFilter({ items, join }: FilterGroup): Filter | undefined {
  const filters = items
    .map((item) => (isGroup(item) ? toFilter(item) : toCondition(item)))
    .filter((filter) => filter !== undefined)
  const [only] = filters
  if (!only) return undefined
  if (join === 'none') return { not: filters.length > 1 ? { or: filters } : only }
  if (filters.length === 1) return only
  return join === 'or' ? { or: filters } : { and: filters }
}

/** The complete rows, in the order in which the server counts them. */
export function completeRows(group: FilterGroup): FilterRow[] {
  return group.items.flatMap((item) => {
    if (isGroup(item)) return completeRows(item)
    return toCondition(item) === undefined ? [] : [item]
  })
}

/** Whether people who do not match the condition itself are meant. */
export const isNegated = ({ operator }: FilterRow): boolean =>
  operator === 'has_not' || operator === 'not_among'

/** The kinds and operators of rows are texts of the page; the service judges what they make. */
const toCondition = (row: FilterRow) => conditionOf(row) as Filter | undefined

function conditionOf(row: FilterRow): Record<string, unknown> | undefined {
  const { kind, operator, key, of } = row
  const value = row.value.trim()
  const valueKind = valueKindOf(row)
  if (kind === 'did' || kind === 'did_not') {
    const narrowing = narrowingOf(row)
    const event = operator === typedEvent ? key.trim() : operator
    if (event === '') return undefined
    return {
      [kind]: event,
      ...(of !== '' && narrowing && { [`${narrowing}_id`]: of }),
      ...(row.since ? { since: row.since } : isDuration(value) && { within: value }),
    }
  }
  if (value === '' && valueKind !== 'none') return undefined
  if (valueKind === 'duration' && !isDuration(value)) return undefined
  switch (kind) {
    case 'tag':
      return operator === 'has_not' ? { not: { tag: value } } : { tag: value }
    case 'segment':
      return operator === 'not_among' ? { not: { segment: value } } : { segment: value }
    case 'topic':
      return { topic: value, is: operator }
    case 'standing':
    case 'consent':
      return { [kind]: operator, is: value }
    case 'reachable':
      return { reachable: operator }
    case 'attribute':
      if (key.trim() === '') return undefined
      return withValue(`attributes.${key.trim()}`, row, ownValue(row, value))
    default:
      return withValue(kind, row, value)
  }
}

function isDuration(value: string): boolean {
  const { count, unit } = durationOf(value)
  const number = Number(count)
  return Number.isInteger(number) && number > 0 && units.some((name) => name === unit)
}

function withValue(field: string, row: FilterRow, value: unknown) {
  const bare = { field, op: row.operator }
  if (valueKindOf(row) === 'none') return bare
  return value === undefined ? undefined : { ...bare, value }
}

/** Custom fields have types: numbers and booleans are written as such. */
function ownValue(row: FilterRow, value: string): unknown {
  const kind = valueKindOf(row)
  const number = Number(value)
  const isNumber = value !== '' && Number.isFinite(number)
  if (kind === 'number') return isNumber ? number : undefined
  if (kind === 'boolean') return value === 'true'
  if (row.type !== 'any' || !['is', 'is_not'].includes(row.operator)) return value
  if (value === 'true' || value === 'false') return value === 'true'
  return isNumber ? number : value
}

/** Nested groups are edited to this depth. */
const deepest = 2

/** Undefined where it is nested deeper, or rows cannot express it. */
export function toGroup(filter: Filter): FilterGroup | undefined {
  const row = toRow(filter)
  const group = row ? newGroup([row]) : readGroup(filter, 1)
  return group && isSame(toFilter(group), filter) ? group : undefined
}

function readGroup(filter: Filter, depth: number): FilterGroup | undefined {
  const { and, or, not }: Record<string, unknown> = { ...filter }
  const inner = not as Record<string, unknown> | undefined
  const [join, list] = Array.isArray(and)
    ? (['and', and] as const)
    : Array.isArray(or)
      ? (['or', or] as const)
      : (['none', inner && (Array.isArray(inner['or']) ? inner['or'] : [inner])] as const)
  if (!list) return undefined
  const items = (list as Filter[]).map(
    (entry) => toRow(entry) ?? (depth < deepest ? readGroup(entry, depth + 1) : undefined),
  )
  return items.every((item) => item !== undefined) ? newGroup(items, join) : undefined
}

function toRow(condition: Filter): FilterRow | undefined {
  const text = (value: unknown) =>
    value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
  const row = (kind: string, operator: unknown, value: unknown = '', more = {}): FilterRow => ({
    id: ++lastId,
    kind,
    operator: text(operator),
    value: text(value),
    key: '',
    type: 'any',
    of: '',
    ...more,
  })
  const written: Record<string, unknown> = { ...condition }
  const { tag, not, segment, standing, topic, consent, is, reachable, ...rest } = written
  const { did, did_not, within, since, campaign_id, form_id, field, op, value } = rest
  const inner = not as Record<string, unknown> | undefined
  if (tag !== undefined) return row('tag', 'has', tag)
  if (inner?.['tag'] !== undefined) return row('tag', 'has_not', inner['tag'])
  if (segment !== undefined) return row('segment', 'among', segment)
  if (inner?.['segment'] !== undefined) return row('segment', 'not_among', inner['segment'])
  if (standing !== undefined) return row('standing', standing, is)
  if (topic !== undefined) return row('topic', is, topic)
  if (consent !== undefined) return row('consent', consent, is)
  if (reachable !== undefined) return row('reachable', reachable)
  const narrowed = {
    of: text(campaign_id ?? form_id),
    ...((since === 'entry' || since === 'step') && { since }),
  }
  if (did !== undefined) return row('did', did, within, narrowed)
  if (did_not !== undefined) return row('did_not', did_not, within, narrowed)
  if (typeof field !== 'string') return undefined
  if (!field.startsWith('attributes.')) return row(field, op, value)
  const key = field.slice('attributes.'.length)
  return row('attribute', op, value, { key, type: typeOf(text(op), value) })
}

/** The type of field that such a condition is about. */
function typeOf(op: string, value: unknown): FieldType {
  if (typeof value === 'number') return 'number'
  if (typeof value === 'boolean') return 'boolean'
  if (value === undefined) return 'any'
  return operatorsByType.date.includes(op) ? 'date' : 'text'
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** The most similar of the names, if at most a third of its letters differ. */
export function nearestName(input: string, names: readonly string[]): string | undefined {
  const typed = input.trim().toLowerCase().slice(0, 64)
  const ranked = names
    .map((name) => ({ name, distance: lettersApart(typed, name.toLowerCase().slice(0, 64)) }))
    .toSorted((a, b) => a.distance - b.distance)
  const [best] = ranked
  const limit = Math.max(1, Math.floor(Math.max(typed.length, best?.name.length ?? 0) / 3))
  return best && best.distance <= limit ? best.name : undefined
}

/** How many letters are to be changed, added, removed, or swapped with the next. */
function lettersApart(a: string, b: string): number {
  const first = Array.from({ length: b.length + 1 }, (_, i) => i)
  const rows = [first]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    const above = rows[i - 1] ?? first
    for (let j = 1; j <= b.length; j++) {
      const change = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swap = isSwap ? (rows[i - 2]?.[j - 2] ?? 0) + 1 : change
      row.push(Math.min(change, swap, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    rows.push(row)
  }
  return rows[a.length]?.[b.length] ?? 0
}
