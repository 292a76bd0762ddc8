/** Statements about the installation as a whole. */

import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'

export interface SetupState {
  finished: boolean
}

/** Creates the row with the state of the set-up, where it is missing. */
export function insertSetup(db: Db, now: Date): Promise<number> {
  return db.run(sql`
    insert into installation (key, value, updated_at)
    values ('setup', '{"finished": false}', ${now})
    on conflict (key) do nothing
  `)
}

/**
 * Locks the row until the transaction ends, so that concurrent starts and finishes run one after
 * another.
 */
export function lockSetup(db: Db): Promise<SetupState> {
  return db
    .one<{ value: SetupState }>(sql`
      select value from installation where key = 'setup' for update
    `)
    .then((row) => row.value)
}

export function finishSetup(db: Db, now: Date): Promise<number> {
  return db.run(sql`
    update installation set value = '{"finished": true}', updated_at = ${now}
    where key = 'setup'
  `)
}
