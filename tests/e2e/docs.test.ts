/** The reference in a real browser: readable, navigable, within its policy, without script. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
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
  index: '/docs',
  'quick-start': '/docs/guides/quick-start',
  errors: '/docs/guides/errors',
  webhooks: '/docs/guides/webhooks',
  operation: '/docs/operations/contact.upsert',
  list: '/docs/operations/meta.changes',
  event: '/docs/events/form.submitted',
  events: '/docs/events/all',
}

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
    const contents = page.getByRole('navigation', { name: 'Reference' })
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
    await page.goto(`${service.url}/docs`)
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
