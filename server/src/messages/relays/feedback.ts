/**
 * Whether anything ever came back from a relay. Where nothing did, bounces and complaints would go
 * unnoticed, so marketing does not begin there.
 */
import type { Config } from '../../config.ts'
import { type Refusal, refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { type Clock, later, seconds } from '../../lib/time/clock.ts'
import type { Relays } from './relays.ts'

/** Records in the transaction of a report that it came back. */
export async function noteHeard(
  tx: Tx,
  routes: Iterable<string | null>,
  source: string,
  now: Date,
): Promise<void> {
  const relays = [...new Set(routes)].filter((route) => route !== null)
  if (relays.length > 0) await insertHeard(tx, { routes: relays, source }, now)
}

/** How long a relay counts as unheard without another look, so that a first report acts soon. */
const unheardKeptMs = seconds(5)

export function createHeard({ db, clock }: { db: Db; clock: Clock }) {
  /** Until when a relay counts as unheard; null for one that was heard, which it stays. */
  const cache = new Map<string, Date | null>()
  return async (route: string): Promise<boolean> => {
    const until = cache.get(route)
    if (until === null) return true
    const now = clock.now()
    if (until && until > now) return false
    const isHeard = (await findHeard(db, route)) !== undefined
    cache.set(route, isHeard ? null : later(now, unheardKeptMs))
    return isHeard
  }
}

/** The names of those relays that nothing came back from, where marketing waits for it. */
export async function unheardRelays(
  { config, db, clock }: { config: Pick<Config, 'feedbackGate' | 'smtpUrl'>; db: Db; clock: Clock },
  { all }: Pick<Relays, 'all'>,
): Promise<string[]> {
  if (config.feedbackGate === 'off' || config.smtpUrl === undefined) return []
  const isHeard = createHeard({ db, clock })
  const flags = await Promise.all(all.map(({ transport }) => isHeard(transport.route)))
  return all.filter((_relay, n) => !flags[n]).map(({ name }) => name)
}

/** Why the business's marketing may not begin yet; undefined where it may. */
export function feedbackGate(
  relays: Pick<Relays, 'chosenFor'>,
  isHeard: (route: string) => Promise<boolean>,
) {
  return async (businessId: Id<'business'>): Promise<Refusal | undefined> => {
    const { transport } = await relays.chosenFor(businessId, 'marketing')
    if (await isHeard(transport.route)) return undefined
    const text =
      'Marketing waits: from the mail relay of this service no bounce or other report has come back yet, so mail to addresses that do not exist would go unnoticed. Ask the operator of this service to test its relay.'
    return refuse('conflict', text, { data: { reason: 'relay_feedback', lacks: 'relay_feedback' } })
  }
}

/** Does nothing for a relay that was heard of before, and then takes no lock. */
function insertHeard(
  tx: Tx,
  { routes, source }: { routes: readonly string[]; source: string },
  now: Date,
): Promise<number> {
  return tx.run(sql`
    insert into relay_feedback (route, heard_at, source)
    select route, ${now}, ${source} from unnest(${routes}::text[]) as heard (route)
    on conflict do nothing
  `)
}

function findHeard(db: Db, route: string): Promise<{ heardAt: Date } | undefined> {
  return db.maybe(sql`select heard_at as "heardAt" from relay_feedback where route = ${route}`)
}
