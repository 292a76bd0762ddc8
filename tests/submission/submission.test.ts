/** Mail that a program submits by SMTP: the same message, states and limits as by email.send. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { withAccessChange } from 'crier-server/core/access-changes.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { endKey } from 'crier-server/oauth/api-keys/key-queries.ts'
import { newApiKey } from '../support/clients/api-keys.ts'
import {
  headerOf,
  type SubmissionService,
  submissionService,
} from './support/submission-service.ts'

let service: SubmissionService
before(async () => {
  service = await submissionService()
})
after(() => service?.close())

const from = 'Shop <hello@shop.example>'
const idIn = (response: string) => /msg_\w+/.exec(response)?.[0] ?? ''
const refusal = (sent: Promise<unknown>) =>
  sent.then(
    () => assert.fail('the mail was accepted'),
    (error: { response?: string; message: string }) => error.response ?? error.message,
  )

for (const [name, options] of [
  ['with STARTTLS', () => ({ port: service.port })],
  ['within TLS', () => ({ port: service.tlsPort, secure: true })],
] as const) {
  test(`a mail submitted ${name} is delivered, and message.get returns its state`, async () => {
    const to = `ana-${name.length}@far.test`
    const { response } = await service.client(options()).sendMail({
      from,
      to: `Ana <${to}>`,
      replyTo: 'desk@shop.example',
      subject: 'Überraschung',
      text: 'Hello Ana',
      html: '<p>Hello Ana</p>',
      headers: { 'X-Mailer': 'A shop', References: '<1@shop.example>' },
    })
    assert.match(response, /^250 2\.0\.0 Queued as msg_\w+$/)
    const [mail] = await service.sentTo(to)
    assert.ok(mail)
    const header = headerOf(mail)
    assert.match(header, /^From: Shop <hello@shop\.example>$/m)
    assert.match(header, /^Reply-To: desk@shop\.example$/m)
    assert.match(header, /^X-Mailer: A shop$/m)
    assert.match(header, /^References: <1@shop\.example>$/m)
    assert.match(header, /^Subject: =\?UTF-8\?/im)
    const shown = await service.mail.until(idIn(response), 'accepted')
    assert.equal(shown.status, 'accepted')
  })
}

test('text with braces is sent as it is, because a mail program knows nothing of Liquid', async () => {
  const text = 'Use {{ contact.email }} and {% raw'
  await service.client().sendMail({ from, to: 'liquid@far.test', subject: '{{ 1 }}', text })
  const [mail] = await service.sentTo('liquid@far.test')
  assert.ok(mail)
  assert.ok(mail.source.includes(text), mail.source)
  assert.match(headerOf(mail), /^Subject: \{\{ 1 \}\}$/m)
})

test('attachments and inline images arrive with their names and types', async () => {
  const png = Buffer.from('89504e470d0a1a0a', 'hex')
  await service.client().sendMail({
    from,
    to: 'files@far.test',
    subject: 'Files',
    html: '<img src="cid:logo@shop">',
    attachments: [
      { filename: 'logo.png', content: png, cid: 'logo@shop' },
      {
        filename: 'Rechnung 7.pdf',
        content: Buffer.from('%PDF-1.7'),
        contentType: 'application/pdf',
      },
    ],
  })
  const [mail] = await service.sentTo('files@far.test')
  const source = mail?.source ?? ''
  assert.match(source, /Content-ID: <logo@shop>/i)
  assert.match(source, /filename="?Rechnung 7\.pdf/)
  assert.ok(source.includes(Buffer.from('%PDF-1.7').toString('base64')))
})

test('fields of lists, automatic mail, several reply addresses and the name in To are sent on', async () => {
  const raw = [
    `From: ${from}`,
    `To: "O'Neil, Pat" <lists@far.test>`,
    'Subject: Weekly',
    'Message-ID: <n1@app.example.com>',
    'List-Unsubscribe: <https://blog.example.com/u/1>',
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
    'List-Id: <weekly.blog.example.com>',
    'Precedence: bulk',
    'Auto-Submitted: auto-generated',
    'Reply-To: a@example.com, b@example.com',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'hi',
  ].join('\r\n')
  const envelope = { from: 'hello@shop.example', to: ['lists@far.test'] }
  await service.client().sendMail({ envelope, raw })
  const [mail] = await service.sentTo('lists@far.test')
  assert.ok(mail)
  const header = headerOf(mail)
  for (const field of [
    `To: "O'Neil, Pat" <lists@far.test>`,
    'List-Unsubscribe: <https://blog.example.com/u/1>',
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
    'List-Id: <weekly.blog.example.com>',
    'Precedence: bulk',
    'Auto-Submitted: auto-generated',
    'Reply-To: a@example.com, b@example.com',
  ]) {
    assert.ok(header.split(/\r?\n/).includes(field), `${field} is not in ${header}`)
  }
})

test('names in Cc are kept, in every copy of the mail', async () => {
  const raw = [
    `From: ${from}`,
    'To: Ana <cc-to@far.test>',
    'Cc: =?utf-8?Q?Zo=C3=AB?= <cc-one@far.test>, "Lima, Bo" <CC-Two@far.test>, cc-three@far.test',
    'Subject: Copies',
    '',
    'hi',
  ].join('\r\n')
  const all = ['cc-to@far.test', 'cc-one@far.test', 'cc-two@far.test', 'cc-three@far.test']
  await service.client().sendMail({ envelope: { from: 'hello@shop.example', to: all }, raw })
  for (const to of all) {
    const [mail] = await service.sentTo(to)
    assert.ok(mail)
    const header = headerOf(mail)
    assert.match(header, /^To: "?Ana"? <cc-to@far\.test>$/m)
    assert.match(
      header,
      /^Cc: =\?UTF-8\?\S+\?= <cc-one@far\.test>, "Lima, Bo" <cc-two@far\.test>, cc-three@far\.test$/im,
    )
  }
})

test('in marketing our way to unsubscribe and our List-Id stand, whatever the mail says', async () => {
  const to = 'fan@far.test'
  await service.mail.owner.get('contact.upsert', {
    email: to,
    consent: { email: { status: 'subscribed', source: 'a test', text: 'Yes' } },
  })
  const headers = {
    'X-Crier-Kind': 'marketing',
    'List-Unsubscribe': '<https://blog.example.com/u/1>',
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    'List-Id': '<weekly.blog.example.com>',
    'List-Help': '<https://blog.example.com/help>',
  }
  await service.client().sendMail({ from, to, subject: 'News', text: 'Buy', headers })
  const [mail] = await service.sentTo(to)
  assert.ok(mail)
  const fields = headerOf(mail).split(/\r?\n/)
  const named = (name: string) => fields.filter((field) => field.startsWith(`${name}: `))
  const [unsubscribe = '', ...others] = named('List-Unsubscribe')
  assert.deepEqual(others, [])
  assert.match(unsubscribe, /^List-Unsubscribe: <https?:\/\/[^>]+\/u\/[\w-]+>/)
  assert.doesNotMatch(headerOf(mail), /blog\.example\.com\/u|weekly\.blog/)
  assert.deepEqual(named('List-Unsubscribe-Post'), [
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
  ])
  assert.equal(named('List-Id').length, 1)
  assert.deepEqual(named('List-Help'), ['List-Help: <https://blog.example.com/help>'])
})

test('an invitation stays an alternative form of its mail, with its method', async () => {
  const event = ['BEGIN:VCALENDAR', 'METHOD:REQUEST', 'SUMMARY:Café', 'END:VCALENDAR', '']
  const raw = [
    `From: ${from}`,
    'To: cal@far.test',
    'Subject: Invite',
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary="b1"',
    '',
    '--b1',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'Join us',
    '--b1',
    'Content-Type: text/calendar; charset=utf-8; method=REQUEST',
    '',
    ...event,
    '--b1--',
  ].join('\r\n')
  const envelope = { from: 'hello@shop.example', to: ['cal@far.test'] }
  await service.client().sendMail({ envelope, raw })
  const [mail] = await service.sentTo('cal@far.test')
  const source = mail?.source ?? ''
  assert.match(source, /^Content-Type: multipart\/alternative;/m)
  assert.match(source, /^Content-Type: text\/calendar; charset=utf-8; method=REQUEST\r?$/m)
  assert.doesNotMatch(source, /Content-Disposition/)
  const content = Buffer.from(event.join('\r\n')).toString('base64')
  assert.ok(source.replaceAll(/\r?\n/g, '').includes(content.slice(0, -4)), source)
})

test('each recipient of the envelope gets a message of its own, and nobody else does', async () => {
  const { response } = await service.client().sendMail({
    from,
    to: 'one@far.test, absent@far.test',
    cc: 'two@far.test',
    subject: 'For several',
    text: 'Hello all',
    envelope: {
      from: 'hello@shop.example',
      to: ['hidden@far.test', 'two@far.test', 'one@far.test'],
    },
  })
  const [one] = await service.sentTo('one@far.test')
  const [two] = await service.sentTo('two@far.test')
  const [hidden] = await service.sentTo('hidden@far.test')
  for (const mail of [one, two, hidden]) {
    assert.ok(mail)
    const header = headerOf(mail)
    assert.match(header, /^To: one@far\.test$/m)
    assert.match(header, /^Cc: two@far\.test$/m)
    assert.doesNotMatch(header, /hidden|absent/)
  }
  assert.equal(service.relay.taken.filter(({ to }) => to === 'absent@far.test').length, 0)
  assert.ok(idIn(response))
})

test('a mail that is submitted again after a lost answer is one message, and a new one is two', async () => {
  const mail = { from, to: 'again@far.test', subject: 'Once', text: 'The same' }
  const again = { ...mail, messageId: '<7@shop.example>', date: new Date('2026-11-25T10:00:00Z') }
  const client = service.client()
  const raw = Buffer.from(
    [
      `From: ${from}`,
      'To: again@far.test',
      'Message-ID: <7@shop.example>',
      'Subject: Once',
      '',
      'The same',
    ].join('\r\n'),
  )
  const envelope = { from: 'hello@shop.example', to: ['again@far.test'] }
  const first = await client.sendMail({ envelope, raw })
  const second = await client.sendMail({ envelope, raw })
  assert.equal(idIn(second.response), idIn(first.response))
  const third = await client.sendMail({ ...again, messageId: '<8@shop.example>' })
  assert.notEqual(idIn(third.response), idIn(first.response))
})

test('X-Crier fields set tags, metadata, kind and the idempotency key', async () => {
  const headers = {
    'X-Crier-Tags': 'receipt, shop',
    'X-Crier-Metadata': '{"order":"1042"}',
    'X-Crier-Idempotency-Key': 'order-1042',
    'X-Crier-Track': 'no',
  }
  const mail = { from, to: 'tags@far.test', subject: 'Receipt', text: 'Thanks', headers }
  const { response } = await service.client().sendMail(mail)
  const shown = await service.mail.owner.get<{ tags: string[]; metadata: object }>('message.get', {
    message_id: idIn(response),
  })
  assert.deepEqual(shown.tags, ['receipt', 'shop'])
  assert.deepEqual(shown.metadata, { order: '1042' })
  const other = { ...mail, text: 'Another text' }
  assert.match(await refusal(service.client().sendMail(other)), /^550 .*idempotency key/)
  const [sent] = await service.sentTo('tags@far.test')
  assert.doesNotMatch(sent?.source ?? '', /X-Crier/i)
})

test('marketing needs consent, and an unknown X-Crier field is refused by name', async () => {
  const mail = { from, to: 'stranger@far.test', subject: 'News', text: 'Buy' }
  const marketing = { ...mail, headers: { 'X-Crier-Kind': 'marketing' } }
  assert.match(
    await refusal(service.client().sendMail(marketing)),
    /^55\d 5\.\d\.\d .*consent|subscribed/,
  )
  const unknown = { ...mail, headers: { 'X-Crier-Colour': 'red' } }
  assert.match(await refusal(service.client().sendMail(unknown)), /^554 5\.6\.0 X-Crier-colour/)
})

test('a wrong key is refused, and the third one ends the session', async () => {
  const auth = { user: 'crier', pass: 'crier_not-a-key' }
  assert.match(
    await refusal(service.client({ auth }).verify()),
    /^535 5\.7\.8 There is no such API key/,
  )
})

test('a key without the scope to send cannot sign in, and a revoked one cannot submit', async () => {
  const { db } = service.mail.testbed
  const { businessId } = service.mail
  const reading = await newApiKey(db, { businessId, scopes: ['audience:read'] })
  const auth = { user: 'crier', pass: reading.secret }
  assert.match(await refusal(service.client({ auth }).verify()), /^535 5\.7\.8 .*messaging:send/)

  const { secret, key } = await newApiKey(db, { businessId })
  const pool = service.client({ auth: { user: 'crier', pass: secret }, pool: true } as never)
  const mail = { from, to: 'revoked@far.test', subject: 'One', text: 'One' }
  await pool.sendMail(mail)
  await db.tx((tx) => endKey(tx, businessId, { id: key.id, now: new Date() }))
  assert.match(await refusal(pool.sendMail({ ...mail, text: 'Two' })), /^535 5\.7\.8 .*revoked/)
  pool.close()
})

test('a sender at a domain of others is refused with what to do', async () => {
  const mail = { from: 'x@elsewhere.example', to: 'a@far.test', subject: 'Hi', text: 'Hi' }
  const words = await refusal(service.client().sendMail(mail))
  assert.match(words, /^55\d 5\.\d\.\d .*elsewhere\.example/)
})

test('a key sends to no more recipients a day by SMTP than by email.send', async () => {
  const { testbed, businessId } = service.mail
  const { secret } = await newApiKey(testbed.db, { businessId, recipientsPerDay: 3 })
  const client = service.client({ auth: { user: 'crier', pass: secret } })
  const mail = { from, subject: 'Limit', text: 'Limit' }
  const [last, more] = ['day-3@far.test', 'day-4@far.test']
  await client.sendMail({ ...mail, to: ['day-1@far.test', 'day-2@far.test'] })
  await client.sendMail({ ...mail, to: last })
  const words = await refusal(client.sendMail({ ...mail, to: more }))
  assert.match(words, /^45\d 4\.\d\.\d .*3 recipients/)
  await service.sentTo(last)
  assert.equal(service.relay.taken.filter(({ to }) => to === more).length, 0)
})

test('a mail above the size is refused before its content is sent, and after', async () => {
  const big = 'x'.repeat(70).concat('\r\n').repeat(230_000)
  const mail = { from, to: 'big@far.test', subject: 'Big', text: big }
  assert.match(await refusal(service.client().sendMail(mail)), /^552/)
})

test('a held key’s mail waits in the program’s queue, and is taken once the key goes on', async () => {
  const { businessId, testbed } = service.mail
  const { db } = testbed
  const { key, secret } = await newApiKey(db, { businessId })
  const auth = { user: 'crier', pass: secret }
  const mail = { from, to: 'held@far.test', subject: 'One', text: 'One' }
  const client = service.client({ auth, pool: true } as never)
  await client.sendMail(mail)
  const hold = (at: Date | null) =>
    db.run(
      withAccessChange(
        sql`
          update memberships set held_at = ${at}, held_by = 'x'
          where business_id = ${businessId}
            and user_id = (select user_id from connections where id = ${key.id})
          returning user_id as subject
        `,
        new Date(),
      ),
    )
  await hold(new Date())
  assert.match(await refusal(client.sendMail(mail)), /^451 4\.7\.1 This API key is held/)
  await hold(null)
  assert.match((await client.sendMail(mail)).response, /^250 /)
  client.close()
})
