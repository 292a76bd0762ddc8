/** The grammar of sequences: what is accepted, and what each refusal says. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitsWhere } from '../contacts/own-events/property-rules.ts'
import { isRefusal, type Refusal } from '../core/errors.ts'
import { newPublicId } from '../core/ids.ts'
import { readDefinition } from './definition.ts'
import { sequenceLimits } from './limits.ts'
import { instructionsOf, waitUntil, withinHours } from './program.ts'
import { countsSince, resolveSince } from './since.ts'

const send = { send: { template_id: newPublicId('template') } }
const enter = { on: 'consent.given' }

function faultOf(written: object): string | undefined {
  try {
    readDefinition({ enter, steps: [send], ...written })
  } catch (error) {
    assert.ok(isRefusal(error), String(error))
    const { details, message } = error as Refusal
    assert.ok(details.field !== undefined && message.startsWith(details.field), message)
    return details.field
  }
  return undefined
}

test('a sequence is read as it was written, or refused at the field that is wrong', () => {
  const times = (count: number, step: object) => Array.from({ length: count }, () => step)
  const elevenOwners = Array.from({ length: sequenceLimits.members + 1 }, () => 'owner')
  const longNote = 'a'.repeat(sequenceLimits.noteLength + 1)
  const split = (...steps: object[]) => ({ split: [{ steps }] })
  const fine: object[] = [
    { enter: { on: 'form.submitted', form_id: newPublicId('form'), again: 'after 90 days' } },
    { enter: { on: 'own_event', event: 'cart', where: { 'properties.total': { gt: 50 } } } },
    { enter: { ...enter, filter: { tag: 'vip' }, imports: true } },
    { enter: { on: 'segment.entered', segment_id: newPublicId('segment'), imports: true } },
    {
      enter: {
        on: 'date',
        field: 'attributes.trial_ends',
        offset: '-52 weeks',
        at: '18:30',
        yearly: true,
        leap_day: 'mar_1',
      },
    },
    { exit: { did: 'order', since: 'entry' }, goal: { did: 'order', since: 'step' } },
    {
      exit: { did: 'order', since: 'entry', where: { 'properties.cart_id': { entry: 'cart_id' } } },
    },
    { holdout: 50, hours: { days: ['mon'], from: '09:00', to: '19:00', clock: 'recipient' } },
    { steps: [send, { wait_for: { clicked: true, of_step: 1, up_to: '2 days' } }] },
    {
      steps: [
        {
          wait_for: { event: 'paid', where: { 'properties.id': { entry: 'id' } }, up_to: '1 day' },
        },
        send,
      ],
    },
    { steps: [split(split(send))] },
    { steps: [{ send: { content: { subject: 'A', html: '<p>A</p>' } } }] },
    {
      steps: [{ send: { content: { subject: 'A', html: '<p>A</p>', translations: { de: {} } } } }],
    },
    { wait_at_most: '3 days' },
    { steps: [{ ...send, channel: 'sms' }] },
    { steps: [{ notify: { members: ['owner', newPublicId('user')], note: 'Call them' } }] },
    { steps: [{ notify: { webhook_id: newPublicId('webhook') } }] },
    { steps: [{ notify: { members: elevenOwners.slice(1) } }] },
    { steps: [{ unsubscribe: {} }] },
    { steps: [{ unsubscribe: { channel: 'sms', topic: 'news' } }] },
    { steps: times(sequenceLimits.steps, send) },
    { steps: [{ wait: '366 days' }, send] },
    { steps: [{ set: { name: null, 'attributes.level': 3 } }] },
  ]
  for (const written of fine) assert.equal(faultOf(written), undefined, JSON.stringify(written))
  const wrong: [string, object][] = [
    ['kind', { kind: 'news' }],
    ['wait_at_most', { wait_at_most: 'a while' }],
    ['steps[0].send', { steps: [{ send: { ...send.send, content: { subject: 'A' } } }] }],
    ['steps[0].send.content.title', { steps: [{ send: { content: { title: 'A' } } }] }],
    [
      'steps[0].send.content.translations',
      { steps: [{ send: { content: { translations: [] } } }] },
    ],
    ['steps[0].send.content.html', { steps: [{ send: { content: { html: 1 } } }] }],
    ['steps[0].send.content.blocks', { steps: [{ send: { content: { blocks: {} } } }] }],
    ['enter.on', { enter: { on: 'birthday' } }],
    ['enter.segment_id', { enter: { on: 'segment.entered' } }],
    ['enter.segment_id', { enter: { on: 'segment.entered', segment_id: 'big' } }],
    ['enter.field', { enter: { on: 'date' } }],
    ['enter.field', { enter: { on: 'date', field: 'email' } }],
    ['enter.offset', { enter: { on: 'date', field: 'birthday', offset: '3 months' } }],
    ['enter.offset', { enter: { on: 'date', field: 'birthday', offset: '367 days' } }],
    ['enter.yearly', { enter: { on: 'date', field: 'birthday', yearly: false } }],
    ['enter.at', { enter: { on: 'date', field: 'birthday', at: '9' } }],
    ['enter.leap_day', { enter: { on: 'date', field: 'birthday', leap_day: 'mar_1' } }],
    ['enter.imports', { enter: { on: 'date', field: 'birthday', imports: true } }],
    ['enter.tag', { enter: { on: 'tag.added' } }],
    ['enter.event', { enter: { on: 'own_event', event: 'Cart!' } }],
    ['enter.form_id', { enter: { on: 'form.submitted', form_id: 'frm_1' } }],
    ['enter.tag', { enter: { ...enter, tag: 'vip' } }],
    ['enter.again', { enter: { ...enter, again: 'after a while' } }],
    ['enter.imports', { enter: { ...enter, imports: false } }],
    ['enter.where', { enter: { on: 'own_event', event: 'cart', where: { total: { gt: 1 } } } }],
    [
      'enter.where.properties.total',
      { enter: { on: 'own_event', event: 'cart', where: { 'properties.total': { entry: 'x' } } } },
    ],
    ['exit', { exit: { nobody: true } }],
    ['holdout', { holdout: 51 }],
    ['goal', { kind: 'transactional', goal: { tag: 'x' } }],
    [
      'exit.where.properties.cart',
      { exit: { did: 'order', where: { 'properties.cart': { entry: '' } } } },
    ],
    ['exit', { exit: { did: 'message.opened', where: { 'properties.a': { is: 1 } } } }],
    [
      'enter.filter.where.properties.cart',
      {
        enter: {
          ...enter,
          filter: { did: 'order', where: { 'properties.cart': { entry: 'id' } } },
        },
      },
    ],
    ['hours.to', { hours: { from: '19:00', to: '09:00' } }],
    ['hours.from', { hours: { from: '9:00', to: '19:00' } }],
    ['steps', { steps: [] }],
    ['steps', { steps: [{ wait: '1 day' }] }],
    ['steps[0]', { steps: [{ sends: 1 }] }],
    ['steps[0]', { steps: [{ ...send, wait: '1 day' }] }],
    ['steps[0].topics', { steps: [{ ...send, topics: 'news' }] }],
    ['steps[0].wait', { steps: [{ wait: '367 days' }, send] }],
    ['steps[0].wait_for', { steps: [{ wait_for: { opened: true, up_to: '1 day' } }, send] }],
    [
      'steps[1].wait_for.of_step',
      { steps: [send, { wait_for: { opened: true, of_step: 2, up_to: '1 day' } }] },
    ],
    ['steps[0].split[0].if', { steps: [{ split: [{ steps: [] }, { steps: [send] }] }] }],
    ['steps[0].split[0].steps[0].split[0].steps[0].split', { steps: [split(split(split(send)))] }],
    [`steps[${sequenceLimits.steps}]`, { steps: times(sequenceLimits.steps + 1, send) }],
    ['steps[0].channel', { steps: [{ ...send, channel: 'fax' }] }],
    [
      'steps[1].wait_for',
      { steps: [{ ...send, channel: 'sms' }, { wait_for: { clicked: true, up_to: '1 day' } }] },
    ],
    ['steps[0].notify', { steps: [{ notify: { note: 'Call' } }] }],
    ['steps[0].notify.members', { steps: [{ notify: { members: ['boss'] } }] }],
    ['steps[0].notify.members', { steps: [{ notify: { members: elevenOwners } }] }],
    ['steps[0].notify.webhook_id', { steps: [{ notify: { webhook_id: 'x' } }] }],
    ['steps[0].notify.note', { steps: [{ notify: { members: ['owner'], note: longNote } }] }],
    ['steps[0].unsubscribe.channel', { steps: [{ unsubscribe: { channel: 'post' } }] }],
    ['steps[0].unsubscribe.topic', { steps: [{ unsubscribe: { topic: 'No Key' } }] }],
    ['steps[0].set.email', { steps: [{ set: { email: 'a@example.com' } }] }],
  ]
  for (const [field, written] of wrong) {
    assert.ok(faultOf(written)?.startsWith(field), `${field}: ${faultOf(written)}`)
  }
})

test('branches join again, and an empty branch leads past the split', () => {
  const steps = [
    { split: [{ if: { tag: 'a' }, steps: [send, { tag: 'x' }] }, { steps: [] }] },
    { tag: 'end' },
  ]
  const laidOut = instructionsOf(steps)
  assert.deepEqual(
    laidOut.map(({ n, next, branches }) => [n, next, branches]),
    [
      [1, 4, [2, 4]],
      [2, 3, []],
      [3, 4, []],
      [4, 0, []],
    ],
  )
})

test('waits keep the time of day where the clocks change, and end at the hour that was asked for', () => {
  const at = (text: string) => new Date(text)
  const zone = 'Europe/Berlin'
  // Clocks go forward on 29 March 2026, and back on 25 October.
  const spring = waitUntil({ wait: '1 day' }, at('2026-03-28T09:00:00Z'), zone)
  assert.equal(spring.toISOString(), '2026-03-29T08:00:00.000Z')
  const autumn = waitUntil({ wait: '1 day' }, at('2026-10-24T08:00:00Z'), zone)
  assert.equal(autumn.toISOString(), '2026-10-25T09:00:00.000Z')
  const exact = waitUntil({ wait: '24 hours' }, at('2026-03-28T09:00:00Z'), zone)
  assert.equal(exact.toISOString(), '2026-03-29T09:00:00.000Z')
  const skipped = waitUntil({ wait: '1 day', until: '02:30' }, at('2026-03-28T00:00:00Z'), zone)
  assert.equal(skipped.toISOString(), '2026-03-29T01:30:00.000Z')
  const monday = waitUntil(
    { wait: '1 hour', until: '09:00', days: ['mon'] },
    at('2026-11-28T20:00:00Z'),
    zone,
  )
  assert.equal(monday.toISOString(), '2026-11-30T08:00:00.000Z')
  const hours = { days: ['mon', 'tue'], from: '09:00', to: '10:00' } as const
  const open = (text: string) => withinHours(hours, at(text), zone).toISOString()
  assert.equal(open('2026-11-30T08:59:00Z'), '2026-11-30T08:59:00.000Z')
  assert.equal(open('2026-11-30T09:00:00Z'), '2026-12-01T08:00:00.000Z')
  assert.equal(open('2026-12-01T09:00:00Z'), '2026-12-07T08:00:00.000Z')
})

test('conditions are compared with the entry, and count since it or since the step before', () => {
  const where = { 'properties.cart.id': { entry: 'cart.id' }, 'properties.total': { gt: 5 } }
  assert.ok(fitsWhere(where, { cart: { id: 7 }, total: 6 }, { cart: { id: 7 } }))
  assert.ok(!fitsWhere(where, { cart: { id: 8 }, total: 6 }, { cart: { id: 7 } }))
  assert.ok(!fitsWhere(where, { total: 6 }, {}))
  assert.ok(fitsWhere({ 'properties.plan': { contains: 'PRO' } }, { plan: 'the pro one' }))
  const filter = {
    and: [
      { did: 'order', since: 'entry' },
      { field: 'name', op: 'is', value: 'entry' },
    ],
  }
  assert.deepEqual(resolveSince(filter, { entry: '2026-01-01', step: '2026-01-02' }), {
    and: [
      { did: 'order', since: '2026-01-01' },
      { field: 'name', op: 'is', value: 'entry' },
    ],
  })
  const ofCart = (comparison: object) => ({
    did_not: 'order',
    where: { 'properties.cart_id': comparison, 'properties.total': { gt: 5 } },
  })
  const moment = { entry: '2026-01-01', step: '2026-01-02' }
  const resolved = (event: Record<string, unknown>) =>
    resolveSince(ofCart({ entry: 'cart_id' }), { ...moment, event })
  assert.deepEqual(resolved({ cart_id: 'c7' }), ofCart({ is: 'c7' }))
  // Nothing equals what the entering event lacks, or a list.
  assert.deepEqual(resolved({}), ofCart({ in: [] }))
  assert.deepEqual(resolved({ cart_id: [{ name: 'c7' }] }), ofCart({ in: [] }))
  assert.ok(countsSince(ofCart({ entry: 'cart_id' })) && !countsSince(ofCart({ is: 'c7' })))
})
