/** Puts people into the tables as they are, whatever saving would have made of them. */
import { createHash, randomUUID } from 'node:crypto'
import type { Id } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Database } from 'crier-server/lib/db/types.ts'
import type { PlainPerson } from './oracle.ts'

const markOf = (address: string | null) =>
  address === null ? null : createHash('sha256').update(address).digest()

export async function storePeople(
  db: Database,
  businessId: Id<'business'>,
  people: readonly PlainPerson[],
): Promise<void> {
  for (const one of people) {
    await db.run(sql`
      insert into contacts (business_id, id, email, phone, name, language, attributes, tags,
        email_consent, sms_consent, source, email_mark, phone_mark, created_at, updated_at)
      values (${businessId}, ${one.id}, ${one.email}, ${one.phone}, ${one.name}, ${one.language},
        ${JSON.stringify(one.attributes)}, ${one.tags}, ${one.consent.email}, ${one.consent.sms},
        ${one.source}, ${markOf(one.email)}, ${markOf(one.phone)}, ${one.createdAt},
        ${one.updatedAt})
    `)
    for (const { channel, action, at } of one.said) {
      await db.run(sql`
        insert into consent_events (business_id, contact_id, id, channel, action, source, created_at)
        values (${businessId}, ${one.id}, ${randomUUID()}, ${channel}, ${action}, 'a test', ${at})
      `)
    }
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
