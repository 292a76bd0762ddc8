/** What was approved stays as approved: whatever is changed afterwards reaches nobody. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  decide,
  preview,
  type SavedSequence,
  sequenceScene,
  shown,
  start,
  testSender,
  testTextSender,
} from '../../../tests/support/businesses/sequences.ts'
import { testVault } from '../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { setBusiness } from '../accounts/settings/settings.ts'
import { brandSet } from '../brand/brand.ts'
import { segmentSave } from '../contacts/segments/save.ts'
import { contactUpsert } from '../contacts/upsert.ts'
import { lazily } from '../lib/concurrency/lazily.ts'
import { sql } from '../lib/db/db.ts'
import type { Job } from '../lib/jobs/job.ts'
import { days } from '../lib/time/clock.ts'
import type { DomainSettings } from '../sender-domains/model/domain.ts'
import { createSenders } from '../sender-domains/senders/senders.ts'
import { createTemplates } from '../templates/compile.ts'
import { restyleJobs } from '../templates/restyle.ts'
import { templateSave } from '../templates/save.ts'
import { sequenceGet } from './get.ts'
import { sequencePause } from './pause.ts'
import { sequenceResume } from './resume.ts'
import { sequenceSave } from './save.ts'

let database: TestDatabase
const templates = createTemplates()
before(async () => {
  database = await testDatabase()
})
after(async () => {
  shown.sender = testSender
  shown.senders = undefined
  shown.textSender = testTextSender
  await templates.close()
  await database.drop()
})
const scene = () => sequenceScene({ db: database.db, templates })
const domainSettings: DomainSettings = {
  zone: undefined,
  bounceHost: 'bounces.operator.test',
  spf: 'include:spf.operator.test',
  trackingHost: 't.operator.test',
  ed25519: false,
  gate: 'off',
  mailFrom: 'crier@operator.test',
  ownReturnPath: false,
  providers: [],
}
const enter = { on: 'consent.given' }
const noSite = () => Promise.reject(new Error('no site is read'))
const setBrand = brandSet({
  templates,
  outbound: lazily(noSite),
  appUrl: 'https://app.example',
  baseUrl: 'https://mail.example',
  changed: () => undefined,
})

/** The versions of the templates of the mails to a person. */
async function versionsFor({ db, id }: Awaited<ReturnType<typeof scene>>, name: string) {
  const rows = await db.all<{ subject: string }>(sql`
    select v.source ->> 'subject' as subject from messages m
    join message_contents c on c.business_id = m.business_id and c.message_id = m.id
    join template_versions v on v.business_id = m.business_id and v.id = m.template_version_id
    where m.business_id = ${id} and m.recipient = ${`${name}@example.com`} order by m.id
  `)
  return rows.map(({ subject }) => subject)
}

test('a template that is saved later reaches nobody until the next start', async () => {
  const all = await scene()
  const { begin, template, agree, settle, caller, person } = all
  const mail = await template('Hello')
  const sequence_id = await begin({ enter, steps: [mail] })
  const { template_id } = mail.send
  await caller.get(templateSave({ templates }), {
    template_id,
    subject: 'Changed',
    html: '<p><a href="https://elsewhere.example">Changed</a></p>',
  })
  await agree('ana')
  await settle()
  assert.deepEqual(await versionsFor(all, 'ana'), ['Hello'])
  // What a new start shows is what it sends.
  const plan = await caller.get<{ mails: { subject: string }[]; plan_hash: string }>(preview, {
    sequence_id,
  })
  assert.deepEqual(
    plan.mails.map(({ subject }) => subject),
    ['Changed'],
  )
  await person.get(start, { sequence_id, plan_hash: plan.plan_hash })
  await agree('bo')
  await settle()
  assert.deepEqual(await versionsFor(all, 'bo'), ['Changed'])
})

test('links lead to the hosts that were approved, whatever the template says later', async () => {
  const { begin, agree, settle, caller, person, db, id } = await scene()
  const written = (host: string) => ({
    subject: 'Hello',
    html: `<p><a href="https://${host}/offer">Offer</a></p>`,
  })
  const { template_id } = await caller.get<{ template_id: string }>(templateSave({ templates }), {
    name: 'Offer',
    ...written('shop.example'),
  })
  const hostsFor = async (name: string) => {
    const rows = await db.all<{ html: string }>(sql`
      select v.compiled::text as html from messages m
      join template_versions v on v.business_id = m.business_id and v.id = m.template_version_id
      where m.business_id = ${id} and m.recipient = ${`${name}@example.com`}
    `)
    return rows
      .flatMap(({ html }) => [...html.matchAll(/https:\/\/([a-z.]+)\/offer/g)])
      .map(([, host]) => host)
  }
  const sequence_id = await begin({ enter, steps: [{ send: { template_id } }] })
  await caller.get(templateSave({ templates }), { template_id, ...written('phish.example') })
  await agree('ana')
  await settle()
  assert.deepEqual([...new Set(await hostsFor('ana'))], ['shop.example'])
  const { plan_hash } = await caller.get<{ plan_hash: string }>(preview, { sequence_id })
  await person.get(start, { sequence_id, plan_hash })
  await agree('bo')
  await settle()
  assert.deepEqual([...new Set(await hostsFor('bo'))], ['phish.example'])
})

test('a save of the sequence itself reaches nobody until it is started', async () => {
  const { begin, template, agree, settle, caller, names, pass } = await scene()
  const [first, other] = [await template('First'), await template('Other')]
  const sequence_id = await begin({ enter, steps: [first, { wait: '1 day' }, first] })
  await agree('ana')
  await settle()
  await caller.get(sequenceSave({ templates }), { sequence_id, steps: [other], exit: { tag: 'x' } })
  await caller.get(contactUpsert, { email: 'ana@example.com', tags: ['x'] })
  await pass(days(1))
  await agree('bo')
  await settle()
  assert.deepEqual([await names('ana'), await names('bo')], [['First', 'First'], ['First']])
})

test('a segment that is changed later lets in whom the approved one did', async () => {
  const { begin, template, agree, settle, caller, names, db, id } = await scene()
  const { segment_id } = await caller.get<{ segment_id: string }>(segmentSave, {
    name: 'VIP',
    filter: { tag: 'vip' },
  })
  await begin({
    enter: { on: 'segment.entered', segment_id },
    steps: [await template('Hello')],
  })
  await caller.get(segmentSave, { segment_id, filter: { tag: 'everybody' } })
  const { segment } = await db.one<{ segment: object }>(sql`
    select segment from sequence_versions where business_id = ${id}
  `)
  assert.deepEqual(segment, { tag: 'vip' })
  await agree('ana', { tags: ['everybody'] })
  await settle()
  assert.deepEqual(await names('ana'), [])
})

test('a brand that is changed later is in no mail until the next start', async () => {
  const { begin, agree, settle, caller, person, db, id, clock } = await scene()
  const { template_id } = await caller.get<{ template_id: string }>(templateSave({ templates }), {
    name: 'Blocks',
    subject: 'Hello',
    blocks: [{ type: 'button', text: 'Read', url: 'https://shop.example/' }],
  })
  const colourOf = async (name: string) => {
    const { html } = await db.one<{ html: string }>(sql`
      select v.compiled::text as html from messages m
      join template_versions v on v.business_id = m.business_id and v.id = m.template_version_id
      where m.business_id = ${id} and m.recipient = ${`${name}@example.com`}
    `)
    return html.match(/#b00020/gi) ? 'new' : 'as approved'
  }
  const sequence_id = await begin({ enter, steps: [{ send: { template_id } }] })
  await caller.get(setBrand, {
    colours: [{ name: 'accent', value: '#b00020' }],
  })
  const restyle = restyleJobs({ db, clock, templates })['template.restyle']
  const job = { payload: { business_id: id } } as Job
  await restyle?.run(job, new AbortController().signal)
  await agree('ana')
  await settle()
  assert.equal(await colourOf('ana'), 'as approved')
  const { plan_hash } = await caller.get<{ plan_hash: string }>(preview, { sequence_id })
  await person.get(start, { sequence_id, plan_hash })
  await agree('bo')
  await settle()
  assert.equal(await colourOf('bo'), 'new')
})

test('another sender pauses it before anybody is mailed, until a person starts it with that one', async () => {
  const { begin, template, agree, settle, caller, names, person, pass } = await scene()
  const sequence_id = await begin({
    enter,
    steps: [await template('Hello'), { wait: '1 day' }, await template('Later')],
  })
  await agree('ana')
  await settle()
  assert.deepEqual(await names('ana'), ['Hello'])
  shown.sender = { ...testSender, from: 'Prize draw <win@shop.example>' }
  await agree('bo')
  await pass(days(1))
  const state = () => caller.get<SavedSequence>(sequenceGet, { sequence_id })
  const { status, pause_reason } = await state()
  assert.deepEqual([status, pause_reason], ['paused', 'sender'])
  assert.deepEqual([await names('ana'), await names('bo')], [['Hello'], []])
  const refused = await person.refused(sequenceResume, { sequence_id })
  assert.deepEqual(
    [refused.details.data, refused.details.fix?.tool],
    [{ reason: 'sender_changed' }, 'sequence.preview'],
  )
  // The approved one again: a person starts it, and nobody was lost.
  shown.sender = testSender
  const { plan_hash } = await caller.get<{ plan_hash: string }>(preview, { sequence_id })
  await person.get(start, { sequence_id, plan_hash })
  await settle()
  assert.deepEqual([await names('ana'), await names('bo')], [['Hello', 'Later'], ['Hello']])
  assert.equal((await state()).status, 'running')
})

test('another sender of texts pauses it as well, and one without texts goes on', async () => {
  const { begin, template, textTemplate, agree, settle, caller, names, person } = await scene()
  const both = await begin({ enter, steps: [await textTemplate('Text'), await template('Hello')] })
  const mails = await begin({ enter, steps: [await template('Mail')] })
  const yes = { status: 'subscribed', source: 'shop' }
  const reachable = (phone: string) => ({ phone, consent: { email: yes, sms: yes } })
  await agree('ana', reachable('+4915112345601'))
  await settle()
  const phoneNumbers = async () =>
    (await caller.get<SavedSequence>(sequenceGet, { sequence_id: both })).people
  assert.equal((await phoneNumbers()).finished, 1)
  shown.textSender = { from: 'PRIZES', marketing: true }
  await agree('bo', reachable('+4915112345602'))
  await settle()
  const states = await Promise.all(
    [both, mails].map(async (sequence_id) => {
      const { status, pause_reason } = await caller.get<SavedSequence>(sequenceGet, { sequence_id })
      return [status, pause_reason]
    }),
  )
  assert.deepEqual(states, [
    ['paused', 'sender'],
    ['running', null],
  ])
  assert.deepEqual([(await names('ana')).sort(), await names('bo')], [['Hello', 'Mail'], ['Mail']])
  const refused = await person.refused(sequenceResume, { sequence_id: both })
  assert.deepEqual(refused.details.data, { reason: 'sender_changed' })
  const { plan_hash } = await caller.get<{ plan_hash: string }>(preview, { sequence_id: both })
  await person.get(start, { sequence_id: both, plan_hash })
  await settle()
  assert.deepEqual(await names('bo'), ['Mail', 'Hello'])
  assert.equal((await phoneNumbers()).finished, 2)
  shown.textSender = testTextSender
})

test('a sender counts from the moment it is set, not once a cache has let go of the last', async () => {
  const { begin, template, agree, settle, caller, names, person, id, clock, db } = await scene()
  // The process that runs the jobs has another cache than the one that answers calls.
  const [ofJobs, ofCalls] = [1, 2].map(() =>
    createSenders({ db, clock, vault: testVault, settings: domainSettings }),
  )
  const setSender = (value: string) =>
    setBusiness(db, id, { key: 'sender', value, now: clock.now() })
  const state = () => caller.get<SavedSequence>(sequenceGet, { sequence_id })
  shown.senders = ofCalls
  const sequence_id = await begin({ enter, steps: [await template('Hello')] })
  shown.senders = ofJobs
  await ofJobs?.senderOf(id)
  await setSender('Shop <hello@shop.example>')
  shown.senders = ofCalls
  const { plan_hash } = await caller.get<{ plan_hash: string }>(preview, { sequence_id })
  await person.get(start, { sequence_id, plan_hash })
  shown.senders = ofJobs
  await agree('ana')
  await settle()
  assert.deepEqual([(await state()).status, await names('ana')], ['running', ['Hello']])
  await setSender('Prize draw <win@shop.example>')
  await agree('bo')
  await settle()
  const { status, pause_reason } = await state()
  assert.deepEqual([status, pause_reason, await names('bo')], ['paused', 'sender', []])
})

test('beyond what apps may let in it pauses before anybody goes on, until a person resumes it', async () => {
  const { begin, template, agree, settle, person, names, db, id } = await scene()
  const sequence_id = await begin({ enter, steps: [await template('Hello')] })
  await db.run(sql`update sequence_wakes set is_over_bound = true where business_id = ${id}`)
  await agree('ana')
  await settle()
  assert.deepEqual(await names('ana'), [])
  const state = () =>
    person.get<{ status: string; pause_reason: string | null }>(sequenceGet, { sequence_id })
  const { status, pause_reason } = await state()
  assert.deepEqual([status, pause_reason], ['paused', 'approval'])
  await person.get(sequenceResume, { sequence_id })
  await settle()
  assert.deepEqual(await names('ana'), ['Hello'])
  assert.equal((await state()).status, 'running')
})

interface Bounded extends SavedSequence {
  people_per_day: number | null
}

type Scene = Awaited<ReturnType<typeof scene>>

/** As events by connected apps leave it where they let more people in than the limit has room for. */
const markOverBound = ({ db, id }: Scene) =>
  db.run(sql`update sequence_wakes set is_over_bound = true where business_id = ${id}`)

test('an app that paused it does not resume it beyond what apps may let in, and a person does', async () => {
  const all = await scene()
  const { begin, template, agree, settle, caller, person, names } = all
  const sequence_id = await begin({ enter, steps: [await template('Hello')] })
  await caller.get(sequencePause, { sequence_id })
  await agree('ana')
  await settle()
  await markOverBound(all)
  const refused = await caller.refused(sequenceResume, { sequence_id })
  assert.deepEqual([refused.code, refused.details.data], ['conflict', { reason: 'approval' }])
  await settle()
  assert.deepEqual(await names('ana'), [])
  const resumed = await person.get<SavedSequence>(sequenceResume, { sequence_id })
  assert.equal(resumed.status, 'running')
  await settle()
  assert.deepEqual(await names('ana'), ['Hello'])
})

test('an app resumes what it paused where apps let in no more than they may', async () => {
  const { begin, template, caller } = await scene()
  const sequence_id = await begin({ enter, steps: [await template('Hello')] })
  await caller.get(sequencePause, { sequence_id })
  const resumed = await caller.get<SavedSequence>(sequenceResume, { sequence_id })
  assert.equal(resumed.status, 'running')
})

test('a person who approves a new version says yes to those whom apps let in', async () => {
  const all = await scene()
  const { begin, template, agree, settle, caller, person, names } = all
  const sequence_id = await begin({ enter, steps: [await template('Hello')] })
  await markOverBound(all)
  await agree('ana')
  await settle()
  const state = () => person.get<SavedSequence>(sequenceGet, { sequence_id })
  assert.equal((await state()).pause_reason, 'approval')
  // An app starts it within the limit: nobody has said yes.
  await caller.get(start, { sequence_id, plan_hash: await planHash() })
  await settle()
  assert.deepEqual([(await state()).pause_reason, await names('ana')], ['approval', []])
  await caller.get(start, { sequence_id })
  const approval = { sequence_id, decision: 'approve', plan_hash: await planHash() }
  await person.get(decide, approval)
  await settle()
  assert.deepEqual([(await state()).status, await names('ana')], ['running', ['Hello']])

  async function planHash() {
    return (await person.get<{ plan_hash: string }>(preview, { sequence_id })).plan_hash
  }
})

test('the approved number a day stays where apps let too many in, and ends where it was too small', async () => {
  const all = await scene()
  const { template, agree, settle, caller, person } = all
  const { sequence_id } = await caller.get<SavedSequence>(sequenceSave({ templates }), {
    name: 'Few',
    enter,
    steps: [await template('Hello')],
  })
  await caller.get(start, { sequence_id })
  const { plan_hash } = await person.get<{ plan_hash: string }>(preview, { sequence_id })
  const approval = { sequence_id, decision: 'approve', plan_hash, people_per_day: 2 }
  await person.get(decide, approval)
  const resumed = async () => {
    const { pause_reason } = await person.get<SavedSequence>(sequenceGet, { sequence_id })
    const { status, people_per_day } = await person.get<Bounded>(sequenceResume, { sequence_id })
    await settle()
    return [pause_reason, status, people_per_day]
  }
  await markOverBound(all)
  await agree('ana')
  await settle()
  assert.deepEqual(await resumed(), ['approval', 'running', 2])
  // More enter than the number, and apps let too many in besides: a person's yes ends both.
  await agree('bo')
  await agree('cy')
  await settle()
  await markOverBound(all)
  assert.deepEqual(await resumed(), ['approval', 'running', null])
})
