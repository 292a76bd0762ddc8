import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../../tests/operations/support/testbed.ts'
import { silentLog } from '../../../../tests/support/silent-log.ts'
import { applyOptOuts, optOutsSince } from '../../contacts/opt-outs/opt-outs.ts'
import { sql } from '../../lib/db/db.ts'
import { createLedger } from './keep-ledger.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed()
})
after(() => testbed.close())

const beginning = new Date(0)

async function three() {
  const businessId = await testbed.newBusiness('scale')
  const owner = await testbed.caller({ businesses: [businessId] })
  const add = async (email: string) => {
    const consent = { email: { status: 'subscribed', source: 'a test' } }
    const { contact_id } = await owner.get<{ contact_id: string }>('contact.upsert', {
      email,
      consent,
    })
    return { contact_id, email }
  }
  const [a, b, c] = [
    await add('a@example.com'),
    await add('b@example.com'),
    await add('c@example.com'),
  ]
  return { businessId, owner, a, b, c }
}

test('the ledger records each kind of opt-out without an address, and applies them to an older copy', async () => {
  const { db, service } = testbed
  const { businessId, owner, a, b, c } = await three()
  await owner.get('contact.suppress', { contact_id: a.contact_id })
  const consent = { email: { status: 'unsubscribed', source: 'by phone' } }
  await owner.get('contact.upsert', { email: b.email, consent })
  await db.tx((tx) =>
    applyOptOuts(
      { ...db, tx: async (work) => work(tx) } as typeof db,
      service.vault.hmac,
      [{ at: new Date().toISOString(), kind: 'stopped', mark: 'ab'.repeat(32) }],
      new Date(),
    ),
  )
  await owner.get('contact.erase', { contact_id: c.contact_id })
  const said = await optOutsSince(db, beginning)
  assert.deepEqual(said.map(({ kind }) => kind).toSorted(), [
    'stopped',
    'suppressed',
    'suppressed',
    'unsubscribed',
  ])
  assert.doesNotMatch(JSON.stringify(said), /example\.com/)

  // The state of an older copy: all of these people exist and may be written to.
  await db.run(sql`delete from suppressions where business_id = ${businessId}`)
  await db.run(sql`delete from stopped_numbers`)
  await db.run(sql`
    update contacts set email_consent = 'subscribed' where business_id = ${businessId}
  `)
  await owner.get('contact.upsert', { email: c.email })
  await applyOptOuts(db, service.vault.hmac, said, new Date())
  await applyOptOuts(db, service.vault.hmac, said, new Date())

  const contacts = await db.all<{ email: string; consent: string }>(sql`
    select email, email_consent as consent from contacts
    where business_id = ${businessId} order by email
  `)
  assert.deepEqual(contacts, [
    { email: 'a@example.com', consent: 'subscribed' },
    { email: 'b@example.com', consent: 'unsubscribed' },
  ])
  const reasons = await db.all<{ reason: string }>(sql`
    select reason from suppressions where business_id = ${businessId} order by reason
  `)
  assert.deepEqual(reasons, [{ reason: 'erased' }, { reason: 'manual' }])
  assert.equal((await owner.call('contact.upsert', { email: c.email })).kind, 'refusal')
})

test('the ledger contains each opt-out once, also after a restart and after a truncated line', async (t) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-ledger-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'deeper', 'ledger.jsonl')
  const { db } = testbed
  const { owner, a, b } = await three()
  await owner.get('contact.suppress', { contact_id: a.contact_id })
  const first = createLedger({ db, log: silentLog, file })
  assert.ok((await first.catchUp()) > 0)
  assert.equal(await first.catchUp(), 0)
  const lines = async () => (await readFile(file, 'utf8')).split('\n').filter(Boolean)
  const { length } = await lines()
  const second = createLedger({ db, log: silentLog, file })
  assert.equal(await second.catchUp(), 0)
  await owner.get('contact.suppress', { contact_id: b.contact_id })
  assert.equal(await second.catchUp(), 1)
  assert.equal((await lines()).length, length + 1)
})
