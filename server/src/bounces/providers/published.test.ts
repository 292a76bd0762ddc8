/** The adapters of providers against the notifications that these publish as examples. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testVault } from '../../../../tests/support/clients/calls.ts'
import { type ExampleProvider, examples } from '../../../../tests/support/mail/provider-examples.ts'
import {
  login,
  mailgunKey,
  requestOf,
  svixExample,
  svixHeaders,
  svixSecret,
} from '../../../../tests/support/mail/provider-requests.ts'
import { providerRequest } from '../../../../tests/support/sms/provider-request.ts'
import { readProviders } from '../../config/providers.ts'
import { isRefusal, orRefusal } from '../../core/errors.ts'
import { formatId, newId } from '../../core/ids.ts'
import { providersOf } from './set-up.ts'

const settings: Record<string, string> = {
  POSTMARK_LOGIN: login,
  BREVO_LOGIN: login,
  MAILJET_LOGIN: login,
  MAILGUN_KEY: mailgunKey,
  RESEND_KEY: svixSecret,
}
const providers = providersOf({
  config: { slug: 'svc', ...readProviders((name) => settings[name]) },
  vault: testVault,
  fetch: async () => undefined,
})
const now = new Date('2026-11-20T10:00:00Z')
const messageId = newId('message')
const message = formatId('message', messageId)
const all = Object.keys(examples) as ExampleProvider[]
/** Those whose proof is the user and password of the URL. */
const unsigned = ['postmark', 'brevo', 'mailjet'] as const

type Sent = { body: string; headers: Record<string, string> }

function send(provider: ExampleProvider, { body, headers }: Sent, at = now) {
  const found = providers.get(provider)
  assert.ok(found, provider)
  return orRefusal(() => found.read(providerRequest(body, headers, at)))
}

async function read(provider: ExampleProvider, payload: unknown, at = now) {
  const reports = await send(provider, requestOf(provider, payload, at), at)
  assert.ok(!isRefusal(reports), JSON.stringify(reports))
  return reports
}

async function codeOf(provider: ExampleProvider, sent: Sent, at = now) {
  const answer = await send(provider, sent, at)
  return isRefusal(answer) ? answer.code : 'taken'
}

/** The kind of a failure that each example has: in doubt nobody is suppressed. */
const expected: Record<string, string> = {
  'postmark bounced': 'hard',
  'postmark policy': 'policy',
  'mailgun bounced': 'hard',
  'mailgun untried': 'unknown',
  'brevo bounced': 'hard',
  'brevo soft': 'soft',
  'brevo untried': 'unknown',
  'resend bounced': 'hard',
  'resend untried': 'unknown',
  'mailjet bounced': 'hard',
  'mailjet soft': 'soft',
  'mailjet policy': 'policy',
  'mailjet untried': 'unknown',
}

test('each provider’s published examples become the reports that they mean, on our message', async () => {
  for (const provider of all) {
    for (const [name, payload] of Object.entries(examples[provider](message))) {
      const [report, ...more] = await read(provider, payload)
      assert.deepEqual(more, [])
      const is = `${provider} ${name}`
      if (name === 'other') {
        assert.equal(report, undefined, is)
        continue
      }
      assert.equal(report?.messageId, messageId, is)
      assert.equal(report?.source, `provider ${provider}`)
      assert.ok(report.at < new Date('2026-03-01'), `${is} has the time of the event`)
      const kind = expected[is]
      assert.equal(report.event, kind === undefined ? name : 'bounced', is)
      if ('verdict' in report) assert.equal(report.verdict.kind, kind ?? 'soft', is)
    }
  }
})

test('a report has the receiver’s words and status without the type of its diagnostic code', async () => {
  const [postmark] = await read('postmark', examples.postmark(message).policy)
  const [resend] = await read('resend', examples.resend(message).bounced)
  const [mailgun] = await read('mailgun', examples.mailgun(message).bounced)
  const [mailjet] = await read('mailjet', examples.mailjet(message).delivered)
  assert.match(postmark?.words ?? '', /^550 5\.7\.1 Service/)
  assert.match(resend?.words ?? '', /^550 5\.5\.0 Requested/)
  assert.equal(mailgun && 'verdict' in mailgun && mailgun.verdict.status, '5.1.1')
  assert.match(mailjet?.words ?? '', /250 2\.0\.0 OK/)
})

test('events of one kind at other times are different reports, and a copy is the same', async () => {
  for (const provider of all) {
    const payload = examples[provider](message).deferred
    const later: Record<string, object> = {
      postmark: { ...payload, ID: 43 },
      mailgun: { ...payload, id: 'another' },
      brevo: { ...payload, ts_epoch: 1_604_933_999_000 },
      resend: payload,
      mailjet: { ...payload, time: 1_430_812_999 },
    }
    const once = requestOf(provider, payload, now)
    const [first, copy] = [await send(provider, once), await send(provider, once)]
    const [other] = await read(provider, later[provider])
    assert.ok(!isRefusal(first) && !isRefusal(copy))
    assert.equal(first[0]?.identity, copy[0]?.identity, provider)
    assert.notEqual(first[0]?.identity, other?.identity, provider)
  }
})

test('groups of Mailjet and Brevo are read in their order, and mail of others is left out', async () => {
  for (const provider of ['mailjet', 'brevo'] as const) {
    const { delivered, bounced, complained } = examples[provider](message)
    const strange = examples[provider]('helloworld').delivered
    const reports = await read(provider, [strange, bounced, 7, delivered, null, complained])
    assert.deepEqual(
      reports.map(({ event }) => event),
      ['bounced', 'delivered', 'complained'],
      provider,
    )
  }
})

test('a notification without the password of the URL, or with another, is refused', async () => {
  for (const provider of unsigned) {
    const { body } = requestOf(provider, examples[provider](message).bounced, now)
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
    const wrong = ['', 'Basic', `Bearer ${login}`, basic(`${login}x`), basic(login.slice(0, -1))]
    for (const authorization of wrong) {
      assert.equal(await codeOf(provider, { body, headers: { authorization } }), 'unauthorized')
    }
    assert.equal(await codeOf(provider, { body, headers: {} }), 'unauthorized')
    const right = { authorization: basic(login) }
    for (const text of ['', 'x', '7', 'null']) {
      assert.equal(await codeOf(provider, { body: text, headers: right }), 'invalid_request')
    }
  }
})

test('Mailgun’s signature must be by our key, and counts for one body and for twelve hours', async () => {
  const payload = examples.mailgun(message).bounced
  const sent = requestOf('mailgun', payload, now)
  const { signature } = JSON.parse(sent.body) as { signature: Record<string, string> }
  const withBody = (body: unknown) => ({ body: JSON.stringify(body), headers: {} })
  const forged = [
    { 'event-data': payload },
    { signature: { ...signature, signature: '' }, 'event-data': payload },
    { signature: { ...signature, token: 'other' }, 'event-data': payload },
    { signature: { ...signature, timestamp: '1795168801' }, 'event-data': payload },
    { signature: { ...signature, timestamp: 1 }, 'event-data': payload },
  ]
  for (const one of forged) assert.equal(await codeOf('mailgun', withBody(one)), 'unauthorized')
  assert.equal(await codeOf('mailgun', sent), 'taken')
  assert.equal(await codeOf('mailgun', sent), 'taken')
  const other = { signature, 'event-data': { ...payload, event: 'complained' } }
  assert.equal(await codeOf('mailgun', withBody(other)), 'unauthorized')

  const at = (ms: number) => new Date(now.getTime() + ms)
  assert.equal(await codeOf('mailgun', sent, at(12 * 3_600_000)), 'taken')
  assert.equal(await codeOf('mailgun', sent, at(12 * 3_600_000 + 1000)), 'unauthorized')
  assert.equal(await codeOf('mailgun', sent, at(-301_000)), 'unauthorized')
})

test('Resend’s signature is the one that Svix publishes, and covers id, time and body', async () => {
  const at = new Date(1_614_265_330_000)
  // It is genuine; only what it says is no event.
  assert.equal(await codeOf('resend', svixExample, at), 'invalid_request')
  const { body, headers } = svixExample
  const tampered: Sent[] = [
    { body: '{"test": 2432232315}', headers },
    { body, headers: { ...headers, 'svix-id': 'msg_other' } },
    { body, headers: { ...headers, 'svix-timestamp': '1614265331' } },
    { body, headers: { ...headers, 'svix-signature': headers['svix-signature'].slice(3) } },
    { body, headers: { ...headers, 'svix-signature': '' } },
    { body, headers: {} },
  ]
  for (const one of tampered) assert.equal(await codeOf('resend', one, at), 'unauthorized')
  const rotated = { ...headers, 'svix-signature': `v1,AAAA v2,x ${headers['svix-signature']}` }
  assert.equal(await codeOf('resend', { body, headers: rotated }, at), 'invalid_request')
})

test('an event of Resend that was signed more than 300 seconds ago is refused', async () => {
  const body = JSON.stringify(examples.resend(message).delivered)
  const time = Math.floor(now.getTime() / 1000)
  const signedAt = (moment: number) => ({
    body,
    headers: svixHeaders(body, String(moment), 'msg_1'),
  })
  assert.equal(await codeOf('resend', signedAt(time - 300)), 'taken')
  assert.equal(await codeOf('resend', signedAt(time - 301)), 'unauthorized')
  assert.equal(await codeOf('resend', signedAt(time + 301)), 'unauthorized')
})

test('a setting of a provider takes what the provider shows, and does not repeat what is wrong', () => {
  const wrong = {
    MAILGUN_KEY: 'short-secret',
    RESEND_KEY: 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    POSTMARK_LOGIN: 'crier:too-short-here',
    BREVO_LOGIN: 'a-password-without-user',
    MAILJET_LOGIN: ':a-password-without-user',
  }
  for (const [name, value] of Object.entries(wrong)) {
    assert.throws(
      () => readProviders((asked) => (asked === name ? value : undefined)),
      (error: Error) => error.message.startsWith(name) && !error.message.includes(value),
      name,
    )
  }
})
