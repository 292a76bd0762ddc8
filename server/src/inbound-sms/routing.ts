/**
 * Routing of inbound texts: which business a text belongs to, and which businesses its STOP is
 * for.
 */

import { businessesTextingFrom, onlyBusiness } from '../accounts/businesses/sms-senders.ts'
import { senderKey } from '../contacts/suppressions/stopped-numbers.ts'
import type { Id } from '../core/ids.ts'
import type { Db } from '../lib/db/types.ts'
import type { TextedBusiness } from '../messages/message.ts'
import { textedBy } from '../messages/texting.ts'

export interface Routing {
  /** Undefined if none of several businesses has that number or ever sent to this person. */
  owner: Id<'business'> | undefined
  /** The owner's last message to the person from that number, or from any number of theirs. */
  answered: Id<'message'> | undefined
  /** All businesses that send from the number and had contact with it or the person, in order. */
  sharing: Id<'business'>[]
  /** The number, and the pools of numbers that it may belong to. */
  senders: string[]
}

/**
 * Routes a text to the business whose number it is. If several share the number, to the one of them
 * that last sent to the person. If no business has the number, to the one that last sent to the
 * person from it, or at all. With one business there is no choice.
 */
export async function routeText(
  db: Db,
  { phone, sender }: { phone: string; sender: string },
): Promise<Routing> {
  const senders = await businessesTextingFrom(db, spellingsOf(sender))
  const texted = await textedBy(db, phone)
  const fromIt = texted.filter((entry) => isPool(entry.sender) || isSame(entry.sender, sender))
  const last = (all: TextedBusiness[]) => all.find(({ businessId }) => senders.includes(businessId))
  const owner =
    senders.length > 0
      ? ((last(fromIt) ?? last(texted))?.businessId ?? senders[0])
      : ((fromIt[0] ?? texted[0])?.businessId ?? (await onlyBusiness(db)))
  const others = fromIt.map(({ businessId }) => businessId)
  const ofOwner = (all: TextedBusiness[]) => all.find(({ businessId }) => businessId === owner)
  return {
    owner,
    answered: (ofOwner(fromIt) ?? ofOwner(texted))?.messageId,
    sharing: [...new Set([...(owner ? [owner] : []), ...senders, ...others])].sort(),
    senders: [...new Set([sender, ...fromIt.map((entry) => entry.sender)].map(senderKey))],
  }
}

/** Routes a text to the one business whose message it is known to answer. */
export function routeTo(
  { businessId, messageId }: { businessId: Id<'business'>; messageId: Id<'message'> },
  { sender }: { sender: string },
): Routing {
  return {
    owner: businessId,
    answered: messageId,
    sharing: [businessId],
    senders: [senderKey(sender)],
  }
}

const isSame = (a: string, b: string) => senderKey(a) === senderKey(b)

/** The provider chose the number itself. A Twilio messaging service is named by its id. */
const isPool = (sender: string) => sender === '' || /^MG[0-9a-f]{32}$/i.test(sender)

function spellingsOf(sender: string): string[] {
  const key = senderKey(sender)
  return [sender, key, `+${key}`]
}
