/**
 * The database becomes read-only beneath a working service, as on a failover or by an operator's
 * setting: calls are refused in words, work waits, and everything goes on when it is writable again.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import type { ToolCaller } from '../support/clients/tool-caller.ts'
import { keptLog } from '../support/kept-log.ts'
import { type FakeRelay, startFakeRelay } from '../support/mail/fake-relay.ts'
import { setReadOnly } from '../support/postgres/read-only.ts'
import { eventually, until } from '../support/time/eventually.ts'

const { log, lines } = keptLog()
const accepting = Promise.withResolvers<void>()
let held = 0
let relay: FakeRelay
let testbed: OwnTestbed
let owner: ToolCaller
before(async () => {
  relay = await startFakeRelay({
    onRcptTo(_address, _session, done) {
      held++
      void accepting.promise.then(() => done())
    },
  })
  testbed = await openTestbed({ log, settings: { SMTP_URL: relay.url(), SENDER_GATE: 'off' } })
  owner = (await testbed.someone()).owner
})
after(async () => {
  accepting.resolve()
  await testbed.close()
  await relay.stop()
})

async function readiness() {
  const answer = await fetch(`${testbed.service.url}/readyz`)
  const { checks } = (await answer.json()) as { checks: Record<string, string> }
  return { status: answer.status, database: checks['database'] ?? '' }
}

const figure = async () =>
  /^crier_database_works (\d)$/m.exec(
    await (await fetch(`${testbed.service.url}/metrics`)).text(),
  )?.[1]

const eventsOf = (event: string, outage: string) =>
  lines.filter((line) => line.event === event && line.facts['outage'] === outage).length

test('a read-only database is told within seconds, in words, and nothing is lost', async () => {
  const mail = { to: 'ana@example.com', subject: 'Receipt', text: 'Thank you.' }
  const { message_id } = await owner.get<{ message_id: string }>('email.send', mail)
  await until(() => held === 1, 'the mail is at the relay')
  assert.deepEqual(await readiness(), { status: 200, database: 'ok' })
  assert.equal(await figure(), '1')

  const began = performance.now()
  await setReadOnly(testbed.service.connection, true)
  const contact = { email: 'new@example.com', idempotency_key: 'once' }
  const refused = await eventually(
    () => owner.call('contact.upsert', contact),
    ({ text }) => /read-only/.test(text),
    10_000,
  )
  assert.equal(refused.status, 503)
  assert.equal(refused.headers.get('retry-after'), '5')
  assert.match(refused.text, /"code":"unavailable".*read-only.*idempotency_key/)
  for (let call = 0; call < 5; call++) await owner.call('contact.upsert', contact)
  const told = await readiness()
  assert.equal(told.status, 503)
  assert.match(told.database, /^is read-only\. .*default_transaction_read_only/)
  assert.equal(await figure(), '0')
  assert.ok(performance.now() - began < 10_000)
  // Reading goes on, and the relay's answer waits on this machine's disk.
  const read = await owner.call('message.get', { message_id })
  assert.equal(read.kind, 'answer', read.text)
  accepting.resolve()
  await until(() => relay.taken.length === 1, 'the relay took the mail')

  await setReadOnly(testbed.service.connection, false)
  await eventually(readiness, ({ status }) => status === 200, 30_000)
  const saved = await owner.get<{ created: boolean }>('contact.upsert', contact)
  assert.equal(saved.created, true)
  const message = await eventually(
    () => owner.get<{ status: string }>('message.get', { message_id }),
    (message) => message.status === 'accepted',
    30_000,
  )
  assert.equal(message.status, 'accepted')
  assert.equal(relay.taken.length, 1)
  await until(() => eventsOf('database.works_again', 'read_only') === 1, 'its end is logged')

  // One line says so, and no call or job adds another.
  assert.equal(eventsOf('database.outage', 'read_only'), 1)
  const others = lines.filter(
    ({ level, facts }) => level === 'error' && facts['outage'] === undefined,
  )
  assert.deepEqual(others, [])
})
