/**
 * The round trip: messages of the whole service are sent through a real Postfix, and its bounces
 * come back to our own bounce server.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { suppressionsOf } from 'crier-server/contacts/suppressions/suppression.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { systemClock } from 'crier-server/lib/time/clock.ts'
import { refusalsToPause } from 'crier-server/messages/throttle/pause-stream.ts'
import { testRelays } from 'crier-server/operator/test-relay.ts'
import { type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import { type Postfix, startPostfix, withoutPostfix } from '../support/mail/postfix.ts'
import { freePort } from '../support/network/port.ts'
import { eventually } from '../support/time/eventually.ts'

const skip = withoutPostfix()

let postfix: Postfix
let testbed: OwnTestbed
before(async () => {
  if (skip) return
  const bouncePort = await freePort()
  postfix = await startPostfix({
    transports: {
      'bounce.test': `smtp:[127.0.0.1]:${bouncePort}`,
      'hard@far.test': 'error:5.1.1 no such user here',
      'full@far.test': 'retry:4.2.2 mailbox full',
      'policy@far.test': 'error:5.7.1 not from you',
      'fine@far.test': 'maildir',
    },
    lifetime: '2s',
    settings: { smtp_tls_security_level: 'may', smtp_tls_loglevel: '1' },
  })
  testbed = await openTestbed({
    settings: {
      SMTP_URL: postfix.url(),
      MAIL_FROM: 'news@shop.test',
      BOUNCE_PORT: String(bouncePort),
      BOUNCE_DOMAIN: 'bounce.test',
      // The domain has no DNS records, because the relay is on this machine.
      SENDER_GATE: 'off',
    },
  })
})
after(async () => {
  await testbed?.close()
  await postfix?.stop()
})

interface Shown {
  status: string
  events: { type: string; code?: string; untrusted?: { words: string } }[]
}

/** Sends one message and returns its state, once that is as expected. */
async function sendAndWait(to: string, isFine: (shown: Shown) => boolean) {
  const { businessId, owner } = await testbed.someone()
  const words = { subject: 'Hello', text: 'Hello.', html: '<p>Hello.</p>' }
  const sent = await owner.get<{ message_id: string }>('email.send', { to, ...words })
  const { message_id } = sent
  const shown = await eventually(() => owner.get<Shown>('message.get', { message_id }), isFine)
  const found = await suppressionsOf(testbed.db, testbed.service.vault.hmac, businessId, {
    email: to,
    phone: null,
  })
  const { events } = await owner.get<{ events: { type: string; data: object }[] }>('meta.changes', {
    limit: 100,
  })
  return {
    shown,
    suppressed: found.map(({ reason }) => reason),
    told: events.map(({ type }) => type),
    bounced: events.find(({ type }) => type === 'message.bounced')?.data,
  }
}

test('a message to a valid address is delivered with a return path that identifies it', {
  skip,
}, async () => {
  const to = 'fine@far.test'
  const { shown, suppressed } = await sendAndWait(to, ({ status }) => status === 'delivered')
  assert.deepEqual([shown.status, suppressed], ['delivered', []])
  const [mail = ''] = await eventually(
    () => postfix.mailbox(to),
    ({ length }) => length === 1,
  )
  assert.match(mail, /^Return-Path: <b\+msg_[0-9a-z]{26}\.[0-9a-f]{20}@bounce\.test>$/m)
  const soft = mail.replace(/=\r?\n/g, '')
  assert.match(soft, /\/o\/[\w-]{59}/, 'it carries the image that counts opens')
})

test('a hard bounce returned by mail is recorded and suppresses the address', {
  skip,
}, async () => {
  const done = await sendAndWait('hard@far.test', ({ status }) => status === 'bounced')
  assert.deepEqual([done.shown.status, done.suppressed], ['bounced', ['bounce']])
  const bounce = done.shown.events.find(({ type }) => type === 'bounced')
  assert.equal(bounce?.code, '5.1.1')
  assert.equal(bounce?.untrusted?.words, 'no such user here')
})

test('Postfix returns its bounce notices over TLS', { skip }, async () => {
  assert.match(await postfix.log(), /TLS connection established to 127\.0\.0\.1/)
})

test('a message that expired with 4.2.2 failed, and its address is not suppressed', {
  skip,
}, async () => {
  const done = await sendAndWait('full@far.test', ({ status }) => status === 'failed')
  assert.deepEqual([done.shown.status, done.suppressed], ['failed', []])
  assert.equal(done.shown.events.find(({ type }) => type === 'bounced')?.code, '4.2.2')
  assert.ok(!done.told.includes('message.bounced'), 'that is for hard bounces alone')
})

test('crier doctor --mail hears the bounce of its mail through Postfix', { skip }, async () => {
  const { db, service } = testbed
  const parts = { db, config: service.config, clock: systemClock, vault: service.vault }
  const found: unknown[] = []
  for await (const finding of testRelays(
    parts,
    { to: 'hard@far.test', waitSeconds: 60 },
    () => {},
  )) {
    found.push(finding)
  }
  const text = 'the report came back (delivery report: no such user here)'
  assert.deepEqual(found, [{ check: 'mail test', outcome: 'ok', text }])
})

// Comes last, because afterwards messages of the same stream wait.
test('policy refusals suppress no address, and several of them pause the stream', {
  skip,
}, async () => {
  const to = 'policy@far.test'
  for (let nth = 1; nth <= refusalsToPause; nth++) {
    assert.deepEqual(await streams(), [{ domain: 'shop.test', paused: false }], `before ${nth}`)
    const done = await sendAndWait(to, ({ status }) => status === 'failed')
    assert.deepEqual([done.shown.status, done.suppressed], ['failed', []])
    assert.equal(done.shown.events.find(({ type }) => type === 'bounced')?.code, '5.7.1')
  }
  assert.deepEqual(await streams(), [{ domain: 'shop.test', paused: true }])
})

function streams(): Promise<{ domain: string; paused: boolean }[]> {
  return testbed.db.all(sql`
    select domain, coalesce(paused_until > ${new Date()}, false) as paused from send_throttles
    where kind = 'transactional' and provider = 'far.test'
  `)
}
