/** The smallest possible write: a text that is not unique. */

import { sql } from 'crier-server/lib/db/db.ts'
import type { Db, Tx } from 'crier-server/lib/db/types.ts'

export function makeNotes(db: Db): Promise<number> {
  return db.run(sql`create table notes (text text not null)`)
}

/** Writes the note and returns the caller's answer. */
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
