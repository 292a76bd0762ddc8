/**
 * Whether anything ever came back from a relay. Where nothing did, bounces and complaints would go
 * unnoticed, so marketing does not begin there.
 */
import { type Refusal, refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { type Clock, days, later, seconds } from '../../lib/time/clock.ts'
import {
  answerProbes,
  deleteProbes,
  findAnswer,
  findHeard,
  insertHeard,
  insertProbe,
} from './feedback-queries.ts'
import type { Relays } from './relays.ts'

/** Records in the transaction of a report that it came back. */
export async function noteHeard(
  tx: Tx,
  routes: Iterable<string | null>,
  source: string,
  now: Date,
): Promise<void> {
  const known = [...new Set(routes)].filter((route) => route !== null)
  if (known.length > 0) await insertHeard(tx, { routes: known, source }, now)
}

/** Records the reports that are about mails of `crier doctor --mail`; returns how many are new. */
export async function noteAnswers(
  tx: Tx,
  reports: readonly { messageId: Id<'message'>; source: string; words: string }[],
  now: Date,
): Promise<number> {
  const answers = new Map(
    reports.map(({ messageId: id, source, words }) => [id, { id, words: `${source}: ${words}` }]),
  )
  const answered = await answerProbes(tx, [...answers.values()], now)
  await noteHeard(
    tx,
    answered.map(({ route }) => route),
    'crier doctor --mail',
    now,
  )
  return answered.length
}

/** How long a relay counts as unheard without another look, so that a first report acts soon. */
const unheardKeptMs = seconds(5)

export function createHeard({ db, clock }: { db: Db; clock: Clock }) {
  /** Until when a relay counts as unheard; null for one that was heard, which it stays. */
  const kept = new Map<string, Date | null>()
  return async (route: string): Promise<boolean> => {
    const until = kept.get(route)
    if (until === null) return true
    const now = clock.now()
    if (until && until > now) return false
    const isHeard = (await findHeard(db, route)) !== undefined
    kept.set(route, isHeard ? null : later(now, unheardKeptMs))
    return isHeard
  }
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
    return refuse('conflict', text, { data: { lacks: 'relay_feedback' } })
  }
}

/** Longer than any report takes. */
const probesKeptFor = days(30)

/** The mails that test a relay, for the operator's command. */
export const probes = {
  async begin(db: Db, probe: { id: Id<'message'>; route: string }, now: Date): Promise<void> {
    await deleteProbes(db, later(now, -probesKeptFor))
    await insertProbe(db, probe, now)
  },
  /** The report's words, once it came back. */
  async answerTo(db: Db, id: Id<'message'>): Promise<string | undefined> {
    const found = await findAnswer(db, id)
    return found?.answeredAt ? (found.words ?? '') : undefined
  },
}
