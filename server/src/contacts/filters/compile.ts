/**
 * Compiles a filter to a condition on rows `c` of contacts, which every count, page and freeze
 * uses. Only leaves are negated. There, a missing value does not match and its negation does, so no
 * condition is null. A caller's words are parameters of the statement, never part of its text. Such
 * a statement is planned each time, because a named one loses the estimates for dates.
 */
import { sql } from '../../lib/db/db.ts'
import { joined, sqlWithin } from '../../lib/db/sql-within.ts'
import type { Sql } from '../../lib/db/types.ts'
import type { Channel, ConsentSubject } from '../contact.ts'
import { amountClause, type Compiling, oneOfClause, type Shape } from './compile-did.ts'
import { fieldLeaf, type Leaf } from './compile-field.ts'
import type {
  Condition,
  ConsentCondition,
  Filter,
  SampleCondition,
  SuppressedCondition,
  TopicCondition,
} from './filter.ts'
import { type Node, normalOf } from './normal.ts'
import { spanOf } from './times.ts'

/**
 * A filter with `reachable` or `suppressed` needs the address hashes (`markAddresses`, `asksForSuppressions`),
 * because suppressions identify addresses only by hash.
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
  if ('did' in condition) return { clause: amountClause(condition, compiling) }
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
  return 'reachable' in filter || 'suppressed' in filter
}
