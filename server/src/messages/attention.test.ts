/** Caps on marketing: of the business and of people, over whatever sends, with a clock that is moved. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sequenceScene } from '../../../tests/support/businesses/sequences.ts'
import { testVault } from '../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { setBusiness } from '../accounts/settings/settings.ts'
import { countAudience } from '../campaigns/audience/audience.ts'
import { contactTrack } from '../contacts/own-events/track.ts'
import { contactUpsert } from '../contacts/upsert.ts'
import { isRefusal } from '../core/errors.ts'
import { parseId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import { days, hours, later, minutes } from '../lib/time/clock.ts'
import { sequenceWhy } from '../sequences/why.ts'
import { createTemplates } from '../templates/compile.ts'
import { cappedUntil, readAttention, saveOwnAttention } from './attention.ts'
import { saveMessages } from './save.ts'
import type { MessageToSave } from './to-save.ts'

let database: TestDatabase
const templates = createTemplates()
before(async () => {
  database = await testDatabase()
})
after(async () => {
  await templates.close()
  await database.drop()
})

/** A business with these caps, and what programs send to its people. */
async function capped(attention: object | null) {
  const scene = await sequenceScene({ db: database.db, templates })
  const { db, id, clock } = scene
  if (attention) {
    const value = JSON.stringify(attention)
    await setBusiness(db, id, { key: 'attention', value, now: clock.now() })
  }
  const message = (contact: string, kind: MessageToSave['kind'] = 'marketing'): MessageToSave => ({
    businessId: id,
    channel: 'email',
    tier: 'scale',
    origin: { connectionId: null, callId: '' },
    hmac: testVault.hmac,
    kind,
    isApproved: true,
    contactId: parseId('contact', contact),
    to: undefined,
    template: undefined,
    content: {
      subject: 'News',
      html: null,
      text: 'News',
      variables: null,
      attachments: null,
      trackOpens: false,
      trackClicks: false,
    },
    units: 1,
    sendAt: undefined,
    allowDuplicate: true,
  })
  const send = async (contact: string, kind?: MessageToSave['kind']) => {
    const [outcome] = await db.tx((tx) =>
      saveMessages.save(tx, [message(contact, kind)], clock.now()),
    )
    assert.ok(outcome)
    return outcome
  }
  /** Until when the person gets no more; undefined where the message was taken. */
  const refusedUntil = async (contact: string) => {
    const outcome = await send(contact)
    if (!isRefusal(outcome)) return undefined
    return cappedUntil(outcome)
  }
  const reasonsOf = async (sequence_id: string, contact_id: string) => {
    const { entries } = await scene.caller.get<{
      entries: { steps: { reason: string | null }[] }[]
    }>(sequenceWhy, { sequence_id, contact_id })
    return entries[0]?.steps.map(({ reason }) => reason)
  }
  /** How a campaign to everybody would go, by reason. */
  const planned = async () => {
    const rows = await countAudience(db, {
      businessId: id,
      channel: 'email',
      topic: null,
      audience: {},
      range: { after: null, upTo: null },
      quota: null,
      now: clock.now(),
      zone: 'UTC',
    })
    return Object.fromEntries(rows.map(({ reason, count }) => [reason ?? 'gets it', count]))
  }
  return { ...scene, message, send, refusedUntil, reasonsOf, planned }
}

test('twenty senders at once never send one more than the cap, and a window moves on', async () => {
  const { agree, send, clock, db, message, planned } = await capped({ max: 3, per: '7 days' })
  const ana = await agree('ana')
  const start = clock.now()
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () =>
      db.tx((tx) => saveMessages.save(tx, [message(ana), message(ana)], start)),
    ),
  )
  const taken = outcomes.flat().filter((outcome) => !isRefusal(outcome))
  assert.equal(taken.length, 3)
  assert.deepEqual(await planned(), { capped: 1 })
  assert.ok(!isRefusal(await send(ana, 'transactional')), 'transactional mail is no marketing')
  clock.forward(days(7) - 1)
  const last = await send(ana)
  assert.ok(isRefusal(last))
  assert.deepEqual(cappedUntil(last), later(start, days(7)))
  clock.forward(1)
  assert.deepEqual(await planned(), { 'gets it': 1 })
  assert.ok(!isRefusal(await send(ana)))
})

test('a step waits for room as long as it may, then it is left out; what is of the moment does not', async () => {
  const scene = await capped({ max: 1, per: '7 days' })
  const { begin, template, agree, caller, settle, pass, send, reasonsOf, names } = scene
  const [one, two] = [await template('One'), await template('Two')]
  const tagged = (tag: string) => ({ enter: { on: 'tag.added', tag } })
  const patient = await begin({ ...tagged('a'), wait_at_most: '10 days', steps: [one] })
  const usual = await begin({ ...tagged('b'), steps: [two, { tag: 'done' }] })
  const enter = { on: 'own_event', event: 'cart' }
  const momentary = await begin({ enter, steps: [await template('Cart')] })
  const ana = await agree('ana')
  assert.ok(!isRefusal(await send(ana)))
  await caller.get(contactUpsert, { email: 'ana@example.com', tags: ['a', 'b'] })
  const contact = { email: 'ana@example.com' }
  await caller.get(contactTrack, { events: [{ contact, event: 'cart' }] })
  await settle()
  // The room comes after 7 days: within ten, beyond the usual three, and too late for a cart.
  assert.deepEqual(await reasonsOf(momentary, ana), ['capped'])
  assert.deepEqual(await reasonsOf(usual, ana), ['capped', null])
  assert.deepEqual(await reasonsOf(patient, ana), [])
  await pass(days(7) - minutes(1))
  assert.deepEqual(await names('ana'), [])
  await pass(minutes(1))
  assert.deepEqual(await names('ana'), ['One'])
})

test('a wait for room ends when it has lasted as long as it may, however often room is taken', async () => {
  const scene = await capped({ max: 1, per: '1 day' })
  const { begin, template, agree, caller, settle, send, reasonsOf, clock, db, id } = scene
  const steps = [await template('One')]
  const sequence_id = await begin({ enter: { on: 'tag.added', tag: 'a' }, steps })
  const ana = await agree('ana')
  await send(ana)
  await caller.get(contactUpsert, { email: 'ana@example.com', tags: ['a'] })
  await settle()
  for (let day = 1; day <= 4; day++) {
    clock.forward(days(1))
    // Somebody else is faster each time.
    await db.run(sql`
      update messages set queued_at = ${clock.now()} where business_id = ${id}
    `)
    await settle()
  }
  assert.deepEqual(await reasonsOf(sequence_id, ana), ['capped'])
})

test('what people choose for themselves wins, and a pause ends by itself', async () => {
  const { agree, refusedUntil, planned, clock, db, id } = await capped(null)
  const [ana, bo] = [await agree('ana'), await agree('bo')]
  const choose = async (contact: string, own: { max?: number; pausedUntil?: Date }) => {
    const contactId = parseId('contact', contact)
    assert.ok(contactId)
    const { max = null, pausedUntil = null } = own
    const perDays = max === null ? null : 7
    const choice = { max, perDays, pausedUntil, isDigestOnly: false }
    await saveOwnAttention(db, { businessId: id, contactId }, choice, clock.now())
  }
  const start = clock.now()
  await choose(ana, { max: 1 })
  await choose(bo, { pausedUntil: later(start, days(30)) })
  assert.equal(await refusedUntil(ana), undefined)
  assert.deepEqual(await refusedUntil(ana), later(start, days(7)))
  assert.deepEqual(await refusedUntil(bo), later(start, days(30)))
  assert.deepEqual(await planned(), { capped: 2 })
  clock.forward(days(30))
  assert.deepEqual(await planned(), { 'gets it': 2 })
  // The business's cap of two does not loosen the one of a person.
  const value = JSON.stringify({ max: 2, per: '7 days' })
  await setBusiness(db, id, { key: 'attention', value, now: clock.now() })
  assert.equal(await refusedUntil(ana), undefined)
  assert.notEqual(await refusedUntil(ana), undefined)
})

test('who wants the digest alone gets feeds and what is not marketing, and nothing waits for them', async () => {
  const { begin, template, agree, caller, send, settle, planned, reasonsOf, clock, db, id } =
    await capped(null)
  const steps = [await template('One'), { tag: 'through' }]
  const sequence_id = await begin({ enter: { on: 'tag.added', tag: 'a' }, steps })
  const ana = await agree('ana')
  const contactId = parseId('contact', ana)
  assert.ok(contactId)
  const choose = (isDigestOnly: boolean) => {
    const choice = { max: null, perDays: null, pausedUntil: null, isDigestOnly }
    return saveOwnAttention(db, { businessId: id, contactId }, choice, clock.now())
  }
  await choose(true)
  const refused = await send(ana)
  assert.ok(isRefusal(refused))
  assert.deepEqual(refused.details.data, { reason: 'capped' })
  assert.ok(!isRefusal(await send(ana, 'transactional')))
  assert.deepEqual(await planned(), { capped: 1 })
  const query = { businessId: id, source: 'feed', now: clock.now() } as const
  const ofFeeds = await db.tx((tx) => readAttention(tx, [contactId], query))
  assert.equal(ofFeeds.get(contactId)?.room, null)
  await caller.get(contactUpsert, { email: 'ana@example.com', tags: ['a'] })
  await settle()
  assert.deepEqual(await reasonsOf(sequence_id, ana), ['capped', null])
  await choose(false)
  assert.ok(!isRefusal(await send(ana)))
})

test('a step that is due within a day keeps its place before what comes after it by priority', async () => {
  const scene = await capped({ max: 1, per: '7 days' })
  const { begin, template, agree, caller, settle, refusedUntil, planned, clock, db, id } = scene
  const wait = { wait: '30 hours' }
  const enter = { on: 'tag.added', tag: 'a' }
  await begin({ enter, steps: [wait, await template('One')] })
  const ana = await agree('ana')
  await caller.get(contactUpsert, { email: 'ana@example.com', tags: ['a'] })
  await settle()
  assert.deepEqual(await planned(), { 'gets it': 1 }, 'it is due in more than a day')
  clock.forward(hours(7))
  assert.deepEqual(await planned(), { capped: 1 })
  assert.notEqual(await refusedUntil(ana), undefined)
  const value = JSON.stringify({ max: 1, per: '7 days', priority: ['campaign', 'sequence'] })
  await setBusiness(db, id, { key: 'attention', value, now: clock.now() })
  assert.deepEqual(await planned(), { 'gets it': 1 })
})

test('a gap only delays, and steps of one sequence keep to it', async () => {
  const { begin, template, agree, settle, clock, db, id, peopleOf } = await capped({
    max: 9,
    per: '7 days',
    gap: '1 hour',
  })
  const steps = [await template('One'), await template('Two')]
  const sequence_id = await begin({ enter: { on: 'tag.added', tag: 'a' }, steps })
  await agree('ana', { tags: ['a'] })
  await settle()
  const start = clock.now()
  const rows = await db.all<{ state: string; at: Date }>(sql`
    select state, due_at as at from messages where business_id = ${id} order by due_at
  `)
  assert.deepEqual(rows, [
    { state: 'queued', at: start },
    { state: 'scheduled', at: later(start, hours(1)) },
  ])
  assert.equal((await peopleOf(sequence_id)).finished, 1)
})

test('caps are read strictly, with the first fault named', async () => {
  const { db, id, clock } = await capped(null)
  const fieldOf = async (value: unknown) => {
    const setting = { key: 'attention', value: JSON.stringify(value), now: clock.now() }
    const outcome = await setBusiness(db, id, setting).catch((error: unknown) => error)
    return isRefusal(outcome) ? outcome.details.field : undefined
  }
  const cap = { max: 3, per: '7 days' }
  const cases: [unknown, string | undefined][] = [
    [cap, undefined],
    [{ max: 100, per: '90 days', gap: '24 hours' }, undefined],
    [{ ...cap, priority: ['campaign', 'sequence'] }, undefined],
    [{ ...cap, max: 0 }, 'attention.max'],
    [{ ...cap, max: 101 }, 'attention.max'],
    [{ ...cap, per: '91 days' }, 'attention.per'],
    [{ ...cap, per: '1 month' }, 'attention.per'],
    [{ ...cap, gap: '25 hours' }, 'attention.gap'],
    [{ ...cap, priority: ['campaign'] }, 'attention.priority'],
    [{ ...cap, most: 3 }, 'attention.most'],
  ]
  const typed = { key: 'attention', value: '3 a week', now: clock.now() }
  await assert.rejects(setBusiness(db, id, typed), isRefusal)
  for (const [value, field] of cases)
    assert.equal(await fieldOf(value), field, JSON.stringify(value))
})
