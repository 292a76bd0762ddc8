/**
 * A filter as a condition on rows `c` of contacts: the one that every count, page and freeze asks.
 * Negations stand at the leaves alone, where a value that is missing is no match and its negation
 * is one; so nothing is ever neither. What callers wrote goes as values of the statement, never as
 * its text. A statement with it is planned anew each time: named ones lose the estimate of dates.
 */
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { joined, sqlWithin } from '../../lib/db/sql-within.ts'
import type { Sql } from '../../lib/db/types.ts'
import type { Channel } from '../model/contact.ts'
import { fieldLeaf, type Leaf } from './compile-field.ts'
import type { Condition, ConsentCondition, Filter, SampleCondition } from './filter.ts'
import { type Now, spanOf } from './times.ts'

export interface Compiling extends Now {
  businessId: Id<'business'>
}

/**
 * Marks of addresses must be there where somebody is to be `reachable` (`markAddresses`,
 * `asksForSuppressions`): suppressions know addresses by nothing else.
 */
export function compileFilter(filter: Filter, compiling: Compiling): Sql {
  return clauseOf(filter, compiling, false)
}

function clauseOf(filter: Filter, compiling: Compiling, isNegated: boolean): Sql {
  if ('not' in filter) return clauseOf(filter.not, compiling, !isNegated)
  const all = (filters: readonly Filter[]) =>
    filters.map((one) => clauseOf(one, compiling, isNegated))
  if ('and' in filter) return joined(all(filter.and), isNegated ? 'or' : 'and')
  if ('or' in filter) return joined(all(filter.or), isNegated ? 'and' : 'or')
  const { clause, isNegative = false } = leafOf(filter, compiling)
  return isNegated === isNegative ? clause : sqlWithin`(${clause}) is not true`
}

function leafOf(condition: Condition, compiling: Compiling): Leaf {
  if ('field' in condition) return fieldLeaf(condition, compiling)
  if ('tag' in condition) return { clause: sql`${condition.tag}::text = any (c.tags)` }
  if ('consent' in condition) return { clause: consentClause(condition, compiling) }
  if ('reachable' in condition) {
    return { clause: reachableClause(condition.reachable, compiling) }
  }
  return { clause: sampleClause(condition) }
}

function consentClause(condition: ConsentCondition, compiling: Compiling): Sql {
  const { consent: channel, is } = condition
  const stands =
    channel === 'email' ? sql`c.email_consent = ${is}::text` : sql`c.sms_consent = ${is}::text`
  const { from = null, until = null } = spanOf(condition, compiling)
  if (!from && !until) return stands
  return joined(
    [
      stands,
      sql`exists (
        select from consent_events e
        where e.business_id = ${compiling.businessId} and e.contact_id = c.id
          and e.channel = ${channel} and e.action = ${is}
          and (${from}::timestamptz is null or e.created_at >= ${from})
          and (${until}::timestamptz is null or e.created_at < ${until})
      )`,
    ],
    'and',
  )
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

/** The first four bytes of a hash of id and seed, below their share of all there are. */
function sampleClause({ sample, seed }: SampleCondition): Sql {
  const below = Buffer.alloc(4)
  below.writeUInt32BE(Math.min(2 ** 32 - 1, Math.round((sample / 100) * 2 ** 32)))
  return sql`substr(sha256(uuid_send(c.id) || ${Buffer.from(seed)}::bytea), 1, 4)
    < ${below}::bytea`
}

/** Whether it asks who is suppressed. */
export function asksForSuppressions(filter: Filter): boolean {
  if ('not' in filter) return asksForSuppressions(filter.not)
  if ('and' in filter) return filter.and.some(asksForSuppressions)
  if ('or' in filter) return filter.or.some(asksForSuppressions)
  return 'reachable' in filter
}
