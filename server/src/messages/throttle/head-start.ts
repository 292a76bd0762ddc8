/** The head start of a domain whose past volume the operator approved. */
import type { Tx } from '../../lib/db/types.ts'
import { dayOf, headStartOf } from './stream.ts'
import { giveHeadStart, takeHeadStartBack } from './stream-queries.ts'

/** Its marketing over these routes begins at the day of the warm-up that matches. */
export function startAhead(
  tx: Tx,
  where: { routes: readonly string[]; domain: string },
  { emailsPerDay, now }: { emailsPerDay: number; now: Date },
): Promise<void> {
  return giveHeadStart(tx, where, { days: headStartOf(emailsPerDay), today: dayOf(now), now })
}

/** Over every route, also one that the settings no longer name. */
export const startAsUnknown = (tx: Tx, domain: string, now: Date): Promise<void> =>
  takeHeadStartBack(tx, domain, dayOf(now))
