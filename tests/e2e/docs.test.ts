/** The reference in a real browser: readable, navigable, within its policy, without script. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { startSession } from 'crier-server/accounts/sign-in/session.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { newBusiness } from '../support/businesses/business.ts'
import { newMember } from '../support/clients/grants.ts'
import { withoutBrowser } from '../support/processes/chromium.ts'
import { type Service, startService } from '../support/processes/service.ts'
import { faultsOf, launch, type OpenBrowser, person, picture, type Theme } from './browser.ts'

const skip = withoutBrowser

let service: Service
let browser: OpenBrowser
before(async () => {
  if (skip) return
  service = await startService({ idle: true })
  browser = await launch()
})
after(async () => {
  await browser?.close()
  await service?.close()
})

const pages = {
  first: '/docs',
  index: '/docs/reference',
  help: '/docs/help/first-campaign',
  operate: '/docs/operate/mail',
  error: '/docs/errors/conflict',
  found: '/docs/search?q=webhook',
  'quick-start': '/docs/guides/quick-start',
  errors: '/docs/guides/errors',
  webhooks: '/docs/guides/webhooks',
  operation: '/docs/operations/contact.upsert',
  list: '/docs/operations/meta.changes',
  event: '/docs/events/form.submitted',
  events: '/docs/events/all',
}

/** Each kind of page once: what differs in the dark are colours. */
const kinds = ['first', 'help', 'error', 'found', 'operation']

for (const theme of ['light', 'dark'] as Theme[]) {
  test(`the reference is accessible and violates no content security policy, ${theme}`, {
    skip,
  }, async () => {
    const { context, page, complaints } = await person(browser, {
      theme,
      script: true,
      width: 1360,
    })
    const faults: string[] = []
    try {
      for (const [name, path] of Object.entries(pages)) {
        if (theme === 'dark' && !kinds.includes(name)) continue
        await page.goto(service.url + path)
        await picture(page, `docs-${name}-${theme}`)
        faults.push(...(await faultsOf(page)))
      }
      assert.deepEqual(faults, [])
      assert.deepEqual(complaints, [])
    } finally {
      await context.close()
    }
  })
}

test('on a phone no documentation page scrolls sideways, and the list of pages opens', {
  skip,
}, async () => {
  const { context, page } = await person(browser, { width: 390, script: true })
  try {
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(service.url + path)
      await picture(page, `docs-${name}-phone`)
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      assert.ok(excess <= 0, `${name} is ${excess} px too wide`)
      const widths = await page
        .locator('td')
        .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().width))
      assert.ok(Math.min(...widths) >= 40, `${name} squeezes a column to ${Math.min(...widths)} px`)
    }
    const contents = page.getByRole('navigation', { name: 'For developers' })
    assert.equal(await contents.getByRole('link').first().isVisible(), false)
    await page.getByText('Contents', { exact: true }).click()
    await picture(page, 'docs-contents-phone')
    await contents.getByRole('link', { name: 'form.list', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'form.list' }).waitFor()
  } finally {
    await context.close()
  }
})

test('the documentation can be browsed by keyboard alone, without script', { skip }, async () => {
  const { context, page } = await person(browser, { width: 1360 })
  try {
    await page.goto(`${service.url}/docs/reference`)
    await page.keyboard.press('Tab')
    assert.equal(await page.locator(':focus').textContent(), 'Skip to the page')
    const link = page.getByRole('link', { name: 'Idempotency' }).first()
    await link.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Idempotency' }).waitFor()
  } finally {
    await context.close()
  }
})

test('samples are tabs that remember the language, and can be copied', { skip }, async () => {
  const { context, page, complaints } = await person(browser, { width: 1360, script: true })
  try {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`${service.url}/docs/operations/contact.upsert`)
    const tab = (name: string) => page.getByRole('tab', { name })
    const panel = page.getByRole('tabpanel')
    assert.match((await panel.textContent()) ?? '', /curl -X PUT/)
    await tab('curl').focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    assert.equal(await tab('Python').getAttribute('aria-selected'), 'true')
    assert.match((await panel.textContent()) ?? '', /import json, os, urllib\.request/)
    const copy = page.locator('.samples figure:not([hidden])').getByRole('button')
    await copy.click()
    await copy.getByText('Copied').waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    assert.match(copied, /^import json, os/)
    await picture(page, 'docs-tabs')
    await page.goto(`${service.url}/docs/operations/form.list`)
    assert.equal(await tab('Python').getAttribute('aria-selected'), 'true')
    assert.deepEqual(complaints, [])
  } finally {
    await context.close()
  }
})

test('a sample in curl is run by whoever is signed in, and shows what is answered', {
  skip,
}, async () => {
  const { context, page, complaints } = await person(browser, { width: 390, script: true })
  try {
    await page.goto(`${service.url}/docs/operations/contact.upsert`)
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByText('Sign in to the app on this service to run samples.').waitFor()
    const businesses = [await newBusiness(service.db)]
    const member = await newMember(service.db, { businesses })
    const value = await startSession(service.db, member, new Date())
    await context.addCookies([{ name: 'crier-session', value, url: service.url }])
    await page.reload()
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByLabel('PUT to').waitFor()
    await page.getByLabel('Body').fill('{"email":"ana@example.com"}')
    assert.deepEqual(await faultsOf(page), [])
    // The page shows an example of the answer, too: what was answered stands in the panel alone.
    await page.route('**/v1/contacts', async (route) => {
      await setTimeout(300)
      await route.continue()
    })
    await page.getByRole('button', { name: 'Send' }).click()
    await page
      .getByRole('status')
      .filter({ hasText: /"contact_id": "con_/ })
      .waitFor()
    await picture(page, 'docs-run')
    const { n } = await service.db.one<{ n: number }>(
      sql`select count(*)::int as n from contacts where business_id = ${businesses[0] ?? null}`,
    )
    assert.equal(n, 1)
    await page.getByLabel('PUT to').fill('https://elsewhere.example/v1/contacts')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('This page calls its own service alone.').waitFor()
    // The browser itself complains about the answer to whoever is not signed in.
    assert.ok(
      complaints.every((text) => text.includes('401')),
      complaints.join('\n'),
    )
  } finally {
    await context.close()
  }
})

test('the search answers while one types, by keyboard, and by a page without script', {
  skip,
}, async () => {
  const { context, page, complaints } = await person(browser, { width: 1360, script: true })
  try {
    await page.goto(`${service.url}/docs`)
    await page.keyboard.press('/')
    const field = page.getByRole('combobox', { name: 'Search the documentation' })
    await page.keyboard.type('verify webhook signature')
    const first = page.getByRole('option').first()
    await first
      .getByText(/webhook/i)
      .first()
      .waitFor()
    await picture(page, 'docs-search')
    assert.deepEqual(await faultsOf(page), [])
    await page.keyboard.press('ArrowDown')
    assert.equal(await field.getAttribute('aria-activedescendant'), 'hit-0')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/docs\/(?:guides\/webhooks|help\/receiving-webhooks)/)
    assert.deepEqual(complaints, [])
  } finally {
    await context.close()
  }
  const plain = await person(browser, { width: 390 })
  try {
    await plain.page.goto(`${service.url}/docs`)
    await plain.page.getByRole('searchbox').fill('idempotency')
    await plain.page.keyboard.press('Enter')
    await plain.page.getByRole('link', { name: 'Idempotency' }).first().click()
    await plain.page.getByRole('heading', { level: 1, name: 'Idempotency' }).waitFor()
  } finally {
    await plain.context.close()
  }
})
