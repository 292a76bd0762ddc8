/**
 * To whom a connection that may not take data out writes at the tool endpoint: people whom the
 * business knew before, its members, and its own domains. A text to anybody else could carry what the
 * connection reads to whoever tricks it.
 */
import { type Refusal, refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'
import { days, later } from '../../lib/time/clock.ts'
import { verifiedDomainsOf } from '../../sender-domains/senders/own-domains.ts'

/** A contact counts as known after this time, or at once if it came by a form. */
export const knownAfterMs = days(1)

export interface FencedMessage {
  businessId: Id<'business'>
  contactId: Id<'contact'> | null
  /** The normalised address, or the number. */
  address: string
  /** The page on which a person allows more. */
  allowUrl: string
}

/** For each message in order, why it may not be sent, or undefined. */
export async function refuseUnknown(
  tx: Tx,
  all: readonly FencedMessage[],
  now: Date,
): Promise<(Refusal | undefined)[]> {
  const refusals = new Map<FencedMessage, Refusal>()
  for (const [businessId, its] of Map.groupBy(all, (message) => message.businessId)) {
    const contactIds = its.flatMap(({ contactId }) => contactId ?? [])
    const addresses = its.map(({ address }) => address)
    const contacts = await listKnown(tx, businessId, {
      contactIds,
      before: later(now, -knownAfterMs),
    })
    const knownIds = new Set(contacts.map(({ id }) => id))
    const others = its.filter(({ contactId }) => !(contactId && knownIds.has(contactId)))
    if (others.length === 0) continue
    const members = new Set(await listMemberAddresses(tx, businessId, addresses))
    const domains = await verifiedDomainsOf(tx, businessId)
    for (const message of others) {
      const { address, allowUrl } = message
      const domain = address.slice(address.lastIndexOf('@') + 1)
      if (members.has(address) || domains.includes(domain)) continue
      refusals.set(message, unknownRecipient(allowUrl))
    }
  }
  return all.map((message) => refusals.get(message))
}

function unknownRecipient(url: string): Refusal {
  const text = `At the tool endpoint this connection writes to contacts that the business had for a day or that came by a form, to its members, and to its own verified domains: a text to anybody else could take data out of Crier. A person sends it in the app, or allows the connection to take data out: ${url}. Do not try another address.`
  return refuse('access_denied', text, {
    field: 'to',
    data: { reason: 'unknown_recipient', permission: 'takes_data_out' },
    fix: { url },
  })
}

function listKnown(
  tx: Tx,
  businessId: Id<'business'>,
  { contactIds, before }: { contactIds: readonly Id<'contact'>[]; before: Date },
): Promise<{ id: Id<'contact'> }[]> {
  return tx.all(sql`
    select c.id from contacts c
    where c.business_id = ${businessId} and c.id = any (${[...contactIds]}::uuid[])
      and (c.created_at <= ${before} or exists (
        select from contact_activity a
        where a.business_id = ${businessId} and a.contact_id = c.id and a.type = 'form.submitted'
      ))
  `)
}

async function listMemberAddresses(
  tx: Tx,
  businessId: Id<'business'>,
  addresses: readonly string[],
): Promise<string[]> {
  const rows = await tx.all<{ email: string }>(sql`
    select u.email from memberships m join users u on u.id = m.user_id
    where m.business_id = ${businessId} and u.email = any (${[...addresses]}::text[])
  `)
  return rows.map(({ email }) => email)
}
