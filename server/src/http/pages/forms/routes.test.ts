import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../../../tests/support/businesses/business.ts'
import {
  consentsOf,
  contactsOf,
  eventsOf,
} from '../../../../../tests/support/businesses/contacts.ts'
import { forms, publishedForm } from '../../../../../tests/support/businesses/forms.ts'
import { callerIn, testVault } from '../../../../../tests/support/clients/calls.ts'
import { PageVisitor } from '../../../../../tests/support/clients/page-visitor.ts'
import { type TestDatabase, testDatabase } from '../../../../../tests/support/postgres/database.ts'
import { silentLog } from '../../../../../tests/support/silent-log.ts'
import { ManualClock } from '../../../../../tests/support/time/manual-clock.ts'
import { createSenderProfileReader } from '../../../accounts/businesses/sender-profile.ts'
import { contactLimits } from '../../../contacts/contact.ts'
import { createEngine } from '../../../core/writes/unit-of-work.ts'
import { hostedFormLimits } from '../../../forms/hosted-form.ts'
import { sql } from '../../../lib/db/db.ts'
import { minutes, seconds } from '../../../lib/time/clock.ts'
import { createServer } from '../../server.ts'
import { registerHostedForms } from './routes.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const fields = [
  { key: 'name', label: 'Your name', type: 'text' },
  { key: 'city', label: 'City', type: 'select', options: ['Porto', 'Lisboa'] },
  { key: 'topics', label: 'Topics', type: 'several-of', options: ['Bread', 'Cake'] },
  { key: 'news', label: 'Send me news.', type: 'consent' },
  { key: 'utm_source', label: 'Source', type: 'hidden' },
]
const url = 'application/x-www-form-urlencoded'

let scenes = 0

async function scene(more: object = {}) {
  const { db } = database
  const clock = new ManualClock()
  // All visitors come from one network, whose limits count by the minute, so the clock moves on.
  clock.forward(minutes(10 * ++scenes))
  const businessId = await newBusiness(db)
  const caller = callerIn({ db, clock }, businessId)
  const formId = await publishedForm(caller, fields, { double_opt_in: false, ...more })
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
  const visitor = new PageVisitor(server, 'crier.test')
  const path = `/f/${formId}`
  return {
    db,
    clock,
    businessId,
    caller,
    formId,
    path,
    visitor,
    contacts: () => contactsOf(db, businessId),
    post: (body: string, headers: Record<string, string> = {}) =>
      visitor.send({
        method: 'POST',
        url: path,
        headers: { 'content-type': url, ...headers },
        payload: body,
      }),
    async fillIn(values: Record<string, string | string[]>, at = path) {
      const page = await visitor.get(at)
      clock.forward(seconds(3))
      return visitor.submit(page, values)
    },
  }
}

test('a visitor submits the form and is thanked, and the contact and consent evidence are stored', async () => {
  const { db, businessId, fillIn, visitor, contacts, path } = await scene()
  const sent = await fillIn({
    email: 'Ana@Example.com',
    name: 'Ana',
    city: 'Porto',
    topics: ['Bread', 'Cake'],
    news: 'true',
  })
  assert.deepEqual([sent.status, sent.to], [303, `${path}/thanks`])
  assert.match((await visitor.get(`${path}/thanks`)).body, /Your answers have been received/)
  const [contact] = await contacts()
  assert.equal(contact?.email, 'ana@example.com')
  assert.deepEqual(contact?.attributes, { city: 'Porto', topics: 'Bread, Cake' })
  assert.equal(contact?.consent.email, 'subscribed')
  const [consent] = await consentsOf(db, businessId)
  assert.equal(consent?.text, 'Send me news.')
  const event = (await eventsOf(db, businessId)).find(({ type }) => type === 'form.submitted')
  assert.equal(event?.data['source_url'], `https://app.example${path}`)
})

test('all invalid fields are reported at once, and the answers are kept', async () => {
  const { fillIn, contacts } = await scene()
  const again = await fillIn({ email: 'no address', name: 'Ana <b>', city: 'Rome', news: 'true' })
  assert.equal(again.status, 422)
  assert.match(again.body, /Please check your answers/)
  assert.match(again.body, /href="#f-email"/)
  assert.match(again.body, /id="f-city-fault">Choose from the list/)
  assert.match(again.body, /value="no address"/)
  assert.match(again.body, /value="Ana &lt;b&gt;"/)
  assert.deepEqual(await contacts(), [])
})

test('a text that is too long is told so, and one with a control character is not', async () => {
  const { fillIn, contacts } = await scene()
  const faults = {
    [`${'n'.repeat(contactLimits.nameLength)}n`]: 'This is too long.',
    'Ana\u0007': 'Please check your answers',
    [`${'n'.repeat(contactLimits.nameLength)}\u0007`]: 'This is too long.',
  }
  for (const [name, fault] of Object.entries(faults)) {
    const again = await fillIn({ email: 'ana@example.com', name })
    assert.equal(again.status, 422)
    assert.ok(again.body.includes(`id="f-name-fault">${fault}</p>`), `${fault}\n${again.body}`)
  }
  assert.deepEqual(await contacts(), [])
})

test('a program that fills the hidden field is thanked, and no contact is stored', async () => {
  const { fillIn, contacts } = await scene()
  const sent = await fillIn({ email: 'bot@example.com', _more: 'http://spam.example' })
  assert.equal(sent.status, 303)
  assert.deepEqual(await contacts(), [])
})

test('a page must be submitted between two seconds and a day after it was loaded, or it is shown again', async () => {
  const { clock, path, visitor, contacts } = await scene()
  const { least, most } = hostedFormLimits.pageAgeMs
  const page = await visitor.get(path)
  const send = () => visitor.submit(page, { email: 'ana@example.com' })
  clock.forward(least - 1)
  assert.match((await send()).body, /could not be saved.*send them again/)
  clock.forward(most - least + 2)
  const late = await send()
  assert.match(late.body, /open for too long/)
  assert.match(late.body, /value="ana@example.com"/)
  assert.deepEqual(await contacts(), [])
  clock.forward(least)
  assert.equal((await visitor.submit(late)).status, 303)
  // A browser fills in a form within a second; what it sends with it tells it from a program.
  const quick = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' }
  const fresh = await visitor.get(path)
  assert.equal((await visitor.submit(fresh, { email: 'ana@example.com' })).status, 422)
  assert.equal((await visitor.submit(fresh, { email: 'ana@example.com' }, quick)).status, 303)
  const forged = await visitor.submit(page, { email: 'b@example.com', _page: 'x.y' })
  assert.equal(forged.status, 422)
  assert.equal((await contacts()).length, 1)
})

test('a form on another site can post without a token, five times a minute for each network', async () => {
  const { clock, post, contacts } = await scene()
  for (let n = 0; n < hostedFormLimits.postsPerMinute.withoutPage; n++) {
    assert.equal((await post(`email=a${n}@example.com&button=Go`)).status, 303)
  }
  const over = await post('email=more@example.com')
  assert.equal(over.status, 429)
  assert.match(over.body, /wait a minute/)
  assert.equal((await contacts()).length, 5)
  clock.forward(seconds(60))
  assert.equal((await post('email=more@example.com')).status, 303)
})

test('a script gets JSON from any origin, including preflight and errors by field', async () => {
  const { path, post, visitor, contacts, formId } = await scene()
  const json = { accept: 'application/json' }
  const sent = await post('email=ana%40example.com', json)
  assert.equal(sent.status, 200)
  assert.equal(sent.headers['access-control-allow-origin'], '*')
  assert.deepEqual(JSON.parse(sent.body), {
    ok: true,
    thanks: 'Your answers have been received. You can close this page.',
  })
  const payload = JSON.stringify({ email: 'ben@example.com', topics: ['Cake'] })
  const object = await post(payload, { ...json, 'content-type': 'application/json' })
  assert.equal(object.status, 200)
  const wrong = await post('email=x', json)
  assert.equal(wrong.status, 400)
  assert.match(JSON.parse(wrong.body).errors.email, /ana@example\.com/)
  assert.equal(JSON.parse(wrong.body).fix, undefined)
  const preflight = await visitor.send({ method: 'OPTIONS' as never, url: path })
  assert.equal(preflight.status, 204)
  assert.match(String(preflight.headers['access-control-allow-methods']), /POST/)
  assert.equal((await contacts()).length, 2)
  const none = await visitor.send({
    method: 'POST',
    url: `/f/${formId.replace(/.$/, (last) => (last === '0' ? '1' : '0'))}`,
    headers: { ...json, 'content-type': url },
    payload: 'email=a@example.com',
  })
  assert.deepEqual([none.status, JSON.parse(none.body).code], [404, 'not_found'])
})

test('a draft or archived form shows a page that says it is closed', async () => {
  const { caller, formId, path, visitor, post } = await scene()
  for (const status of ['draft', 'archived']) {
    await caller.get(forms.save, { form_id: formId, status })
    const page = await visitor.get(path)
    assert.equal(page.status, 410)
    assert.match(page.body, /This form is closed/)
    assert.equal((await post('email=a@example.com')).status, 410)
  }
})

test('the redirect is the one saved with the form, and never a submitted one', async () => {
  const { fillIn, visitor, path } = await scene({
    page: { redirect_url: 'https://shop.example/thanks' },
  })
  const policy = String((await visitor.get(path)).headers['content-security-policy'])
  assert.match(policy, /form-action 'self' https:\/\/shop\.example;/)
  const sent = await fillIn({ email: 'ana@example.com', redirect_url: 'https://evil.example' })
  assert.equal(sent.to, 'https://shop.example/thanks')
})

test('nothing of the answers is filled in to the redirect', async () => {
  const redirect_url = 'https://shop.example/?m={{email}}&c={{contact.email}}'
  const { fillIn } = await scene({ page: { redirect_url } })
  const { to } = await fillIn({ email: 'ana@example.com' })
  assert.equal(decodeURI(to ?? ''), redirect_url)
})

test('a form can be framed only on its allowed sites', async () => {
  const page = { allowed_sites: ['https://shop.example'] }
  const { path, visitor, fillIn } = await scene({ page })
  const policyOf = async (at: string) =>
    String((await visitor.get(at)).headers['content-security-policy'])
  assert.match(await policyOf(path), /frame-ancestors 'none'/)
  assert.match(await policyOf(`${path}/embed`), /frame-ancestors https:\/\/shop\.example/)
  const sent = await fillIn({ email: 'ana@example.com' }, `${path}/embed`)
  assert.equal(sent.to, `${path}/embed/thanks`)
})

test('the language follows the address, the browser, then the business; consent stores the text shown', async () => {
  const page = {
    title: 'Join us',
    texts: { de: { title: 'Mach mit', submit: 'Los', labels: { news: 'Ja, schickt mir Neues.' } } },
  }
  const { db, businessId, path, visitor, fillIn } = await scene({ page })
  assert.match(
    (await visitor.get(path, { 'accept-language': 'fr' })).body,
    /<html lang="en".*Join us/s,
  )
  assert.match(
    (await visitor.get(path, { 'accept-language': 'de-AT' })).body,
    /<html lang="de".*Mach mit/s,
  )
  assert.match((await visitor.get(`${path}?lang=ar`)).body, /<html lang="ar" dir="rtl">/)
  const sent = await fillIn({ email: 'a@example.com', news: 'true' }, `${path}?lang=de`)
  assert.equal(sent.to, `${path}/thanks?lang=de`)
  const [consent] = await consentsOf(db, businessId)
  assert.equal(consent?.text, 'Ja, schickt mir Neues.')
})

test('query parameters prefill fields of the form, but never consent', async () => {
  const { path, visitor } = await scene()
  const { body } = await visitor.get(
    `${path}?name=Ana&utm_source=fair&news=true&nothing=x&city=Porto`,
  )
  assert.match(body, /name="name" value="Ana"/)
  assert.match(body, /name="utm_source" value="fair"/)
  assert.match(body, /value="Porto" selected/)
  assert.doesNotMatch(body, /name="news" value="true" checked/)
})

test('a submission with the addresses of two contacts is accepted like any other, and creates no third contact', async () => {
  const { caller, formId, contacts, post } = await scene()
  const phone = { key: 'phone', label: 'Phone', type: 'phone' }
  const all = [{ key: 'email', label: 'Email', type: 'email', required: true }, phone]
  await caller.get(forms.save, { form_id: formId, fields: all })
  await post('email=ana%40example.com')
  const two = [
    { key: 'email', label: 'Email', type: 'email' },
    { ...phone, required: true },
  ]
  await caller.get(forms.save, { form_id: formId, fields: two })
  await post('phone=%2B33612345678')
  const sent = await post('email=ana%40example.com&phone=%2B33612345678')
  assert.equal(sent.status, 303)
  assert.equal((await contacts()).length, 2)
})

test('a hosted page is under ten kilobytes, and hostile texts are escaped', async () => {
  const evil = '"><script>alert(1)</script>'
  const page = { title: evil, intro: evil, submit: 'Go', thanks: evil }
  const { path, visitor } = await scene({ page })
  const { body } = await visitor.get(`${path}?name=${encodeURIComponent(evil)}`)
  assert.ok(Buffer.byteLength(body) < 10_000, `${Buffer.byteLength(body)} bytes`)
  assert.doesNotMatch(body, /<script/)
  assert.doesNotMatch((await visitor.get(`${path}/thanks`)).body, /<script/)
})

test('a form that asks for consent says who is responsible and links to the privacy policy', async () => {
  const { path, visitor } = await scene()
  assert.match((await visitor.get(path)).body, /Responsible for your data: [^<]+<\/p>/)
  const { path: other, businessId: id, visitor: guest } = await scene()
  await database.db.run(sql`
    update businesses set name = 'Ana’s <Shop>', postal_address = ${'1 High St\nLeeds'},
      privacy_url = 'https://shop.example/privacy?a=%22b' where id = ${id}
  `)
  const { body } = await guest.get(other)
  assert.match(
    body,
    /Responsible for your data: Ana’s &lt;Shop&gt;, 1 High St, Leeds\. <a href="https:\/\/shop\.example\/privacy\?a=%22b" target="_blank" rel="noreferrer">Privacy policy<\/a>/,
  )
})

test('a form’s address is a QR code as SVG and PNG', async () => {
  const { path, visitor } = await scene()
  const svg = await visitor.get(`${path}/qr.svg`)
  assert.equal(svg.headers['content-type'], 'image/svg+xml')
  assert.match(svg.body, /^<\?xml[\s\S]*<svg /)
  const png = await visitor.get(`${path}/qr.png`)
  assert.equal(png.headers['content-type'], 'image/png')
  assert.ok(png.body.startsWith('\ufffdPNG'))
  assert.equal((await visitor.get('/f/frm_0/qr.svg')).status, 404)
})

test('the script of a form that takes no answers does nothing', async () => {
  const { path, visitor } = await scene({ status: 'draft' })
  const { status, body } = await visitor.get(`${path}/embed.js`)
  assert.deepEqual([status, body], [200, ''])
})
