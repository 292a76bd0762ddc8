/** How many a filter fits, and a few of them, within a time that somebody waits for. */
import type { Id } from '../../core/ids.ts'
import type { BusinessContext } from '../../core/operation.ts'
import { isGivenUp } from '../../lib/db/db.ts'
import { seconds } from '../../lib/time/clock.ts'
import type { Contact } from '../model/contact.ts'
import { countFitting, findFloor, walkContacts } from '../model/list-queries.ts'
import type { Condition } from './where.ts'

/** One statement has so long, and where it takes longer, the counting piece by piece has it anew. */
const patience = seconds(2)
/** Contacts of one statement of those. */
const perStatement = 50_000
/** Contacts looked at for those who are shown. */
const lookedAt = 10_000

export interface Counted {
  fitting: number
  /** Not all contacts were looked at. */
  isPartial: boolean
}

type Counting = Pick<BusinessContext, 'db' | 'business'>

/** At once, which is a quarter of the work, or where that takes too long as many as can be. */
export async function countOf({ db, business }: Counting, where: Condition): Promise<Counted> {
  try {
    const whole = { where: where(), patienceMs: patience }
    const fitting = await countFitting(db, business.id, whole)
    return { fitting, isPartial: false }
  } catch (error) {
    if (!isGivenUp(error)) throw error
    return countPieces({ db, business }, where)
  }
}

async function countPieces({ db, business }: Counting, where: Condition): Promise<Counted> {
  const until = performance.now() + patience
  let fitting = 0
  for (let before: Id<'contact'> | null = null; ; ) {
    const floor: Id<'contact'> | undefined = await findFloor(db, business.id, before, perStatement)
    const downTo = floor ?? null
    const piece = { where: where({ from: downTo, before }), before, downTo }
    fitting += await countFitting(db, business.id, piece)
    if (!floor) return { fitting, isPartial: false }
    if (performance.now() > until) return { fitting, isPartial: true }
    before = floor
  }
}

/** The newest whom it fits; those of the newest contacts alone, where few do. */
export async function someFitting(
  { db, business }: Counting,
  where: Condition,
  limit: number,
): Promise<Contact[]> {
  const floor = await findFloor(db, business.id, null, lookedAt)
  const downTo = floor ?? null
  const others = { search: null, tag: null, emailConsent: null, smsConsent: null }
  const walk = { ...others, where: where({ from: downTo }), before: null, downTo, limit }
  return walkContacts(db, business.id, walk)
}
