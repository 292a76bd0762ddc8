import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import {
  type AudienceAsked,
  type AudienceRow,
  findInAudience,
  listAudience,
  rangeBegin,
} from './audience-queries.ts'

type ContactInAudience = Omit<AudienceAsked, 'range' | 'quota'> & { contactId: Id<'contact'> }

/**
 * Evaluates the audience's statement for one contact; undefined where the contact is not in the
 * audience.
 */
export function audienceOf(
  db: Db,
  { contactId, ...audience }: ContactInAudience,
): Promise<AudienceRow | undefined> {
  const range = { after: before(contactId), upTo: contactId }
  return findInAudience(db, { ...audience, range, quota: null })
}

/** Contacts that one page of an audience looks at, so that finding a few among millions costs little. */
const perPage = 10_000

interface PageOfAudience extends Omit<AudienceAsked, 'range' | 'quota'> {
  /** The id below which the page begins. */
  before: Id<'contact'>
  wouldGet: boolean | null
  limit: number
}

/**
 * A page of the audience as it is now, newest first. `floor` is the id below which it goes on where
 * the page ended before the limit.
 */
export async function pageOfAudience(
  db: Db,
  { before: end, wouldGet, limit, ...audienceQuery }: PageOfAudience,
): Promise<{
  rows: (AudienceRow & { contactId: Id<'contact'> })[]
  floor: Id<'contact'> | undefined
}> {
  const upTo = before(end)
  const begin = await rangeBegin(db, audienceQuery.businessId, { upTo, size: perPage })
  if (!begin) return { rows: [], floor: undefined }
  const range = { after: before(begin.id), upTo }
  const rows = await listAudience(db, { ...audienceQuery, range, quota: null }, { wouldGet, limit })
  return { rows, floor: begin.isLast || rows.length >= limit ? undefined : begin.id }
}

/** The uuid directly below this one. */
function before(id: Id<'contact'>): Id<'contact'> {
  const hex = (BigInt(`0x${id.replaceAll('-', '')}`) - 1n).toString(16).padStart(32, '0')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') as Id<'contact'>
}
