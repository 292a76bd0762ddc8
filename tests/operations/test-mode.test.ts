/** Test mode: a test key acts in a hidden twin of its business, and neither reaches the other. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConflictError, createClient } from '@crier-mail/sdk'
import { formatId, type Id, liveOf, twinOf } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { days, later } from 'crier-server/lib/time/clock.ts'
import { emptyTestMode } from 'crier-server/retention/test-data.ts'
import { newApiKey } from '../support/clients/api-keys.ts'
import { type RestCaller, restCaller } from '../support/clients/rest-caller.ts'
import { webhookReceiver } from '../support/network/webhook-receiver.ts'
import { eventually } from '../support/time/eventually.ts'
import { catalog, type OwnTestbed, openTestbed } from './support/testbed.ts'

let testbed: OwnTestbed
let businessId: Id<'business'>
let live: RestCaller
let trial: RestCaller
before(async () => {
  testbed = await openTestbed({ settings: { OUTBOUND_ALLOW: '127.0.0.0/8:*' } })
  businessId = await testbed.newBusiness('scale')
  ;[live, trial] = await Promise.all([keyCaller(false), keyCaller(true)])
})
after(() => testbed.close())

async function keyCaller(isTest: boolean): Promise<RestCaller> {
  const { secret } = await newApiKey(testbed.db, { businessId, isTest })
  return restCaller(testbed.service.config.gatewayUrl, catalog, async () => secret)
}

interface Sent {
  message_id: string
  status: string
  leaves_this_machine: boolean
}

const mail = { subject: 'Your receipt', html: '<p><a href="https://shop.example/1">Order</a></p>' }

const stateOf = (caller: RestCaller, message_id: string, wanted: string) =>
  eventually(
    () => caller.get<{ status: string }>('message.get', { message_id }),
    ({ status }) => status === wanted,
  )

test('a test key is made by the switch test, and is listed as one', async () => {
  const admin = await testbed.appCaller({ businesses: [businessId] })
  const made = await admin.get<{ key: string; test: boolean }>('key.create', {
    name: 'Suite',
    test: true,
    scopes: ['meta:read', 'messaging:send'],
  })
  assert.equal(made.test, true)
  const { keys } = await admin.get<{ keys: { name: string; test: boolean }[] }>('key.list')
  assert.deepEqual(
    keys.filter(({ test }) => test).map(({ name }) => name),
    ['Suite', 'A program'],
  )
})

test('what a test key writes is in test mode alone, under the id of the live business', async () => {
  const business_id = formatId('business', businessId)
  assert.equal(formatId('business', twinOf(businessId)), business_id)
  assert.equal(liveOf(twinOf(businessId)), businessId)
  await live.get('topic.save', { topic: 'news', name: 'News' })
  await live.get('template.save', {
    key: 'receipt',
    name: 'Receipt',
    subject: 'Hi',
    html: '<p>Hi</p>',
  })
  const before = await live.get<{ counters: object[] }>('meta.usage', {})
  const { contact_id } = await trial.get<{ contact_id: string }>('contact.upsert', {
    business_id,
    email: 'only-a-test@example.com',
    consent: { email: { status: 'subscribed', source: 'a test', topics: ['news'] } },
  })
  const sent = await trial.get<Sent>('email.send', {
    contact_id,
    template_key: 'receipt',
    variables: {},
  })
  assert.equal(sent.leaves_this_machine, false)
  await stateOf(trial, sent.message_id, 'delivered')
  const { businesses } = await trial.get<{ businesses: { business_id: string }[] }>('business.list')
  assert.deepEqual(
    businesses.map((business) => business.business_id),
    [business_id],
  )

  for (const [caller, count] of [
    [trial, 1],
    [live, 0],
  ] as const) {
    const contacts = await caller.get<{ contacts: object[] }>('contact.list', {})
    const messages = await caller.get<{ messages: object[] }>('message.list', {})
    const { events } = await caller.get<{ events: { type: string }[] }>('meta.changes', {})
    const ofPeople = events.filter(({ type }) => /^(contact|message)\./.test(type))
    assert.deepEqual(
      [contacts.contacts.length, messages.messages.length, ofPeople.length > 0],
      [count, count, count > 0],
    )
  }
  assert.equal((await live.call('contact.get', { contact_id })).status, 404)
  assert.equal((await live.call('message.get', { message_id: sent.message_id })).status, 404)
  const owner = await testbed.appCaller({ businesses: [businessId] })
  const now = await owner.get<{ counters: { metric: string; used: number }[] }>('meta.usage', {})
  const counted = (usage: { counters: object[] }) =>
    (usage.counters as { metric: string; used: number }[]).filter(({ metric }) =>
      ['contacts', 'emails'].includes(metric),
    )
  assert.deepEqual(counted(now), counted(before))
  const hidden = await owner.get<{ businesses: object[] }>('business.list')
  assert.equal(hidden.businesses.length, 1)

  const { contact_id: own } = await live.get<{ contact_id: string }>('contact.upsert', {
    email: 'alive@example.com',
  })
  assert.equal((await trial.call('contact.get', { contact_id: own })).status, 404)
})

test('an operation that is not part of test mode refuses a test key, whatever it is given', async () => {
  const parts = new Set<string>()
  for (const { name } of catalog) {
    const { status, body } = await trial.call(name, {})
    const isRefused = status === 403 && /not part of test mode/.test(String(body['message']))
    if (!isRefused) parts.add(name)
  }
  const changing = [...parts].filter((name) =>
    /^(template|topic|brand|business|domain)\.(save|set|add|remove)/.test(name),
  )
  assert.deepEqual(changing, [])
  for (const name of ['contact.import', 'export.create', 'campaign.test', 'sequence.start']) {
    assert.ok(!parts.has(name), name)
  }
  for (const name of [
    'email.send',
    'template.list',
    'webhook.save',
    'campaign.deploy',
    'form.submit',
  ])
    assert.ok(parts.has(name), name)
})

test('webhooks of test mode lead to this machine, and get what happens there alone', async () => {
  let secret = ''
  const receiver = await webhookReceiver(() => secret)
  after(() => receiver.close())
  const events = ['message.bounced', 'message.delivered']
  const refused = await trial.call('webhook.save', { url: 'https://shop.example/hook', events })
  assert.match(refused.text, /leads to this machine/)
  const saved = await trial.get<{ signing_secret: string }>('webhook.save', {
    url: receiver.url,
    events,
  })
  secret = saved.signing_secret
  await live.get('email.send', { to: 'delivered+live@simulator.crier.test', ...mail })
  await trial.get('email.send', { to: 'bounced+test@simulator.crier.test', ...mail })
  const { received } = receiver
  await eventually(
    async () => received.length,
    (n) => n > 0,
  )
  assert.deepEqual(
    received.map(({ event }) => [event.type, event.business_id]),
    [['message.bounced', formatId('business', businessId)]],
  )
})

test('a suite of ten cases from outside needs a test key and the SDK alone', async () => {
  const { secret } = await newApiKey(testbed.db, { businessId, isTest: true })
  const client = createClient({ url: testbed.service.config.gatewayUrl, apiKey: secret })
  const at = (name: string) => `${name}@simulator.crier.test`
  const began = performance.now()
  const outcomeOf = async (name: string, wanted: string) => {
    const { message_id } = await client.email.send({ to: at(name), ...mail })
    const { events } = await eventually(
      () => client.message.get({ message_id }),
      (message) => message.events.some(({ type }) => type === wanted),
    )
    return events.at(-1)?.type
  }
  // 1 to 6: what happens to mail.
  for (const name of ['delivered', 'bounced', 'deferred', 'complained', 'opened', 'clicked']) {
    assert.equal(await outcomeOf(`${name}+suite`, name), name)
  }
  // 7: an address on the suppression list.
  await assert.rejects(client.email.send({ to: at('suppressed'), ...mail }), ConflictError)
  // 8: mail to anybody waits in the inbox, with its links.
  const to = 'suite-ana@example.com'
  const [arrived] = await Promise.all([
    client.inbox.waitFor({ to, search: 'receipt' }),
    client.email.send({ to, ...mail }),
  ])
  assert.deepEqual([arrived.to, arrived.links], [to, ['https://shop.example/1']])
  const whole = await client.inbox.get({ mail_id: arrived.mail_id })
  assert.match(whole.header, /^Subject: Your receipt$/m)
  await assert.rejects(client.inbox.waitFor({ to: 'nobody@example.com', timeoutMs: 1 }))
  // 9: a person confirms by the link of the mail.
  const email = 'suite-ben@example.com'
  const consent = { email: { status: 'pending' as const, source: 'suite' } }
  const { contact_id } = await client.contact.upsert({ email, consent })
  const asked = await client.inbox.waitFor({ to: email })
  assert.match(asked.links.join(' '), /\/confirm\//)
  // 10: the events of all of this.
  const { events } = await client.meta.changes({ types: ['message.complained'] })
  assert.equal(events.length, 1)
  assert.ok(performance.now() - began < 30_000)
  assert.equal((await live.call('contact.get', { contact_id })).status, 404)
  assert.equal((await live.call('inbox.get', { mail_id: asked.mail_id })).status, 404)
  const { mails } = await live.get<{ mails: { to: string }[] }>('inbox.list', {})
  assert.deepEqual(
    mails.map((mail) => mail.to),
    [at('delivered+live')],
  )
})

test('a form is answered and a campaign is sent in test mode, and nothing of either is in the live business', async () => {
  // A key may not change settings; what a person sets reaches test mode.
  const owner = await testbed.appCaller({ businesses: [businessId] })
  await owner.get('business.save', { postal_address: '12 Example Road, 69001 Lyon, France' })
  const before = await live.get<{ counters: object[] }>('meta.usage', {})
  const { form_id } = await trial.get<{ form_id: string }>('form.save', {
    name: 'Tried form',
    status: 'published',
    fields: [
      { key: 'email', label: 'Email', type: 'email', required: true },
      { key: 'news', label: 'Send me the newsletter', type: 'consent' },
    ],
    tags: ['tried'],
    double_opt_in: false,
  })
  const people = ['delivered', 'bounced', 'clicked'].map(
    (name) => `${name}+form@simulator.crier.test`,
  )
  for (const email of people) {
    await trial.get('form.submit', { form_id, fields: { email, news: 'true' } })
  }
  const { submissions } = await trial.get<{ submissions: object[] }>('submission.list', { form_id })
  assert.equal(submissions.length, people.length)

  const { campaign_id } = await trial.get<{ campaign_id: string }>('campaign.generate', {
    channel: 'email',
    content: { subject: 'We open', html: '<p><a href="https://shop.example/open">Come</a></p>' },
    audience: { tags: ['tried'] },
  })
  const { plan_hash } = await trial.get<{ plan_hash: string }>('campaign.preview', { campaign_id })
  const deployed = await trial.get<{ status: string; leaves_this_machine: boolean }>(
    'campaign.deploy',
    { campaign_id, plan_hash },
  )
  assert.deepEqual([deployed.status, deployed.leaves_this_machine], ['deployed', false])
  type Seen = { status: string; counts: Record<string, number> }
  const { counts } = await eventually(
    async () => {
      await sleep(200)
      return trial.get<Seen>('campaign.get', { campaign_id })
    },
    ({ status, counts }) => status === 'completed' && counts['clicked'] === 1,
  )
  // A simulated bounce counts nowhere.
  assert.deepEqual(counts, { sent: 3, delivered: 2, opened: 1, clicked: 1 })
  const unseen = await trial.get<{ campaign_id: string }>('campaign.generate', {
    channel: 'email',
    content: { subject: 'Unseen', html: '<p>Come</p>' },
    audience: { tags: ['tried'] },
  })
  const order = { campaign_id: unseen.campaign_id }
  const { status } = await trial.get<{ status: string }>('campaign.deploy', order)
  assert.equal(status, 'deployed', 'nobody approves in test mode')

  for (const [name, field] of [
    ['campaign.list', 'campaigns'],
    ['form.list', 'forms'],
    ['contact.list', 'contacts'],
  ] as const) {
    const listed = await live.get<Record<string, object[]>>(name, {})
    assert.ok(!JSON.stringify(listed[field]).match(/We open|Tried form|\+form@/), name)
  }
  assert.equal((await live.call('campaign.get', { campaign_id })).status, 404)
  assert.equal((await live.call('form.get', { form_id })).status, 404)
  assert.equal((await live.call('form.submit', { form_id, fields: {} })).status, 404)
  const now = await live.get<{ counters: { metric: string; used: number }[] }>('meta.usage', {})
  const used = ({ counters }: { counters: object[] }) =>
    (counters as { metric: string; used: number }[]).filter(({ metric }) => metric !== 'calls')
  assert.deepEqual(used(now), used(before))
})

test('numbers under +999 000 are delivered to, fail, wait, answer and are refused, in both modes', async () => {
  for (const caller of [trial, live]) {
    const send = (to: string) => caller.call('sms.send', { to, text: 'Your table is ready.' })
    const eventsOf = async (to: string, wanted: string) => {
      const { body } = await send(to)
      const { message_id } = body as unknown as Sent
      const read = () => caller.get<{ events: { type: string }[] }>('message.get', { message_id })
      const { events } = await eventually(read, (message) =>
        message.events.some(({ type }) => type === wanted),
      )
      return events.at(-1)?.type
    }
    assert.equal(await eventsOf('+999 000 1', 'delivered'), 'delivered')
    assert.equal(await eventsOf('+999 000 2 77', 'bounced'), 'bounced')
    assert.equal(await eventsOf('+999 000 8', 'bounced'), 'bounced')
    assert.equal(await eventsOf('+999 000 3', 'deferred'), 'deferred')
    const { status, body } = await send('+999 000 5')
    assert.equal(status, 409)
    assert.match(String(body['message']), /suppress/)
    // Again: nothing that happened suppresses a number.
    assert.equal(await eventsOf('+999 000 2 77', 'bounced'), 'bounced')
    const { message_id } = (await send('+999 000 4 12')).body as unknown as Sent
    type Changes = { events: { data: { message_id: string; text: string } }[] }
    const { events } = await eventually(
      () => caller.get<Changes>('meta.changes', { types: ['message.replied'] }),
      ({ events }) => events.length > 0,
    )
    assert.deepEqual(
      events.map(({ data }) => [data.message_id, data.text]),
      [[message_id, 'When do you open tomorrow?']],
    )
  }
})

test('a simulated person answers mail at its reply address, which the inbox shows', async () => {
  const to = 'replied+order@simulator.crier.test'
  const { message_id } = await trial.get<Sent>('email.send', {
    to,
    ...mail,
    reply_to: 'help@shop.example',
  })
  await stateOf(trial, message_id, 'delivered')
  const { mails } = await trial.get<{ mails: { from: string; subject: string }[] }>('inbox.list', {
    to: 'help@shop.example',
  })
  assert.deepEqual(
    mails.map(({ from, subject }) => [from, subject]),
    [[to, 'Re: Your receipt']],
  )
})

test('test mode is emptied a week after it began, and the live business keeps everything', async () => {
  const { db } = testbed
  const rows = async (id: Id<'business'>) => {
    const { n } = await db.one<{ n: number }>(sql`
      select (select count(*) from contacts where business_id = ${id})
        + (select count(*) from messages where business_id = ${id})
        + (select count(*) from webhooks where business_id = ${id})
        + (select count(*) from campaigns where business_id = ${id})
        + (select count(*) from template_versions where business_id = ${id})
        + (select count(*) from forms where business_id = ${id})
        + (select count(*) from submissions where business_id = ${id}) as n
    `)
    return n
  }
  const kept = await rows(businessId)
  assert.ok(kept > 0 && (await rows(twinOf(businessId))) > 0)
  const emptyAt = (moment: Date) => emptyTestMode({ db, clock: { now: () => moment } })
  const { createdAt } = await db.one<{ createdAt: Date }>(sql`
    select created_at as "createdAt" from businesses where id = ${twinOf(businessId)}
  `)
  await emptyAt(later(createdAt, days(7)))
  assert.ok((await rows(twinOf(businessId))) > 0)
  // Twins that were made earlier had the limit of live businesses, above which a person approves.
  await db.run(sql`update businesses set deploy_limit = 1000 where id = ${twinOf(businessId)}`)
  await emptyAt(later(createdAt, days(7) + 1))
  const { limit } = await db.one<{ limit: number | null }>(sql`
    select deploy_limit as limit from businesses where id = ${twinOf(businessId)}
  `)
  assert.equal(limit, null)
  assert.deepEqual([await rows(businessId), await rows(twinOf(businessId))], [kept, 0])
  await trial.get('contact.upsert', { email: 'again@example.com' })
})
