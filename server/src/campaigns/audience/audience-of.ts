import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import { type AudienceAsked, type AudienceRow, findInAudience } from './audience-queries.ts'

type ContactInAudience = Omit<AudienceAsked, 'range' | 'quota'> & { contactId: Id<'contact'> }

/**
 * Evaluates the audience's statement for one contact; undefined where the contact is not in the
 * audience.
 */
export function audienceOf(
  db: Db,
  { contactId, ...asked }: ContactInAudience,
): Promise<AudienceRow | undefined> {
  const range = { after: before(contactId), upTo: contactId }
  return findInAudience(db, { ...asked, range, quota: null })
}

/** The uuid directly below this one. */
function before(id: Id<'contact'>): Id<'contact'> {
  const hex = (BigInt(`0x${id.replaceAll('-', '')}`) - 1n).toString(16).padStart(32, '0')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') as Id<'contact'>
}
