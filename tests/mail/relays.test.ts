/** Two relays, of which one fails in each way that there is: what goes over the other, and what never. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'crier-server/lib/db/db.ts'
import { type MailService, mailService } from '../support/mail/mail-service.ts'
import { type Postfix, startPostfix, withoutPostfix } from '../support/mail/postfix.ts'
import { rudeRelay } from '../support/mail/rude-relay.ts'
import { freePort } from '../support/network/port.ts'
import { eventually } from '../support/time/eventually.ts'

const skip = withoutPostfix() ?? false

const closings: (() => unknown)[] = []
const folder = mkdtempSync(path.join(os.tmpdir(), 'crier-relays-'))
const person = 'ana@here.test'
let first: Postfix
let second: Postfix
let mail: MailService

/** A relay that behaves well until it gets this command, which it answers in its own way. */
const rudeAt = (command: string, act: (socket: Socket) => string | undefined) =>
  rudeRelay({ after: (work) => closings.push(work) }, (line, socket) => {
    const word = line.split(' ')[0] ?? ''
    if (word === command) return act(socket)
    if (word === 'DATA') return '354 go on'
    return /^(?:EHLO|MAIL|RCPT|RSET|QUIT|\.)$/.test(word) ? '250 fine' : undefined
  })

before(async () => {
  if (skip) return
  const senders = '{ fails@four.test = 451 4.3.0 not now }, { fails@five.test = 554 5.7.1 never }'
  const closes = '{ fails@bye.test = 421 4.3.2 going down }'
  const recipients = '{ later@here.test = 450 4.2.1 later }, { nobody@here.test = 550 5.1.1 who }'
  const maildirs = { [person]: 'maildir', 'later@here.test': 'maildir' }
  ;[first, second] = await Promise.all([
    startPostfix({
      transports: { ...maildirs, 'nobody@here.test': 'maildir' },
      settings: {
        smtpd_delay_reject: 'no',
        smtpd_sender_restrictions: `check_sender_access inline:{ ${senders}, ${closes} }, permit`,
        smtpd_recipient_restrictions: `check_recipient_access inline:{ ${recipients} }, permit`,
      },
    }),
    startPostfix({ transports: { ...maildirs, 'nobody@here.test': 'maildir' } }),
  ])
  const silent = () => undefined
  const hangUp = (socket: Socket) => void socket.destroy()
  const [busy, mute, quiet, lost] = await Promise.all([
    rudeAt('EHLO', () => '421 4.3.2 too busy'),
    rudeAt('DATA', silent),
    rudeAt('.', silent),
    rudeAt('.', hangUp),
  ])
  const failing = {
    first: first.url('?pool=2'),
    closed: `smtp://127.0.0.1:${await freePort()}`,
    busy,
    mute: `${mute}&timeout=1`,
    quiet: `${quiet}&timeout=1`,
    lost,
  }
  const relays = Object.fromEntries(
    Object.entries(failing).map(([name, url]) => [name, { url, warm: true, failover: 'second' }]),
  )
  const file = path.join(folder, 'relays.json')
  const all = { ...relays, second: { url: second.url(), connections: 3, warm: true } }
  writeFileSync(file, JSON.stringify({ relays: all, default: 'second' }))
  mail = await mailService(undefined, { settings: { RELAYS: file } })
})
after(async () => {
  await mail?.close()
  for (const close of closings) await close()
  await Promise.all([first?.stop(), second?.stop()])
  rmSync(folder, { recursive: true })
})

/** Sends by a business of its own, which the operator gave this relay. */
async function sendBy(relay: string, sender: string, to: string, kind = 'transactional') {
  const { testbed } = mail
  const id = await testbed.newBusiness()
  await testbed.db.run(sql`
    update businesses set sender = ${sender}, relay_transactional = ${relay},
      relay_marketing = ${relay}, postal_address = 'A street 1, a town' where id = ${id}
  `)
  const owner = await testbed.caller({ businesses: [id] })
  const consent = { email: { status: 'subscribed', source: 'a test' } }
  if (kind === 'marketing') await owner.get('contact.upsert', { email: to, consent })
  const words = { subject: `By ${relay}, ${sender}`, text: 'Hello' }
  const { message_id } = await owner.get<{ message_id: string }>('email.send', {
    to,
    kind,
    ...words,
  })
  const shown = await eventually(
    () => owner.get<{ status: string; attempts: number }>('message.get', { message_id }),
    ({ status }) => !['queued', 'attempting'].includes(status),
  )
  const { route } = await testbed.db.one<{ route: string }>(sql`
    select route from messages where business_id = ${id}
  `)
  return { message_id, status: shown.status, attempts: shown.attempts, route }
}

/** How often the message lies in the mailboxes of the two relays. */
async function copiesOf(to: string, messageId: string, expected: number): Promise<number> {
  const count = async () => {
    const all = [...(await first.mailbox(to)), ...(await second.mailbox(to))]
    return all.filter((text) => text.includes(`Message-ID: <${messageId}@`)).length
  }
  return expected > 0 ? eventually(count, (copies) => copies >= expected) : count()
}

const takenOver: [what: string, relay: string, sender: string, to: string][] = [
  ['cannot be connected to', 'closed', 'hello@shop.test', person],
  ['answers 421 before MAIL', 'busy', 'hello@shop.test', person],
  ['refuses MAIL with 4xx', 'first', 'fails@four.test', person],
  ['refuses MAIL with 5xx', 'first', 'fails@five.test', person],
  ['answers 421 to MAIL', 'first', 'fails@bye.test', person],
  ['refuses RCPT with 4xx', 'first', 'hello@shop.test', 'later@here.test'],
  ['is silent before the content', 'mute', 'hello@shop.test', person],
]
for (const [what, relay, sender, to] of takenOver) {
  test(`mail goes over the second relay, once, where the first ${what}`, { skip }, async () => {
    const { message_id, ...rest } = await sendBy(relay, sender, to)
    assert.deepEqual(rest, { status: 'accepted', attempts: 1, route: 'second' })
    assert.equal(await copiesOf(to, message_id, 1), 1)
  })
}

test('marketing goes over the second relay too, and once', { skip }, async () => {
  const { message_id, ...rest } = await sendBy('closed', 'hello@shop.test', person, 'marketing')
  assert.deepEqual(rest, { status: 'accepted', attempts: 1, route: 'second' })
  assert.equal(await copiesOf(person, message_id, 1), 1)
})

test('a permanent refusal of the recipient is a bounce, not a reason for another relay', {
  skip,
}, async () => {
  const sent = await sendBy('first', 'hello@shop.test', 'nobody@here.test')
  assert.deepEqual([sent.status, sent.route], ['bounced', 'first'])
  assert.equal(await copiesOf('nobody@here.test', sent.message_id, 0), 0)
})

for (const [what, relay] of [
  ['falls silent after the content', 'quiet'],
  ['hangs up after the content', 'lost'],
] as const) {
  test(`no mail goes over another relay where the first ${what}`, { skip }, async () => {
    const news = await sendBy(relay, 'hello@shop.test', person, 'marketing')
    assert.deepEqual([news.status, news.route], ['unknown', relay])
    const receipt = await sendBy(relay, 'hello@shop.test', person)
    assert.deepEqual([receipt.status, receipt.route], ['deferred', relay])
    for (const { message_id } of [news, receipt]) {
      assert.equal(await copiesOf(person, message_id, 0), 0)
    }
  })
}

test('mail without a choice goes over the default relay, and the metrics count by relay', {
  skip,
}, async () => {
  const sent = await sendBy('no-such-relay', 'hello@shop.test', person)
  assert.deepEqual([sent.status, sent.route], ['accepted', 'second'])
  const text = await (await fetch(`${mail.testbed.service.url}/metrics`)).text()
  for (const line of [
    /^crier_relay_messages_total\{relay="lost",result="unclear"\} 2$/m,
    /^crier_relay_messages_total\{relay="closed",result="unreachable"\} [12]$/m,
    /^crier_relay_messages_total\{relay="second",result="accepted"\} \d+$/m,
    /^crier_relay_up\{relay="second"\} 1$/m,
    /^crier_relay_up\{relay="closed"\} 0$/m,
  ]) {
    assert.match(text, line)
  }
  assert.doesNotMatch(text, /hello@|here\.test/)
})
