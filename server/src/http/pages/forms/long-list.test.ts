/** A form that asks for one of all countries, with their names in ten languages. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../../../tests/support/businesses/business.ts'
import { contactsOf } from '../../../../../tests/support/businesses/contacts.ts'
import { forms, publishedForm } from '../../../../../tests/support/businesses/forms.ts'
import { type Caller, callerIn, testVault } from '../../../../../tests/support/clients/calls.ts'
import { PageVisitor } from '../../../../../tests/support/clients/page-visitor.ts'
import { type TestDatabase, testDatabase } from '../../../../../tests/support/postgres/database.ts'
import { silentLog } from '../../../../../tests/support/silent-log.ts'
import { ManualClock } from '../../../../../tests/support/time/manual-clock.ts'
import { createSenderProfileReader } from '../../../accounts/businesses/sender-profile.ts'
import type { Id } from '../../../core/ids.ts'
import { recipientLanguages } from '../../../core/recipient-words/languages.ts'
import { createEngine } from '../../../core/writes/unit-of-work.ts'
import { countriesIn, countryCodes } from '../../../lib/text/countries.ts'
import { createServer } from '../../server.ts'
import { registerHostedForms } from './routes.ts'

/** The most bytes of a page with one list of all countries, and of such a page without the list. */
const mostBytes = { list: 22_000, page: 10_000 }

let database: TestDatabase
let visitor: PageVisitor
let caller: Caller
let businessId: Id<'business'>
const clock = new ManualClock()

before(async () => {
  database = await testDatabase()
  const { db } = database
  businessId = await newBusiness(db)
  caller = callerIn({ db, clock }, businessId)
  const server = createServer({ log: silentLog, bodyLimit: 9_999, trustProxy: false, https: false })
  const engine = createEngine({ db, clock })
  registerHostedForms(server, {
    db,
    clock,
    log: silentLog,
    vault: testVault,
    addresses: { appUrl: 'https://app.example' },
    senderProfileOf: createSenderProfileReader(db, clock),
    writingFor: (id, callId) =>
      engine.writingFor({
        businessId: id,
        operation: 'form.submit',
        input: {},
        origin: { connectionId: null, callId },
      }),
  })
  visitor = new PageVisitor(server, 'crier.test')
})
after(() => database.drop())

const namesIn = (language: string) =>
  new Map(countriesIn(language).map(({ code, name }) => [code, name]))

function assertLight(body: string): void {
  const bytes = Buffer.byteLength(body)
  assert.ok(bytes < mostBytes.list, `${bytes} bytes`)
  const rest = Buffer.byteLength(body.replaceAll(/<option[^>]*>[^<]*/g, ''))
  assert.ok(rest < mostBytes.page, `${rest} bytes without the list`)
}

test('a list of all countries with names in ten languages is saved, shown in each, and answered', async () => {
  const inEnglish = namesIn('en')
  const options = countryCodes.map((code) => inEnglish.get(code) ?? code)
  const texts = Object.fromEntries(
    recipientLanguages.map((language) => {
      const names = namesIn(language)
      const named = countryCodes.map((code, i) => [options[i] ?? '', names.get(code) ?? code])
      return [language, { options: { country: Object.fromEntries(named) } }]
    }),
  )
  const field = { key: 'country', label: 'Country', type: 'select', options, required: true }
  const formId = await publishedForm(caller, [field], { double_opt_in: false, page: { texts } })
  const path = `/f/${formId}`
  for (const language of recipientLanguages) {
    const { body } = await visitor.get(`${path}?lang=${language}`)
    assertLight(body)
    assert.equal(body.match(/<option/g)?.length, options.length + 1)
    assert.ok(body.includes(`>${namesIn(language).get('JP')}`), language)
  }
  const sent = await visitor.send({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'email=ana%40example.com&country=C%C3%B4te+d%E2%80%99Ivoire',
  })
  assert.equal(sent.status, 303)
  const [ana] = await contactsOf(database.db, businessId)
  assert.deepEqual(ana?.attributes, { country: 'Côte d’Ivoire' })
  const { page } = await caller.get<{ page: { texts: object } }>(forms.get, { form_id: formId })
  assert.equal(Object.keys(page.texts).length, recipientLanguages.length)
})

test('a field for the country is a list in the language of the visitor, and as light', async () => {
  const field = { key: 'country', label: 'Country', type: 'country' }
  const formId = await publishedForm(caller, [field], { double_opt_in: false })
  for (const language of recipientLanguages) {
    const { body } = await visitor.get(`/f/${formId}?lang=${language}`)
    assertLight(body)
    assert.ok(body.includes(`<option value="JP">${namesIn(language).get('JP')}`), language)
  }
})
