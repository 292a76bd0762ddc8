/** What owners read of the audit log: entries page by page, by each filter, and as a file. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formatId, type Id, newId } from 'crier-server/core/ids.ts'
import { type AuditEntry, recordAudit } from 'crier-server/events/audit.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { minutes } from 'crier-server/lib/time/clock.ts'
import { newApiKey } from '../support/clients/api-keys.ts'
import { connectApp } from '../support/clients/connected-app.ts'
import { type OwnTestbed, openTestbed } from './support/testbed.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ idle: true })
})
after(() => testbed.close())

interface Listed {
  entries: { entry_id: string; operation: string; [field: string]: unknown }[]
  next_cursor?: string
}

const record = (entries: AuditEntry[], at: Date) =>
  testbed.db.tx((tx) => recordAudit(tx, entries, at))

const origin = (userId: Id<'user'>, connectionId: Id<'connection'> | null) => ({
  userId,
  connectionId,
  callId: formatId('request', newId('request')),
})

/** A business with an owner, an app and a key, and an entry by each of them and by the service. */
async function someLog() {
  const businessId = await testbed.newBusiness()
  const businesses = [businessId]
  const owner = await testbed.appCaller({ businesses })
  const { userId } = owner
  const app = await connectApp(testbed.db, { userId, businesses, clientName: '=HYPERLINK("x")' })
  const { key } = await newApiKey(testbed.db, { businessId, userId })
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 10, minute))
  const entry = { businessId, details: { rows: 2 } }
  await record([{ businessId, action: 'retention.apply' }], at(0))
  const byApp = { ...entry, action: 'contact.import', origin: origin(userId, app.connectionId) }
  await record([byApp], at(1))
  await record([{ ...entry, action: 'email.send', origin: origin(userId, key.id) }], at(2))
  const subject = formatId('campaign', newId('campaign'))
  const inApp = { businessId, action: 'campaign.deploy', subject, origin: origin(userId, null) }
  await record([inApp], at(3))
  return { businessId, owner, userId, app, key, subject, at }
}

const operationsOf = ({ entries }: Listed) => entries.map(({ operation }) => operation)

test('the audit log shows who did what through which connection, newest first', async () => {
  const { owner, userId, app, key, subject, at } = await someLog()
  const { entries } = await owner.get<Listed>('audit.list')
  const person = { user_id: formatId('user', userId), email: `${userId}@example.com` }
  const shown = entries.map(({ entry_id, request_id, subject_name, ...entry }) => {
    assert.match(entry_id, /^aud_/)
    // Nothing of this log exists any more.
    assert.equal(subject_name, null)
    return { ...entry, call: typeof request_id }
  })
  const byKey = {
    connection_id: formatId('connection', key.id),
    is_key: true,
    name: key.name,
  }
  const byApp = {
    connection_id: formatId('connection', app.connectionId),
    is_key: false,
    name: '=HYPERLINK("x")',
  }
  const details = { rows: 2 }
  const made = (minute: number) => ({ created_at: at(minute).toISOString(), call: 'string' })
  assert.deepEqual(shown, [
    { ...made(3), operation: 'campaign.deploy', subject, details: {}, person, connection: null },
    { ...made(2), operation: 'email.send', subject: null, details, person, connection: byKey },
    { ...made(1), operation: 'contact.import', subject: null, details, person, connection: byApp },
    {
      ...made(0),
      operation: 'retention.apply',
      subject: null,
      details: {},
      person: null,
      connection: null,
      call: 'object',
    },
  ])
  const choices = await owner.get('audit.choices')
  assert.deepEqual(choices, {
    people: [person],
    connections: [byKey, byApp],
    operations: ['campaign.deploy', 'contact.import', 'email.send', 'retention.apply'],
  })
})

test('an entry says what the thing is called now, and nothing once the thing is gone', async () => {
  const businessId = await testbed.newBusiness()
  const owner = await testbed.appCaller({ businesses: [businessId] })
  const { contact_id } = await owner.get<{ contact_id: string }>('contact.upsert', {
    email: 'ana@example.com',
    name: 'Ana Moreau',
  })
  const { segment_id } = await owner.get<{ segment_id: string }>('segment.save', {
    name: 'Vienna',
    filter: { tag: 'vienna' },
  })
  const elsewhere = await testbed.newBusiness()
  const stranger = await testbed.appCaller({ businesses: [elsewhere] })
  const other = await stranger.get<{ segment_id: string }>('segment.save', {
    name: 'Of another business',
    filter: { tag: 'x' },
  })
  const action = 'export.create'
  const subjects = [contact_id, segment_id, other.segment_id, 'shop.example']
  await record(
    subjects.map((subject) => ({ businessId, action, subject })),
    new Date(),
  )
  const named = async () => {
    const { entries } = await owner.get<Listed>('audit.list', { operation: action })
    return Object.fromEntries(entries.map(({ subject, subject_name }) => [subject, subject_name]))
  }
  const names = { [other.segment_id]: null, 'shop.example': null, [segment_id]: 'Vienna' }
  assert.deepEqual(await named(), { ...names, [contact_id]: 'Ana Moreau' })
  await testbed.db.run(sql`delete from contacts where business_id = ${businessId}`)
  assert.deepEqual(await named(), { ...names, [contact_id]: null })
})

test('each filter of the audit log chooses its entries, from a moment until before another', async () => {
  const { owner, userId, app, at } = await someLog()
  const read = async (filter: object) => operationsOf(await owner.get<Listed>('audit.list', filter))
  assert.deepEqual(await read({ connection_id: formatId('connection', app.connectionId) }), [
    'contact.import',
  ])
  assert.deepEqual(await read({ operation: 'email.send' }), ['email.send'])
  assert.equal((await read({ user_id: formatId('user', userId) })).length, 3)
  assert.deepEqual(await read({ user_id: formatId('user', newId('user')) }), [])
  const span = { since: at(1).toISOString(), until: at(3).toISOString() }
  assert.deepEqual(await read(span), ['email.send', 'contact.import'])
  for (const [field, value] of [
    ['user_id', 'cnx_1'],
    ['connection_id', 'x'],
    ['since', 'yesterday'],
    ['until', '2026'],
    ['cursor', '1.x'],
  ] as const) {
    const refused = await owner.call('audit.list', { [field]: value })
    assert.deepEqual([refused.status, refused.body['field']], [400, field])
  }
})

test('entries of one moment are each on exactly one page, and none of another business is', async () => {
  const { businessId, owner, at } = await someLog()
  const other = await someLog()
  const many = Array.from({ length: 5 }, () => ({ businessId, action: 'sms.send' }))
  await record(many, at(2))
  await record([{ businessId: other.businessId, action: 'sms.send' }], at(2))
  const seen: string[] = []
  for (let cursor: string | undefined; ; ) {
    const page: Listed = await owner.get('audit.list', { limit: 2, ...(cursor && { cursor }) })
    seen.push(...page.entries.map(({ entry_id }) => entry_id))
    cursor = page.next_cursor ?? undefined
    if (cursor === undefined) break
    assert.equal(page.entries.length, 2)
  }
  assert.equal(seen.length, 9)
  assert.equal(new Set(seen).size, 9)
})

test('the audit log is exported as CSV that no spreadsheet computes, and the export is audited', async () => {
  const { owner, app } = await someLog()
  const connection_id = formatId('connection', app.connectionId)
  const { url } = await owner.get<{ url: string }>('audit.export', { connection_id })
  const lines = (await (await fetch(url)).text()).trimEnd().split('\r\n')
  assert.equal(lines.length, 2)
  assert.match(lines[0] ?? '', /^created_at,operation,person,/)
  assert.match(lines[1] ?? '', /^2026-11-20T10:01:00.000Z,contact\.import,/)
  assert.ok(lines[1]?.includes(`"'=HYPERLINK(""x"")"`), lines[1])
  assert.equal(operationsOf(await owner.get<Listed>('audit.list'))[0], 'audit.export')
})

test('the export of the audit log needs a sign-in of the last 15 minutes', async () => {
  const { owner, userId } = await someLog()
  await owner.get('audit.list')
  const signIn = (at: Date) =>
    testbed.db.run(sql`update sessions set created_at = ${at} where user_id = ${userId}`)
  await signIn(new Date(Date.now() - minutes(14)))
  assert.equal((await owner.call('audit.export')).status, 201)
  await signIn(new Date(Date.now() - minutes(15)))
  const refused = await owner.call('audit.export')
  assert.deepEqual([refused.status, refused.body['code']], [401, 'unauthorized'])
  assert.match(String((refused.body['fix'] as { url: string }).url), /\/login$/)
})
