/** The smallest thing that can be written: a text that is not unique. */
import { type Db, sql, type Tx } from 'crier-server/platform/db.ts'

export function makeNotes(db: Db): Promise<number> {
  return db.run(sql`create table notes (text text not null)`)
}

/** Writes the note; the answer is what the caller says. */
export async function addNote<T>(tx: Tx, text: string, answer: T): Promise<T> {
  await tx.run(sql`insert into notes (text) values (${text})`)
  return answer
}

export async function countNotes(db: Db, text: string): Promise<number> {
  const { n } = await db.one<{ n: number }>(
    sql`select count(*) as n from notes where text = ${text}`,
  )
  return n
}
