/** What is known of people who would be saved: for whoever shows that before it happens. */

import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Person } from '../model/contact.ts'
import { markOf } from '../suppression/suppressions.ts'
import { findEmails, findPhones, findSuppressed } from './known-queries.ts'

export interface KnownPerson {
  isContact: boolean
  /** Left a channel, on which an import would not bring them back. */
  hasLeft: boolean
  isSuppressed: boolean
  isErased: boolean
}

/** In the order of the people. Saves nothing and locks nothing. */
export async function knownAmong(
  db: Db,
  { businessId, hmac }: { businessId: Id<'business'>; hmac: Hmac },
  people: readonly Pick<Person, 'email' | 'phone'>[],
): Promise<KnownPerson[]> {
  const emails = people.flatMap(({ email }) => email ?? [])
  const phones = people.flatMap(({ phone }) => phone ?? [])
  const marks = new Map(
    [...emails, ...phones].map((one) => [one, markOf(hmac, businessId, one)] as const),
  )
  const [byEmail, byPhone, suppressed] = await Promise.all([
    emails.length > 0 ? findEmails(db, businessId, emails) : [],
    phones.length > 0 ? findPhones(db, businessId, phones) : [],
    findSuppressed(db, businessId, [...marks.values()]),
  ])
  const contacts = new Map([...byEmail, ...byPhone].map((one) => [one.address, one]))
  const listed = new Map(suppressed.map((one) => [one.mark.toString('base64'), one]))
  return people.map(({ email, phone }) => {
    const addresses = [email, phone].filter((one) => one !== undefined)
    const known = addresses.flatMap((one) => contacts.get(one) ?? [])
    const stopped = addresses.flatMap((one) => {
      return listed.get(marks.get(one)?.toString('base64') ?? '') ?? []
    })
    return {
      isContact: known.length > 0,
      hasLeft: known.some((one) => one.email === 'unsubscribed' || one.sms === 'unsubscribed'),
      isSuppressed: stopped.some((one) => !one.isErased),
      isErased: stopped.some((one) => one.isErased),
    }
  })
}
