/** Topics on a form: people read their names, and consent to email covers the chosen ones. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  confirmationScene,
  confirmPathIn,
  shownContact,
} from '../../../tests/support/businesses/confirmations.ts'
import { forms, publishedForm, type Submitted } from '../../../tests/support/businesses/forms.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { contactList } from '../contacts/list.ts'
import { topicSave } from '../contacts/topics/save.ts'
import { seconds } from '../lib/time/clock.ts'

const saveTopic = topicSave({ campaignsOfTopic: async () => [] })

let database: TestDatabase
const clock = new ManualClock()
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const news = { key: 'news', label: 'Write to me.', type: 'consent' }
const about = { key: 'about', label: 'About what?', type: 'topics', options: ['offers', 'events'] }

async function scene(more: object = {}) {
  const all = await confirmationScene({ db: database.db, clock })
  for (const [topic, name] of [
    ['offers', 'Special <offers>'],
    ['events', 'Workshops'],
  ]) {
    await all.caller.get(saveTopic, { topic, name })
  }
  const form_id = await publishedForm(all.caller, [news, about], more)
  return { ...all, form_id }
}

test('a visitor chooses topics by their names, and confirms exactly those', async () => {
  const { caller, form_id, visitor, mail, mails, press } = await scene()
  const page = await visitor.get(`/f/${form_id}`)
  assert.match(page.body, /value="offers">\s*<span dir="auto">Special &lt;offers&gt;</)
  clock.forward(seconds(5))
  const email = 'topics@example.com'
  assert.equal((await visitor.submit(page, { email, news: 'true', about: ['events'] })).status, 303)
  await mail()
  const [asked] = await mails()
  assert.ok(asked)
  await press(confirmPathIn(asked), 'POST')
  const { contacts } = await caller.get<{ contacts: { contact_id: string }[] }>(contactList, {})
  const shown = await shownContact(caller, contacts[0]?.contact_id ?? '')
  assert.equal(shown.consent.email.status, 'subscribed')
  assert.deepEqual(shown.topics.email, { events: 'subscribed' })
})

test('a topic is read in the language of the page, where it has words for it', async () => {
  const { caller, form_id, visitor } = await scene()
  const translations = [{ language: 'de', name: 'Angebote <neu>' }]
  await caller.get(saveTopic, { topic: 'offers', translations })
  const german = await visitor.get(`/f/${form_id}?lang=de`)
  assert.match(german.body, /value="offers">\s*<span dir="auto">Angebote &lt;neu&gt;</)
  assert.match(german.body, /Workshops/)
  assert.match((await visitor.get(`/f/${form_id}?lang=fr`)).body, /Special &lt;offers&gt;/)
})

test('consent without a topic covers everything, and topics without consent have no effect', async () => {
  const { caller, form_id } = await scene({ double_opt_in: false })
  const submit = async (fields: object) => {
    const { contact_id } = await caller.get<Submitted>(forms.submit, { form_id, fields })
    return shownContact(caller, contact_id)
  }
  const all = await submit({ email: 'all@example.com', news: 'true' })
  assert.deepEqual([all.consent.email.status, all.topics.email], ['subscribed', {}])
  const none = await submit({ email: 'none@example.com', about: 'offers' })
  assert.deepEqual([none.consent.email.status, none.topics.email], ['none', {}])
})

test('a form can offer only active topics of its own business', async () => {
  const { caller, form_id, visitor } = await scene()
  const other = { ...about, options: ['offers', 'secrets'] }
  const email = { key: 'email', label: 'Email', type: 'email', required: true }
  const refused = await caller.refused(forms.save, { form_id, fields: [email, news, other] })
  assert.deepEqual([refused.code, refused.details.field], ['not_found', 'fields[2].options[1]'])
  const alone = await caller.refused(forms.save, { form_id, fields: [email, about] })
  assert.equal(alone.details.field, 'fields[1].type')
  await caller.get(saveTopic, { topic: 'offers', archived: true })
  const { body } = await visitor.get(`/f/${form_id}`)
  assert.doesNotMatch(body, /offers/)
  assert.match(body, /Workshops/)
})
