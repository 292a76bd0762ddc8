/** Statements about the mails that test a relay. */
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'

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
