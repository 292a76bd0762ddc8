/** A stranger's way through a welcome series, from the form to the last mail at an SMTP server. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { updateSetting } from 'crier-server/accounts/businesses/queries.ts'
import { contactList } from 'crier-server/contacts/list.ts'
import { contactTrack } from 'crier-server/contacts/own-events/track.ts'
import { contactUpsert } from 'crier-server/contacts/upsert.ts'
import { days, later, minutes, seconds } from 'crier-server/lib/time/clock.ts'
import { sequenceGallery } from 'crier-server/sequences/gallery.ts'
import { sequenceGet } from 'crier-server/sequences/get.ts'
import { sequenceSave } from 'crier-server/sequences/save.ts'
import { sequenceWhy } from 'crier-server/sequences/why.ts'
import { createTemplates } from 'crier-server/templates/compile.ts'
import { preview, start } from '../support/businesses/sequences.ts'
import { callerIn } from '../support/clients/calls.ts'
import { type FakeRelay, startFakeRelay } from '../support/mail/fake-relay.ts'
import { type MailService, mailService } from '../support/mail/mail-service.ts'
import { eventually } from '../support/time/eventually.ts'
import { ShiftedClock } from '../support/time/shifted-clock.ts'

const clock = new ShiftedClock()
let relay: FakeRelay
let mail: MailService
before(async () => {
  relay = await startFakeRelay()
  mail = await mailService(relay.url(), { clock })
})
after(async () => {
  await mail?.close()
  await relay?.stop()
})

const stranger = 'ana@far.test'

/** The mails that the relay took, once there are so many; quoted-printable is undone. */
async function mailsAt(count: number): Promise<string[]> {
  await eventually(
    async () => relay.taken.length,
    (n) => n >= count,
  )
  return relay.taken.map(({ to, source }) => {
    assert.equal(to, stranger)
    return source
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  })
}

/** A page's form by its first button, as a browser without script sends it. */
const press = (url: string, fields: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields) })

test('a stranger signs up, confirms, gets both mails of a welcome series at their time, and leaves', async () => {
  const { owner, testbed, businessId } = mail
  await updateSetting(testbed.db, businessId, {
    column: 'postal_address',
    value: '1 Example Street',
    now: clock.now(),
  })
  const { form_id } = await owner.get<{ form_id: string }>('form.save', {
    name: 'Join',
    status: 'published',
    fields: [
      { key: 'email', label: 'Email', type: 'email', required: true },
      { key: 'news', label: 'Send me news by email.', type: 'consent' },
    ],
  })
  const { url } = await owner.get<{ url: string }>('form.get', { form_id })
  const template = async (name: string) => {
    const html = `<p>${name}, {{ contact.email }}</p>`
    const saved = await owner.get<{ template_id: string }>('template.save', {
      name,
      subject: name,
      html,
    })
    return { send: { template_id: saved.template_id } }
  }
  const [first, second, third] = [
    await template('First mail'),
    await template('Second mail'),
    await template('Third mail'),
  ]
  const { sequence_id } = await owner.get<{ sequence_id: string }>('sequence.save', {
    name: 'Welcome',
    enter: { on: 'consent.given' },
    steps: [first, { wait: '3 days' }, second, { wait: '3 days' }, third],
  })
  const { plan_hash } = await owner.get<{ plan_hash: string }>('sequence.preview', { sequence_id })
  const { status } = await owner.get<{ status: string }>('sequence.start', {
    sequence_id,
    plan_hash,
  })
  assert.equal(status, 'running')
  const page = await (await fetch(url)).text()
  clock.forward(seconds(3))
  const hidden = Object.fromEntries(
    [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  )
  const sent = await press(url, { ...hidden, email: stranger, news: 'yes' })
  assert.equal(sent.status, 200, await sent.text())
  const [confirmation = ''] = await mailsAt(1)
  const link = /https?:\/\/\S+\/confirm\/[^\s"<]+/.exec(confirmation)?.[0] ?? ''
  assert.equal((await press(link)).status, 200)
  const [, welcome = ''] = await mailsAt(2)
  assert.match(welcome, /Subject: First mail[\s\S]+First mail, ana@far\.test/)
  clock.forward(days(3) + minutes(1))
  const [, , farewell = ''] = await mailsAt(3)
  assert.match(farewell, /Subject: Second mail/)
  const leave =
    /List-Unsubscribe:[^<]*<(https?:[^>]+)>/.exec(farewell.replace(/\r\n\s/g, ''))?.[1] ?? ''
  const left = await press(leave, { 'List-Unsubscribe': 'One-Click' })
  assert.equal(left.status, 200)
  // A token of the owner has expired meanwhile.
  const later = callerIn({ db: testbed.db, clock }, businessId)
  const { contacts } = await later.get<{ contacts: { contact_id: string }[] }>(contactList)
  const contact_id = contacts[0]?.contact_id ?? ''
  const why = () =>
    later.get<{ entries: { state: string; reason: string | null; steps: object[] }[] }>(
      sequenceWhy,
      { sequence_id, contact_id },
    )
  const { entries } = await eventually(why, ({ entries: [entry] }) => entry?.state === 'left')
  assert.deepEqual(
    entries.map(({ state, reason, steps }) => [state, reason, steps.length]),
    [['left', 'unsubscribed', 4]],
  )
  clock.forward(days(4))
  const { people } = await later.get<{ people: { inside: number } }>(sequenceGet, { sequence_id })
  assert.deepEqual([people.inside, relay.taken.length], [0, 3])
})

test('of two carts that a shop reports, the one that was not bought is reminded of with its products', async (t) => {
  const { testbed, businessId } = mail
  const templates = createTemplates()
  t.after(() => templates.close())
  // A token of the owner has expired meanwhile.
  const owner = callerIn({ db: testbed.db, clock }, businessId)
  const { sequences } = await owner.get<{ sequences: Record<string, unknown>[] }>(sequenceGallery, {
    key: 'cart',
    language: 'en',
  })
  const { name, enter, exit, steps } = sequences[0] ?? {}
  const { sequence_id } = await owner.get<{ sequence_id: string }>(sequenceSave({ templates }), {
    name,
    enter,
    exit,
    steps,
  })
  const { plan_hash } = await owner.get<{ plan_hash: string }>(preview, { sequence_id })
  await owner.get(start, { sequence_id, plan_hash })
  const track = (email: string, event: string, properties: object = {}) =>
    owner.get(contactTrack, { events: [{ contact: { email }, event, properties }] })
  const items = ['Mug', 'Plate', 'Bowl & lid'].map((item, n) => ({
    name: item,
    quantity: n + 1,
    price: `${n + 5}.00 EUR`,
  }))
  const cart = { items, url: 'https://shop.example/cart/77' }
  const consent = { email: { status: 'subscribed', source: 'shop' } }
  for (const who of ['cy', 'bo', 'empty']) {
    await owner.get(contactUpsert, { email: `${who}@far.test`, consent })
  }
  // Orders before the cart end nothing.
  const old = ['A-1', 'A-2', 'A-3'].map((order, n) => ({
    contact: { email: 'cy@far.test' },
    event: 'order_placed',
    id: order,
    ...(n < 2 && { at: later(clock.now(), -days(10 * (n + 1))).toISOString() }),
  }))
  await owner.get(contactTrack, { events: old })
  await track('cy@far.test', 'cart_updated', { ...cart, items: items.slice(0, 1) })
  await track('cy@far.test', 'cart_updated', cart)
  await track('bo@far.test', 'cart_updated', cart)
  await track('empty@far.test', 'cart_updated', { items: [], url: cart.url })
  await track('bo@far.test', 'order_placed')
  interface People {
    entered: number
    inside: number
    at_step: { step: number; count: number }[]
    left: { reason: string }[]
  }
  const people = async () =>
    (await owner.get<{ people: People }>(sequenceGet, { sequence_id })).people
  // The four hours of a person begin when they reach the wait, which may be after they entered.
  const waiting = await eventually(people, ({ entered, at_step }) => {
    return entered === 3 && at_step.every(({ step }) => step > 1)
  })
  assert.equal(waiting.entered, 3, JSON.stringify(waiting))
  clock.forward(minutes(4 * 60 + 1))
  // They get the welcome of the other test as well.
  const to = (who: string) =>
    relay.taken.filter(
      (taken) => taken.to === `${who}@far.test` && taken.source.includes('in your basket'),
    )
  await eventually(
    async () => to('cy').length,
    (n) => n > 0,
  )
  const { left } = await eventually(people, ({ inside }) => inside === 0)
  const source = (to('cy')[0]?.source ?? '').replace(/=\r\n/g, '').replaceAll('=3D', '=')
  for (const { name: item, price } of items) {
    assert.ok(source.includes(item.replace('&', '&amp;')) && source.includes(price), item)
  }
  // The button leads back to the cart.
  const button = /href="([^"]+)"[^>]*>[^<]*Back to my basket/.exec(source)?.[1] ?? ''
  const target = await fetch(button.replaceAll('&amp;', '&'), { redirect: 'manual' })
  assert.equal(button === cart.url ? cart.url : target.headers.get('location'), cart.url)
  assert.deepEqual([to('cy').length, to('bo').length, to('empty').length], [1, 0, 0])
  assert.deepEqual(
    left.map(({ reason }) => reason),
    ['exit'],
  )
})
