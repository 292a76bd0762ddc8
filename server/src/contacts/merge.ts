import { isRefusal, type Refusal, refuse } from '../core/errors.ts'
import { formatId, type Id, parseId } from '../core/ids.ts'
import { type BusinessContext, operation } from '../core/operation.ts'
import { recordAudit } from '../events/audit.ts'
import type { Tx } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import { lockStandingCounters, release } from '../usage/reserve.ts'
import { markReturned } from './consent/return.ts'
import { contactIdInput, noSuchContact } from './contact.ts'
import { endContacts } from './erasure/end-contacts.ts'
import { findFormer, insertMerged, moveHistory } from './erasure/former-queries.ts'
import { mergeContacts } from './erasure/merge-contacts.ts'
import type { PersonalData } from './erasure/personal-data.ts'
import { countFields } from './fields/count-fields.ts'
import { recordChanges } from './record.ts'
import { lockById, type StoredContact, updateContacts } from './rows.ts'
import { markOf } from './suppressions/suppression.ts'

const output = Type.Object({
  contact_id: Type.String(),
  left_out: Type.Object({
    email: Type.Optional(Type.String()),
    phone: Type.Optional(Type.String()),
  }),
})

interface ContactsToMerge {
  contact_id: string
  other_contact_id: string
}

export function contactMerge({ traces }: { traces: readonly PersonalData[] }) {
  return operation({
    name: 'contact.merge',
    title: 'Merge contacts',
    summary:
      'Make two contacts one: contact_id stays and takes what it lacks, with the history. For good.',
    reach: 'business',
    scope: 'audience:write',
    role: 'editor',
    tier: 'free',
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    rest: 'POST /v1/contacts/:contact_id/merge',
    input: { contact_id: contactIdInput, other_contact_id: contactIdInput },
    output,
    run: (context, named) => context.write((tx) => lockAndMerge(tx, { traces, context, named })),
  })
}

interface MergeCall {
  traces: readonly PersonalData[]
  context: BusinessContext
  named: ContactsToMerge
}

async function lockAndMerge(tx: Tx, { traces, context, named }: MergeCall) {
  const businessId = context.business.id
  const { contact_id, other_contact_id } = named
  const [to, from] = [parseId('contact', contact_id), parseId('contact', other_contact_id)]
  if (!to) return noSuchContact(contact_id)
  if (!from) return noSuchContact(other_contact_id, 'other_contact_id')
  if (to === from) {
    const text = 'other_contact_id is the same contact: name two.'
    return refuse('invalid_request', text, { field: 'other_contact_id' })
  }
  await lockStandingCounters(tx, [{ businessId, metric: 'contacts' }])
  const contacts = await lockBoth(tx, businessId, [to, from])
  const [kept, other] = [contacts.get(to), contacts.get(from)]
  if (!kept) return noSuchContact(contact_id)
  if (!other) {
    const former = await findFormer(tx, businessId, from)
    // Merging the same two contacts again succeeds.
    if (former?.became === to) return { contact_id, left_out: {} }
    return noSuchContact(other_contact_id, 'other_contact_id')
  }
  return mergeInto(tx, { traces, context, kept, other })
}

/** Locks the contacts in a fixed order, against deadlocks. */
async function lockBoth(tx: Tx, businessId: Id<'business'>, ids: Id<'contact'>[]) {
  const found = new Map<Id<'contact'>, StoredContact>()
  for (const id of ids.toSorted()) {
    const contact = await lockById(tx, businessId, id)
    if (contact) found.set(id, contact)
  }
  return found
}

interface LockedContacts {
  traces: readonly PersonalData[]
  context: BusinessContext
  kept: StoredContact
  other: StoredContact
}

async function mergeInto(
  tx: Tx,
  { traces, context: { business, hmac, now, origin }, kept, other }: LockedContacts,
): Promise<{ contact_id: string; left_out: object } | Refusal> {
  const businessId = business.id
  const joined = mergeContacts(kept, other, `merged with ${formatId('contact', other.id)}`)
  if (isRefusal(joined)) return joined
  const { values, leftOut } = joined
  const mark = (address: string | null) =>
    address === null ? null : markOf(hmac, businessId, address)
  // The other contact is deleted first, because an address belongs to one contact at any moment.
  await endContacts(tx, businessId, [other.id])
  await insertMerged(tx, { businessId, id: other.id, became: kept.id }, now)
  const marks = { emailMark: mark(values.email), phoneMark: mark(values.phone) }
  await updateContacts(tx, [{ ...values, ...marks, businessId, id: kept.id }], now)
  if (other.returnedAt) await markReturned(tx, businessId, kept.id, other.returnedAt)
  await countFields(tx, [{ businessId, before: kept, after: values }])
  await moveHistory(tx, businessId, other.id, kept.id)
  for (const domain of traces) await domain.move(tx, { businessId, from: other.id, to: kept.id })
  await release(tx, [{ businessId, metric: 'contacts', amount: 1 }], now)
  const subject = formatId('contact', kept.id)
  const details = { other: formatId('contact', other.id) }
  await recordAudit(tx, [{ businessId, action: 'contact.merge', subject, details, origin }], now)
  const entry = { businessId, id: kept.id, stored: kept, values }
  const kind = joined.changed.length > 0 ? ('updated' as const) : ('unchanged' as const)
  const change = {
    ...joined,
    stayedUnsubscribed: [],
    stillSuppressed: [],
    awaitsConfirmation: false,
    confirmation: undefined,
    entry,
    kind,
  }
  await recordChanges(tx, [{ item: { businessId, source: 'api', origin }, change }], now)
  return { contact_id: subject, left_out: leftOut }
}
