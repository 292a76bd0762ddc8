/** Whether background work may start; after a restore a person allows it: nothing is sent twice. */
import type { Db } from '../../lib/db/types.ts'
import {
  deleteLedgerRead,
  deletePause,
  readLedgerRead,
  readPause,
  type SendingPause,
  saveLedgerRead,
  savePause,
} from './queries.ts'

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

/** Remembers which lines of the ledger a restore has read, until sending starts. */
export const rememberLedgerRead = (db: Db, lines: Buffer, now: Date): Promise<number> =>
  saveLedgerRead(db, lines.toString('base64'), now)

export async function ledgerRead(db: Db): Promise<Buffer | undefined> {
  const row = await readLedgerRead(db)
  return row && Buffer.from(row.lines, 'base64')
}

export const forgetLedgerRead: (db: Db) => Promise<number> = deleteLedgerRead
