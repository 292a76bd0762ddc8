/** The demo data of this installation: which businesses and users were made for it. */
import type { Db } from '../../lib/db/types.ts'
import type { Id } from '../ids.ts'
import { type DemoRow, deleteDemo, insertDemo, readDemo } from './queries.ts'

export type { DemoRow as Demo } from './queries.ts'

/** Undefined if there is no demo data. */
export const findDemo: (db: Db) => Promise<DemoRow | undefined> = readDemo
export const forgetDemo: (db: Db) => Promise<number> = deleteDemo

/** Returns false if there is demo data already. */
export async function recordDemo(db: Db, demo: DemoRow, now: Date): Promise<boolean> {
  return (await insertDemo(db, demo, now)) === 1
}

export async function isDemo(db: Db, businessId: Id<'business'>): Promise<boolean> {
  return (await readDemo(db))?.businesses.includes(businessId) ?? false
}
