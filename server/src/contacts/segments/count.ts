/**
 * Counts the contacts that match a filter, and reads a few of them, within a time that somebody
 * waits for.
 */
import type { Id } from '../../core/ids.ts'
import type { BusinessContext } from '../../core/operation.ts'
import { isGivenUp } from '../../lib/db/db.ts'
import { seconds } from '../../lib/time/clock.ts'
import type { Contact } from '../contact.ts'
import { countMatching, findFloor, scanContacts } from '../search.ts'
import type { Condition } from './where.ts'

/** The time limit of one statement; a count in pieces, after a timeout, gets it again. */
const timeLimit = seconds(2)
/** Contacts that one statement of such a count covers. */
const perStatement = 50_000
/** Contacts examined to find a few matches to show. */
const contactsExamined = 10_000

export interface MatchCount {
  fitting: number
  /** Whether only a part of the contacts was counted. */
  isPartial: boolean
}

type CountContext = Pick<BusinessContext, 'db' | 'business'>

/**
 * Counts all at once, which is a quarter of the work; if that takes too long, counts as many as
 * time allows.
 */
export async function countMatches(
  { db, business }: CountContext,
  where: Condition,
): Promise<MatchCount> {
  try {
    const whole = { where: where(), patienceMs: timeLimit }
    const fitting = await countMatching(db, business.id, whole)
    return { fitting, isPartial: false }
  } catch (error) {
    if (!isGivenUp(error)) throw error
    return countPieces({ db, business }, where)
  }
}

async function countPieces({ db, business }: CountContext, where: Condition): Promise<MatchCount> {
  const until = performance.now() + timeLimit
  let fitting = 0
  for (let before: Id<'contact'> | null = null; ; ) {
    const floor: Id<'contact'> | undefined = await findFloor(db, business.id, before, perStatement)
    const downTo = floor ?? null
    const piece = { where: where({ from: downTo, before }), before, downTo }
    fitting += await countMatching(db, business.id, piece)
    if (!floor) return { fitting, isPartial: false }
    if (performance.now() > until) return { fitting, isPartial: true }
    before = floor
  }
}

/** The newest matches; only the newest contacts are examined, so a rare filter may show fewer. */
export async function findSomeMatches(
  { db, business }: CountContext,
  where: Condition,
  limit: number,
): Promise<Contact[]> {
  const floor = await findFloor(db, business.id, null, contactsExamined)
  const downTo = floor ?? null
  const others = { search: null, tag: null, emailConsent: null, smsConsent: null }
  const walk = { ...others, where: where({ from: downTo }), before: null, downTo, limit }
  return scanContacts(db, business.id, walk)
}
