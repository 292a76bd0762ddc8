/**
 * A mandate: what an owner signed for a connection, which may send within these terms without asking.
 * Here is what is stored of it, and how the people of a week are taken from it. `judge.ts` compares
 * what is ordered with its terms.
 */
import type { Filter } from '../../contacts/filters/filter.ts'
import { formatId, type Id } from '../../core/ids.ts'
import { sql, sqlWithin } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { days, later } from '../../lib/time/clock.ts'

export const mandateLimits = {
  goalLength: 500,
  toneLength: 200,
  words: 100,
  wordLength: 60,
  hosts: 20,
  templates: 50,
  peoplePerWeek: 1_000_000,
  /** How many days a mandate may last. */
  days: 366,
} as const

export interface Terms {
  goal: string
  /** With its segments expanded at the signing, so that nobody widens it later; null for everybody. */
  filter: Filter | null
  people_per_week: number
  /** On the clocks of the business, such as `09:00`; within them sending begins. */
  hours: { from: string; to: string }
  tone: string | null
  never_words: string[]
  /** Besides the business's own domains. */
  link_hosts: string[]
  /** Templates that content must be made of; empty for any content. */
  template_ids: string[]
  /** The sender at the signing, as mail shows it. */
  sender: string
}

export interface Mandate {
  id: Id<'mandate'>
  connectionId: Id<'connection'>
  terms: Terms
  signedBy: Id<'user'>
  signedAt: Date
  endsAt: Date
  pausedAt: Date | null
  endedAt: Date | null
}

const columns = sql`
  id, connection_id as "connectionId", terms, signed_by as "signedBy", signed_at as "signedAt",
  ends_at as "endsAt", paused_at as "pausedAt", ended_at as "endedAt"
`

/** The mandate of the connection that is in force or paused, and not over. */
export function mandateOf(
  db: Db,
  businessId: Id<'business'>,
  { connectionId, now }: { connectionId: Id<'connection'>; now: Date },
): Promise<Mandate | undefined> {
  return db.maybe(sqlWithin`
    select ${columns} from mandates
    where business_id = ${businessId} and connection_id = ${connectionId} and ended_at is null
      and ends_at > ${now}
  `)
}

/** What `business.list` shows a connection of its mandates. */
export async function mandatesFor(
  db: Db,
  businessIds: readonly Id<'business'>[],
  { connectionId, now }: { connectionId: Id<'connection'>; now: Date },
) {
  if (businessIds.length === 0) return new Map()
  const rows = await db.all<Mandate & { businessId: Id<'business'> }>(sqlWithin`
    select business_id as "businessId", ${columns} from mandates
    where business_id = any (${[...businessIds]}::uuid[]) and connection_id = ${connectionId}
      and ended_at is null and ends_at > ${now}
  `)
  return new Map(
    rows.map(({ businessId, id, terms, pausedAt, endsAt }) => {
      const { goal, people_per_week, hours, tone, never_words, link_hosts } = terms
      const mandate = {
        mandate_id: formatId('mandate', id),
        paused: pausedAt !== null,
        ends_at: endsAt.toISOString(),
        goal,
        people_per_week,
        hours,
        tone,
        never_words,
        link_hosts,
      }
      return [businessId, mandate] as const
    }),
  )
}

/** Locks it, so that orders at the same time take from it one after another. */
export function lockMandate(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'mandate'>,
): Promise<Mandate | undefined> {
  return tx.maybe(sqlWithin`
    select ${columns} from mandates where business_id = ${businessId} and id = ${id}
    for no key update
  `)
}

/** The mandates of a business that have not ended, newest first. */
export function mandatesOf(db: Db, businessId: Id<'business'>, now: Date): Promise<Mandate[]> {
  return db.all(sqlWithin`
    select ${columns} from mandates
    where business_id = ${businessId} and ended_at is null and ends_at > ${now}
    order by id desc
  `)
}

export const isInForce = ({ pausedAt, endedAt, endsAt }: Mandate, now: Date): boolean =>
  pausedAt === null && endedAt === null && endsAt > now

export interface MandateOrder {
  objectId: Id<'campaign'> | Id<'sequence'>
  kind: 'campaign' | 'sequence'
  people: number
  /** When it is sent. */
  at: Date
}

/**
 * Takes the people from what is left of the week; false if they are more, or the mandate is not in
 * force. The row is locked, so that orders at the same time cannot take the same people.
 */
export async function takePeople(
  tx: Tx,
  businessId: Id<'business'>,
  { id, order, now }: { id: Id<'mandate'>; order: MandateOrder; now: Date },
): Promise<boolean> {
  const mandate = await lockMandate(tx, businessId, id)
  if (!mandate || !isInForce(mandate, now)) return false
  await releasePeople(tx, businessId, order.objectId)
  const remaining = await peopleLeft(tx, businessId, { mandate, at: order.at })
  if (order.people > remaining) return false
  await tx.run(sql`
    insert into mandate_orders (business_id, object_id, mandate_id, kind, people, at)
    values (${businessId}, ${order.objectId}, ${id}, ${order.kind}, ${order.people}, ${order.at})
  `)
  return true
}

/** Gives back what was taken for something that is not sent under the mandate. */
export async function releasePeople(
  tx: Tx,
  businessId: Id<'business'>,
  objectId: MandateOrder['objectId'],
): Promise<void> {
  await tx.run(sql`
    delete from mandate_orders where business_id = ${businessId} and object_id = ${objectId}
  `)
}

/**
 * The people that may still be sent to at a moment: what is sent within the week before and the week
 * after counts, so that no seven days have more. Automations count as long as they go on.
 */
export async function peopleLeft(
  db: Db,
  businessId: Id<'business'>,
  { mandate, at }: { mandate: Mandate; at: Date },
): Promise<number> {
  const { people } = await db.one<{ people: number }>(sql`
    select coalesce(sum(o.people), 0)::int as people from mandate_orders o
    where o.business_id = ${businessId} and o.mandate_id = ${mandate.id} and case o.kind
      when 'campaign' then o.at > ${later(at, -days(7))} and o.at < ${later(at, days(7))}
      else exists (
        select from sequences s
        where s.business_id = ${businessId} and s.id = o.object_id
          and s.status in ('running', 'paused')
      ) end
  `)
  return mandate.terms.people_per_week - people
}

/** The mandate under which a campaign was ordered. */
export async function mandateOfOrder(
  db: Db,
  businessId: Id<'business'>,
  objectId: MandateOrder['objectId'],
): Promise<(Mandate & { at: Date }) | undefined> {
  const order = await db.maybe<{ mandateId: Id<'mandate'>; at: Date }>(sql`
    select mandate_id as "mandateId", at from mandate_orders
    where business_id = ${businessId} and object_id = ${objectId}
  `)
  if (!order) return undefined
  const mandate = await db.maybe<Mandate>(sqlWithin`
    select ${columns} from mandates where business_id = ${businessId} and id = ${order.mandateId}
  `)
  return mandate && { ...mandate, at: order.at }
}
