/**
 * When people said no whom a call would bring back: in the ledger, or as a suppression of their
 * address. Both are read only if a call gives consent.
 */
import type { Id } from '../../core/ids.ts'
import type { Tx } from '../../lib/db/types.ts'
import {
  type Channel,
  type ConsentSubject,
  type ContactToSave,
  type ContactValues,
  consentSubjects,
  saidOfTopic,
} from '../contact.ts'
import { findOptOuts } from '../model/consent-queries.ts'
import type { StoredContact } from '../rows.ts'
import { findSuppressed } from '../suppressions/suppression-queries.ts'
import { markOf } from '../suppressions/suppressions.ts'
import type { Suppressed } from './may-return.ts'

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
  const isAsked = asked.some(({ item: { source, consent } }) => {
    if (source !== 'api' || !consent) return false
    return consentSubjects.some((consentSubject) => {
      const { status, text, at } = consent[consentSubject] ?? {}
      return status === 'subscribed' && text && at
    })
  })
  if (!isAsked) return nobody
  const left = stored.filter(hasLeftAnything)
  const optOuts = new Map<string, Date>()
  for (const [businessId, some] of Map.groupBy(left, (contact) => contact.businessId)) {
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

/** By business, channel and address. */
export type SuppressedAddresses = ReadonlyMap<string, Suppressed>

const addressKey = (businessId: string, channel: ConsentSubject, address: string): string =>
  `${businessId} ${channel} ${address}`

const noneSuppressed: SuppressedAddresses = new Map()

/**
 * Suppressions of the addresses for which a form or a call gives consent. An import is not asked
 * about: it lifts nothing, and its dry run counts who is suppressed.
 */
export async function suppressedOf(
  tx: Tx,
  stored: readonly StoredContact[],
  asked: readonly { item: ContactToSave }[],
): Promise<SuppressedAddresses> {
  const givers = asked.filter(({ item: { source, consent } }) => {
    if (source === 'import') return false
    const given = [consent?.email, consent?.sms]
    return given.some((entry) => entry && entry.status !== 'unsubscribed')
  })
  const [one] = givers
  if (!one) return noneSuppressed
  const addresses = new Map<
    string,
    { businessId: Id<'business'>; channel: Channel; address: string }
  >()
  const add = (
    businessId: Id<'business'>,
    channel: Channel,
    address: string | null | undefined,
  ) => {
    if (!address) return
    addresses.set(addressKey(businessId, channel, address), { businessId, channel, address })
  }
  for (const { businessId, email, phone } of [...givers.map(({ item }) => item), ...stored]) {
    add(businessId, 'email', email)
    add(businessId, 'sms', phone)
  }
  const { hmac } = one.item
  const rows = [...addresses.values()].map((row) => {
    return { ...row, mark: markOf(hmac, row.businessId, row.address) }
  })
  const found = await findSuppressed(tx, rows)
  return new Map(
    found.map(({ businessId, channel, address, reason, createdAt }) => [
      addressKey(businessId, channel, address),
      { reason, since: createdAt },
    ]),
  )
}

/** The suppression of the address that the contact has once the person is saved. */
export function suppressedIn(
  { businessId, values }: { businessId: Id<'business'>; values: ContactValues },
  { email, phone }: Pick<ContactToSave, 'email' | 'phone'>,
  suppressed: SuppressedAddresses,
): (channel: ConsentSubject) => Suppressed | undefined {
  return (channel) => {
    const address = channel === 'email' ? (email ?? values.email) : (phone ?? values.phone)
    if (channel === 'tracking' || address === null) return undefined
    return suppressed.get(addressKey(businessId, channel, address))
  }
}
