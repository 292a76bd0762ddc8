/** Inserts people directly into the tables, without the rules of saving. */
import { createHash, randomUUID } from 'node:crypto'
import { isHappening } from 'crier-server/contacts/filters/filter.ts'
import { linkHashOf } from 'crier-server/contacts/timeline/activity.ts'
import { type Id, parseId } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Database } from 'crier-server/lib/db/types.ts'
import type { PlainDeed, PlainPerson } from './oracle.ts'

const markOf = (address: string | null) =>
  address === null ? null : createHash('sha256').update(address).digest()

/** Gives every person at least one address that no other person has. */
export const withOwnAddresses = (person: PlainPerson, n: number): PlainPerson => ({
  ...person,
  email: person.email && `${n}.${person.email}`,
  phone: person.email && n % 3 === 0 ? null : `+336${`${n}`.padStart(8, '0')}`,
})

export async function storePeople(
  db: Database,
  businessId: Id<'business'>,
  people: readonly PlainPerson[],
): Promise<void> {
  for (const one of people) {
    await db.run(sql`
      insert into contacts (business_id, id, email, phone, name, language, attributes, tags,
        email_consent, sms_consent, tracking_consent, topics, source, email_mark, phone_mark,
        created_at, updated_at)
      values (${businessId}, ${one.id}, ${one.email}, ${one.phone}, ${one.name}, ${one.language},
        ${JSON.stringify(one.attributes)}, ${one.tags}, ${one.consent.email}, ${one.consent.sms},
        ${one.consent.tracking},
        ${JSON.stringify(one.topics)},
        ${one.source}, ${markOf(one.email)}, ${markOf(one.phone)}, ${one.createdAt},
        ${one.updatedAt})
    `)
    for (const { channel, action, at } of one.said) {
      await db.run(sql`
        insert into consent_events (business_id, contact_id, id, channel, action, source, created_at)
        values (${businessId}, ${one.id}, ${randomUUID()}, ${channel}, ${action}, 'a test', ${at})
      `)
    }
    for (const deed of one.did) await storeDeed(db, { businessId, contactId: one.id }, deed)
    for (const channel of ['email', 'sms'] as const) {
      const mark = markOf(channel === 'email' ? one.email : one.phone)
      if (!one.suppressed[channel] || !mark) continue
      await db.run(sql`
        insert into suppressions (business_id, channel, address_hmac, reason, source, created_at)
        values (${businessId}, ${channel}, ${mark}, 'manual', 'a test', ${one.createdAt})
        on conflict do nothing
      `)
    }
  }
}

interface DeedOwner {
  businessId: Id<'business'>
  contactId: string
}

async function storeDeed(
  db: Database,
  { businessId, contactId }: DeedOwner,
  deed: PlainDeed,
): Promise<void> {
  const { event, at, value = null, currency = null, channel = null, link, machine = null } = deed
  const id = randomUUID()
  if (!isHappening(event)) {
    await db.run(sql`
      insert into own_events (business_id, key, id, contact_id, name, happened_at, value,
        currency, properties, created_at)
      values (${businessId}, ${Buffer.from(id)}, ${id}, ${contactId}, ${event}, ${at}, ${value},
        ${currency}, ${JSON.stringify(deed.properties ?? {})}::json, ${at})
    `)
    return
  }
  const type = event === 'message.replied' ? 'text.received' : event
  const messageId = deed.template_id === undefined ? null : randomUUID()
  if (messageId) {
    await db.run(sql`
      insert into messages (business_id, id, kind, recipient, state, attempts, due_at, template_id,
        created_at, updated_at)
      values (${businessId}, ${messageId}, 'marketing', '', 'accepted', 1, ${at},
        ${parseId('template', deed.template_id ?? '') ?? null}, ${at}, ${at})
    `)
  }
  await db.run(sql`
    insert into contact_activity (business_id, contact_id, id, type, details, message_id,
      campaign_id, form_id, channel, link_hash, machine, created_at)
    values (${businessId}, ${contactId}, ${id}, ${type}, '{}', ${messageId},
      ${parseId('campaign', deed.campaign_id ?? '') ?? null}, ${parseId('form', deed.form_id ?? '') ?? null},
      ${channel}, ${link === undefined ? null : linkHashOf(link)}, ${machine}, ${at})
  `)
}
