/** The page of the brand: what it shows, mends, previews and saves. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { type AppBench, assertSound, looks, openAppBench, visitApp } from './app.ts'
import { assertValue } from './settled.ts'

const skip = withoutBrowser

let bench: AppBench
before(async () => {
  if (!skip) bench = await openAppBench()
})
after(() => bench?.close())

for (const { theme, width } of looks) {
  test(`the page of the brand has no accessibility fault, ${theme} at ${width}`, {
    skip,
  }, async () => {
    const businesses = [await bench.testbed.newBusiness()]
    const path = '/brand'
    const visit = await visitApp(bench, { businesses, theme, width, path })
    const { page } = visit
    await page.getByLabel('Buttons and links', { exact: true }).fill('#ffcc00')
    await page.getByText('hard to read').waitFor()
    await page.getByRole('button', { name: 'Add an address' }).click()
    await page.frameLocator('iframe').getByText('What is new').waitFor()
    await assertSound(visit, `app-brand-${theme}-${width}`)
    await visit.close()
  })
}

test('an owner mends a colour with one click, sees the mail change, and saves', {
  skip,
}, async () => {
  const businesses = [await bench.testbed.newBusiness()]
  const { page, close, root } = await visitApp(bench, { businesses, path: '/brand' })
  const accent = page.getByLabel('Buttons and links', { exact: true })
  await accent.fill('#ffcc00')
  await page.getByRole('button', { name: /^Use #/ }).click()
  await page.getByText('easy to read').waitFor()
  const mended = await accent.inputValue()
  assert.notEqual(mended, '#ffcc00')
  await page.getByLabel('Font', { exact: true }).selectOption('georgia')
  await page.getByLabel('Text of the footer').fill('Since 2011')
  await page.frameLocator('iframe').getByText('Since 2011').waitFor()
  await page.getByLabel('Colours', { exact: true }).check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Brand saved').waitFor()
  await page.goto(`${root}/brand`)
  await assertValue(accent, mended)
  await assertValue(page.getByLabel('Text of the footer'), 'Since 2011')
  assert.equal(await page.getByLabel('Colours', { exact: true }).isChecked(), true)
  await close()
})

test('a member who is no owner sees the brand and changes nothing', { skip }, async () => {
  const businesses = [await bench.testbed.newBusiness()]
  const { page, close } = await visitApp(bench, {
    businesses,
    role: 'viewer',
    path: '/brand',
    language: 'de',
  })
  await page.getByLabel('So klingen Ihre Texte').waitFor()
  assert.equal(await page.getByLabel('So klingen Ihre Texte').isDisabled(), true)
  assert.equal(await page.getByRole('button', { name: 'Speichern', exact: true }).count(), 0)
  await close()
})
