/** What a relay is told for its provider, whose notification then finds the message. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setBusiness } from 'crier-server/accounts/settings/settings.ts'
import { profileNames } from 'crier-server/config/relay-profiles.ts'
import { type FakeRelay, startFakeRelay } from '../support/mail/fake-relay.ts'
import { type MailService, mailService } from '../support/mail/mail-service.ts'
import { type ExampleProvider, examples } from '../support/mail/provider-examples.ts'
import { login, mailgunKey, requestOf, svixSecret } from '../support/mail/provider-requests.ts'
import { eventually } from '../support/time/eventually.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'crier-profiles-'))
let relay: FakeRelay
let mail: MailService
before(async () => {
  relay = await startFakeRelay()
  const relays = profileNames.map((profile) => [profile, { url: relay.url(), profile }])
  const file = path.join(folder, 'relays.json')
  writeFileSync(file, JSON.stringify({ relays: Object.fromEntries(relays) }))
  const logins = { POSTMARK_LOGIN: login, BREVO_LOGIN: login, MAILJET_LOGIN: login }
  const settings = { ...logins, RELAYS: file, MAILGUN_KEY: mailgunKey, RESEND_KEY: svixSecret }
  mail = await mailService(undefined, { settings })
})
after(async () => {
  await mail?.close()
  await relay?.stop()
  rmSync(folder, { recursive: true })
})

/** Sends a mail of a new business over this relay, and returns it as the relay got it. */
async function sendOver(profile: string) {
  const { testbed } = mail
  const { businessId, owner } = await testbed.someone()
  const choice = { key: 'relay_transactional', value: profile, now: new Date() }
  await setBusiness(testbed.db, businessId, choice)
  const words = { to: `${profile}@example.com`, subject: 'A word', text: 'Hello' }
  const { message_id: id } = await owner.get<{ message_id: string }>('email.send', words)
  const statusOf = () => owner.get<{ status: string }>('message.get', { message_id: id })
  await eventually(statusOf, ({ status }) => status === 'accepted')
  const source = relay.taken.find((entry) => entry.source.includes(`<${id}@`))?.source ?? ''
  return { id, statusOf, head: source.slice(0, source.indexOf('\r\n\r\n')) }
}

/** The value of a header field, unfolded. */
const fieldOf = (head: string, name: string) =>
  head
    .replaceAll('\r\n ', ' ')
    .split('\r\n')
    .find((line) => line.startsWith(`${name}: `))
    ?.slice(name.length + 2)

test('each provider is told the message, and that it tracks nothing itself', async () => {
  const expected: Record<string, (id: string) => Record<string, string | undefined>> = {
    own: () => ({ 'X-Crier-Message': undefined, 'X-SMTPAPI': undefined }),
    ses: () => ({ 'X-Crier-Message': undefined }),
    postmark: (id) => ({ 'X-PM-Metadata-crier-message': id, 'X-PM-KeepID': 'true' }),
    mailgun: (id) => ({
      'X-Mailgun-Variables': JSON.stringify({ 'crier-message': id }),
      'X-Mailgun-Track': 'no',
    }),
    brevo: (id) => ({ 'X-Mailin-custom': id }),
    resend: (id) => ({ 'X-Crier-Message': id }),
    mailjet: (id) => ({ 'X-MJ-CustomID': id, 'X-Mailjet-TrackClick': '0' }),
  }
  for (const [profile, fieldsFor] of Object.entries(expected)) {
    const { id, head } = await sendOver(profile)
    for (const [name, value] of Object.entries(fieldsFor(id))) {
      assert.equal(fieldOf(head, name), value, `${profile} ${name}`)
    }
    assert.match(head, /^Message-ID: <msg_/m)
  }
  const { id, head } = await sendOver('sendgrid')
  const { unique_args, filters } = JSON.parse(fieldOf(head, 'X-SMTPAPI') ?? '')
  assert.equal(unique_args['crier-message'], id)
  assert.equal(filters.clicktrack.settings.enable, 0)
})

test('the provider’s notification with what it was told makes the message delivered', async () => {
  for (const provider of Object.keys(examples) as ExampleProvider[]) {
    const { id, statusOf } = await sendOver(provider)
    const { delivered } = examples[provider](id)
    const { body, headers } = requestOf(provider, delivered, new Date())
    const url = `${mail.testbed.service.url}/hooks/email/${provider}`
    const answer = await fetch(url, { method: 'POST', headers, body })
    assert.deepEqual([answer.status, await answer.json()], [200, { taken: 1 }], provider)
    assert.equal((await statusOf()).status, 'delivered', provider)
  }
})
