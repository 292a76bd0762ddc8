/** Where answers go: the setting of the business, in what a relay takes over SMTP. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setBusiness } from 'crier-server/accounts/settings/settings.ts'
import { type FakeRelay, startFakeRelay } from '../support/mail/fake-relay.ts'
import { type MailService, mailService } from '../support/mail/mail-service.ts'
import { eventually } from '../support/time/eventually.ts'

/** Milliseconds that the service's clock goes before ours. */
let ahead = 0
let relay: FakeRelay
let mail: MailService
before(async () => {
  relay = await startFakeRelay()
  mail = await mailService(relay.url(), {
    clock: { now: () => new Date(Date.now() + ahead) },
  })
})
after(async () => {
  await mail?.close()
  await relay?.stop()
})

/** Also in this process's memory of the sender, which is short. */
async function answersGoTo(value: string): Promise<void> {
  await setBusiness(mail.testbed.db, mail.businessId, { key: 'reply_to', value, now: new Date() })
  ahead += 11_000
}

let people = 0
/** What the relay took of the next message. */
async function taken(more: Record<string, unknown> = {}) {
  const to = `person-${people++}@far.test`
  const consent = { email: { status: 'subscribed', source: 'a test' } }
  await mail.owner.get('contact.upsert', { email: to, consent })
  await mail.send(to, more)
  const [one] = await eventually(
    async () => relay.taken.filter((message) => message.to === to),
    ({ length }) => length > 0,
  )
  const source = one?.source ?? ''
  const head = source.slice(0, source.indexOf('\r\n\r\n'))
  const field = (name: string) => head.split('\r\n').filter((line) => line.startsWith(`${name}: `))
  return { replyTo: field('Reply-To'), from: field('From') }
}

test('without the setting there is no Reply-To, and answers go to the sender', async () => {
  assert.deepEqual((await taken()).replyTo, [])
})

test('with it every kind of mail has one, however its words are given', async () => {
  await answersGoTo('desk@shop.example')
  const { template_id } = await mail.owner.get<{ template_id: string }>('template.save', {
    name: 'A word',
    subject: 'A word',
    html: '<p>Hello {{ contact.name }}</p>',
  })
  for (const more of [
    {},
    { kind: 'marketing' },
    { html: '<p>Hello</p>', kind: 'marketing' },
    { subject: undefined, text: undefined, template_id },
  ]) {
    const { replyTo, from } = await taken(more)
    assert.deepEqual(replyTo, ['Reply-To: desk@shop.example'], JSON.stringify(more))
    assert.match(from.join(), /<hello@shop\.example>$/)
  }
})

test('taken away again, the next mail has none', async () => {
  await answersGoTo('')
  assert.deepEqual((await taken({ kind: 'marketing' })).replyTo, [])
})
