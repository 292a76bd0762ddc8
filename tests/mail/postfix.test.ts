import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type MailService, mailService } from '../support/mail/mail-service.ts'
import { type Postfix, startPostfix, withoutPostfix } from '../support/mail/postfix.ts'
import { freePort } from '../support/network/port.ts'
import { eventually } from '../support/time/eventually.ts'

const skip = withoutPostfix() ?? false

let postfix: Postfix
let mail: MailService
before(async () => {
  if (skip) return
  const bouncePort = await freePort()
  postfix = await startPostfix({
    transports: {
      'ana@here.test': 'maildir',
      'gone@here.test': 'error:5.1.1 no such user',
      'full@here.test': 'retry:4.2.2 mailbox full',
      'bounces.test': `smtp:[127.0.0.1]:${bouncePort}`,
    },
    lifetime: '2s',
    settings: {
      smtpd_recipient_restrictions:
        'check_recipient_access inline:{ { refused@here.test = 550 5.1.1 we know nobody of that name }, { later@here.test = 450 4.2.1 come again } }, permit',
    },
  })
  mail = await mailService(postfix.url('?pool=3'), {
    settings: { BOUNCE_PORT: String(bouncePort), BOUNCE_DOMAIN: 'bounces.test' },
  })
})
after(async () => {
  await mail?.close()
  await postfix?.stop()
})

test('Postfix delivers a message as it was sent, and reports the delivery of a receipt alone', {
  skip,
}, async () => {
  const id = await mail.send('ana@here.test', { subject: 'Grüße', html: '<p>Schön</p>' })
  const shown = await mail.until(id, 'delivered')
  const types = shown.events.map(({ type }) => type)
  assert.deepEqual(types, ['queued', 'accepted', 'delivered'])
  assert.match(shown.events[1]?.untrusted?.words ?? '', /250 2\.0\.0 Ok: queued as/)
  const [kept] = await eventually(
    () => postfix.mailbox('ana@here.test'),
    (all) => all.length > 0,
  )
  assert.match(kept ?? '', new RegExp(`^Message-ID: <${id}@shop\\.example>`, 'm'))
  const consent = { email: { status: 'subscribed', source: 'a test' } }
  await mail.owner.get('contact.upsert', { email: 'ana@here.test', consent })
  await mail.owner.get('business.save', { postal_address: 'A street 1, a town' })
  const news = await mail.send('ana@here.test', { kind: 'marketing' })
  await eventually(
    () => postfix.mailbox('ana@here.test'),
    (all) => all.length > 1,
  )
  // The mailbox may have it before its acceptance is recorded.
  assert.equal((await mail.until(news, 'accepted')).status, 'accepted')
  assert.match(
    kept ?? '',
    new RegExp(`^Return-Path: <b\\+${id}\\.[0-9a-f]{20}@bounces\\.test>`, 'm'),
  )
})

test('a refusal at RCPT is a hard bounce that suppresses the address, and the next send is refused', {
  skip,
}, async () => {
  const id = await mail.send('refused@here.test')
  const shown = await mail.until(id, 'bounced')
  assert.equal(shown.events.at(-1)?.code, '5.1.1')
  assert.match(shown.events.at(-1)?.untrusted?.words ?? '', /we know nobody of that name/)
  const again = await mail.owner.call('email.send', {
    to: 'refused@here.test',
    subject: 'Again',
    text: 'Hello',
  })
  assert.equal(again.body['code'], 'conflict')
})

test('a 450 reply defers the message, and it is retried', { skip }, async () => {
  const id = await mail.send('later@here.test')
  const shown = await mail.until(id, 'deferred')
  assert.match(shown.events.at(-1)?.untrusted?.words ?? '', /come again/)
  assert.ok(Date.parse(shown.due_at) > Date.now())
  await mail.hurry(id)
  const twice = await eventually(
    () => mail.get(id),
    ({ attempts, status }) => attempts === 2 && status === 'deferred',
  )
  assert.equal(twice.events.filter(({ type }) => type === 'deferred').length, 2)
})

test("Postfix's returned notices for a missing and a full mailbox become a hard bounce and a failure", {
  skip,
}, async () => {
  const gone = await mail.send('gone@here.test')
  const full = await mail.send('full@here.test')
  const bounced = await mail.until(gone, 'bounced')
  assert.equal(bounced.events.at(-1)?.code, '5.1.1')
  const failed = await mail.until(full, 'failed')
  assert.equal(failed.events.at(-1)?.code, '4.2.2')
})
