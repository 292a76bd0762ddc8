/** The mails by which `crier doctor --mail` tests relays, and the reports on them. */
import type { Id } from '../../core/ids.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { days, later } from '../../lib/time/clock.ts'
import { noteHeard } from './feedback.ts'
import { answerProbes, deleteProbes, findAnswer, insertProbe } from './probe-queries.ts'

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
