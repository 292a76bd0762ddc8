/** The app's shell: who gets in, and the way between pages by mouse and by keyboard alone. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { campaignScene } from '../../support/businesses/campaigns.ts'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { eventually } from '../../support/time/eventually.ts'
import { person } from '../browser.ts'
import { type AppBench, assertSound, looks, openAppBench, visitApp } from './app.ts'
import { assertCount, assertValue } from './settled.ts'

const skip = withoutBrowser

let bench: AppBench
before(async () => {
  if (!skip) bench = await openAppBench()
})
after(() => bench?.close())

for (const { theme, width } of looks) {
  test(`the home page has no accessibility fault, ${theme} at ${width}`, { skip }, async () => {
    const businesses = [await bench.testbed.newBusiness()]
    const visit = await visitApp(bench, { businesses, theme, width })
    await visit.page.getByRole('heading', { name: 'Home' }).waitFor()
    await visit.page.getByText('Connect an assistant').waitFor()
    await visit.page.getByText('Not needed here').waitFor()
    await visit.page.getByText('0 of 3 required steps done').waitFor()
    await assertSound(visit, `app-home-empty-${theme}-${width}`)
    await visit.close()
  })
}

test('a visitor who is not signed in is sent to sign in and returns to the same page', {
  skip,
}, async () => {
  const { page, context } = await person(bench.browser, { script: true })
  const path = '/b/bus_00000000000000000000000000/contacts?q=ana'
  await page.goto(bench.testbed.service.url + path)
  const url = new URL(page.url())
  assert.equal(url.pathname, '/login')
  assert.equal(url.searchParams.get('next'), path)
  await assertValue(page.locator('input[name=next]'), path)
  await context.close()
})

test('what a page needs at once is asked for while the app loads, and by nobody a second time', {
  skip,
}, async () => {
  const business = await bench.testbed.newBusiness()
  const visit = await visitApp(bench, { businesses: [business] })
  const asked: string[] = []
  visit.page.on('request', (request) =>
    asked.push(request.url().slice(new URL(visit.root).origin.length)),
  )
  await visit.page.goto(`${visit.root}/contacts`)
  await visit.page.getByText('No contacts yet').waitFor()
  const business_id = visit.root.slice(visit.root.indexOf('bus_'))
  for (const url of [
    '/v1/businesses',
    `/v1/businesses/settings?business_id=${business_id}`,
    `/v1/contacts?business_id=${business_id}&limit=40`,
  ]) {
    assert.deepEqual(
      asked.filter((other) => other === url),
      [url],
    )
  }
  assert.equal(await visit.page.evaluate('earlyResponses.size'), 0)
  await visit.close()
})

test('the app shows a business of other members as if it did not exist', { skip }, async () => {
  const visit = await visitApp(bench, { businesses: [await bench.testbed.newBusiness()] })
  const other = await visitApp(bench, { businesses: [await bench.testbed.newBusiness()] })
  await visit.page.goto(other.root)
  await visit.page.getByText('you are not a member of it').waitFor()
  await Promise.all([visit.close(), other.close()])
})

test('the command palette is opened, searched and closed by keyboard, and the focus returns', {
  skip,
}, async () => {
  const { page, complaints, close } = await visitApp(bench, {
    businesses: [await bench.testbed.newBusiness()],
  })
  const copy = page.getByRole('button', { name: 'Copy address' })
  await copy.focus()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Command palette' })
  await field.waitFor()
  await page.keyboard.type('theme: dark')
  await page.keyboard.press('Enter')
  await field.waitFor({ state: 'detached' })
  assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark')
  const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  assert.equal(ground, 'rgb(15, 15, 18)', 'the palette of the page follows the toggle')
  await page.keyboard.press('Control+k')
  await field.waitFor()
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
  assert.ok(await copy.evaluate((node) => node === document.activeElement))
  assert.deepEqual(complaints, [])
  await close()
})

test('the command palette finds a person by a part of their address, and a campaign by its name', {
  skip,
}, async () => {
  const { businessId, owner, draft } = await campaignScene(bench.testbed)
  await owner.get('contact.upsert', { email: 'ana.riva@example.com', name: 'Ana Riva' })
  await draft({ name: 'Riva in spring' })
  const { page, close } = await visitApp(bench, { businesses: [businessId] })
  await page.getByRole('heading', { name: 'Home' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Command palette' }).fill('riva')
  await page.getByRole('option', { name: 'Riva in spring' }).waitFor()
  await page.getByRole('option', { name: /^Ana Riva/ }).click()
  await page.getByRole('dialog', { name: 'Ana Riva' }).waitFor()
  assert.match(page.url(), /\/contacts\?open=con_/)
  await close()
})

test('the help dialog lists the shortcuts and traps the focus, and the shortcuts can be turned off', {
  skip,
}, async () => {
  const { page, close } = await visitApp(bench, {
    businesses: [await bench.testbed.newBusiness()],
  })
  await page.getByRole('heading', { name: 'Home' }).waitFor()
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await dialog.waitFor()
  const hasFocus = () => dialog.evaluate((node) => node.contains(document.activeElement))
  // The focus moves into the dialog after it is shown.
  await eventually(hasFocus, Boolean)
  for (let press = 0; press < 5; press++) {
    await page.keyboard.press('Tab')
    // At its end the focus passes an element outside for a moment and is sent back.
    await eventually(hasFocus, Boolean)
  }
  await dialog.getByRole('checkbox').uncheck()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').waitFor()
  assert.equal(await dialog.count(), 0)
  await close()
})

test('the business switcher leads to another business, also on a phone', { skip }, async () => {
  const businesses = [await bench.testbed.newBusiness(), await bench.testbed.newBusiness()]
  for (const width of [1280, 390]) {
    const { page, root, close } = await visitApp(bench, { businesses, width })
    await page.getByRole('button', { name: /Switch business/ }).click()
    const links = page.getByRole('dialog').getByRole('link')
    await links.first().waitFor()
    // The third leads to all businesses, and the fourth makes another.
    await assertCount(links, 4)
    const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    const other = hrefs.slice(0, 2).findIndex((href) => href !== null && !root.endsWith(href))
    await links.nth(other).click()
    await page.waitForURL((url) => !root.endsWith(url.pathname))
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await close()
  }
})

test('the app is in German for a reader whose language is German', { skip }, async () => {
  const { page, close } = await visitApp(bench, {
    businesses: [await bench.testbed.newBusiness()],
    language: 'de',
  })
  await page.getByRole('heading', { name: 'Start' }).waitFor()
  assert.equal(await page.locator('html').getAttribute('lang'), 'de')
  await close()
})

test('who chose German in the app signs in again in German', { skip }, async () => {
  const { page, close } = await visitApp(bench, {
    businesses: [await bench.testbed.newBusiness()],
  })
  // The choice loads the page anew.
  await Promise.all([
    page.waitForEvent('load'),
    page.getByLabel('Language').first().selectOption('Deutsch'),
  ])
  await page.goto(`${bench.testbed.service.url}/login?again=yes`)
  await page.getByRole('button', { name: 'Link anfordern' }).waitFor()
  await close()
})

test('an ended session is announced, and the page stays open', { skip }, async () => {
  const { page, close } = await visitApp(bench, {
    businesses: [await bench.testbed.newBusiness()],
  })
  await page.getByRole('heading', { name: 'Home' }).waitFor()
  await page.context().clearCookies()
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(/\/login\?next=%2Fb%2Fbus_/)
  await close()
})
