/** Compiles conditions on dates to SQL. */

import { joined, sqlWithin } from '../../lib/db/sql-within.ts'
import type { Sql } from '../../lib/db/types.ts'
import { days, later } from '../../lib/time/clock.ts'
import { dayAt } from '../../lib/time/wall-clock.ts'
import type { FilterValue, Operator } from './filter.ts'
import {
  daysOfYearAhead,
  endOf,
  firstDayFrom,
  type Now,
  type Span,
  shifted,
  startOf,
} from './times.ts'

/** A positive operator with its value, both already parsed. */
export interface DateComparison {
  op: Operator
  value: FilterValue
  now: Now
}

/** A column of timestamps. */
export function ownDateClause(column: Sql, asked: DateComparison): Sql {
  const { from, until } = spanAsked(asked)
  return joined(
    [
      ...(from ? [sqlWithin`${column} >= ${from}::timestamptz`] : []),
      ...(until ? [sqlWithin`${column} < ${until}::timestamptz`] : []),
    ],
    'and',
  )
}

/** A pattern for days from 1000 to 2999, without a 31st of June: what matches can be cast. */
const day =
  '[12][0-9]{3}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)' +
  '|02-(0[1-9]|1[0-9]|2[0-8]))|([12][0-9](0[48]|[2468][048]|[13579][26])|(12|16|20|24|28)00)-02-29'
const wholeDay = `^(${day})$`
const time =
  '([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,9})?)?([Zz]|[+-](0[0-9]|1[0-4]):[0-5][0-9])'
const wholeMoment = `^(${day})[Tt ]${time}$`

/**
 * An attribute that holds a date: a day (ISO 8601) is a day in the business's time zone, and a
 * timestamp (RFC 3339) is that moment. Anything else counts as missing. Most rows are decided by
 * comparing texts, which costs a fifth of a pattern.
 */
export function dateClause(text: Sql, asked: DateComparison): Sql {
  if (asked.op === 'anniversary') return anniversaryClause(text, asked)
  const { from, until } = spanAsked(asked)
  const { zone } = asked.now
  const firstDay = from && (asked.op === 'upcoming' ? dayAt(from, zone) : firstDayFrom(from, zone))
  const dayOver = until && firstDayFrom(until, zone)
  return sqlWithin`case
    when not (${textWithin(text, from && near(from, -2), until && near(until, 2))}) then false
    when ${text} ~ ${wholeDay}::text then ${textWithin(text, firstDay, dayOver)}
    when ${text} ~ ${wholeMoment}::text then ${momentWithin(text, { from, until })}
    else false
  end`
}

/** The day `count` days away; two days are enough to pass every time zone's date. */
const near = (moment: Date, count: number) => later(moment, days(count)).toISOString().slice(0, 10)

function textWithin(text: Sql, from: string | undefined, until: string | undefined): Sql {
  return joined(
    [
      ...(from === undefined ? [] : [sqlWithin`${text} collate "C" >= ${from}::text`]),
      ...(until === undefined ? [] : [sqlWithin`${text} collate "C" < ${until}::text`]),
    ],
    'and',
  )
}

function momentWithin(
  text: Sql,
  { from, until }: { from: Date | undefined; until: Date | undefined },
): Sql {
  return joined(
    [
      ...(from ? [sqlWithin`${text}::timestamptz >= ${from}::timestamptz`] : []),
      ...(until ? [sqlWithin`${text}::timestamptz < ${until}::timestamptz`] : []),
    ],
    'and',
  )
}

function anniversaryClause(text: Sql, { value, now }: DateComparison): Sql {
  const ahead = daysOfYearAhead(now, String(value))
  return sqlWithin`case
    when not (substr(${text}, 6, 5) = any (${ahead}::text[])) then false
    else ${text} ~ ${wholeDay}::text or ${text} ~ ${wholeMoment}::text
  end`
}

function spanAsked({ op, value, now }: DateComparison): Span {
  const { zone } = now
  const [first, second = first] = (Array.isArray(value) ? value : [value]).map(String)
  if (first === undefined || second === undefined) throw new Error('a date was not read')
  switch (op) {
    case 'before':
      return { until: startOf(first, zone) }
    case 'after':
      return { from: endOf(first, zone) }
    case 'on':
    case 'between':
      return { from: startOf(first, zone), until: endOf(second, zone) }
    default:
      return rolling(op, first, now)
  }
}

function rolling(op: DateComparison['op'], duration: string, { now }: Now): Span {
  const justAfter = later(now, 1)
  if (op === 'within') return { from: shifted(now, duration, -1), until: justAfter }
  if (op === 'older_than') return { until: shifted(now, duration, -1) }
  return { from: now, until: later(shifted(now, duration, 1), 1) }
}
