/** Whether background work may begin: after a restore a person says so, for nothing goes out twice. */
import type { Db } from '../../lib/db/types.ts'
import { deletePause, readPause, type SendingPause, savePause } from './queries.ts'

export type { SendingPause } from './queries.ts'

/** Why nothing is sent, and since when; undefined where all goes its way. */
export const sendingPause: (db: Db) => Promise<SendingPause | undefined> = readPause

export function pauseSending(db: Db, reason: SendingPause['reason'], now: Date): Promise<number> {
  return savePause(db, { reason, since: now.toISOString() }, now)
}

/** False where nothing was paused. */
export async function startSending(db: Db): Promise<boolean> {
  return (await deletePause(db)) > 0
}
