/** The reply address: the business's setting, seen in the messages that a relay gets over SMTP. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setBusiness } from 'crier-server/accounts/settings/settings.ts'
import { type FakeRelay, startFakeRelay } from '../support/mail/fake-relay.ts'
import { type MailService, mailService } from '../support/mail/mail-service.ts'
import { eventually } from '../support/time/eventually.ts'

/** Milliseconds by which the service's clock is ahead of ours. */
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

/** Sets `reply_to`, and moves the clock past this process's short cache of the sender. */
async function answersGoTo(value: string): Promise<void> {
  await setBusiness(mail.testbed.db, mail.businessId, { key: 'reply_to', value, now: new Date() })
  ahead += 11_000
}

let people = 0
/** Sends a message; returns it as the relay received it. */
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

test('without the setting a mail has no Reply-To header', async () => {
  assert.deepEqual((await taken()).replyTo, [])
})

test('with the setting every kind of mail has a Reply-To header, whether from a template or not', async () => {
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

test('after the setting is removed, the next mail has no Reply-To header', async () => {
  await answersGoTo('')
  assert.deepEqual((await taken({ kind: 'marketing' })).replyTo, [])
})
