/** How many a filter fits, and a few of them, within a time that somebody waits for. */
import type { Id } from '../../core/ids.ts'
import type { BusinessContext } from '../../core/operation.ts'
import type { Sql } from '../../lib/db/types.ts'
import { seconds } from '../../lib/time/clock.ts'
import type { Contact } from '../model/contact.ts'
import { countFitting, findFloor, walkContacts } from '../model/list-queries.ts'

/** What is not counted by then is told as "at least". */
const patience = seconds(2)
/** Contacts of one statement. */
const perStatement = 50_000
/** Contacts looked at for those who are shown. */
const lookedAt = 10_000

export interface Counted {
  fitting: number
  /** Contacts that were looked at; of the whole business, unless it is partial. */
  looked: number
  isPartial: boolean
}

export async function countOf(
  { db, business }: Pick<BusinessContext, 'db' | 'business'>,
  where: Sql,
): Promise<Counted> {
  const until = performance.now() + patience
  const counted = { fitting: 0, looked: 0 }
  for (let before: Id<'contact'> | null = null; ; ) {
    const floor: Id<'contact'> | undefined = await findFloor(db, business.id, before, perStatement)
    const range = { before, downTo: floor ?? null }
    const { fitting, looked } = await countFitting(db, business.id, { where, ...range })
    counted.fitting += fitting
    counted.looked += looked
    if (!floor) return { ...counted, isPartial: false }
    if (performance.now() > until) return { ...counted, isPartial: true }
    before = floor
  }
}

/** The newest whom it fits; those of the newest contacts alone, where few do. */
export async function someFitting(
  { db, business }: Pick<BusinessContext, 'db' | 'business'>,
  where: Sql,
  limit: number,
): Promise<Contact[]> {
  const floor = await findFloor(db, business.id, null, lookedAt)
  const others = { search: null, tag: null, emailConsent: null, smsConsent: null }
  const walk = { ...others, where, before: null, downTo: floor ?? null, limit }
  return walkContacts(db, business.id, walk)
}
