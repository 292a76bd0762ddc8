/**
 * People whom an app that somebody connected lets into automations that a person approved. Who approved
 * one expected those whom its rule lets in one by one. More of them by an app count as marketing that
 * nobody approved. The mails of an automation that was not approved count themselves, and programs of the
 * business, which have a key, are what such automations are made for.
 */
import { refuse } from '../core/errors.ts'
import { formatId, type Id, isTwin } from '../core/ids.ts'
import { type BusinessContext, isConnection } from '../core/operation.ts'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import { countRecipients, lockAllowance } from './approval-limit.ts'

export const entriesCount = ({ principal }: Pick<BusinessContext, 'principal'>): boolean =>
  isConnection(principal) && !principal.isTest

interface Entries {
  /** What lets them in, such as `The tag`. */
  cause: string
  /** The automation. */
  name: string
  people: number
  /** The field of the call that a refusal names. */
  field: string
}

/** Takes them off the limit of what reaches people without an approval; throws where it is too small. */
export async function takeEntries(
  tx: Tx,
  { business, now, appUrl }: BusinessContext,
  { cause, name, people, field }: Entries,
): Promise<void> {
  if (people === 0) return
  const demand = { businessId: business.id, at: now, amount: people }
  const allowance = await lockAllowance(tx, [demand])
  if (allowance.take(demand)) return countRecipients(tx, [demand])
  const limit = allowance.limitOf(business.id)
  const url = `${appUrl}/b/${formatId('business', business.id)}/settings`
  const text = `${cause} lets people into the automation “${name}”, and these are ${people}; an app reaches at most ${limit} recipients in 24 hours without a person’s approval. Let fewer in, or make it a campaign, which then waits for a person. An owner raises the limit in the app: ${url}.`
  throw refuse('conflict', text, {
    field,
    data: { reason: 'approval_limit', deploy_limit: limit },
    fix: { url },
  })
}

/**
 * Counts people whom events of a connected app let into an approved automation. False where they are
 * more than the limit has room for: events are never refused, so the automation pauses.
 */
export async function countEntries(
  tx: Tx,
  { businessId, people, now }: { businessId: Id<'business'>; people: number; now: Date },
): Promise<boolean> {
  if (people === 0 || isTwin(businessId)) return true
  const demand = { businessId, at: now, amount: people }
  const fits = (await lockAllowance(tx, [demand])).take(demand)
  await countRecipients(tx, [demand])
  return fits
}

/** Running automations that a person approved, and that people enter by one of these tags. */
export function approvedByTag(
  db: Db,
  businessId: Id<'business'>,
  tags: readonly string[],
): Promise<{ name: string; tag: string }[]> {
  return db.all(sql`
    select s.name, v.definition -> 'enter' ->> 'tag' as tag
    from sequences s
    join sequence_versions v on v.business_id = s.business_id and v.sequence_id = s.id
      and v.version = s.running_version
    where s.business_id = ${businessId} and s.status in ('running', 'paused') and s.is_approved
      and v.definition -> 'enter' ->> 'on' = 'tag.added'
      and v.definition -> 'enter' ->> 'tag' = any(${[...tags]}::text[])
    order by s.id
  `)
}
