import { type Refusal, refuse } from '../../core/errors.ts'
import type { Tx } from '../../lib/db/types.ts'
import type { Channel, ContactToSave } from '../model/contact.ts'
import { type AddressHash, findErased } from '../suppression/suppression-queries.ts'
import { markOf } from '../suppression/suppressions.ts'

/** Finds the people who use an erased person's address, with the refusal for each. */
export async function findErasedPeople<Asked extends { item: ContactToSave }>(
  tx: Tx,
  asked: readonly Asked[],
): Promise<ReadonlyMap<Asked, Refusal>> {
  const marks = asked.flatMap((entry) =>
    hashesOf(entry.item).map((mark) => ({ one: entry, ...mark })),
  )
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

function hashesOf({ businessId, email, phone, hmac }: ContactToSave): AddressHash[] {
  const marks: AddressHash[] = []
  if (email !== undefined) {
    marks.push({ businessId, channel: 'email', mark: markOf(hmac, businessId, email) })
  }
  if (phone !== undefined) {
    marks.push({ businessId, channel: 'sms', mark: markOf(hmac, businessId, phone) })
  }
  return marks
}

function nameOf({ businessId, channel, mark }: AddressHash): string {
  return `${businessId} ${channel} ${mark.toString('base64')}`
}

function refuseErasedPerson(channel: Channel): Refusal {
  const [field, what] = channel === 'email' ? ['email', 'email address'] : ['phone', 'phone number']
  const text = `The person with this ${what} was erased from this business, and erased people cannot be added again.`
  return refuse('conflict', text, { field, data: { reason: 'erased' } })
}
