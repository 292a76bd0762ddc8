/** A campaign and a template begin from a mail of the gallery. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { campaignScene } from '../../support/businesses/campaigns.ts'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { picture } from '../browser.ts'
import { type AppBench, assertSound, openAppBench, visitApp } from './app.ts'

const skip = withoutBrowser

let bench: AppBench
before(async () => {
  if (!skip) bench = await openAppBench()
})
after(() => bench?.close())

test('the gallery shows mails by purpose, and a chosen one becomes a draft with its empty slots marked', {
  skip,
}, async () => {
  const { businessId } = await campaignScene(bench.testbed)
  const visit = await visitApp(bench, { businesses: [businessId], path: '/campaigns?add=true' })
  const { page, complaints, close } = visit
  await page.getByRole('button', { name: 'Choose a mail from the gallery' }).click()
  const dialog = page.getByRole('dialog', { name: 'Choose a mail from the gallery' })
  await dialog.getByRole('button', { name: 'Sale' }).waitFor()
  assert.equal(await dialog.getByRole('listitem').count(), 25)
  await dialog.locator('iframe').first().waitFor()
  await dialog.locator('iframe').nth(5).waitFor()
  await picture(page, 'gallery-dialog')
  await assertSound(visit, 'gallery')
  await dialog.getByRole('button', { name: 'Events', exact: true }).click()
  await dialog.getByRole('button', { name: 'Sale' }).waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'All', exact: true }).click()
  await dialog.getByRole('button', { name: 'Sale' }).click()
  await page.waitForURL(/campaigns\/cmp_/)
  await page.locator('.mail-slot').first().waitFor()
  assert.ok((await page.locator('.mail-slot').count()) >= 5)
  await picture(page, 'gallery-composer')
  assert.deepEqual(complaints, [])
  await close()
})
