/**
 * Test mode sends by the code that live mode sends by: of what the sending modules run when a live key
 * sends over a relay, at least 0.95 runs when a test key does the same.
 */
import assert from 'node:assert/strict'
import { Session } from 'node:inspector/promises'
import { after, before, test } from 'node:test'
import { setBusiness } from 'crier-server/accounts/settings/settings.ts'
import { newApiKey } from '../support/clients/api-keys.ts'
import { type RestCaller, restCaller } from '../support/clients/rest-caller.ts'
import { type FakeRelay, reply, startFakeRelay } from '../support/mail/fake-relay.ts'
import { eventually } from '../support/time/eventually.ts'
import { catalog, type OwnTestbed, openTestbed } from './support/testbed.ts'

const leastShare = 0.95
const sendingModules = /\/server\/src\/(messages|campaigns\/sending|tracking)\//

let relay: FakeRelay
let testbed: OwnTestbed
let live: RestCaller
let trial: RestCaller
before(async () => {
  relay = await startFakeRelay({
    onRcptTo({ address }, _session, done) {
      if (address.startsWith('bounced')) return done(reply('550 5.1.1 No such user'))
      if (address.startsWith('deferred')) return done(reply('451 4.7.1 Try again later'))
      return done()
    },
  })
  const settings = {
    SMTP_URL: relay.url(),
    SENDER_GATE: 'off',
    MAIL_FROM: 'Shop <hello@shop.example>',
    CANARY_SECONDS: '0',
  }
  testbed = await openTestbed({ settings })
  const businessId = await testbed.newBusiness()
  const address = { key: 'postal_address', value: '1 Example Street', now: new Date() }
  await setBusiness(testbed.db, businessId, address)
  const keyCaller = async (isTest: boolean) => {
    const { secret } = await newApiKey(testbed.db, { businessId, isTest })
    return restCaller(testbed.service.config.gatewayUrl, catalog, async () => secret)
  }
  ;[live, trial] = await Promise.all([keyCaller(false), keyCaller(true)])
  await live.get('template.save', {
    key: 'receipt',
    name: 'Receipt',
    subject: 'Receipt {{ number }}',
    html: '<p>Hello {{ contact.name }}, <a href="https://shop.example/1">order {{ number }}</a></p>',
  })
})
after(async () => {
  await testbed.close()
  await relay.stop()
})

interface Shown {
  status: string
}

const ended = ['accepted', 'delivered', 'bounced', 'deferred', 'cancelled', 'complained']

/** What a program does with email, texts and a campaign; the names of people differ by run. */
async function sendAll(caller: RestCaller, { run, host }: { run: string; host: string }) {
  const at = (name: string) => `${name}+${run}@${host}`
  const ids: string[] = []
  const send = async (name: string, input: object) => {
    const { message_id } = await caller.get<{ message_id: string }>(name, input)
    ids.push(message_id)
    return message_id
  }
  const contacts = await Promise.all(
    ['delivered', 'bounced', 'deferred', 'other'].map((name) =>
      caller.get<{ contact_id: string }>('contact.upsert', {
        email: name === 'other' ? at('delivered').replace('+', '+other-') : at(name),
        name: 'Ana Brix',
        tags: [run],
        consent: { email: { status: 'subscribed', source: 'page' } },
      }),
    ),
  )
  for (const { contact_id } of contacts) {
    const filled = { contact_id, template_key: 'receipt', variables: { number: '7' } }
    await send('email.send', filled)
  }
  const words = { subject: 'Your order', html: '<p>Thank you.</p>', text: 'Thank you.' }
  const invoice = { filename: 'invoice.txt', content: 'aGVsbG8=', content_type: 'text/plain' }
  const order = {
    to: at('delivered'),
    ...words,
    cc: [at('delivered').replace('+', '+copy-')],
    reply_to: 'help@shop.example',
    headers: { 'X-Order': '7', 'List-Unsubscribe': '<https://shop.example/leave>' },
    attachments: [invoice],
    tags: ['order'],
    metadata: { order: run },
  }
  await send('email.send', order)
  await send('email.send', { ...order, idempotency_key: run })
  await send('email.send', { ...order, idempotency_key: run })
  const send_at = new Date(Date.now() + 3_600_000).toISOString()
  const message_id = await send('email.send', { to: at('delivered'), ...words, send_at })
  await caller.get('message.reschedule', { message_id, send_at })
  await caller.get('message.cancel', { message_id })
  const { results } = await caller.get<{ results: { message_id?: string }[] }>('email.send_batch', {
    messages: [1, 2, 3].map((n) => ({ to: at('delivered'), ...words, subject: `Batch ${n}` })),
  })
  for (const result of results) if (result.message_id) ids.push(result.message_id)
  const text = { to: `+999 000 1 ${run.length}`, text: 'Your table is ready.' }
  await send('sms.send', text)
  await caller.get('sms.send_batch', { messages: [{ ...text, text: 'Another.' }] })
  // A bounce may suppress its address, which the plan of a campaign counts.
  for (const message_id of new Set(ids)) {
    const { status } = await eventually(
      () => caller.get<Shown>('message.get', { message_id }),
      (shown) => ended.includes(shown.status),
    )
    assert.ok(ended.includes(status), `${message_id}: ${status}`)
  }
  const { campaign_id } = await caller.get<{ campaign_id: string }>('campaign.generate', {
    channel: 'email',
    content: {
      subject: 'News, {{ contact.name }}',
      html: '<p><a href="https://shop.example/news">News</a></p>',
    },
    audience: { tags: [run] },
  })
  const { plan_hash } = await caller.get<{ plan_hash: string }>('campaign.preview', { campaign_id })
  await caller.get('campaign.deploy', { campaign_id, plan_hash })
  type Campaign = { status: string; counts: { sent?: number } }
  // A person whom the provider asks to wait for keeps a campaign open.
  const { counts } = await eventually(
    () => caller.get<Campaign>('campaign.get', { campaign_id }),
    ({ counts }) => (counts.sent ?? 0) >= 2,
  )
  assert.ok((counts.sent ?? 0) >= 2)
  await caller.get('message.list', { tag: 'order', limit: 5 })
}

type Executed = Map<string, Uint8Array>

/** The places of each module that ran since the last call, without what runs when it is loaded. */
async function executedSince(session: Session): Promise<Executed> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const executed: Executed = new Map()
  for (const { url, functions } of result) {
    if (!sendingModules.test(url)) continue
    const length = Math.max(...functions.flatMap(({ ranges }) => ranges.map((r) => r.endOffset)))
    const places = new Uint8Array(length)
    for (const { functionName, ranges } of functions) {
      const isModule = functionName === '' && ranges[0]?.startOffset === 0
      if (isModule) continue
      for (const { startOffset, endOffset, count } of ranges) {
        places.fill(count > 0 ? 1 : 0, startOffset, endOffset)
      }
    }
    executed.set(url, places)
  }
  return executed
}

test('of the code that sends for a live key, at least 0.95 sends for a test key', async (t) => {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  try {
    const inLive = { caller: live, host: 'people.example' }
    const inTrial = { caller: trial, host: 'simulator.crier.test' }
    // First what is loaded or read once.
    await sendAll(inLive.caller, { run: 'first-live', host: inLive.host })
    await sendAll(inTrial.caller, { run: 'first-trial', host: inTrial.host })
    const accepted = relay.taken.length
    await executedSince(session)
    await sendAll(inLive.caller, { run: 'live', host: inLive.host })
    const ofLive = await executedSince(session)
    assert.ok(relay.taken.length > accepted)
    const beforeTrial = relay.taken.length
    await sendAll(inTrial.caller, { run: 'trial', host: inTrial.host })
    const ofTrial = await executedSince(session)
    assert.equal(relay.taken.length, beforeTrial, 'nothing of test mode reaches the relay')

    let [all, shared] = [0, 0]
    const lacking: [string, number][] = []
    for (const [url, places] of ofLive) {
      const others = ofTrial.get(url)
      const own = places.reduce((sum, ran) => sum + ran, 0)
      const both = places.reduce((sum, ran, i) => sum + (ran && others?.[i] ? 1 : 0), 0)
      all += own
      shared += both
      if (own > both) lacking.push([url.slice(url.indexOf('/src/') + 5), own - both])
    }
    const most = lacking.toSorted(([, a], [, b]) => b - a).slice(0, 12)
    t.diagnostic(`${shared} of ${all} characters: ${(shared / all).toFixed(3)}`)
    t.diagnostic(most.map(([file, n]) => `${file} ${n}`).join(', '))
    assert.ok(all > 30_000, `${all} characters`)
    assert.ok(shared / all >= leastShare, `${shared / all}: ${most.join(' ')}`)
  } finally {
    session.disconnect()
  }
})
