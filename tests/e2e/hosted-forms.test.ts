/** Hosted forms for strangers: in a real browser, with and without script, in ten languages. */
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import test, { after, before } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type Id, parseId } from 'crier-server/core/ids.ts'
import { recipientLanguages } from 'crier-server/core/recipient-words/languages.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { confirmationToken } from 'crier-server/subscriptions/confirmation-link.ts'
import type { Page } from 'playwright-core'
import { type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import { freePort } from '../support/network/port.ts'
import { withoutBrowser } from '../support/processes/chromium.ts'
import { until } from '../support/time/eventually.ts'
import { ShiftedClock } from '../support/time/shifted-clock.ts'
import { faultsOf, launch, type OpenBrowser, person, picture } from './browser.ts'

const skip = withoutBrowser

const clock = new ShiftedClock()
let testbed: OwnTestbed
let browser: OpenBrowser
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
  const { share, url } = found.body as {
    share: { script: string; iframe: string; html: string }
    url: string
  }
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
async function hostSite(policy: string, head = ''): Promise<Host> {
  let body = ''
  const server = createServer((_request, reply) => {
    reply.setHeader('content-type', 'text/html')
    reply.setHeader('content-security-policy', policy)
    reply.end(`<!doctype html><title>Shop</title>${head}<h1>Shop</h1>${body}`)
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

/** A site with the strictest policy under which a form's script can run. */
const strictPolicy = (service: string) =>
  `default-src 'none'; script-src ${service}; frame-src ${service}; style-src 'self'; require-trusted-types-for 'script'`

/** The time of the page stands still but for what a test moves it by. */
async function stillClock(page: Page): Promise<void> {
  await page.clock.install({ time: new Date('2026-11-02T10:00:00Z') })
  await page.clock.pauseAt(new Date('2026-11-02T10:00:01Z'))
}

/** What the visitor's browser has stored for the site. */
const storedKeys = (page: Page) => page.evaluate(() => Object.keys(localStorage))

test('one script tag shows a form on a site with a strict policy, and the frame grows with it', {
  skip,
}, async () => {
  const { origin: service } = new URL(testbed.service.url)
  const host = await hostSite(strictPolicy(service))
  const { share, count, form_id } = await hosted({
    allowed_sites: [host.origin],
    redirect_url: `${host.origin}/thanks`,
  })
  const source = await fetch(`${service}/f/${form_id}/embed.js`)
  const bytes = gzipSync(await source.text()).byteLength
  assert.ok(bytes < 8 * 1024, `the script takes ${bytes} bytes`)
  const { page, context, complaints } = await person(browser, { script: true, width: 700 })
  // The policy allows no style in the page, so the script stands alone.
  host.show(`${share.script.replace(/<div.*<\/div>/, '')}<p>After</p>`)
  await page.goto(`${host.origin}/offer?utm_source=fair&secret=1`)
  const frame = page.frameLocator('iframe')
  await frame.getByRole('textbox', { name: 'Email' }).fill('scripted@example.com')
  const height = () => page.locator('iframe').evaluate((element) => element.clientHeight)
  const needed = await frame.locator('main').evaluate((main) => main.scrollHeight)
  await until(
    async () => Math.abs((await height()) - needed) < 4,
    'the frame is as high as the form',
  )
  assert.deepEqual(await faultsOf(page, ['region', 'landmark-one-main', 'html-has-lang']), [])
  assert.deepEqual(await storedKeys(page), [])
  assert.deepEqual(await context.cookies(), [])
  await frame.getByLabel('One').check()
  await picture(page, 'form-embed-inline')
  writing()
  await frame.locator('form button').click()
  await page.waitForURL(`${host.origin}/thanks`)
  assert.equal(await count(), 1)
  const { source_url } = await testbed.db.one<{ source_url: string }>(
    sql`select source_url from submissions where form_id = ${parseId('form', form_id)}`,
  )
  assert.equal(source_url, `${host.origin}/offer`)
  assert.deepEqual(complaints, [])
  await context.close()
})

test('a popup opens after its time, keeps the focus, closes by Escape and then stays away', {
  skip,
}, async () => {
  const { origin: service } = new URL(testbed.service.url)
  // An old reset that hides what it does not know, on a page that runs from right to left.
  const host = await hostSite(
    `${strictPolicy(service)} 'unsafe-inline'`.replace("; require-trusted-types-for 'script'", ''),
    '<style>*{all:unset;display:block}div,iframe,dialog,section,button{display:none!important}</style><script>document.documentElement.dir="rtl"</script>',
  )
  const { share, form_id } = await hosted({
    allowed_sites: [host.origin],
    embed: { show: 'popup', after_seconds: 9, quiet_days: 3 },
  })
  const { page, context } = await person(browser, { script: true, width: 390 })
  await stillClock(page)
  host.show(`<a href="#here" id="link">Link</a>${share.script}${share.script}`)
  await page.goto(host.origin)
  await page.waitForFunction(() => 'crierForms' in window)
  await page.locator('#link').focus()
  await page.clock.fastForward(8_900)
  assert.equal(await page.getByRole('dialog').count(), 0)
  await page.clock.fastForward(200)
  const dialog = page.getByRole('dialog', { name: 'Join our list' })
  await dialog.waitFor()
  assert.equal(await page.getByRole('dialog').count(), 1)
  assert.deepEqual(await storedKeys(page), [])
  const size = await dialog.boundingBox()
  assert.ok(size && size.height < 800 * 0.8, 'a phone shows the page behind it')
  await page.frameLocator('iframe').getByRole('textbox', { name: 'Email' }).focus()
  await picture(page, 'form-embed-popup-390')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'link')
  // The browser reports the end of a dialog a moment after it has hidden it.
  await page.waitForFunction(() => localStorage.length > 0)
  assert.deepEqual(await storedKeys(page), [`crier-closed-until-${form_id}`])
  await page.reload()
  await page.waitForFunction(() => 'crierForms' in window)
  await page.clock.fastForward(60_000)
  assert.equal(await page.getByRole('dialog').count(), 0)
  // Once its days are over it may open again.
  await page.evaluate((key) => localStorage.setItem(key, '1'), `crier-closed-until-${form_id}`)
  await page.reload()
  await page.waitForFunction(() => 'crierForms' in window)
  await page.clock.fastForward(9_000)
  await dialog.waitFor()
  await context.close()
})

test('a bar and a button open the dialog; a consent manager may hold them; blocked storage does no harm', {
  skip,
}, async () => {
  const { origin: service } = new URL(testbed.service.url)
  const host = await hostSite(`${strictPolicy(service)} 'unsafe-inline'`)
  const allowed_sites = [host.origin]
  const bar = await hosted({ allowed_sites, embed: { show: 'bar', label: 'Sign up' } })
  const button = await hosted({ allowed_sites, embed: { show: 'button', label: 'News' } })
  const { page, context } = await person(browser, { script: true, width: 1280 })
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get: () => {
        throw new DOMException('blocked', 'SecurityError')
      },
    })
  })
  host.show(`${bar.share.script.replace(' async', ' async data-wait')}${button.share.script}`)
  await page.goto(host.origin)
  await page.getByRole('button', { name: 'News' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  assert.equal(await page.getByRole('button', { name: 'Sign up' }).count(), 0)
  await page.evaluate(() => window.dispatchEvent(new Event('crier:start')))
  await page.getByRole('button', { name: 'Sign up' }).waitFor()
  await picture(page, 'form-embed-bar')
  assert.deepEqual(await faultsOf(page, ['region', 'landmark-one-main', 'html-has-lang']), [])
  await page
    .getByRole('region', { name: 'Join our list' })
    .getByRole('button', { name: 'Close' })
    .click()
  assert.equal(await page.getByRole('button', { name: 'Sign up' }).count(), 0)
  await context.close()
})

test('a popup by intent to leave opens on desktops alone', { skip }, async () => {
  const { origin: service } = new URL(testbed.service.url)
  const host = await hostSite(`${strictPolicy(service)} 'unsafe-inline'`)
  const { share } = await hosted({
    allowed_sites: [host.origin],
    embed: { show: 'popup', on: 'leave' },
  })
  host.show(share.script)
  const leave = () => document.dispatchEvent(new MouseEvent('mouseout', { clientY: -1 }))
  for (const touch of [true, false]) {
    const { page, context } = await person(browser, { script: true, touch })
    await stillClock(page)
    await page.goto(host.origin)
    await page.waitForFunction(() => 'crierForms' in window)
    await page.evaluate(leave)
    await page.clock.fastForward(5_100)
    assert.equal(await page.getByRole('dialog').count(), 0)
    await page.evaluate(leave)
    if (touch) assert.equal(await page.getByRole('dialog').count(), 0)
    else await page.getByRole('dialog').waitFor()
    await context.close()
  }
})

test('a site moves little when a form appears, twice on one page and in a page without reloads', {
  skip,
}, async () => {
  const { origin: service } = new URL(testbed.service.url)
  const host = await hostSite(`script-src 'unsafe-inline' ${service}; frame-src ${service}`)
  const { share } = await hosted({ allowed_sites: [host.origin] })
  const second = await hosted({ allowed_sites: [host.origin] })
  const { page, context } = await person(browser, { script: true, width: 700 })
  await page.addInitScript(() => {
    const seen = window as unknown as { shift: number }
    seen.shift = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        seen.shift += (entry as unknown as { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  host.show(`${share.script}<p>After</p>${second.share.script}<main></main>`)
  await page.goto(host.origin)
  for (const n of [0, 1]) {
    await page.frameLocator('iframe').nth(n).getByRole('textbox', { name: 'Email' }).waitFor()
  }
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100))),
  )
  const shift = await page.evaluate(() => (window as unknown as { shift: number }).shift)
  assert.ok(shift <= 0.05, `the page moved by ${shift}`)
  // A page that draws its parts by script puts the tag in anew.
  await page.evaluate(
    (src) => {
      const script = document.createElement('script')
      script.src = src
      document.querySelector('main')?.append(script)
    },
    /src="([^"]+)"/.exec(share.script)?.[1] ?? '',
  )
  await page.locator('main iframe').waitFor()
  assert.equal(await page.locator('iframe').count(), 3)
  await context.close()
})
