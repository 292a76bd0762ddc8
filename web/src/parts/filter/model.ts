/** Filters as rows that a person can edit. Filters that rows cannot express stay JSON. */

export type Filter = Record<string, unknown>
export type Join = 'and' | 'or'

export interface FilterRow {
  /** Only for React. */
  id: number
  kind: string
  operator: string
  value: string
  /** The name of a custom field. */
  key: string
}

export const fieldKinds = [
  'email',
  'email_domain',
  'phone',
  'name',
  'first_name',
  'last_name',
  'language',
  'source',
] as const
export const kinds = [
  'tag',
  'consent',
  'reachable',
  ...fieldKinds,
  'created_at',
  'attribute',
  'did',
  'did_not',
] as const

const textOperators = ['is', 'is_not', 'contains', 'starts_with', 'ends_with', 'exists', 'missing']

const operatorsByKind: Record<string, readonly string[]> = {
  tag: ['has', 'has_not'],
  consent: ['email', 'sms'],
  reachable: ['email', 'sms'],
  source: ['is', 'is_not'],
  created_at: ['within', 'older_than'],
  attribute: [...textOperators, 'gt', 'gte', 'lt', 'lte'],
}

const deeds = [
  'message.sent',
  'message.delivered',
  'message.opened',
  'message.clicked',
  'message.replied',
  'form.submitted',
] as const

/** The choices beside the kind in a row: a comparison, or an activity. */
export function operatorsOf(kind: string): readonly string[] {
  if (kind === 'did' || kind === 'did_not') return deeds
  return operatorsByKind[kind] ?? textOperators
}

export type ValueKind = 'none' | 'text' | 'consent' | 'source' | 'duration'

export function valueKindOf({ kind, operator }: FilterRow): ValueKind {
  if (kind === 'reachable' || operator === 'exists' || operator === 'missing') return 'none'
  if (kind === 'consent' || kind === 'source') return kind
  return kind === 'created_at' || kind.startsWith('did') ? 'duration' : 'text'
}

let lastId = 0

export function newRow(kind = 'tag'): FilterRow {
  const operator = operatorsOf(kind)[0] ?? ''
  const value = { consent: 'subscribed', source: 'form', created_at: '30 days' }[kind] ?? ''
  return { id: ++lastId, kind, operator, value, key: '' }
}

/** Incomplete rows are left out until they are complete. */
export function toFilter(rows: readonly FilterRow[], join: Join): Filter | undefined {
  const conditions = rows.map(toCondition).filter((filter) => filter !== undefined)
  const [only] = conditions
  return conditions.length > 1 ? { [join]: conditions } : only
}

function toCondition(row: FilterRow): Filter | undefined {
  const { kind, operator, key } = row
  const value = row.value.trim()
  if (value === '' && !['none', 'duration'].includes(valueKindOf(row))) return undefined
  switch (kind) {
    case 'tag':
      return operator === 'has_not' ? { not: { tag: value } } : { tag: value }
    case 'consent':
      return { consent: operator, is: value }
    case 'reachable':
      return { reachable: operator }
    case 'did':
    case 'did_not':
      return { [kind]: operator, ...(value !== '' && { within: value }) }
    case 'created_at':
      return value === '' ? undefined : { field: kind, op: operator, value }
    case 'attribute':
      if (key.trim() === '') return undefined
      return withValue(`attributes.${key.trim()}`, row, ownValue(operator, value))
    default:
      return withValue(kind, row, value)
  }
}

function withValue(field: string, row: FilterRow, value: unknown): Filter {
  const bare = { field, op: row.operator }
  return valueKindOf(row) === 'none' ? bare : { ...bare, value }
}

/** Custom fields have types: numbers and booleans are written as such. */
function ownValue(operator: string, value: string): unknown {
  if (!['is', 'is_not', 'gt', 'gte', 'lt', 'lte'].includes(operator)) return value
  if (value === 'true' || value === 'false') return value === 'true'
  const number = Number(value)
  return value !== '' && Number.isFinite(number) ? number : value
}

/** Undefined where it is nested deeper, or rows cannot express it. */
export function toRows(filter: Filter): { rows: FilterRow[]; join: Join } | undefined {
  const join: Join = Array.isArray(filter['or']) ? 'or' : 'and'
  const list = filter[join]
  const conditions = Array.isArray(list) ? (list as Filter[]) : [filter]
  const rows = conditions.map(toRow)
  const whole = rows.every((row) => row !== undefined)
  if (!whole || !isSame(toFilter(rows, join), filter)) return undefined
  return { rows, join }
}

function toRow(condition: Filter): FilterRow | undefined {
  const text = (value: unknown) =>
    value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
  const row = (kind: string, operator: unknown, value: unknown = '', key = ''): FilterRow => ({
    id: ++lastId,
    kind,
    operator: text(operator),
    value: text(value),
    key,
  })
  const { tag, not, consent, is, reachable, did, did_not, within, field, op, value } = condition
  const inner = not as Filter | undefined
  if (tag !== undefined) return row('tag', 'has', tag)
  if (inner?.['tag'] !== undefined) return row('tag', 'has_not', inner['tag'])
  if (consent !== undefined) return row('consent', consent, is)
  if (reachable !== undefined) return row('reachable', reachable)
  if (did !== undefined) return row('did', did, within)
  if (did_not !== undefined) return row('did_not', did_not, within)
  if (typeof field !== 'string') return undefined
  const own = field.startsWith('attributes.')
  return own
    ? row('attribute', op, value, field.slice('attributes.'.length))
    : row(field, op, value)
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
