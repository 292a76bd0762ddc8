/**
 * Compiles a filter to a condition on rows `c` of contacts, which every count, page and freeze
 * uses. Only leaves are negated. There, a missing value does not match and its negation does, so no
 * condition is null. A caller's words are parameters of the statement, never part of its text. Such
 * a statement is planned each time, because a named one loses the estimates for dates.
 */

import { type Id, parseId } from '../../core/ids.ts'
import { joined, sql, sqlWithin } from '../../lib/db/db.ts'
import type { Sql } from '../../lib/db/types.ts'
import { days, later } from '../../lib/time/clock.ts'
import { dayAt } from '../../lib/time/wall-clock.ts'
import type { Channel, ConsentSubject } from '../contact.ts'
import type { PropertyRules } from '../own-events/property-rules.ts'
import { standingClause } from '../suppressions/standing.ts'
import { linkHashOf } from '../timeline/activity.ts'
import {
  amountKeys,
  attributeKey,
  type Condition,
  type ConsentCondition,
  type DidCondition,
  type FieldCondition,
  type Filter,
  type FilterValue,
  type Happening,
  isHappening,
  leavesUnknown,
  linkOf,
  type Operator,
  type OwnField,
  type SampleCondition,
  type SuppressedCondition,
  type TopicCondition,
} from './filter.ts'
import { type Node, normalOf } from './normal.ts'
import {
  daysOfYearAhead,
  endOf,
  firstDayFrom,
  type Now,
  type Span,
  shifted,
  spanOf,
  startOf,
} from './times.ts'

/**
 * A filter with `reachable`, `suppressed` or `standing` needs the address hashes (`markAddresses`,
 * `asksForSuppressions`), because suppressions identify addresses only by hash.
 */
export function compileFilter(filter: Filter, compiling: Compiling): Sql {
  return clauseOf(normalOf(filter), compiling, 'exists')
}

function clauseOf(node: Node, compiling: Compiling, shape: Shape): Sql {
  const each = (nodes: readonly Node[], of: Shape) =>
    nodes.map((entry) => clauseOf(entry, compiling, of))
  if ('all' in node) return joined(each(node.all, shape), 'and')
  if ('any' in node) return joined(each(node.any, 'in'), 'or')
  const { isNegated } = node
  if ('oneOf' in node) {
    const clause = oneOfClause(node.oneOf, compiling, shape)
    return isNegated ? sqlWithin`not ${clause}` : clause
  }
  if ('known' in node) {
    const clause = knownClause(node.known, compiling)
    return isNegated ? sqlWithin`not ${clause}` : clause
  }
  const { clause, isNegative = false } = leafOf(node.condition, compiling)
  return isNegated === isNegative ? clause : sqlWithin`(${clause}) is not true`
}

function leafOf(condition: Condition, compiling: Compiling): Leaf {
  if ('field' in condition) return fieldLeaf(condition, compiling)
  if ('tag' in condition) return { clause: sql`${condition.tag}::text = any (c.tags)` }
  if ('consent' in condition) return { clause: consentClause(condition, compiling) }
  if ('topic' in condition) return { clause: topicClause(condition) }
  if ('reachable' in condition) {
    return { clause: reachableClause(condition.reachable, compiling) }
  }
  if ('suppressed' in condition) return { clause: suppressedClause(condition, compiling) }
  if ('standing' in condition) {
    return { clause: standingClause(compiling.businessId, condition) }
  }
  if ('did' in condition) return { clause: countedClause(condition, compiling) }
  if ('sample' in condition) return { clause: sampleClause(condition) }
  throw new Error('a segment within a filter was not expanded before it was asked')
}

const consentColumns: Readonly<Record<ConsentSubject, Sql>> = {
  email: sql`c.email_consent`,
  sms: sql`c.sms_consent`,
  tracking: sql`c.tracking_consent`,
}

function consentClause(condition: ConsentCondition, compiling: Compiling): Sql {
  const { consent: subject, is } = condition
  const stands = sqlWithin`${consentColumns[subject]} = ${is}::text`
  const { from = null, until = null } = spanOf(condition, compiling)
  if (!from && !until) return stands
  return joined(
    [
      stands,
      sql`exists (
        select from consent_events e
        where e.business_id = ${compiling.businessId} and e.contact_id = c.id
          and e.channel = ${subject} and e.action = ${is}
          and (${from}::timestamptz is null or e.created_at >= ${from})
          and (${until}::timestamptz is null or e.created_at < ${until})
      )`,
    ],
    'and',
  )
}

/** The status of a topic is always one of three states, and never null. */
function topicClause({ topic, is, channel = 'email' }: TopicCondition): Sql {
  const consent = channel === 'email' ? sql`c.email_consent` : sql`c.sms_consent`
  return sqlWithin`(case c.topics -> ${channel}::text ->> ${topic}::text
    when 'unsubscribed' then 'unsubscribed'
    when 'subscribed' then case when ${consent} in ('subscribed', 'unsubscribed') then ${consent}
      else 'none' end
    else 'none' end = ${is}::text)`
}

function reachableClause(channel: Channel, { businessId }: Compiling): Sql {
  if (channel === 'email') {
    return sql`(c.email is not null and c.email_consent = 'subscribed' and not exists (
      select from suppressions s
      where s.business_id = ${businessId} and s.channel = 'email' and s.address_hmac = c.email_mark
    ))`
  }
  return sql`(c.phone is not null and c.sms_consent = 'subscribed' and not exists (
    select from suppressions s
    where s.business_id = ${businessId} and s.channel = 'sms' and s.address_hmac = c.phone_mark
  ))`
}

function suppressedClause(
  { suppressed, reasons }: SuppressedCondition,
  { businessId }: Compiling,
): Sql {
  const mark = suppressed === 'email' ? sql`c.email_mark` : sql`c.phone_mark`
  const chosen = reasons ?? null
  return sqlWithin`exists (
    select from suppressions s
    where s.business_id = ${businessId} and s.channel = ${suppressed} and s.address_hmac = ${mark}
      and (${chosen}::text[] is null or s.reason = any (${chosen}::text[]))
  )`
}

/**
 * Compares the first four bytes of a hash of id and seed with the sample's share of their range.
 */
function sampleClause({ sample, seed }: SampleCondition): Sql {
  const below = Buffer.alloc(4)
  below.writeUInt32BE(Math.min(2 ** 32 - 1, Math.round((sample / 100) * 2 ** 32)))
  return sql`substr(sha256(uuid_send(c.id) || ${Buffer.from(seed)}::bytea), 1, 4)
    < ${below}::bytea`
}

/** Whether the filter reads suppressions. */
export function asksForSuppressions(filter: Filter): boolean {
  if ('not' in filter) return asksForSuppressions(filter.not)
  if ('and' in filter) return filter.and.some(asksForSuppressions)
  if ('or' in filter) return filter.or.some(asksForSuppressions)
  return 'reachable' in filter || 'suppressed' in filter || 'standing' in filter
}

/** Operators that are the complement of another one; `missing` is the complement of `exists`. */
const complements: Partial<Record<Operator, Operator>> = {
  is_not: 'is',
  not_in: 'in',
  not_contains: 'contains',
  missing: 'exists',
}

/** A condition that is true, false or null, and whether it is negated. */
interface Leaf {
  clause: Sql
  isNegative?: boolean
}

function fieldLeaf(condition: FieldCondition, now: Now): Leaf {
  const { field, op, value = '' } = condition
  const positive = complements[op]
  const key = attributeKey(field)
  const comparison = { op: positive ?? op, value, now }
  const clause =
    key === undefined ? ownClause(field as OwnField, comparison) : attributeClause(key, comparison)
  return { clause, isNegative: positive !== undefined }
}

const columns: Readonly<Record<OwnField, Sql>> = {
  email: sql`c.email`,
  email_domain: sql`split_part(c.email, '@', -1)`,
  phone: sql`c.phone`,
  external_id: sql`c.external_id`,
  name: sql`c.name`,
  first_name: sql`c.first_name`,
  last_name: sql`c.last_name`,
  language: sql`c.language`,
  source: sql`c.source`,
  created_at: sql`c.created_at`,
  updated_at: sql`c.updated_at`,
}

function ownClause(field: OwnField, comparison: DateComparison): Sql {
  const { op, value } = comparison
  const column = columns[field]
  if (op === 'exists') return sqlWithin`${column} is not null`
  if (field === 'created_at' || field === 'updated_at') return ownDateClause(column, comparison)
  // Its case matters, and its index finds it.
  if (field === 'external_id' && op === 'is') return sqlWithin`${column} = ${value}::text`
  if (field === 'external_id' && op === 'in') return sqlWithin`${column} = any(${value}::text[])`
  if (op === 'is') return sqlWithin`lower(${column}) = lower(${value}::text)`
  if (op === 'in') {
    return sqlWithin`lower(${column}) in (select lower(one) from unnest(${value}::text[]) as one)`
  }
  return partClause(column, comparison)
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
function attributeClause(key: string, comparison: DateComparison): Sql {
  const { op, value } = comparison
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
      return joined(
        [sqlWithin`jsonb_typeof(${json}) = 'string'`, partClause(text, comparison)],
        'and',
      )
    default:
      return isOfNumbers(comparison) ? numberClause(json, comparison) : dateClause(text, comparison)
  }
}

const isOfNumbers = ({ value }: DateComparison) =>
  typeof (Array.isArray(value) ? value[0] : value) === 'number'

function numberClause(json: Sql, { op, value }: DateComparison): Sql {
  const isNumber = sqlWithin`jsonb_typeof(${json}) = 'number'`
  const [lower, upper = ''] = Array.isArray(value) ? value : [value]
  const bound = `${lower}`
  const compared = {
    gt: sqlWithin`${json} > ${bound}::jsonb`,
    gte: sqlWithin`${json} >= ${bound}::jsonb`,
    lt: sqlWithin`${json} < ${bound}::jsonb`,
    lte: sqlWithin`${json} <= ${bound}::jsonb`,
    between: sqlWithin`${json} >= ${bound}::jsonb and ${json} <= ${`${upper}`}::jsonb`,
  }[op as 'gt' | 'gte' | 'lt' | 'lte' | 'between']
  return joined([isNumber, compared], 'and')
}

/** A positive operator with its value, both already parsed. */
interface DateComparison {
  op: Operator
  value: FilterValue
  now: Now
}

/** A column of timestamps. */
function ownDateClause(column: Sql, comparison: DateComparison): Sql {
  const { from, until } = spanAsked(comparison)
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
function dateClause(text: Sql, comparison: DateComparison): Sql {
  if (comparison.op === 'anniversary') return anniversaryClause(text, comparison)
  const { from, until } = spanAsked(comparison)
  const { zone } = comparison.now
  const firstDay =
    from && (comparison.op === 'upcoming' ? dayAt(from, zone) : firstDayFrom(from, zone))
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

export interface Compiling extends Now {
  businessId: Id<'business'>
  /** The contacts that are examined; behaviour of others is not read. */
  range?: Range
}

/** A range of contacts by id; an absent end is open. */
export interface Range {
  after?: Id<'contact'> | null
  from?: Id<'contact'> | null
  upTo?: Id<'contact'> | null
  before?: Id<'contact'> | null
  /** These alone. */
  among?: readonly Id<'contact'>[]
}

/** Whether a condition that is not required of everybody is looked up or joined. */
export type Shape = 'exists' | 'in'

/** The literals as the partial index's condition has them, because only these use it. */
const types: Readonly<Record<Happening, Sql>> = {
  'message.sent': sql`'message.sent'`,
  'message.delivered': sql`'message.delivered'`,
  'message.opened': sql`'message.opened'`,
  'message.clicked': sql`'message.clicked'`,
  'message.bounced': sql`'message.bounced'`,
  'message.replied': sql`'text.received'`,
  'form.submitted': sql`'form.submitted'`,
}

/** Contacts with at least one of several events, which differ only in their type. */
export function oneOfClause(
  conditions: readonly DidCondition[],
  compiling: Compiling,
  shape: Shape,
): Sql {
  const rows = rowsOf(conditions, compiling)
  return shape === 'exists' && !compiling.range
    ? sqlWithin`exists (select from ${rows} and d.contact_id = c.id)`
    : amongClause(sqlWithin`select d.contact_id from ${rows}`, compiling)
}

/**
 * For a range of contacts the set is built once and looked up (a hashed subplan): "is true"
 * prevents the planner from joining it, because it expects a single row for ten thousand ids and
 * would read the set again for each contact.
 */
function amongClause(ids: Sql, { range }: Compiling): Sql {
  const among = sqlWithin`c.id in (${ids})`
  return range ? sqlWithin`((${among}) is true)` : among
}

/**
 * Contacts who did something a number of times, or for a total value. It is computed for all at
 * once: separately, each contact costs a lookup of its own (8.6 s for a million, against 0.06).
 */
export function amountClause(condition: DidCondition, compiling: Compiling): Sql {
  const rows = rowsOf([condition], compiling)
  const amount = condition.sum === undefined ? sql`count(*)` : sql`coalesce(sum(d.value), 0)`
  const key = amountKeys.find((amountKey) => condition[amountKey] !== undefined) ?? 'at_least'
  const bound = condition[key] ?? 1
  const fitsNone = key === 'at_least' ? bound <= 0 : key === 'at_most' ? bound >= 0 : bound === 0
  const fits = {
    at_least: sqlWithin`${amount} >= ${`${bound}`}::numeric`,
    at_most: sqlWithin`${amount} <= ${`${bound}`}::numeric`,
    exactly: sqlWithin`${amount} = ${`${bound}`}::numeric`,
  }[key]
  const grouped = (having: Sql) =>
    amongClause(
      sqlWithin`select d.contact_id from ${rows} group by d.contact_id having ${having}`,
      compiling,
    )
  // Contacts without the event have no group, so those who do not match are looked up instead.
  return fitsNone ? sqlWithin`not ${grouped(sqlWithin`not (${fits})`)}` : grouped(fits)
}

/** A person without any count fits only if a count would be known. */
function countedClause(condition: DidCondition, compiling: Compiling): Sql {
  const clause = amountClause(condition, compiling)
  const fitsNone = condition.at_most !== undefined || condition.exactly === 0
  if (!fitsNone || !leavesUnknown(condition)) return clause
  const did = amongClause(
    sqlWithin`select d.contact_id from ${rowsOf([condition], compiling)}`,
    compiling,
  )
  return sqlWithin`(${clause} and (${did} or ${knownClause(condition, compiling)}))`
}

/**
 * Contacts of whom it would be known if they had opened or clicked: the business records it, they
 * are tracked, no program opened mail for them, and they did not click what they would not have opened.
 */
function knownClause(condition: DidCondition, compiling: Compiling): Sql {
  const { businessId } = compiling
  const records = condition.did === 'message.opened' ? sql`b.track_opens` : sql`b.track_clicks`
  const tracked = sqlWithin`(
    (select ${records} and b.tracking <> 'nobody' from businesses b where b.id = ${businessId})
    and case when (select b.tracking = 'agreed' from businesses b where b.id = ${businessId})
      then c.tracking_consent = 'subscribed' else c.tracking_consent <> 'unsubscribed' end
  )`
  if (condition.did === 'message.clicked') return tracked
  const { link: _link, ...narrowing } = condition
  const others: DidCondition[] = [
    { ...narrowing, machines: true },
    { ...narrowing, did: 'message.clicked' },
  ]
  const didOthers = others.map((other) =>
    amongClause(sqlWithin`select d.contact_id from ${rowsOf([other], compiling)}`, compiling),
  )
  return sqlWithin`(${tracked} and not (${joined(didOthers, 'or')}))`
}

/** What a condition counts: its rows, the time of each, their total value, and the last one's id. */
export function tallyOf(condition: DidCondition, compiling: Compiling) {
  const isOurs = isHappening(condition.did)
  return {
    rows: rowsOf([condition], compiling),
    at: isOurs ? sql`d.created_at` : sql`d.happened_at`,
    value: isOurs ? sql`null` : sql`sum(d.value)`,
    // Own events have no id that a caller can look up.
    messageId: isOurs ? sql`d.message_id` : sql`null`,
    submissionId: isOurs ? sql`d.details ->> 'submission_id'` : sql`null`,
  }
}

/** The source and conditions of the rows: `… where …`. */
function rowsOf(conditions: readonly DidCondition[], compiling: Compiling): Sql {
  const [first] = conditions
  if (!first) throw new Error('a condition on behaviour without an event')
  const { businessId, range } = compiling
  const { from, until } = spanOf(first, compiling)
  const isOurs = isHappening(first.did)
  const at = isOurs ? sql`d.created_at` : sql`d.happened_at`
  const events = conditions.map(({ did }) => did)
  const clauses = [
    sql`d.business_id = ${businessId}`,
    isOurs ? typesAre(events.filter(isHappening)) : namesAre(events),
    ...(from ? [sqlWithin`${at} >= ${from}::timestamptz`] : []),
    ...(until ? [sqlWithin`${at} < ${until}::timestamptz`] : []),
    ...within(range),
    ...narrowed(first, compiling),
    ...(conditions.some(leavesUnknown) ? [sql`d.machine is not true`] : []),
  ]
  const table = isOurs ? sql`contact_activity d` : sql`own_events d`
  return sqlWithin`${table} where ${joined(clauses, 'and')}`
}

function within({ after, from, upTo, before, among }: Range = {}): Sql[] {
  return [
    ...(among ? [sql`d.contact_id = any(${among}::uuid[])`] : []),
    ...(after ? [sql`d.contact_id > ${after}`] : []),
    ...(from ? [sql`d.contact_id >= ${from}`] : []),
    ...(upTo ? [sql`d.contact_id <= ${upTo}`] : []),
    ...(before ? [sql`d.contact_id < ${before}`] : []),
  ]
}

function typesAre(events: readonly Happening[]): Sql {
  const all = events.map((event) => types[event])
  return all.length === 1 && all[0]
    ? sqlWithin`d.type = ${all[0]}`
    : sqlWithin`d.type in (${all.reduce((list, entry) => sqlWithin`${list}, ${entry}`)})`
}

const namesAre = (names: readonly string[]): Sql =>
  names.length === 1 ? sql`d.name = ${names[0]}::text` : sql`d.name = any (${names}::text[])`

function narrowed(condition: DidCondition, { businessId }: Compiling): Sql[] {
  const { campaign_id, template_id, form_id, channel, link, currency, where } = condition
  return [
    ...(campaign_id === undefined
      ? []
      : [sql`d.campaign_id = ${parseId('campaign', campaign_id)}`]),
    ...(form_id === undefined ? [] : [sql`d.form_id = ${parseId('form', form_id)}`]),
    ...(currency === undefined ? [] : [sql`d.currency = ${currency}::text`]),
    ...(channel === undefined ? [] : [sql`d.channel = ${channel}::text`]),
    ...(link === undefined ? [] : [sql`d.link_hash = ${linkHashOf(linkOf(link) ?? '')}::bytea`]),
    ...propertyClauses(where),
    ...(template_id === undefined
      ? []
      : [
          sql`exists (
            select from messages m
            where m.business_id = ${businessId} and m.id = d.message_id
              and m.template_id = ${parseId('template', template_id)}
          )`,
        ]),
  ]
}

/** As `fitsWhere` compares them: values of one type alone are equal. */
function propertyClauses(where: PropertyRules = {}): Sql[] {
  return Object.entries(where).map(([path, comparison]) => {
    const json = propertyJson(path.split('.').slice(1))
    if ('is' in comparison) return sqlWithin`${json} = ${JSON.stringify(comparison.is)}::jsonb`
    if ('in' in comparison) {
      const values = comparison.in.map((value) => JSON.stringify(value))
      return sqlWithin`${json} = any (${values}::jsonb[])`
    }
    if ('contains' in comparison) {
      const isText = sqlWithin`jsonb_typeof(${json}) = 'string'`
      const part = sqlWithin`position(lower(${comparison.contains}::text) in lower(${json} #>> '{}')) > 0`
      return sqlWithin`${isText} and ${part}`
    }
    if ('entry' in comparison) throw new Error('a comparison with the entry was not resolved')
    const isNumber = sqlWithin`jsonb_typeof(${json}) = 'number'`
    return 'gt' in comparison
      ? sqlWithin`${isNumber} and ${json} > ${`${comparison.gt}`}::jsonb`
      : sqlWithin`${isNumber} and ${json} < ${`${comparison.lt}`}::jsonb`
  })
}

/** Value and currency of an event can be compared like its properties. */
function propertyJson([first = '', second]: readonly string[]): Sql {
  const properties = sql`d.properties::jsonb`
  if (second !== undefined) {
    return sqlWithin`(${properties} -> ${first}::text -> ${second}::text)`
  }
  const own = sqlWithin`(${properties} -> ${first}::text)`
  if (first === 'value') return sqlWithin`coalesce(${own}, to_jsonb(d.value))`
  return first === 'currency' ? sqlWithin`coalesce(${own}, to_jsonb(d.currency))` : own
}
