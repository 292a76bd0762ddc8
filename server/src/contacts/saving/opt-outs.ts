/** When people left whom a call would bring back. The ledger is read only if there are any. */
import type { Id } from '../../core/ids.ts'
import type { Tx } from '../../lib/db/types.ts'
import { findOptOuts } from '../model/consent-queries.ts'
import {
  type ConsentSubject,
  type ContactToSave,
  type ContactValues,
  consentSubjects,
  saidOfTopic,
} from '../model/contact.ts'
import type { StoredContact } from './queries.ts'

/** By contact, channel and topic. */
export type OptOuts = ReadonlyMap<string, Date>

const optOutKey = (
  contactId: Id<'contact'>,
  channel: ConsentSubject,
  topic: string | undefined,
): string => `${contactId} ${channel} ${topic ?? ''}`

const nobody: OptOuts = new Map()

export async function optOutsOf(
  tx: Tx,
  stored: readonly StoredContact[],
  asked: readonly { item: ContactToSave }[],
): Promise<OptOuts> {
  const isAsked = asked.some(({ item: { source, consent } }) =>
    consentSubjects.some((one) => {
      const { status, text, at } = consent?.[one] ?? {}
      return source === 'api' && status === 'subscribed' && text && at
    }),
  )
  if (!isAsked) return nobody
  const left = stored.filter(hasLeftAnything)
  const optOuts = new Map<string, Date>()
  for (const [businessId, some] of Map.groupBy(left, (one) => one.businessId)) {
    const rows = await findOptOuts(
      tx,
      businessId,
      some.map(({ id }) => id),
    )
    for (const { contactId, channel, topic, at } of rows) {
      optOuts.set(optOutKey(contactId, channel, topic ?? undefined), at)
    }
  }
  return optOuts
}

/** Undefined if the person left earlier in the same set: that is now, and nothing is later. */
export function leftAtOf(
  { id, stored }: { id: Id<'contact'>; stored: ContactValues | undefined },
  optOuts: OptOuts,
): (channel: ConsentSubject, topic: string | undefined) => Date | undefined {
  return (channel, topic) => {
    const stands =
      topic === undefined
        ? stored?.consent[channel]
        : stored && saidOfTopic(stored.topics, channel, topic)
    return stands === 'unsubscribed' ? optOuts.get(optOutKey(id, channel, topic)) : undefined
  }
}

function hasLeftAnything({ consent, topics }: StoredContact): boolean {
  return consentSubjects.some(
    (channel) =>
      consent[channel] === 'unsubscribed' ||
      Object.values(topics[channel] ?? {}).includes('unsubscribed'),
  )
}
