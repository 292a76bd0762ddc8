/**
 * How many people a connection that may not take data out may erase or merge in 24 hours, because
 * neither can be undone: a person does more of it in the app.
 */
import { refuse } from '../core/errors.ts'
import { formatId } from '../core/ids.ts'
import type { BusinessContext } from '../core/operation.ts'
import { sql } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'
import { days, later } from '../lib/time/clock.ts'

/** Erasures and merges by one connection in one business, together. */
export const mostRemovalsPerDay = 5

/** The caller has locked the business's counters, so that calls at the same time are counted. */
export async function checkRemovals(
  tx: Tx,
  {
    business,
    principal,
    origin,
    now,
    appUrl,
  }: Pick<BusinessContext, 'business' | 'principal' | 'origin' | 'now' | 'appUrl'>,
): Promise<void> {
  if (!principal.keepsDataIn) return
  const { removals } = await tx.one<{ removals: number }>(sql`
    select count(*)::int as removals from audit_entries
    where business_id = ${business.id} and connection_id = ${origin.connectionId}
      and created_at > ${later(now, -days(1))} and action in ('contact.erase', 'contact.merge')
  `)
  if (removals < mostRemovalsPerDay) return
  const url = `${appUrl}/b/${formatId('business', business.id)}/contacts`
  const text = `This connection erases or merges at most ${mostRemovalsPerDay} people in 24 hours, because nobody can undo it. A person does the others in the app: ${url}.`
  throw refuse('access_denied', text, {
    data: { reason: 'many_removals', permission: 'takes_data_out', most: mostRemovalsPerDay },
    fix: { url },
  })
}
