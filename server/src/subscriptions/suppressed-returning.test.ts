/**
 * A person who said no to a former service stands on a list of suppressions. Consent from a form or
 * a call does not outweigh it, the answer says so, and the person returns by confirming.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import {
  confirmationScene,
  confirmPathIn,
  emailStatusOf,
} from '../../../tests/support/businesses/confirmations.ts'
import { suppressAddress } from '../../../tests/support/businesses/contacts.ts'
import { forms, publishedForm } from '../../../tests/support/businesses/forms.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { contactList } from '../contacts/list.ts'
import { suppressionImport } from '../contacts/suppressions/import.ts'
import { contactUpsert } from '../contacts/upsert.ts'
import { days, hours, later } from '../lib/time/clock.ts'

let database: TestDatabase
const clock = new ManualClock()
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const news = { key: 'news', label: 'Send me news.', type: 'consent' }
const yes = { status: 'subscribed', source: 'checkout page' }
const ago = (ms: number) => later(clock.now(), -ms).toISOString()
let people = 0

async function scene(form: object = { double_opt_in: false }) {
  const all = await confirmationScene({ db: database.db, clock })
  const { caller, businessId } = all
  const form_id = await publishedForm(caller, [news], form)
  const email = `s${++people}@example.com`
  return {
    ...all,
    email,
    upsert: (consent?: object) =>
      all.key.get<{
        contact_id: string
        stayed_unsubscribed?: string[]
        still_suppressed?: string[]
      }>(contactUpsert, { email, ...(consent && { consent: { email: consent } }) }),
    fillIn: () =>
      caller.get<{ contact_id: string }>(forms.submit, {
        form_id,
        fields: { email, news: 'true' },
      }),
    suppress: (reason: 'unsubscribed' | 'complaint' | 'bounce' | 'manual') =>
      suppressAddress(database.db, businessId, email, reason),
    isReachable: async () => {
      const filter = { reachable: 'email' }
      const { contacts } = await caller.get<{ contacts: object[] }>(contactList, { filter })
      return contacts.length > 0
    },
  }
}

for (const reason of ['unsubscribed', 'complaint', 'bounce'] as const) {
  test(`a form without double opt-in asks a person on the list (${reason}), who returns by confirming`, async () => {
    const one = await scene()
    await one.suppress(reason)
    const { contact_id } = await one.fillIn()
    assert.equal(await emailStatusOf(one.caller, contact_id), 'pending')
    await one.mail()
    const [asked] = [...(await one.mails()), ...one.serviceMails]
    assert.ok(asked)
    assert.equal(await one.isReachable(), false)
    await one.press(confirmPathIn(asked as never), 'POST')
    assert.equal(await emailStatusOf(one.caller, contact_id), 'subscribed')
    assert.equal(await one.isReachable(), true)
  })
}

for (const double_opt_in of [true, false]) {
  const which = double_opt_in ? 'with' : 'without'
  test(`a form ${which} double opt-in asks a subscribed contact whose address is on the list`, async () => {
    const one = await scene({ double_opt_in })
    const { contact_id } = await one.upsert(yes)
    await one.suppress('unsubscribed')
    await one.fillIn()
    assert.equal(await emailStatusOf(one.caller, contact_id), 'subscribed')
    await one.mail()
    const [asked, ...more] = await one.mails()
    assert.ok(asked)
    assert.deepEqual([more.length, await one.isReachable()], [0, false])
    await one.press(confirmPathIn(asked), 'POST')
    assert.equal(await one.isReachable(), true)
  })
}

test('a form asks a new person whose address stands on a list of hashes alone', async () => {
  const one = await scene()
  const sha256 = createHash('sha256').update(one.email).digest('hex')
  await one.caller.get(suppressionImport, { suppressions: [{ sha256, reason: 'unsubscribed' }] })
  const { contact_id } = await one.fillIn()
  assert.equal(await emailStatusOf(one.caller, contact_id), 'pending')
  await one.mail()
  await one.press(confirmPathIn((await one.mails())[0] as never), 'POST')
  assert.equal(await one.isReachable(), true)
})

test('a form subscribes a person whom the business itself suppressed, and nobody is asked', async () => {
  const one = await scene()
  await one.suppress('manual')
  const { contact_id } = await one.fillIn()
  await one.mail()
  assert.equal(await emailStatusOf(one.caller, contact_id), 'subscribed')
  assert.deepEqual([await one.mails(), await one.isReachable()], [[], false])
})

test('a call subscribes a person on the list only with their later words, and says that the list remains', async () => {
  const one = await scene()
  await one.caller.get(suppressionImport, {
    suppressions: [{ email: one.email, reason: 'unsubscribed', at: ago(days(2)) }],
  })
  for (const consent of [
    yes,
    { ...yes, text: 'Yes.' },
    { ...yes, text: 'Yes.', at: ago(days(3)) },
  ]) {
    const answer = await one.upsert(consent)
    assert.deepEqual(answer.stayed_unsubscribed, ['email'], JSON.stringify(consent))
    assert.equal(answer.still_suppressed, undefined)
    assert.equal(await emailStatusOf(one.caller, answer.contact_id), 'none')
  }
  const answer = await one.upsert({ ...yes, text: 'Yes.', at: ago(hours(1)) })
  assert.equal(answer.stayed_unsubscribed, undefined)
  assert.deepEqual(answer.still_suppressed, ['email'])
  assert.equal(await emailStatusOf(one.caller, answer.contact_id), 'subscribed')
  assert.equal(await one.isReachable(), false)
})

test('a call that subscribes a person whose mail bounced says that nothing is sent', async () => {
  const one = await scene()
  assert.equal((await one.upsert(yes)).still_suppressed, undefined)
  await one.suppress('bounce')
  assert.deepEqual((await one.upsert(yes)).still_suppressed, ['email'])
  assert.equal((await one.upsert()).still_suppressed, undefined)
})
