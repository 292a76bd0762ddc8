/** Hosted forms for strangers: in a real browser, with and without script, in ten languages. */
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import test, { after, before } from 'node:test'
import { type Id, parseId } from 'crier-server/core/ids.ts'
import { recipientLanguages } from 'crier-server/core/recipient-words/languages.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { confirmationToken } from 'crier-server/subscriptions/confirmation-link.ts'
import type { Browser } from 'playwright-core'
import { type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import { freePort } from '../support/network/port.ts'
import { withoutBrowser } from '../support/processes/chromium.ts'
import { until } from '../support/time/eventually.ts'
import { ShiftedClock } from '../support/time/shifted-clock.ts'
import { faultsOf, launch, person, picture } from './browser.ts'

const skip = withoutBrowser

const clock = new ShiftedClock()
let testbed: OwnTestbed
let browser: Browser
const hosts: Server[] = []
before(async () => {
  if (skip) return
  testbed = await openTestbed({ idle: true, clock })
  browser = await launch()
})
after(async () => {
  for (const server of hosts) {
    server.closeAllConnections()
    server.close()
  }
  await browser?.close()
  await testbed?.close()
})

const fields = [
  { key: 'email', label: 'Email', type: 'email', required: true },
  { key: 'name', label: 'Your name', type: 'text' },
  { key: 'city', label: 'City', type: 'select', options: ['Porto', 'Lisboa'] },
  { key: 'home', label: 'Country', type: 'country' },
  { key: 'mark', label: 'How do you like our bread?', type: 'rating' },
  {
    key: 'bread',
    label: 'Which bread do you like?',
    type: 'several-of',
    options: ['Rye', 'Wheat'],
  },
  { key: 'size', label: 'How many?', type: 'radio', options: ['One', 'Two'], required: true },
  { key: 'note', label: 'A note', type: 'textarea' },
  { key: 'news', label: 'Send me news by email.', type: 'consent' },
]

async function hosted(page: object = {}) {
  const businessId = await testbed.newBusiness()
  const caller = await testbed.restCaller({ businesses: [businessId] })
  const saved = await caller.call('form.save', {
    name: 'Join our list',
    status: 'published',
    fields,
    page,
  })
  const { form_id } = saved.body as { form_id: string }
  const found = await caller.call('form.get', { form_id })
  const { share, url } = found.body as { share: { iframe: string; html: string }; url: string }
  const count = async () => {
    const { body } = await caller.call('form.get', { form_id })
    return (body as { submission_count: number }).submission_count
  }
  return { businessId, form_id, share, url, count }
}

/** The confirmation link of the business's one contact, and its consent; no worker runs. */
async function confirmationOf(businessId: Id<'business'>) {
  const { db, service } = testbed
  const { id } = await db.one<{ id: Id<'confirmation'> }>(
    sql`select id from confirmations where business_id = ${businessId}`,
  )
  return {
    link: `${service.url}/confirm/${confirmationToken(service.vault, { businessId, id })}`,
    async consent() {
      const { email_consent } = await db.one<{ email_consent: string }>(
        sql`select email_consent from contacts where business_id = ${businessId}`,
      )
      return email_consent
    },
  }
}

/** Marks the form as guarded; returns a reader of its last confirmation's `unproven`. */
async function guardForm(formId: string) {
  const { db } = testbed
  const id = parseId('form', formId) as Id<'form'>
  await db.run(sql`update forms set guarded_since = now() where id = ${id}`)
  return async () => {
    const { unproven } = await db.one<{ unproven: boolean }>(
      sql`select unproven from confirmations where form_id = ${id} order by id desc limit 1`,
    )
    return unproven
  }
}

/** A page's token counts as used by a person after two seconds. */
const writing = () => clock.forward(2_100)

test('a hosted form is filled in by keyboard alone, without script', { skip }, async () => {
  const { businessId, url, count } = await hosted({
    title: 'Join our list',
    intro: 'Bread news, once a month.',
  })
  const { page, context, complaints } = await person(browser, { width: 390 })
  await page.goto(url)
  await picture(page, 'form-390')
  writing()
  // The skip link, then the fields in order.
  const steps = ['', 'ana@example.com', 'Ana', 'P', 'F', ' ', ' ', '', ' ', 'Hello', ' ', 'Enter']
  for (const step of steps) {
    await page.keyboard.press('Tab')
    if (step === ' ') await page.keyboard.press('Space')
    else if (step === 'Enter') await page.keyboard.press('Enter')
    else await page.keyboard.type(step)
  }
  await page.getByRole('heading', { name: 'One more step: check your inbox' }).waitFor()
  await picture(page, 'form-thanks-390')
  assert.equal(await count(), 1)
  // A scanner follows the mail's link twice, then the person presses the button.
  const { link, consent } = await confirmationOf(businessId)
  for (let n = 0; n < 2; n++) assert.equal((await fetch(link)).status, 200)
  assert.equal(await consent(), 'pending')
  await page.goto(link)
  await picture(page, 'form-confirm-390')
  for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key)
  await page.getByRole('heading', { name: 'Confirmed' }).waitFor()
  assert.equal(await consent(), 'subscribed')
  assert.deepEqual(complaints, [])
  await context.close()
})

test('axe finds no fault in a hosted form in ten languages, both themes and widths, with and without errors', {
  skip,
}, async () => {
  const { url } = await hosted({ colour: '#0d5c2f' })
  for (const [n, language] of recipientLanguages.entries()) {
    const theme = n % 2 === 0 ? 'light' : 'dark'
    const { page, context, complaints } = await person(browser, {
      theme,
      width: n % 3 === 0 ? 1280 : 390,
      script: true,
    })
    await page.goto(`${url}?lang=${language}`)
    assert.deepEqual(await faultsOf(page), [])
    await page.evaluate(() => document.querySelector('form')?.setAttribute('novalidate', ''))
    writing()
    await page.locator('form button').click()
    // The browser focuses it once it has drawn the page.
    await page.locator('.warning:focus').waitFor()
    assert.deepEqual(await faultsOf(page), [])
    await picture(page, `form-errors-${language}-${theme}`)
    assert.equal(
      await page.evaluate(() => document.documentElement.dir),
      language === 'ar' ? 'rtl' : 'ltr',
    )
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    assert.ok(wide <= 0, `${language} scrolls sideways by ${wide}`)
    // The console reports the 422 response, and nothing else.
    assert.deepEqual(
      complaints.filter((text) => !text.includes('422')),
      [],
    )
    await context.close()
  }
})

test('a guarded form works with an unseen challenge in the browser, without script, and by a plain post', {
  skip,
}, async () => {
  const { form_id, url, share } = await hosted()
  const isUnproven = await guardForm(form_id)
  for (const script of [true, false]) {
    const { page, context, complaints } = await person(browser, { script, width: 390 })
    await page.goto(url)
    await picture(page, `form-guarded-${script ? 'script' : 'plain'}`)
    if (script) assert.deepEqual(await faultsOf(page), [])
    await page.getByRole('textbox', { name: 'Email' }).fill(`g-${script}@example.com`)
    await page.getByLabel('Two').check()
    await page.getByLabel('Send me news by email.').check()
    writing()
    await page.locator('form button').click()
    await page.getByRole('heading', { name: 'One more step: check your inbox' }).waitFor()
    assert.equal(await isUnproven(), !script)
    assert.deepEqual(complaints, [])
    await context.close()
  }
  const host = await hostSite(`form-action ${new URL(testbed.service.url).origin}`)
  const { page, context } = await person(browser)
  host.show(share.html)
  await page.goto(host.origin)
  await page.getByRole('textbox', { name: 'Email' }).fill('plain@example.com')
  await page.getByLabel('Two').check()
  await page.locator('form button').click()
  await page.getByText('Please fill in the form here').waitFor()
  await picture(page, 'form-sent-here')
  await context.close()
})

interface Host {
  origin: string
  show(body: string): void
}

/** A page on another site, with its own policy. */
async function hostSite(policy: string): Promise<Host> {
  let body = ''
  const server = createServer((_request, reply) => {
    reply.setHeader('content-type', 'text/html')
    reply.setHeader('content-security-policy', policy)
    reply.end(`<!doctype html><title>Shop</title><h1>Shop</h1>${body}`)
  })
  hosts.push(server)
  const port = await freePort()
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return { origin: `http://127.0.0.1:${port}`, show: (text) => (body = text) }
}

test('a hosted form works on another site as a plain form, in a frame and by fetch', {
  skip,
}, async () => {
  const { origin: service } = new URL(testbed.service.url)
  const host = await hostSite(
    `form-action ${service}; frame-src ${service}; connect-src ${service}`,
  )
  const { share, url, count } = await hosted({ allowed_sites: [host.origin] })
  const { page, context, complaints } = await person(browser, { script: true })
  host.show(share.html)
  await page.goto(host.origin)
  await page.getByRole('textbox', { name: 'Email' }).fill('plain@example.com')
  await page.getByLabel('Two').check()
  await page.locator('form button').click()
  await page.getByRole('heading', { name: 'Thank you' }).waitFor()
  assert.equal(await count(), 1)

  host.show(share.iframe)
  await page.goto(host.origin)
  const frame = page.frameLocator('iframe')
  await frame.getByRole('textbox', { name: 'Email' }).fill('framed@example.com')
  await frame.getByLabel('One').check()
  writing()
  await frame.locator('form button').click()
  await frame.getByRole('heading', { name: 'Thank you' }).waitFor()
  assert.equal(await count(), 2)

  const answer = await page.evaluate(async (address) => {
    const sent = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ email: 'fetched@example.com', size: 'One' }),
    })
    return [sent.status, await sent.json()]
  }, url)
  assert.deepEqual(answer[0], 200)
  assert.equal(await count(), 3)
  assert.deepEqual(complaints, [])
  await context.close()
})

test('a site that the form’s settings do not list cannot frame it', { skip }, async () => {
  const host = await hostSite('frame-src *')
  const { share } = await hosted({ allowed_sites: ['https://shop.example'] })
  const { page, context, complaints } = await person(browser, { script: true })
  host.show(share.iframe)
  await page.goto(host.origin)
  await until(() => /frame-ancestors/.test(complaints.join('\n')), 'the browser refuses the frame')
  assert.equal(await page.frameLocator('iframe').getByRole('textbox').count(), 0)
  await context.close()
})
