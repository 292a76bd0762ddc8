/** Compiles conditions on fields to SQL: built-in fields, and attributes, whose types vary. */
import { sql } from '../../lib/db/db.ts'
import { joined, sqlWithin } from '../../lib/db/sql-within.ts'
import type { Sql } from '../../lib/db/types.ts'
import { type DateComparison, dateClause, ownDateClause } from './compile-dates.ts'
import { attributeKey, type FieldCondition, type Operator, type OwnField } from './filter.ts'
import type { Now } from './times.ts'

/** Operators that are the complement of another one; `missing` is the complement of `exists`. */
const complements: Partial<Record<Operator, Operator>> = {
  is_not: 'is',
  not_in: 'in',
  not_contains: 'contains',
  missing: 'exists',
}

/** A condition that is true, false or null, and whether it is negated. */
export interface Leaf {
  clause: Sql
  isNegative?: boolean
}

export function fieldLeaf(condition: FieldCondition, now: Now): Leaf {
  const { field, op, value = '' } = condition
  const positive = complements[op]
  const key = attributeKey(field)
  const asked = { op: positive ?? op, value, now }
  const clause =
    key === undefined ? ownClause(field as OwnField, asked) : attributeClause(key, asked)
  return { clause, isNegative: positive !== undefined }
}

const columns: Readonly<Record<OwnField, Sql>> = {
  email: sql`c.email`,
  email_domain: sql`split_part(c.email, '@', -1)`,
  phone: sql`c.phone`,
  name: sql`c.name`,
  language: sql`c.language`,
  source: sql`c.source`,
  created_at: sql`c.created_at`,
  updated_at: sql`c.updated_at`,
}

function ownClause(field: OwnField, asked: DateComparison): Sql {
  const { op, value } = asked
  const column = columns[field]
  if (op === 'exists') return sqlWithin`${column} is not null`
  if (field === 'created_at' || field === 'updated_at') return ownDateClause(column, asked)
  if (op === 'is') return sqlWithin`lower(${column}) = lower(${value}::text)`
  if (op === 'in') {
    return sqlWithin`lower(${column}) in (select lower(one) from unnest(${value}::text[]) as one)`
  }
  return partClause(column, asked)
}

/** Searches for a part of a text ignore case. */
function partClause(text: Sql, { op, value }: DateComparison): Sql {
  if (op === 'contains') return sqlWithin`position(lower(${value}::text) in lower(${text})) > 0`
  if (op === 'starts_with') return sqlWithin`starts_with(lower(${text}), lower(${value}::text))`
  return sqlWithin`right(lower(${text}), length(lower(${value}::text))) = lower(${value}::text)`
}

/**
 * Values are compared as JSON: 5 equals 5.0 but not "5", and a value of another type is no error.
 */
function attributeClause(key: string, asked: DateComparison): Sql {
  const { op, value } = asked
  const json = sql`(c.attributes -> ${key}::text)`
  const text = sql`(c.attributes ->> ${key}::text)`
  switch (op) {
    case 'exists':
      return sqlWithin`${json} is not null`
    case 'is':
      return sqlWithin`${json} = ${JSON.stringify(value)}::jsonb`
    case 'in': {
      const values = (value as readonly unknown[]).map((entry) => JSON.stringify(entry))
      return sqlWithin`${json} = any (${values}::jsonb[])`
    }
    case 'contains':
    case 'starts_with':
    case 'ends_with':
      return joined([sqlWithin`jsonb_typeof(${json}) = 'string'`, partClause(text, asked)], 'and')
    default:
      return isOfNumbers(asked) ? numberClause(json, asked) : dateClause(text, asked)
  }
}

const isOfNumbers = ({ value }: DateComparison) =>
  typeof (Array.isArray(value) ? value[0] : value) === 'number'

function numberClause(json: Sql, { op, value }: DateComparison): Sql {
  const isNumber = sqlWithin`jsonb_typeof(${json}) = 'number'`
  const [least, most = ''] = Array.isArray(value) ? value : [value]
  const bound = `${least}`
  const compared = {
    gt: sqlWithin`${json} > ${bound}::jsonb`,
    gte: sqlWithin`${json} >= ${bound}::jsonb`,
    lt: sqlWithin`${json} < ${bound}::jsonb`,
    lte: sqlWithin`${json} <= ${bound}::jsonb`,
    between: sqlWithin`${json} >= ${bound}::jsonb and ${json} <= ${`${most}`}::jsonb`,
  }[op as 'gt' | 'gte' | 'lt' | 'lte' | 'between']
  return joined([isNumber, compared], 'and')
}
