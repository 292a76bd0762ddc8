/**
 * Compiles conditions on behaviour to SQL. Over many contacts, a condition that everybody must
 * meet is joined (`exists`), and one that some may meet is looked up in a set (`in`), which the
 * planner builds once.
 */
import { type Id, parseId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { joined, sqlWithin } from '../../lib/db/sql-within.ts'
import type { Sql } from '../../lib/db/types.ts'
import { linkHashOf } from '../timeline/activity.ts'
import { amountKeys, type DidCondition, type Happening, isHappening, linkOf } from './did.ts'
import { type Now, spanOf } from './times.ts'

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
    : isAmong(sqlWithin`select d.contact_id from ${rows}`, compiling)
}

/**
 * For a range of contacts the set is built once and looked up (a hashed subplan): "is true"
 * prevents the planner from joining it, because it expects a single row for ten thousand ids and
 * would read the set again for each contact.
 */
function isAmong(ids: Sql, { range }: Compiling): Sql {
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
    isAmong(
      sqlWithin`select d.contact_id from ${rows} group by d.contact_id having ${having}`,
      compiling,
    )
  // Contacts without the event have no group, so those who do not match are looked up instead.
  return fitsNone ? sqlWithin`not ${grouped(sqlWithin`not (${fits})`)}` : grouped(fits)
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
  const asked = [
    sql`d.business_id = ${businessId}`,
    isOurs ? typesAre(events.filter(isHappening)) : namesAre(events),
    ...(from ? [sqlWithin`${at} >= ${from}::timestamptz`] : []),
    ...(until ? [sqlWithin`${at} < ${until}::timestamptz`] : []),
    ...within(range),
    ...narrowed(first, compiling),
    ...(conditions.some(isOfPeople) ? [sql`d.machine is not true`] : []),
  ]
  const table = isOurs ? sql`contact_activity d` : sql`own_events d`
  return sqlWithin`${table} where ${joined(asked, 'and')}`
}

function within({ after, from, upTo, before }: Range = {}): Sql[] {
  return [
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

const isOfPeople = ({ did, machines = false }: DidCondition) =>
  !machines && (did === 'message.opened' || did === 'message.clicked')

function narrowed(condition: DidCondition, { businessId }: Compiling): Sql[] {
  const { campaign_id, template_id, form_id, channel, link, currency } = condition
  return [
    ...(campaign_id === undefined
      ? []
      : [sql`d.campaign_id = ${parseId('campaign', campaign_id)}`]),
    ...(form_id === undefined ? [] : [sql`d.form_id = ${parseId('form', form_id)}`]),
    ...(currency === undefined ? [] : [sql`d.currency = ${currency}::text`]),
    ...(channel === undefined ? [] : [sql`d.channel = ${channel}::text`]),
    ...(link === undefined ? [] : [sql`d.link_hash = ${linkHashOf(linkOf(link) ?? '')}::bytea`]),
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
