/** The mails by which `crier doctor --mail` tests relays, and the reports on them. */
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { days, later } from '../../lib/time/clock.ts'
import { noteHeard } from './feedback.ts'

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
    const answer = await findAnswer(db, id)
    return answer?.answeredAt ? (answer.words ?? '') : undefined
  },
}

export function insertProbe(
  db: Db,
  { id, route }: { id: Id<'message'>; route: string },
  now: Date,
): Promise<number> {
  return db.run(sql`insert into relay_probes (id, route, sent_at) values (${id}, ${route}, ${now})`)
}

/** Returns the routes of those probes that had no answer yet. */
export function answerProbes(
  tx: Tx,
  answers: readonly { id: Id<'message'>; words: string }[],
  now: Date,
): Promise<{ route: string }[]> {
  return tx.all(sql`
    update relay_probes p set answered_at = ${now}, words = told.words
    from unnest(
      ${answers.map(({ id }) => id)}::uuid[], ${answers.map(({ words }) => words)}::text[]
    ) as told (id, words)
    where p.id = told.id and p.answered_at is null
    returning p.route
  `)
}

export function findAnswer(
  db: Db,
  id: Id<'message'>,
): Promise<{ answeredAt: Date | null; words: string | null } | undefined> {
  return db.maybe(sql`
    select answered_at as "answeredAt", words from relay_probes where id = ${id}
  `)
}

export function deleteProbes(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from relay_probes where sent_at < ${before}`)
}
