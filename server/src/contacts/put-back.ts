/**
 * Undoes changes to contacts. Contacts that were created are deleted if nobody has touched them
 * since. The others get back each value that is still the one the change set.
 */
import type { Id } from '../core/ids.ts'
import type { Hmac, Origin, Tier } from '../core/operation.ts'
import { replanned, sqlWithin } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'
import { release } from '../usage/reserve.ts'
import { differences, optedOutAddresses } from './changes.ts'
import type { ConsentChange } from './consent/consent.ts'
import {
  type ConsentStatus,
  type ContactValues,
  consentSubjects,
  topicStatusOf,
} from './contact.ts'
import { deleteHistory, endContacts } from './erase.ts'
import { type FieldValues, restored, topicOf } from './field-values.ts'
import { countFields } from './fields/count-fields.ts'
import type { Change, Entry, Plan } from './plan-saving.ts'
import { recordChanges } from './record.ts'
import { changeableColumns } from './rows.ts'
import { writePlan } from './save.ts'

interface DoneToContact {
  contactId: Id<'contact'>
  /** The old values; null for a contact that was created. */
  before: FieldValues | null
  after: FieldValues | null
  /** The contact's `updatedAt` after the change, which shows whether it changed since. */
  changedAt: Date
}

interface PuttingBack {
  businessId: Id<'business'>
  tier: Tier
  hmac: Hmac
  origin: Origin
  /** The source that the ledger gets for consent that ends or returns. */
  evidence: string
}

interface PutBack {
  deleted: number
  restored: number
  /** Contacts that changed since, or no longer exist. */
  left: number
}

export async function putBack(
  tx: Tx,
  putting: PuttingBack,
  { done, now }: { done: readonly DoneToContact[]; now: Date },
): Promise<PutBack> {
  const { businessId } = putting
  const contacts = await lockChanged(
    tx,
    businessId,
    done.map(({ contactId }) => contactId),
  )
  const byId = new Map(contacts.map((item) => [item.id, item]))
  const doomed = done.filter((item) => item.before === null && isUntouched(byId, item))
  if (doomed.length > 0) await deleteAll(tx, putting, { doomed, now })
  const changes = done.flatMap(({ contactId, before, after }) => {
    const contact = byId.get(contactId)
    if (before === null || after === null || !contact) return []
    const change = changeOf(putting, contact, restored(contact, { before, after }))
    return change.changed.length > 0 ? [change] : []
  })
  const written = await write(tx, putting, { changes, now })
  const origin = { businessId, source: 'import' as const, origin: putting.origin }
  await recordChanges(
    tx,
    written.map((change) => ({ item: origin, change })),
    now,
  )
  await countFields(
    tx,
    written.map(({ entry, values }) => ({
      businessId,
      before: entry.stored ?? null,
      after: values,
    })),
  )
  const [deleted, back] = [doomed.length, written.length]
  return { deleted, restored: back, left: done.length - deleted - back }
}

function isUntouched(
  contacts: ReadonlyMap<Id<'contact'>, ChangedContact>,
  { contactId, changedAt }: DoneToContact,
): boolean {
  const contact = contacts.get(contactId)
  return contact?.updatedAt.getTime() === changedAt.getTime() && !contact.hasHistory
}

async function deleteAll(
  tx: Tx,
  { businessId }: PuttingBack,
  { doomed, now }: { doomed: readonly DoneToContact[]; now: Date },
): Promise<void> {
  const ids = doomed.map(({ contactId }) => contactId)
  await deleteHistory(tx, businessId, ids)
  await endContacts(tx, businessId, ids)
  await release(tx, [{ businessId, metric: 'contacts', amount: ids.length }], now)
}

function changeOf(
  { businessId, evidence }: PuttingBack,
  { id, updatedAt: _updatedAt, hasHistory: _hasHistory, ...stored }: ChangedContact,
  values: ContactValues,
): Change {
  const entry: Entry = { businessId, id, stored, values }
  const changed = differences(stored, values)
  const ofChannels = consentSubjects
    .filter((channel) => values.consent[channel] !== stored.consent[channel])
    .map((channel): ConsentChange => {
      return { channel, action: values.consent[channel], evidence: { source: evidence } }
    })
  const ofTopics = changed.flatMap((field): ConsentChange[] => {
    const topic = topicOf(field)
    if (!topic) return []
    const { channel, key } = topic
    const action = topicStatusOf(values.topics, channel, key) ?? 'none'
    return [{ channel, topic: key, action, evidence: { source: evidence } }]
  })
  const consents = [...ofChannels, ...ofTopics]
  const nothing = {
    tagsAdded: [],
    stayedUnsubscribed: [],
    stillSuppressed: [],
    awaitsConfirmation: false,
    confirmation: undefined,
  }
  return { entry, kind: 'updated', values, changed, consents, ...nothing }
}

/** Returns the changes that were written. An address that another contact has now is left out. */
async function write(
  tx: Tx,
  putting: PuttingBack,
  { changes, now }: { changes: Change[]; now: Date },
): Promise<Change[]> {
  if (changes.length === 0) return []
  const writing = { now, optimistic: false }
  const failures = await writePlan(tx, planOf(putting, changes), writing)
  if (failures !== 'blocked' && failures.size === 0) return changes
  const written: Change[] = []
  for (const change of changes) {
    const alone = await writePlan(tx, planOf(putting, [change]), writing)
    const isLost = alone === 'blocked' || alone.size > 0
    const applied = isLost ? withoutAddresses(putting, change) : change
    if (isLost && applied.changed.length > 0)
      await writePlan(tx, planOf(putting, [applied]), writing)
    if (applied.changed.length > 0) written.push(applied)
  }
  return written
}

function withoutAddresses(putting: PuttingBack, { entry, values }: Change): Change {
  const stored = entry.stored ?? values
  const contact = { ...stored, id: entry.id, updatedAt: new Date(0), hasHistory: false }
  const { email, phone, external_id } = stored
  return changeOf(putting, contact, { ...values, email, phone, external_id })
}

function planOf({ businessId, tier, hmac, origin }: PuttingBack, changes: Change[]): Plan {
  const item = { businessId, tier, hmac, origin, source: 'import' as const }
  return {
    steps: changes.map((result, index) => ({ item, index, result, seen: [result.entry] })),
    added: new Map(),
    altered: new Set(changes.map(({ entry }) => entry)),
    givenUp: changes.flatMap(({ entry }) => {
      const addresses = entry.stored ? optedOutAddresses(entry.stored, entry.values) : []
      return addresses.map((address) => ({ ...address, entry }))
    }),
  }
}

interface ChangedContact extends ContactValues {
  id: Id<'contact'>
  updatedAt: Date
  /** Whether the contact did something, or something was sent to it. */
  hasHistory: boolean
}

type Row = Omit<ChangedContact, 'consent'> & {
  email_consent: ConsentStatus
  sms_consent: ConsentStatus
  tracking_consent: ConsentStatus
}

/** Locks the contacts in the order of their ids. */
async function lockChanged(
  tx: Tx,
  businessId: Id<'business'>,
  ids: readonly Id<'contact'>[],
): Promise<ChangedContact[]> {
  const rows = await tx.all<Row>(
    replanned(sqlWithin`
      select c.id, ${changeableColumns}, c.updated_at as "updatedAt", exists (
        select from contact_activity a where a.business_id = ${businessId}
          and a.contact_id = c.id and a.type <> 'contact.updated'
      ) or exists (
        select from own_events o where o.business_id = ${businessId} and o.contact_id = c.id
      ) or exists (
        select from contact_past p where p.business_id = ${businessId} and p.contact_id = c.id
      ) as "hasHistory"
      from contacts c where c.business_id = ${businessId} and c.id = any(${ids}::uuid[])
      order by c.id for no key update of c
    `),
  )
  return rows.map(
    ({ email_consent: email, sms_consent: sms, tracking_consent: tracking, ...row }) => {
      return { ...row, consent: { email, sms, tracking } }
    },
  )
}
