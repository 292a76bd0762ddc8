/** Whether background work may start; after a restore a person allows it: nothing is sent twice. */
import type { Db } from '../../lib/db/types.ts'
import { deletePause, readPause, type SendingPause, savePause } from './queries.ts'

export type { SendingPause } from './queries.ts'

/** Why nothing is sent, and since when; undefined if sending is not paused. */
export const sendingPause: (db: Db) => Promise<SendingPause | undefined> = readPause

export function pauseSending(db: Db, reason: SendingPause['reason'], now: Date): Promise<number> {
  return savePause(db, { reason, since: now.toISOString() }, now)
}

/** Returns false if sending was not paused. */
export async function startSending(db: Db): Promise<boolean> {
  return (await deletePause(db)) > 0
}
