/**
 * Every page of the app with the demo data, in both themes and at both widths: no page is too wide or
 * complains in the console. SCREENSHOTS=folder stores how each looks, and asks axe about it, which the
 * tests of the single pages do in every run.
 */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { faultsOf, picture } from '../browser.ts'
import { looks } from './app.ts'
import { type DemoBench, openDemoBench } from './demo-bench.ts'
import { everyPlace } from './places.ts'
import { stillness } from './still.ts'

const skip = withoutBrowser
const isThorough = process.env['SCREENSHOTS'] !== undefined

let bench: DemoBench
before(async () => {
  if (!skip) bench = await openDemoBench()
})
after(() => bench?.close())

/** A mail in its frame says that no script may run there: the frame of a sample, or of a preview. */
const isOfPage = (complaint: string) =>
  !complaint.includes('/sample') && !complaint.includes('frame is sandboxed')

/** Buttons that a finger misses (WCAG 2.5.8), and states whose word is cut off. */
function onPhone(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)]
    const low = all('button, summary').filter(({ offsetHeight: high }) => high > 1 && high < 24)
    const cut = all('.rounded-full > .truncate').filter(
      (word) => word.scrollWidth > word.clientWidth,
    )
    return [
      ...low.map((one) => `“${one.textContent}” is ${one.offsetHeight} px high`),
      ...cut.map((one) => `“${one.textContent}” is cut off`),
    ]
  })
}

test('no page with the demo data is too wide or complains, in both themes and at both widths, in German', {
  skip,
}, async () => {
  const { page, complaints, close } = await bench.visit({ theme: 'light', width: 1280 })
  // Its words are longer than the English ones, which the tests of the single pages show.
  await page.addInitScript(() => localStorage.setItem('crier-language', 'de'))
  const { open, still } = stillness(page)
  const faults: string[] = []
  for (const { name, path } of everyPlace(bench.objects)) {
    complaints.length = 0
    await page.setViewportSize({ width: 1280, height: 800 })
    await open(bench.root + path)
    for (const { theme, width } of looks) {
      await page.emulateMedia({ colorScheme: theme })
      await page.setViewportSize({ width, height: 800 })
      await still()
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      if (excess > 0) faults.push(`${name} is ${excess} px too wide at ${width}`)
      if (width === 390) faults.push(...(await onPhone(page)).map((fault) => `${name}: ${fault}`))
      if (!isThorough) continue
      await picture(page, `${name}-${theme}-${width}`)
      faults.push(...(await faultsOf(page)))
    }
    faults.push(...complaints.filter(isOfPage).map((complaint) => `${name}: ${complaint}`))
  }
  assert.deepEqual(faults, [])
  await open(`${bench.root}/campaigns/${bench.objects.draft}?step=check`)
  await page.getByText('Die Postanschrift steht im Fußbereich.').waitFor()
  await page.getByRole('region', { name: 'Meldungen' }).waitFor({ state: 'attached' })
  await close()
})

test('a chart tells its values below the arrow keys, and in a table of the same figures', {
  skip,
}, async () => {
  const { page, close } = await bench.visit({ theme: 'light', width: 1280 })
  await page.addInitScript(() => localStorage.setItem('crier-language', 'en'))
  await page.goto(`${bench.root}/reports`)
  const figure = page.getByRole('figure', { name: /subscribers gained/ })
  await figure.getByRole('application').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowLeft')
  const shown = figure.locator('.recharts-tooltip-wrapper p')
  await shown.first().waitFor()
  const day = (await shown.first().textContent()) ?? ''
  const gained = await shown.nth(1).locator('span').last().textContent()
  await figure.getByRole('button', { name: 'Show as a table' }).click()
  const row = figure.getByRole('row', { name: new RegExp(`^${day}`) })
  assert.equal(await row.getByRole('cell').first().textContent(), gained)
  await close()
})
