/** The contacts before the import, and the expected outcome of the file's rows. */
import assert from 'node:assert/strict'
import { eraseContact, forgetJob } from '../../server/src/contacts/erase.ts'
import type { Id } from '../../server/src/core/ids.ts'
import { openVault } from '../../server/src/core/installation/root-key.ts'
import { installationSecret } from '../../server/src/lib/crypto/vault.ts'
import { sql } from '../../server/src/lib/db/db.ts'
import type { Database } from '../../server/src/lib/db/types.ts'
import { jobsDone } from '../writes/support/settled.ts'
import { countOf, oneIn } from './mailchimp-rows.ts'

interface Settling {
  businessId: Id<'business'>
  rows: number
  dataDir: string
}

export async function settlePeople(
  db: Database,
  { businessId, rows, dataDir }: Settling,
): Promise<void> {
  const people = (prefix: string, count: number, consent: string) =>
    db.run(sql`
      insert into contacts (business_id, id, email, name, attributes, tags, email_consent,
        sms_consent, source, created_at, updated_at)
      select ${businessId}, uuidv7(), ${prefix} || '-' || n || '@example.com', 'Before',
        '{"plan": "basic"}', '{}', ${consent}, 'none', 'api', now(), now()
      from generate_series(0, ${count - 1}::int) as n
    `)
  await people('known', countOf(rows, oneIn.known, 3), 'none')
  await people('left', countOf(rows, oneIn.left, 501), 'unsubscribed')
  await people('erased', countOf(rows, oneIn.erased, 502), 'none')
  const erased = await db.all<{ id: Id<'contact'> }>(sql`
    select id from contacts where business_id = ${businessId} and email like 'erased-%'
  `)
  const { hmac } = await openVault(db, installationSecret(dataDir), new Date())
  for (const { id } of erased) {
    await db.tx((tx) => eraseContact(tx, hmac, { businessId, id }, new Date()))
  }
  // An erasure under way removes a file that names the person, so that the import would fail.
  await jobsDone(db, forgetJob)
  await db.run(sql`vacuum analyze contacts`)
}

interface Imported {
  businessId: Id<'business'>
  rows: number
  result: Record<string, number>
}

/** Nobody is missing or duplicated, and nobody who unsubscribed is subscribed again. */
export async function assertImported(
  db: Database,
  { businessId, rows, result }: Imported,
): Promise<void> {
  const { created = 0, updated = 0, unchanged = 0, refused = 0 } = result
  assert.equal(created + updated + unchanged + refused, rows)
  const erased = countOf(rows, oneIn.erased, 502)
  assert.equal(refused, erased + countOf(rows, oneIn.tooLong, 250))
  const left = countOf(rows, oneIn.left, 501)
  assert.equal(result['stayed_unsubscribed'], left)
  const counts = await db.one<{ back: number; erased: number; left: number; made: number }>(sql`
    select count(*) filter (where email like 'left-%' and email_consent <> 'unsubscribed') as back,
      count(*) filter (where email like 'erased-%') as erased,
      count(*) filter (where email like 'left-%') as left,
      count(*) filter (where source = 'import') as made
    from contacts where business_id = ${businessId}
  `)
  assert.deepEqual(counts, { back: 0, erased: 0, left, made: created })
}

/** All contacts with what an import may change, in a short form. */
export function audienceOf(db: Database, businessId: Id<'business'>): Promise<object> {
  return db.one(sql`
    select count(*) as contacts, md5(string_agg(
      concat_ws('|', email, name, attributes::text, tags::text, email_consent, sms_consent, source),
      ',' order by email
    )) as print
    from contacts where business_id = ${businessId}
  `)
}
