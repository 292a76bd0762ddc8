/** Saves people below the entry points, and reads the results. */

import type {
  Channel,
  ContactToSave,
  ContactValues,
  Person,
  SavedContact,
} from 'crier-server/contacts/contact.ts'
import { saveContacts } from 'crier-server/contacts/save.ts'
import { type SuppressionReason, suppress } from 'crier-server/contacts/suppressions/suppression.ts'
import { saveTopic } from 'crier-server/contacts/topics/topic.ts'
import type { Refusal } from 'crier-server/core/errors.ts'
import type { Id } from 'crier-server/core/ids.ts'
import { createOptimisticWrites } from 'crier-server/core/writes/unit-of-work.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Database, Db } from 'crier-server/lib/db/types.ts'
import { testVault } from '../clients/calls.ts'
import { someOrigin } from './business.ts'

const now = new Date('2026-11-20T10:00:00Z')

type Changes = Partial<Pick<ContactToSave, 'tier' | 'source'>>

export function toSave(
  businessId: Id<'business'>,
  person: Person,
  { tier = 'scale', source = 'api' }: Changes = {},
): ContactToSave {
  return { ...person, businessId, tier, source, origin: someOrigin(), hmac: testVault.hmac }
}

/** Saves all in one transaction, optimistically, as flushes do. */
export function saveAll(db: Database, items: ContactToSave[]): Promise<(SavedContact | Refusal)[]> {
  return createOptimisticWrites()((optimistic) =>
    db.tx((tx) => saveContacts.save(tx, items, now, optimistic)),
  )
}

export async function saveOne(db: Database, item: ContactToSave): Promise<SavedContact | Refusal> {
  const [outcome] = await saveAll(db, [item])
  return outcome as SavedContact | Refusal
}

export interface StoredRow extends ContactValues {
  id: Id<'contact'>
}

/** The stored contacts, oldest first. */
export function contactsOf(db: Db, businessId: Id<'business'>): Promise<StoredRow[]> {
  return db.all(sql`
    select id, email, phone, name, language, attributes, tags,
      json_build_object('email', email_consent, 'sms', sms_consent,
        'tracking', tracking_consent) as consent, topics
    from contacts where business_id = ${businessId} order by id
  `)
}

export interface StoredEvent {
  type: string
  data: Record<string, unknown>
}

/** The emitted events, in the order in which they were written. */
export async function eventsOf(db: Db, businessId: Id<'business'>): Promise<StoredEvent[]> {
  const rows = await db.all<{ body: string }>(sql`
    select body from events where business_id = ${businessId} order by id
  `)
  return rows.map(({ body }) => JSON.parse(body) as StoredEvent)
}

export interface StoredConsent {
  contactId: Id<'contact'>
  channel: Channel
  topic: string | null
  action: string
  source: string
  text: string | null
}

export function consentsOf(db: Db, businessId: Id<'business'>): Promise<StoredConsent[]> {
  return db.all(sql`
    select contact_id as "contactId", channel, topic, action, source, text from consent_events
    where business_id = ${businessId} order by id
  `)
}

/** The usage counter of the business's contacts. */
export async function contactsCounted(db: Db, businessId: Id<'business'>): Promise<number> {
  const row = await db.maybe<{ amount: number }>(sql`
    select amount from usage_standing where business_id = ${businessId} and metric = 'contacts'
  `)
  return row?.amount ?? 0
}

/** Suppresses an address; for the reason `erased` it also deletes its contact. */
export function suppressAddress(
  db: Database,
  businessId: Id<'business'>,
  address: string,
  reason: SuppressionReason = 'erased',
): Promise<void> {
  const channel = address.includes('@') ? 'email' : 'sms'
  return db.tx(async (tx) => {
    if (reason === 'erased') {
      await tx.run(sql`
        delete from contacts where business_id = ${businessId}
          and (email = ${address} or phone = ${address})
      `)
    }
    const one = { businessId, channel, address, reason, source: 'a test' } as const
    await suppress(tx, testVault.hmac, [one], now)
  })
}

/** Saves topics with these keys, which are also their names. */
export async function someTopics(
  db: Database,
  businessId: Id<'business'>,
  keys: readonly string[],
): Promise<void> {
  for (const key of keys) {
    const times = { createdAt: now, updatedAt: now, archivedAt: null, position: null }
    await db.tx((tx) =>
      saveTopic(tx, businessId, { key, name: key, description: null, translations: [], ...times }),
    )
  }
}
