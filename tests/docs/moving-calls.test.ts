/** The notes for who moves from Resend or Postmark are true: each row of their tables is tried. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'crier-server/lib/db/db.ts'
import { newBusiness } from '../support/businesses/business.ts'
import { newApiKey } from '../support/clients/api-keys.ts'
import { verifyStandard } from '../support/network/standard-webhooks.ts'
import { type WebhookReceiver, webhookReceiver } from '../support/network/webhook-receiver.ts'
import { type Service, startService } from '../support/processes/service.ts'
import { eventually } from '../support/time/eventually.ts'
import { textOf } from './fences.ts'

/** What the answers have of which a row is checked. */
interface Body {
  code: string
  field?: string
  message: string
  message_id: string
  status: string
  send_at: string
  kind: string
  channel: string
  tags: string[]
  metadata: object
  content: {
    from: string
    to: string[]
    cc: string[]
    subject: string
    html: string
    text: string
    reply_to: string | string[]
    headers: { name: string; value: string }[]
  }
  copies: { to: string }[]
  messages: { message_id: string }[]
  refused: number
  queued: number
  results: { error: { code: string; field?: string } }[]
  webhook_id: string
  signing_secret: string
}

interface Reply {
  status: number
  body: Body
}

let service: Service
let receiver: WebhookReceiver
let secret = ''
let live = ''
let trial = ''
before(async () => {
  service = await startService({ settings: { OUTBOUND_ALLOW: '127.0.0.0/8:*' } })
  const businessId = await newBusiness(service.db)
  live = (await newApiKey(service.db, { businessId })).secret
  trial = (await newApiKey(service.db, { businessId, isTest: true })).secret
  receiver = await webhookReceiver(() => secret)
})
after(async () => {
  receiver.close()
  await service.close()
})

async function call(method: string, path: string, body?: object, headers = {}): Promise<Reply> {
  const answer = await fetch(service.url + path, {
    method,
    headers: { authorization: `Bearer ${live}`, 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as Body }
}

const mail = { to: 'ana@example.com', subject: 'Your order', text: 'On its way.' }

async function sent(more: object = {}): Promise<Body> {
  const { status, body } = await call('POST', '/v1/emails', { ...mail, ...more })
  assert.equal(status, 202, JSON.stringify(body))
  const { body: message } = await call('GET', `/v1/emails/${body.message_id}?content=true`)
  return { ...message, copies: body.copies }
}

async function refused(more: object, field: string): Promise<void> {
  const { status, body } = await call('POST', '/v1/emails', { ...mail, ...more })
  assert.deepEqual([status, body.field], [400, field], JSON.stringify(body))
}

const soon = () => new Date(Date.now() + 3_600_000).toISOString()
const logo = { filename: 'l.png', content_type: 'image/png', content: 'aGk=', content_id: 'logo' }

async function batchOf(count: number): Promise<void> {
  const many = Array.from({ length: count }, (_, n) => ({ ...mail, to: [`p${n}@example.com`] }))
  const wrong = { ...mail, to: 'nobody' }
  const { body } = await call('POST', '/v1/emails/batch', { messages: [...many.slice(1), wrong] })
  assert.deepEqual([body.refused, body.queued], [1, count - 1])
  assert.equal(body.results.at(-1)?.error.code, 'invalid_request')
  const two = { ...mail, to: ['a@example.com', 'b@example.com'] }
  const { body: none } = await call('POST', '/v1/emails/batch', { messages: [two] })
  assert.equal(none.results[0]?.error.field, 'to')
}

async function copied(): Promise<void> {
  const to = ['Ana <ana@example.com>', 'ben@example.com']
  const { content, copies } = await sent({ to, cc: ['cy@example.com'], bcc: ['di@example.com'] })
  assert.deepEqual(content.to, ['"Ana" <ana@example.com>', 'ben@example.com'])
  assert.deepEqual(content.cc, ['cy@example.com'])
  assert.deepEqual(
    copies.map((copy) => copy.to),
    ['ben@example.com', 'cy@example.com', 'di@example.com'],
  )
  assert.doesNotMatch(JSON.stringify(content), /di@example/)
}

async function scheduled(): Promise<string> {
  const { body } = await call('POST', '/v1/emails', { ...mail, send_at: soon() })
  assert.equal(body.status, 'scheduled')
  return body.message_id
}

const labelled = async () => {
  const { tags, metadata, message_id } = await sent({ tags: ['receipt'], metadata: { order: '1' } })
  assert.deepEqual([tags, metadata], [['receipt'], { order: '1' }])
  const { body } = await call('GET', '/v1/messages?tag=receipt')
  assert.ok(body.messages.some((found) => found.message_id === message_id))
}

const attached = async () => {
  const { filename, content_type, content } = logo
  assert.equal(
    (await sent({ attachments: [{ filename, content_type, content }] })).channel,
    'email',
  )
  await refused({ attachments: [{ filename, content }] }, 'attachments[0].content_type')
  const path = { filename, content_type, path: 'https://shop.example/l.png' }
  await refused({ attachments: [path] }, 'attachments[0].content')
}

const shownInside = async () => {
  await sent({ html: '<img src="cid:logo" alt="">', attachments: [logo] })
  await refused({ html: '<img src="cid:other" alt="">', attachments: [logo] }, 'html')
}

const marketing = async () => {
  const { status, body } = await call('POST', '/v1/emails', { ...mail, kind: 'marketing' })
  assert.ok(status >= 400, JSON.stringify(body))
  assert.match(body.message, /consent|agree/i)
}

const pageExists = (words: string) => async () => {
  const page = await fetch(`${service.url}/docs/help/${words}`)
  assert.equal(page.status, 200, words)
}

/** By the left column of the notes; each checks what the right one says. */
const resend: Record<string, () => Promise<void>> = {
  '`POST /emails`': async () => void (await sent()),
  '`POST /emails/batch`, a list of 100': () => batchOf(500),
  '`from`, `to`, `subject`, `html`, `text`': async () => {
    const from = 'Shop <hello@shop.example>'
    const { content } = await sent({ from, to: ['ana@example.com'], html: '<p>On its way.</p>' })
    assert.deepEqual([content.from, content.subject], [from, mail.subject])
    assert.deepEqual([content.html, content.text], ['<p>On its way.</p>', mail.text])
  },
  '`cc`, `bcc`': async () => {
    await copied()
    await refused({ cc: 'cy@example.com' }, 'cc')
  },
  '`reply_to`': async () => {
    const reply_to = ['help@shop.example', 'ben@shop.example']
    assert.deepEqual((await sent({ reply_to })).content.reply_to, reply_to)
    const [only] = reply_to
    assert.deepEqual([(await sent({ reply_to: only })).content.reply_to].flat(), [only])
  },
  '`headers`': async () => {
    const headers = {
      'X-Entity-Ref-ID': '1',
      'In-Reply-To': '<a@shop.example>',
      References: '<a@shop.example>',
      'List-Unsubscribe': '<https://shop.example/u/1>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }
    const { content } = await sent({ headers })
    const names = content.headers.map(({ name }) => name)
    for (const name of Object.keys(headers)) assert.ok(names.includes(name), name)
  },
  '`scheduled_at`': async () => {
    await scheduled()
    await refused({ send_at: 'in 1 hour' }, 'send_at')
  },
  '`PATCH /emails/:id`': async () => {
    const send_at = soon()
    const { body } = await call('PATCH', `/v1/emails/${await scheduled()}`, { send_at })
    assert.equal(body.send_at, send_at)
  },
  '`POST /emails/:id/cancel`': async () => {
    const { body } = await call('POST', `/v1/messages/${await scheduled()}/cancel`, {})
    assert.equal(body.status, 'cancelled')
  },
  '`GET /emails/:id`': async () => assert.equal((await sent()).content.text, mail.text),
  '`tags: [{name, value}]`': labelled,
  '`attachments`: `filename`, `content`': attached,
  '`attachments[].content_id`': shownInside,
  '`react`': pageExists('react-email'),
  'header `Idempotency-Key`, 24 hours': async () => {
    const key = { 'idempotency-key': 'order-1' }
    const first = await call('POST', '/v1/emails', mail, key)
    const second = await call('POST', '/v1/emails', mail, key)
    assert.equal(second.body.message_id, first.body.message_id)
  },
  '`{ data, error }` of the library': async () => {
    const { CrierError, createClient } = await import('@crier-mail/sdk')
    const client = createClient({ url: service.url, apiKey: live })
    await assert.rejects(client.email.send({ ...mail, to: 'nobody' }), (error) => {
      assert.ok(error instanceof CrierError)
      assert.deepEqual([error.code, error.field], ['invalid_request', 'to'])
      return true
    })
  },
  'contacts, audiences, segments': pageExists('filters'),
  broadcasts: pageExists('first-campaign'),
}

const postmark: Record<string, () => Promise<void>> = {
  'header `X-Postmark-Server-Token`': async () => {
    const answer = await fetch(`${service.url}/v1/me`, {
      headers: { 'x-postmark-server-token': live },
    })
    assert.equal(answer.status, 401)
    assert.equal((await call('GET', '/v1/me')).status, 200)
  },
  '`POST /email`': async () => void (await sent()),
  '`POST /email/batch`': () => batchOf(2),
  '`POST /email/withTemplate`': async () => {
    const template = {
      name: 'Receipt',
      key: 'receipt',
      subject: 'Order',
      html: '<p>Order {{ order }}</p>',
    }
    const saved = await call('POST', '/v1/templates', template)
    assert.ok(saved.status < 300, JSON.stringify(saved.body))
    const { status, body } = await call('POST', '/v1/emails', {
      to: mail.to,
      template_key: 'receipt',
      variables: { order: '1017' },
    })
    assert.equal(status, 202, JSON.stringify(body))
    const { body: message } = await call('GET', `/v1/emails/${body.message_id}?content=true`)
    assert.match(message.content.text, /Order 1017/)
  },
  '`From`, `Subject`': async () => {
    const { content } = await sent({ from: 'hello@shop.example' })
    assert.deepEqual([content.from, content.subject], ['hello@shop.example', mail.subject])
  },
  '`To`, `Cc`, `Bcc` with commas': async () => {
    await copied()
    await refused({ to: 'ana@example.com, ben@example.com' }, 'to')
  },
  '`HtmlBody`, `TextBody`, `ReplyTo`': async () => {
    const { content } = await sent({ html: '<p>x</p>', text: 'x', reply_to: 'help@shop.example' })
    assert.deepEqual([content.html, content.text], ['<p>x</p>', 'x'])
    assert.deepEqual([content.reply_to].flat(), ['help@shop.example'])
  },
  '`Headers: [{Name, Value}]`': async () => {
    const { content } = await sent({ headers: { 'X-Order': '1' } })
    assert.deepEqual(content.headers, [{ name: 'X-Order', value: '1' }])
  },
  '`Tag`, `Metadata`': labelled,
  '`TrackOpens`, `TrackLinks`': async () => {
    await call('PATCH', '/v1/businesses/settings', { track_transactional: true })
    await sent({ track_opens: true, track_clicks: false })
  },
  '`MessageStream: "outbound"`': async () => assert.equal((await sent()).kind, 'transactional'),
  '`MessageStream: "broadcast"`': marketing,
  '`Attachments[].Name`, `.ContentType`': attached,
  '`Attachments[].ContentID` `cid:logo`': shownInside,
  '`MessageID`': async () => assert.match((await sent()).message_id, /^msg_/),
  '`GET /messages/outbound/:id/details`': async () =>
    assert.equal((await sent()).content.subject, mail.subject),
  '`ErrorCode` 406, inactive recipient': async () => {
    await call('POST', '/v1/contacts/suppress', { email: 'gone@example.com' })
    const { status, body } = await call('POST', '/v1/emails', { ...mail, to: 'gone@example.com' })
    assert.deepEqual([status, body.code], [409, 'conflict'], JSON.stringify(body))
  },
}

/** The rows under the heading whose table is about calls, or webhooks. */
function rowsOf(page: string, heading: RegExp): [left: string, right: string][] {
  const [, section = ''] = textOf(page).split(heading)
  const [table = ''] = section.split('\n## ')
  return [...table.matchAll(/^\| (.+?) +\| (.+?) +\|$/gm)]
    .map(([, left = '', right = '']): [string, string] => [left, right])
    .filter(([left]) => !/^-+$|^Resend$|^Postmark$/.test(left))
}

for (const [page, checks] of Object.entries({
  'docs/guides/move-from-resend.md': resend,
  'docs/guides/move-from-postmark.md': postmark,
})) {
  describe(page, () => {
    test('each row about calls is tried here', () => {
      const lefts = rowsOf(page, /^## .*Change the calls$/m).map(([left]) => left)
      assert.deepEqual(lefts, Object.keys(checks))
    })
    for (const [row, check] of Object.entries(checks)) {
      test(`what the notes say of ${row} is true`, check)
    }
    test('each event of the notes arrives at a webhook, signed for the libraries of Standard Webhooks too', async () => {
      const names = rowsOf(page, /^## .*Change the webhooks?$/m)
        .map(([, right]) => right.replaceAll('`', ''))
        // Nothing at the simulator fails for good without a bounce.
        .filter((name) => name !== 'message.failed')
      assert.ok(names.length >= 6)
      const asTrial = { authorization: `Bearer ${trial}` }
      const webhook = { url: receiver.url, events: names }
      const { body: made } = await call('POST', '/v1/webhooks', webhook, asTrial)
      secret = made.signing_secret
      receiver.received.length = 0
      for (const person of [
        'delivered',
        'deferred',
        'bounced',
        'complained',
        'opened',
        'clicked',
      ]) {
        const to = `${person}+${names.length}@simulator.crier.test`
        const html = '<a href="https://shop.example/1">Order</a>'
        const { status, body } = await call('POST', '/v1/emails', { ...mail, html, to }, asTrial)
        assert.equal(status, 202, JSON.stringify(body))
      }
      const email = `moved-${names.length}@example.com`
      const consent = (status: string) => ({
        email: { status, source: 'shop', text: 'News, please' },
      })
      for (const status of ['subscribed', 'unsubscribed']) {
        await call('PUT', '/v1/contacts', { email, consent: consent(status) }, asTrial)
      }
      const missing = () =>
        names.filter((name) => !receiver.received.some(({ event }) => event.type === name))
      assert.deepEqual(await eventually(missing, (left) => left.length === 0, 60_000), [])
      const [{ event, headers } = assert.fail()] = receiver.received
      assert.doesNotThrow(() => verifyStandard(secret, JSON.stringify(event), headers))
      await call('DELETE', `/v1/webhooks/${made.webhook_id}`, undefined, asTrial)
    })
  })
}

test('the event of a message that failed for good can be had, too', async () => {
  const webhook = { url: receiver.url, events: ['message.failed'] }
  const { status, body } = await call('POST', '/v1/webhooks', webhook)
  assert.equal(status, 201, JSON.stringify(body))
  const { n } = await service.db.one<{ n: number }>(sql`select count(*) as n from webhooks`)
  assert.ok(n > 0)
})
