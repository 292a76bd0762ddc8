import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'crier-server/lib/db/db.ts'
import { PageVisitor } from '../support/clients/page-visitor.ts'
import { newPerson } from '../support/clients/sign-in.ts'
import { reply, startFakeRelay } from '../support/mail/fake-relay.ts'
import { type MailService, mailService } from '../support/mail/mail-service.ts'
import { startSmtpSink, withoutSmtpSink } from '../support/mail/smtp-sink.ts'
import { freePort } from '../support/network/port.ts'
import { eventually } from '../support/time/eventually.ts'

const skip = withoutSmtpSink() ?? false

/** A caller of a new business whose mail comes from its own domain. */
async function shopOf(mail: MailService, domain: string) {
  const { testbed } = mail
  const id = await testbed.newBusiness()
  await testbed.db.run(sql`update businesses set sender = ${`hello@${domain}`} where id = ${id}`)
  const owner = await testbed.caller({ businesses: [id] })
  return {
    send: (to: string) =>
      owner.get<{ message_id: string }>('email.send', { to, subject: 'A word', text: 'Hello' }),
    states: async () => {
      const rows = await testbed.db.all<{ state: string; n: number }>(sql`
        select state, count(*)::int as n from messages where business_id = ${id} group by state
      `)
      return Object.fromEntries(rows.map(({ state, n }) => [state, n]))
    },
    hurry: async () => {
      await testbed.db.run(sql`
        update messages set due_at = '2020-01-01' where business_id = ${id} and state = 'deferred'
      `)
      await testbed.db.run(sql`
        update jobs set due_at = '2020-01-01' where kind = 'message.email' and lease is null
      `)
      await testbed.db.run(
        sql`update lanes set next_at = '2020-01-01' where kind = 'message.email'`,
      )
    },
  }
}

test('a relay that temporarily answers 421 slows only that sender and loses no mail', async (t) => {
  let slow = true
  const relay = await startFakeRelay({
    onMailFrom: ({ address }, _session, done) =>
      done(slow && address.endsWith('@slow.test') ? reply('421 4.7.0 too much') : undefined),
  })
  t.after(() => relay.stop())
  const mail = await mailService(relay.url('?pool=4'))
  t.after(() => mail.close())
  const [slowShop, fastShop] = await Promise.all([
    shopOf(mail, 'slow.test'),
    shopOf(mail, 'fast.test'),
  ])
  const numbers = Array.from({ length: 40 }, (_, n) => n)
  await Promise.all([
    ...numbers.map((n) => slowShop.send(`slow-${n}@example.com`)),
    ...numbers.map((n) => fastShop.send(`fast-${n}@example.com`)),
  ])
  const fast = await eventually(fastShop.states, (states) => states['accepted'] === 40)
  assert.deepEqual(fast, { accepted: 40 })
  assert.deepEqual(await eventually(slowShop.states, (states) => states['deferred'] === 40), {
    deferred: 40,
  })
  const { inFlight } = await mail.testbed.db.one<{ inFlight: number }>(sql`
    select in_flight as "inFlight" from send_throttles where domain = 'slow.test'
  `)
  assert.ok(inFlight < 4, `${inFlight} of 4 in flight`)
  slow = false
  await slowShop.hurry()
  assert.deepEqual(await eventually(slowShop.states, (states) => states['accepted'] === 40), {
    accepted: 40,
  })
  const names = relay.taken.map(({ source }) => /^Message-ID: (.*)$/m.exec(source)?.[1])
  assert.equal(new Set(names).size, 80)
  assert.equal(names.length, 80)
})

test('when the relay hangs up after the content, marketing becomes unknown and other mail is retried', {
  skip,
}, async (t) => {
  const port = await freePort()
  const rude = await startSmtpSink({ port, flags: ['-q', '.'] })
  const mail = await mailService(rude.url('?pool=2&warmup=no'))
  t.after(() => mail.close())
  const to = 'agreed@example.com'
  await mail.owner.get('contact.upsert', {
    email: to,
    consent: { email: { status: 'subscribed', source: 'a test' } },
  })
  const receipt = await mail.send(to, { subject: 'Receipt' })
  const news = await mail.send(to, { subject: 'News', kind: 'marketing' })
  const deferred = await mail.until(receipt, 'deferred')
  assert.match(deferred.events.at(-1)?.untrusted?.words ?? '', /hung up/)
  assert.equal((await mail.until(news, 'unknown')).status, 'unknown')
  await rude.stop()
  const kind = await startSmtpSink({ port, keep: true })
  t.after(() => kind.stop())
  await mail.hurry(receipt)
  assert.equal((await mail.until(receipt, 'accepted')).attempts, 2)
  const received = (await kind.messages()).join('\n')
  assert.match(received, new RegExp(`^Message-ID: <${receipt}@`, 'm'))
  assert.doesNotMatch(received, new RegExp(news))
})

test('a relay that stalls in DATA blocks one connection until its timeout, and other mail continues', async (t) => {
  const relay = await startFakeRelay({
    onRcptTo: ({ address }, session, done) => {
      Object.assign(session, { stalls: address.startsWith('stall') })
      done()
    },
    onData(stream, session, done) {
      stream.resume().on('end', () => {
        if (!(session as { stalls?: boolean }).stalls) done()
      })
    },
  })
  t.after(() => relay.stop())
  const mail = await mailService(relay.url('?pool=2&timeout=2'))
  t.after(() => mail.close())
  const stalled = await mail.send('stall@example.com')
  const others = await Promise.all(
    Array.from({ length: 10 }, (_, n) => mail.send(`other-${n}@example.com`)),
  )
  for (const id of others) assert.equal((await mail.until(id, 'accepted')).status, 'accepted')
  const shown = await mail.until(stalled, 'deferred')
  assert.match(shown.events.at(-1)?.untrusted?.words ?? '', /silent|too long/)
})

test('no mail is lost while the relay is temporarily unreachable', { skip }, async (t) => {
  const port = await freePort()
  const mail = await mailService(`smtp://127.0.0.1:${port}?pool=2`)
  t.after(() => mail.close())
  const ids = await Promise.all(
    Array.from({ length: 5 }, (_, n) => mail.send(`waiting-${n}@example.com`)),
  )
  await eventually(
    () =>
      mail.testbed.db.one<{ n: number }>(sql`
      select count(*)::int as n from jobs where kind = 'message.email' and attempt > 0
    `),
    ({ n }) => n > 0,
  )
  assert.equal((await mail.get(ids[0] ?? '')).status, 'queued')
  const sink = await startSmtpSink({ port })
  t.after(() => sink.stop())
  for (const id of ids) {
    const shown = await mail.until(id, 'accepted')
    assert.deepEqual([shown.status, shown.attempts], ['accepted', 1])
  }
})

test('a sign-in link does not wait behind mail that hangs on every connection', async (t) => {
  const relay = await startFakeRelay({
    onRcptTo({ address }, _session, done) {
      if (!address.endsWith('@hangs.test')) done()
    },
  })
  t.after(() => relay.stop())
  const mail = await mailService(relay.url('?pool=3&timeout=60'))
  t.after(() => mail.close())
  const shops = await Promise.all(
    Array.from({ length: 15 }, (_, n) => shopOf(mail, `shop-${n}.test`)),
  )
  await Promise.all(
    shops.flatMap(({ send }) => Array.from({ length: 4 }, (_, n) => send(`p${n}@hangs.test`))),
  )
  await eventually(
    () =>
      mail.testbed.db.one<{ n: number }>(sql`
      select count(*)::int as n from messages where state = 'attempting'
    `),
    ({ n }) => n === 3,
  )
  const { app, config } = mail.testbed.service
  const visitor = new PageVisitor(app.server, new URL(config.baseUrl).host)
  const email = newPerson()
  const asked = performance.now()
  await visitor.submit(await visitor.get('/login'), { email })
  await eventually(
    () => relay.taken,
    (taken) => taken.some(({ to }) => to === email),
  )
  const link = relay.taken.find(({ to }) => to === email)
  assert.match(link?.source ?? '', /sign-in link/)
  // The blocked connections time out after 60 s.
  assert.ok(performance.now() - asked < 45_000, 'first, whatever else waits')
  const { held } = await mail.testbed.db.one<{ held: boolean }>(sql`
    select exists (select from jobs where payload::text like '%token%') as held
  `)
  assert.equal(held, false, 'no row holds a token')
})

test('a sign-in link goes ahead of a full, moving queue', async (t) => {
  const relay = await startFakeRelay({
    onRcptTo: (_address, _session, done) => void setTimeout(done, 100),
  })
  t.after(() => relay.stop())
  const mail = await mailService(relay.url('?pool=2'))
  t.after(() => mail.close())
  const queued = 300
  await Promise.all(Array.from({ length: queued }, (_, n) => mail.send(`p${n}@queue.test`)))
  const { app, config } = mail.testbed.service
  const visitor = new PageVisitor(app.server, new URL(config.baseUrl).host)
  const email = newPerson()
  const before = relay.taken.length
  assert.ok(before < queued / 2, `${before} were gone already`)
  await visitor.submit(await visitor.get('/login'), { email })
  await eventually(
    () => relay.taken,
    (taken) => taken.some(({ to }) => to === email),
  )
  const place = relay.taken.findIndex(({ to }) => to === email) - before
  assert.ok(place < queued / 3, `${place} of ${queued} went first`)
})

test('a message larger than the relay accepts fails alone, and its address is not suppressed', async (t) => {
  const relay = await startFakeRelay({ size: 20_000 })
  t.after(() => relay.stop())
  const mail = await mailService(relay.url('?pool=1'))
  t.after(() => mail.close())
  const large = await mail.send('ana@example.com', { text: 'Words. '.repeat(5_000) })
  const failed = await mail.until(large, 'failed')
  assert.equal(failed.events.at(-1)?.code, '5.3.4')
  assert.match(failed.events.at(-1)?.untrusted?.words ?? '', /not sent: .* takes 20000/)
  const small = await mail.send('ana@example.com', { subject: 'Another' })
  assert.equal((await mail.until(small, 'accepted')).attempts, 1)
  assert.deepEqual([relay.taken.length, relay.most], [1, 1])
})
