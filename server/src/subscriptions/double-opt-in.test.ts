/** A form with double opt-in, from the visitor's post to the button in the mail. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  confirmationScene,
  confirmPathIn,
  emailStatusOf,
  sceneUrl,
  shownContact,
} from '../../../tests/support/businesses/confirmations.ts'
import { emailField, forms, publishedForm } from '../../../tests/support/businesses/forms.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { contactList } from '../contacts/list.ts'
import { days, seconds } from '../lib/time/clock.ts'

let database: TestDatabase
const clock = new ManualClock()
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const news = { key: 'news', label: 'Send me news.', type: 'consent' }
const name = { key: 'name', label: 'Name', type: 'text' }
let people = 0

async function scene(more: object = {}) {
  const all = await confirmationScene({ db: database.db, clock })
  const { caller, visitor } = all
  const form_id = await publishedForm(caller, [name, news], more)
  return {
    ...all,
    form_id,
    email: `d${++people}@example.com`,
    async fillIn(values: Record<string, string>, query = '') {
      const page = await visitor.get(`/f/${form_id}${query}`)
      clock.forward(seconds(30))
      return visitor.submit(page, values)
    },
    async contactId(): Promise<string> {
      const { contacts } = await caller.get<{ contacts: { contact_id: string }[] }>(contactList, {})
      assert.equal(contacts.length, 1)
      return contacts[0]?.contact_id ?? ''
    },
  }
}

test('a visitor stays pending until they press the button, despite scanners, and the evidence is complete', async () => {
  const { caller, visitor, email, form_id, fillIn, contactId, mail, mails, press } = await scene()
  const sent = await fillIn({ email, name: 'BUY http://evil.test', news: 'true' })
  assert.equal(sent.to, `/f/${form_id}/thanks?confirm=1`)
  assert.match((await visitor.get(sent.to ?? '')).body, /One more step: check your inbox/)
  const contact_id = await contactId()
  assert.equal(await emailStatusOf(caller, contact_id), 'pending')
  await mail()
  const [asked, ...more] = await mails()
  assert.ok(asked)
  assert.deepEqual([more.length, asked.recipient], [0, email])
  assert.doesNotMatch(asked.subject + asked.html + asked.text, /evil|BUY|Send me news/)
  const path = confirmPathIn(asked)
  for (let n = 0; n < 3; n++) assert.match((await press(path, 'GET')).body, /<button>Confirm</)
  assert.equal(await emailStatusOf(caller, contact_id), 'pending')
  clock.forward(seconds(60))
  assert.equal((await press(path, 'POST')).status, 200)
  const { consent } = await shownContact(caller, contact_id)
  assert.equal(consent.email.status, 'subscribed')
  const [confirmed, pending] = consent.email.history
  for (const row of [confirmed, pending]) {
    assert.equal(row?.['text'], 'Send me news.')
    assert.equal(row['form_version'], 1)
    assert.equal(row['box'], 'ticked')
    const { page } = row['untrusted'] as { page?: string }
    assert.equal(page, `${sceneUrl}/f/${form_id}`)
    assert.equal(row['ip'], '127.0.0.1')
  }
  assert.deepEqual([confirmed?.['action'], pending?.['action']], ['subscribed', 'pending'])
  assert.equal(confirmed?.['said_at'], pending?.['at'])
  const proof = confirmed?.['confirmed'] as Record<string, unknown>
  assert.match(String(proof['confirmation_id']), /^cnf_/)
  assert.deepEqual([typeof proof['mailed_at'], proof['ip']], ['string', '127.0.0.1'])
  assert.equal(proof['at'], clock.now().toISOString())
})

test('submitting a form again never undoes a confirmation and sends no second mail', async () => {
  const { caller, email, form_id, fillIn, contactId, mail, mails, press } = await scene()
  await fillIn({ email, news: 'true' })
  await mail()
  const [asked] = await mails()
  assert.ok(asked)
  await press(confirmPathIn(asked), 'POST')
  clock.forward(days(2))
  await fillIn({ email, news: 'true' })
  await fillIn({ email })
  await caller.get(forms.submit, { form_id, fields: { email, news: 'true' } })
  await mail()
  assert.equal((await mails()).length, 1)
  assert.equal(await emailStatusOf(caller, await contactId()), 'subscribed')
})

test('form.submit follows the form’s setting: new forms use double opt-in, others subscribe at once', async () => {
  for (const [double_opt_in, status] of [
    [undefined, 'pending'],
    [true, 'pending'],
    [false, 'subscribed'],
  ] as const) {
    const { caller, email, form_id, contactId, mail, mails } = await scene({ double_opt_in })
    await caller.get(forms.submit, { form_id, fields: { email, news: 'true' } })
    await mail()
    assert.equal(await emailStatusOf(caller, await contactId()), status)
    assert.equal((await mails()).length, status === 'pending' ? 1 : 0)
    const shown = await caller.get<{ double_opt_in: boolean }>(forms.get, { form_id })
    assert.equal(shown.double_opt_in, status === 'pending')
  }
})

test('double opt-in is switched on without other changes to the form, and stays on', async () => {
  const { caller, form_id, email, contactId } = await scene({ double_opt_in: false })
  await caller.get(forms.save, { form_id, double_opt_in: true })
  await caller.get(forms.save, { form_id, name: 'Another name' })
  await caller.get(forms.submit, { form_id, fields: { email, news: 'true' } })
  assert.equal(await emailStatusOf(caller, await contactId()), 'pending')
})

test('a visitor who did not tick consent is not shown the note to look for a mail', async () => {
  const { email, form_id, fillIn, mail, mails, visitor } = await scene()
  const sent = await fillIn({ email })
  assert.equal(sent.to, `/f/${form_id}/thanks`)
  assert.match((await visitor.get(sent.to ?? '')).body, /Your answers have been received/)
  await mail()
  assert.equal((await mails()).length, 0)
})

test('the confirmation mail and its page use the language in which the visitor read the form', async () => {
  const { email, fillIn, mail, mails, press } = await scene()
  await fillIn({ email, news: 'true' }, '?lang=de')
  await mail()
  const [asked] = await mails()
  assert.ok(asked)
  assert.match(asked.html, /<html lang="de"/)
  assert.match((await press(confirmPathIn(asked), 'GET')).body, /<html lang="de"/)
})

test('a script gets the note about the confirmation mail in JSON', async () => {
  const { email, form_id, visitor } = await scene({ page: { thanks: 'See you.' } })
  const { body } = await visitor.send({
    method: 'POST',
    url: `/f/${form_id}`,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    payload: JSON.stringify({ email, news: true }),
  })
  assert.match(JSON.parse(body).thanks, /^See you\.\nOpen the email we send you/)
})

test('an unconfirmed sign-up is deleted after thirty days, and one with an enquiry is not', async () => {
  for (const [more, left] of [
    [[], 0],
    [[{ key: 'question', label: 'Your question', type: 'textarea' }], 1],
  ] as const) {
    const { caller, email, form_id, wait } = await scene({ fields: [emailField, news, ...more] })
    await caller.get(forms.submit, { form_id, fields: { email, news: 'true' } })
    clock.forward(days(30))
    await wait()
    const { contacts } = await caller.get<{ contacts: [] }>(contactList, {})
    assert.equal(contacts.length, left)
  }
})
