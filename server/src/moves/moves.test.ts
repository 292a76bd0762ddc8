/** A business moves to a second installation with another secret, or not at all. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { addBelongings, type Belongings } from '../../../tests/operations/support/belongings.ts'
import { type OwnTestbed, openTestbed } from '../../../tests/operations/support/testbed.ts'
import { tablesOfBusiness } from '../../../tests/support/businesses/tables.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { saveStops } from '../accounts/stops/stops.ts'
import { takeBack } from '../closings/take-back.ts'
import { markOf } from '../contacts/suppressions/suppression.ts'
import { type Id, parseId } from '../core/ids.ts'
import { openVault } from '../core/installation/root-key.ts'
import { createDiskFiles } from '../files/disk.ts'
import { randomToken } from '../lib/crypto/vault.ts'
import { sql } from '../lib/db/db.ts'
import { openKey } from '../sender-domains/keys/key-pair.ts'
import { holderOf } from '../subscriptions/preferences.ts'
import { bytesOf, makeToken } from '../tracking/tokens.ts'
import { exportBusiness } from './export.ts'
import { importBusiness } from './import.ts'
import { tablesThatStay } from './rows.ts'

let testbed: OwnTestbed
let second: TestDatabase
let folder: string
before(async () => {
  testbed = await openTestbed({ idle: true })
  second = await testDatabase()
  folder = await mkdtemp(path.join(os.tmpdir(), 'crier-move-'))
})
after(async () => {
  await testbed.close()
  await second.drop()
  await rm(folder, { recursive: true })
})

const passphrase = 'a long sentence for a file'
const secret = randomToken()
const here = () => ({
  db: testbed.db,
  vault: testbed.service.vault,
  files: createDiskFiles(path.join(folder, 'here')),
  now: new Date(),
  passphrase,
})
const there = async () => ({
  db: second.db,
  vault: await openVault(second.db, secret, new Date()),
  files: createDiskFiles(path.join(folder, 'there')),
  now: new Date(),
  passphrase,
  owner: 'new-owner@example.com',
})

async function* once(bytes: Buffer) {
  yield bytes
}

/** Sends nothing more, as an export demands. */
const stop = (id: Id<'business'>) =>
  testbed.db.tx((tx) =>
    saveStops(tx, id, [{ stoppedId: id, withMessages: true, stoppedBy: null }], new Date()),
  )

async function whole(word: string) {
  const own = await addBelongings(testbed, word)
  // Other domains of it have copies of keys, which nothing could open.
  await testbed.db.run(sql`
    delete from domain_keys k using domains d
    where k.business_id = ${own.id} and d.business_id = k.business_id and d.id = k.domain_id
      and d.name <> ${`${word}.example.com`}
  `)
  return own
}

const linkOf = ({ id, contact_id, message_id }: Belongings) =>
  makeToken(testbed.service.vault, 'preferences', {
    businessId: id,
    messageId: parseId('message', message_id) as Id<'message'>,
    rest: bytesOf(parseId('contact', contact_id) ?? ''),
  })

test('what moves and what stays is in the table of every table of a business', () => {
  const moving = Object.entries(tablesOfBusiness).map(([name, { moving }]) => [name, moving])
  const stays = new Set(Object.keys(tablesThatStay))
  assert.deepEqual(
    Object.fromEntries(moving),
    Object.fromEntries(moving.map(([name]) => [name, stays.has(String(name)) ? 'stays' : 'moves'])),
  )
})

test('a business arrives equal by counts and hashes, with its suppressions, links and keys', async () => {
  const own = await whole('mover')
  const { hmac } = testbed.service.vault
  // Of an erased person only the hash is known.
  const erased = markOf(hmac, own.id, 'erased@example.com')
  await testbed.db.run(sql`
    insert into suppressions (business_id, channel, address_hmac, reason, source, created_at)
    values (${own.id}, 'email', ${erased}, 'erased', 'a test', now())
  `)
  const picture = randomBytes(3_000_000)
  const { file, kind } = await testbed.db.one<{ file: string; kind: string }>(sql`
    select file, kind from images where business_id = ${own.id} and deleted_at is null limit 1
  `)
  await here().files.write(`images/${file}-${kind}`, once(picture))
  const target = path.join(folder, 'mover.crier')
  await assert.rejects(exportBusiness(here(), own.id, target), /Stop all sending/)
  await stop(own.id)
  const sent = await exportBusiness(here(), own.id, target)
  assert.ok(sent.rows > 50)
  const link = linkOf(own)
  const content = await readFile(target)
  assert.ok(!content.includes('example.com'), 'nothing is readable without the passphrase')

  const wrong = { ...(await there()), passphrase: 'another long sentence' }
  await assert.rejects(importBusiness(wrong, target), /passphrase does not open/)
  const cut = path.join(folder, 'cut.crier')
  await writeFile(cut, content.subarray(0, content.length - 100))
  await assert.rejects(importBusiness(await there(), cut), /cut off|passphrase|damaged/)
  assert.equal(await second.db.maybe(sql`select from businesses where id = ${own.id}`), undefined)

  const got = await importBusiness(await there(), target)
  assert.deepEqual(got.tables, sent.tables)
  assert.equal(got.files, sent.files)
  const stored = await Array.fromAsync((await there()).files.read(`images/${file}-${kind}`))
  assert.ok(Buffer.concat(stored).equals(picture))
  await assert.rejects(importBusiness(await there(), target), /is here already/)

  // Another vault than before: it was opened after the move.
  const { vault, db } = await there()
  assert.notDeepEqual(vault.hmacKey('suppression'), testbed.service.vault.hmacKey('suppression'))
  assert.deepEqual(markOf(vault.hmac, own.id, 'erased@example.com'), erased)
  const other = await testbed.newBusiness('scale')
  assert.notDeepEqual(
    markOf(vault.hmac, other, 'erased@example.com'),
    markOf(hmac, other, 'erased@example.com'),
    'the key of the other installation is used for this business alone',
  )
  assert.equal(holderOf(vault, link).businessId, own.id)
  const foreign = makeToken(testbed.service.vault, 'preferences', {
    businessId: other,
    messageId: parseId('message', own.message_id) as Id<'message'>,
    rest: bytesOf(parseId('contact', own.contact_id) ?? ''),
  })
  assert.throws(() => holderOf(vault, foreign), { code: 'not_found' })

  // It arrives closed, and a node that started before has no keys of it.
  const key = await db.one<{ domain: Id<'domain'>; slot: 1 | 2; sealed: Buffer }>(sql`
    select domain_id as domain, slot, rsa_private as sealed from domain_keys
    where business_id = ${own.id} and rsa_private is not null limit 1
  `)
  const named = { slot: key.slot, algorithm: 'rsa-sha256', sealedPrivate: key.sealed } as const
  assert.equal(openKey(vault, key.domain, named).asymmetricKeyType, 'rsa')
  const { closed } = await db.one<{ closed: boolean }>(sql`
    select closed_at is not null as closed from businesses where id = ${own.id}
  `)
  assert.ok(closed)
  const back = { businessId: own.id, userId: null, now: new Date() }
  await db.run(sql`
    insert into nodes (id, role, host, started_at, seen_at)
    values (${own.id}, 'all', 'old', now() - interval '1 hour', now())
  `)
  await assert.rejects(
    db.tx((tx) => takeBack(tx, back)),
    { code: 'conflict' },
  )
  await db.run(sql`update nodes set started_at = now() + interval '1 second'`)
  await db.tx((tx) => takeBack(tx, back))
  const { owners } = await db.one<{ owners: string[] }>(sql`
    select array_agg(u.email) as owners from memberships m join users u on u.id = m.user_id
    where m.business_id = ${own.id}
  `)
  assert.deepEqual(owners, ['new-owner@example.com'])

  // And on to a third installation, with the keys of both.
  const third = await testDatabase()
  try {
    await second.db.tx((tx) =>
      saveStops(
        tx,
        own.id,
        [{ stoppedId: own.id, withMessages: true, stoppedBy: null }],
        new Date(),
      ),
    )
    const onward = path.join(folder, 'onward.crier')
    await exportBusiness(await there(), own.id, onward)
    const made = makeToken((await there()).vault, 'preferences', {
      businessId: own.id,
      messageId: parseId('message', own.message_id) as Id<'message'>,
      rest: bytesOf(parseId('contact', own.contact_id) ?? ''),
    })
    const last = async () => ({
      ...(await there()),
      db: third.db,
      vault: await openVault(third.db, 'the third secret of all', new Date()),
    })
    await importBusiness(await last(), onward)
    const { vault: lastVault } = await last()
    assert.deepEqual(markOf(lastVault.hmac, own.id, 'erased@example.com'), erased)
    assert.equal(holderOf(lastVault, link).businessId, own.id)
    assert.equal(holderOf(lastVault, made).businessId, own.id)
  } finally {
    await third.drop()
  }
})
