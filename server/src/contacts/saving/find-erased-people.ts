import { type Refusal, refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Tx } from '../../lib/db/types.ts'
import type { Channel } from '../contact.ts'
import { type AddressHash, findErased } from '../suppressions/suppression-queries.ts'
import { markOf } from '../suppressions/suppressions.ts'

/** The addresses of a person, with the hash that recognises erased ones. */
export interface Addressed {
  businessId: Id<'business'>
  email?: string | undefined
  phone?: string | undefined
  hmac: Hmac
}

/** Finds the people who use an erased person's address, with the refusal for each. */
export async function findErasedPeople<Asked extends { item: Addressed }>(
  tx: Tx,
  asked: readonly Asked[],
): Promise<ReadonlyMap<Asked, Refusal>> {
  const marks: (AddressHash & { one: Asked })[] = []
  for (const one of asked) addHashes(marks, one)
  const found = await findErased(tx, marks)
  if (found.length === 0) return new Map()
  const erased = new Set(found.map(nameOf))
  const refused = new Map<Asked, Refusal>()
  for (const { one, ...mark } of marks) {
    if (erased.has(nameOf(mark)) && !refused.has(one))
      refused.set(one, refuseErasedPerson(mark.channel))
  }
  return refused
}

function addHashes<Asked extends { item: Addressed }>(
  marks: (AddressHash & { one: Asked })[],
  one: Asked,
): void {
  const { businessId, email, phone, hmac } = one.item
  if (email !== undefined) {
    marks.push({ one, businessId, channel: 'email', mark: markOf(hmac, businessId, email) })
  }
  if (phone !== undefined) {
    marks.push({ one, businessId, channel: 'sms', mark: markOf(hmac, businessId, phone) })
  }
}

function nameOf({ businessId, channel, mark }: AddressHash): string {
  return `${businessId} ${channel} ${mark.toString('base64')}`
}

function refuseErasedPerson(channel: Channel): Refusal {
  const [field, what] = channel === 'email' ? ['email', 'email address'] : ['phone', 'phone number']
  const text = `The person with this ${what} was erased from this business, and erased people cannot be added again.`
  return refuse('conflict', text, { field, data: { reason: 'erased' } })
}
