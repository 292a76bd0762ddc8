import { heldField, holdRemoval, isManyRemovals } from '../accounts/removals/removal.ts'
import { refuse } from '../core/errors.ts'
import { formatId, type Id, parseId } from '../core/ids.ts'
import { type BusinessContext, isConnection, operation } from '../core/operation.ts'
import { recordAudit } from '../events/audit.ts'
import { sql } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import { lockStandingCounters, release } from '../usage/reserve.ts'
import { differences, optedOutAddresses, refuseTooMuch } from './changes.ts'
import { type ConsentChange, chosen } from './consent/consent.ts'
import { markReturned } from './consent/return.ts'
import {
  type Channel,
  type ConsentStatus,
  type ContactValues,
  channels,
  contactIdInput,
  eachText,
  noSuchContact,
  type TopicsOfChannel,
  topicStatusOf,
} from './contact.ts'
import { endContacts, findFormer } from './erase.ts'
import { countFields } from './fields/count-fields.ts'
import type { PersonalData } from './personal-data.ts'
import { recordChanges } from './record.ts'
import { lockById, type StoredContact, updateContacts } from './rows.ts'
import { markOf, staysOptedOut, suppress } from './suppressions/suppression.ts'

const output = Type.Object({
  contact_id: Type.String(),
  left_out: Type.Object({
    email: Type.Optional(Type.String()),
    phone: Type.Optional(Type.String()),
    external_id: Type.Optional(Type.String()),
  }),
  held: heldField,
})

interface ContactsToMerge {
  contact_id: string
  other_contact_id: string
}

export function contactMerge({ traces }: { traces: readonly PersonalData[] }) {
  return operation({
    name: 'contact.merge',
    title: 'Merge contacts',
    area: 'contacts',
    summary:
      'Merge two contacts: contact_id stays and takes what it lacks, with the history. No undo.',
    reach: 'business',
    scope: 'audience:write',
    role: 'editor',
    tier: 'free',
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    rest: 'POST /v1/contacts/:contact_id/merge',
    input: { contact_id: contactIdInput, other_contact_id: contactIdInput },
    output,
    run: (context, input) =>
      context.write((tx) => lockAndMerge(tx, { traces, context, named: input })),
  })
}

interface MergeCall {
  traces: readonly PersonalData[]
  context: BusinessContext
  named: ContactsToMerge
}

async function lockAndMerge(tx: Tx, { traces, context, named: input }: MergeCall) {
  const businessId = context.business.id
  const { contact_id, other_contact_id } = input
  const [to, from] = [parseId('contact', contact_id), parseId('contact', other_contact_id)]
  if (!to) throw noSuchContact(contact_id)
  if (!from) throw noSuchContact(other_contact_id, 'other_contact_id')
  if (to === from) {
    const text = 'other_contact_id is the same contact: name two.'
    throw refuse('invalid_request', text, {
      field: 'other_contact_id',
      data: { reason: 'same_contact' },
    })
  }
  await lockStandingCounters(tx, [{ businessId, metric: 'contacts' }])
  const contacts = await lockBoth(tx, businessId, [to, from])
  const [primary, other] = [contacts.get(to), contacts.get(from)]
  if (!primary) throw noSuchContact(contact_id)
  if (!other) {
    const former = await findFormer(tx, businessId, from)
    // Merging the same two contacts again succeeds.
    if (former?.became === to) return { contact_id, left_out: {} }
    throw noSuchContact(other_contact_id, 'other_contact_id')
  }
  const isHeld =
    (isConnection(context.principal) && haveDifferentAddresses(primary, other)) ||
    (await isManyRemovals(tx, context))
  if (isHeld) {
    const order = { action: 'contact.merge', contactId: to, otherContactId: from } as const
    return { contact_id, left_out: {}, held: await holdRemoval(tx, context, order) }
  }
  return mergeInto(tx, { traces, context, primary, other })
}

/** Whether mail or texts to one of them would go to another address after the merge. */
function haveDifferentAddresses(primary: StoredContact, other: StoredContact): boolean {
  return (['email', 'phone'] as const).some(
    (field) => primary[field] !== null && other[field] !== null && primary[field] !== other[field],
  )
}

interface HeldMerge {
  traces: readonly PersonalData[]
  context: Merging
  contactId: Id<'contact'>
  otherContactId: Id<'contact'>
}

/** Completes a merge that was held. False if a contact no longer exists. */
export async function mergeHeld(
  tx: Tx,
  { traces, context, contactId, otherContactId }: HeldMerge,
): Promise<boolean> {
  const businessId = context.business.id
  await lockStandingCounters(tx, [{ businessId, metric: 'contacts' }])
  const contacts = await lockBoth(tx, businessId, [contactId, otherContactId])
  const [primary, other] = [contacts.get(contactId), contacts.get(otherContactId)]
  if (!primary || !other) return false
  await mergeInto(tx, { traces, context, primary, other })
  return true
}

/** Locks the contacts in a fixed order, against deadlocks. */
async function lockBoth(tx: Tx, businessId: Id<'business'>, ids: Id<'contact'>[]) {
  const contacts = new Map<Id<'contact'>, StoredContact>()
  for (const id of ids.toSorted()) {
    const contact = await lockById(tx, businessId, id)
    if (contact) contacts.set(id, contact)
  }
  return contacts
}

interface Merging extends Pick<BusinessContext, 'hmac' | 'now' | 'origin'> {
  business: Pick<BusinessContext['business'], 'id'>
}

interface LockedContacts {
  traces: readonly PersonalData[]
  context: Merging
  primary: StoredContact
  other: StoredContact
}

async function mergeInto(
  tx: Tx,
  { traces, context: { business, hmac, now, origin }, primary, other }: LockedContacts,
): Promise<{ contact_id: string; left_out: object }> {
  const businessId = business.id
  const joined = mergeContacts(primary, other, `merged with ${formatId('contact', other.id)}`)
  const { values, leftOut } = joined
  const mark = (address: string | null) =>
    address === null ? null : markOf(hmac, businessId, address)
  // The other contact is deleted first, because an address belongs to one contact at any moment.
  await endContacts(tx, businessId, [other.id])
  await insertMerged(tx, { businessId, id: other.id, became: primary.id }, now)
  const marks = { emailMark: mark(values.email), phoneMark: mark(values.phone) }
  await updateContacts(tx, [{ ...values, ...marks, businessId, id: primary.id }], now)
  const givenUp = optedOutAddresses(other, values)
  await suppress(
    tx,
    hmac,
    givenUp.map((address) => ({ ...address, businessId, ...staysOptedOut })),
    now,
  )
  if (other.returnedAt) await markReturned(tx, businessId, primary.id, other.returnedAt)
  await countFields(tx, [{ businessId, before: primary, after: values }])
  await moveHistory(tx, businessId, other.id, primary.id)
  await movePast(tx, businessId, other.id, primary.id)
  for (const domain of traces) await domain.move(tx, { businessId, from: other.id, to: primary.id })
  await release(tx, [{ businessId, metric: 'contacts', amount: 1 }], now)
  const subject = formatId('contact', primary.id)
  const details = { other: formatId('contact', other.id) }
  await recordAudit(tx, [{ businessId, action: 'contact.merge', subject, details, origin }], now)
  const entry = { businessId, id: primary.id, stored: primary, values }
  const kind = joined.changed.length > 0 ? ('updated' as const) : ('unchanged' as const)
  const change = {
    ...joined,
    tagsAdded: [],
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

interface MergedAway {
  businessId: Id<'business'>
  id: Id<'contact'>
  became: Id<'contact'>
}

/** Contacts that were merged into this one before now belong to the contact it was merged into. */
function insertMerged(tx: Tx, { businessId, id, became }: MergedAway, now: Date) {
  return tx.run(sql`
    with inherited as (
      update former_contacts set became = ${became}
      where business_id = ${businessId} and became = ${id}
    )
    insert into former_contacts (business_id, id, became, ended_at)
    values (${businessId}, ${id}, ${became}, ${now})
  `)
}

/** Adds up what retention deleted of both timelines. */
function movePast(
  tx: Tx,
  businessId: Id<'business'>,
  from: Id<'contact'>,
  to: Id<'contact'>,
): Promise<number> {
  return tx.run(sql`
    with joined as (
      update contact_past kept
      set first_at = least(kept.first_at, other.first_at),
        last_at = greatest(kept.last_at, other.last_at), sent = kept.sent + other.sent,
        opened = kept.opened + other.opened, clicked = kept.clicked + other.clicked,
        own_events = kept.own_events + other.own_events
      from contact_past other
      where kept.business_id = ${businessId} and kept.contact_id = ${to}
        and other.business_id = ${businessId} and other.contact_id = ${from}
      returning kept.contact_id
    ), moved as (
      update contact_past set contact_id = ${to}
      where business_id = ${businessId} and contact_id = ${from}
        and not exists (select from joined)
    )
    delete from contact_past
    where business_id = ${businessId} and contact_id = ${from} and exists (select from joined)
  `)
}

function moveHistory(
  tx: Tx,
  businessId: Id<'business'>,
  from: Id<'contact'>,
  to: Id<'contact'>,
): Promise<number> {
  return tx.run(sql`
    with ledger as (
      update consent_events set contact_id = ${to}
      where business_id = ${businessId} and contact_id = ${from}
    ), asked as (
      update confirmations c set contact_id = ${to}
      where c.business_id = ${businessId} and c.contact_id = ${from} and not exists (
        select from confirmations o
        where o.business_id = ${businessId} and o.contact_id = ${to}
          and o.confirmed_at is null and o.ended_at is null
      )
    ), own as (
      update own_events set contact_id = ${to}
      where business_id = ${businessId} and contact_id = ${from}
    )
    update contact_activity set contact_id = ${to}
    where business_id = ${businessId} and contact_id = ${from}
  `)
}

interface MergeResult {
  values: ContactValues
  changed: string[]
  consents: ConsentChange[]
  /** What does not fit, because a contact has one address of each kind and one id. */
  leftOut: { email?: string; phone?: string; external_id?: string }
}

const addressOn = { email: 'email', sms: 'phone' } as const

/** `pendingSince`: as of a stored contact. */
type MergedContact = ContactValues & { pendingSince?: Date | null }

/**
 * The contact that stays keeps its own values and gains those that it lacks. Consent belongs to the
 * address for which it was given, but an opt-out of either contact remains.
 */
export function mergeContacts(
  primary: MergedContact,
  other: MergedContact,
  evidence: string,
): MergeResult {
  const consent = { ...primary.consent }
  const topics: Partial<Record<Channel, TopicsOfChannel>> = {}
  const consents: ConsentChange[] = []
  const source = { source: evidence }
  for (const channel of channels) {
    const joined = topicsOn(channel, primary, other)
    if (Object.keys(joined).length > 0) topics[channel] = joined
    for (const [topic, action] of Object.entries(joined)) {
      if (topicStatusOf(primary.topics, channel, topic) === action) continue
      consents.push({ channel, topic, action, evidence: source })
    }
    const action: ConsentStatus = hasLeftAll(channel, primary, joined)
      ? 'unsubscribed'
      : consentOn(channel, primary, other)
    if (action === consent[channel]) continue
    consent[channel] = action
    consents.push({ channel, action, evidence: source })
  }
  const tracking = trackingOf(primary, other)
  if (tracking !== consent.tracking) {
    consent.tracking = tracking
    consents.push({ channel: 'tracking', action: tracking, evidence: source })
  }
  const values: ContactValues = {
    email: primary.email ?? other.email,
    phone: primary.phone ?? other.phone,
    ...eachText((field) => primary[field] ?? other[field]),
    attributes: { ...other.attributes, ...primary.attributes },
    tags: [...new Set([...primary.tags, ...other.tags])].sort(),
    consent,
    topics,
  }
  const refusal = refuseTooMuch(values)
  if (refusal) throw refusal
  const leftOut = {
    ...(other.email !== null && other.email !== values.email && { email: other.email }),
    ...(other.phone !== null && other.phone !== values.phone && { phone: other.phone }),
    ...(other.external_id !== null &&
      other.external_id !== values.external_id && { external_id: other.external_id }),
  }
  return { values, changed: differences(primary, values), consents, leftOut }
}

function consentOn(channel: Channel, primary: MergedContact, other: MergedContact): ConsentStatus {
  const both = [primary.consent[channel], other.consent[channel]]
  if (both.includes('unsubscribed')) return 'unsubscribed'
  if (channel === 'email' && (primary.pendingSince || other.pendingSince)) return 'unsubscribed'
  return (primary[addressOn[channel]] === null ? other : primary).consent[channel]
}

/** An objection of either contact remains; else the staying contact's choice comes first. */
function trackingOf({ consent: primary }: ContactValues, { consent: other }: ContactValues) {
  if (other.tracking === 'unsubscribed') return other.tracking
  return primary.tracking === 'none' ? other.tracking : primary.tracking
}

/** Choices come from the contact whose address is used; a topic that either one left stays left. */
function topicsOn(channel: Channel, primary: ContactValues, other: ContactValues): TopicsOfChannel {
  const own = (primary[addressOn[channel]] === null ? other : primary).topics[channel] ?? {}
  const both = [primary.topics[channel] ?? {}, other.topics[channel] ?? {}]
  const departures = both.flatMap((topics) =>
    Object.entries(topics).filter(([, status]) => status === 'unsubscribed'),
  )
  return { ...own, ...Object.fromEntries(departures) }
}

/** Whether the contact had agreed to topics alone, and the merge leaves none of them. */
function hasLeftAll(channel: Channel, primary: ContactValues, joined: TopicsOfChannel): boolean {
  if (primary.consent[channel] !== 'subscribed') return false
  return chosen(primary.topics[channel]).length > 0 && chosen(joined).length === 0
}
