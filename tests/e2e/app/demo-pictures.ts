/**
 * Part of everywhere.test.ts. The app's pages with the demo data, as a person sees them: each has no fault, and `npm run
 * pictures` stores screenshots in docs/pictures. The clock stands still, so that the pictures are
 * the same each time.
 */
import assert from 'node:assert/strict'
import path from 'node:path'
import test, { before } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { faultsOf, type Theme } from '../browser.ts'
import { type DemoBench, sharedDemoBench } from './demo-bench.ts'

const skip = withoutBrowser
/** The folder for the pictures; undefined in an ordinary run. */
const folder = process.env['PICTURES']

let bench: DemoBench
before(async () => {
  if (!skip) bench = await sharedDemoBench()
})

interface Picture {
  name: string
  theme: Theme
  width?: number
  path: () => string
  /** The text that must be visible before the picture is taken. */
  shows: string | RegExp
  act?: (page: Page) => Promise<void>
  /** The page is checked, but its picture is not stored. */
  unkept?: true
}

const campaignPath = (name: string) => () => `/campaigns/${bench.campaigns.get(name)}`

const pictures: readonly Picture[] = [
  { name: 'home', theme: 'light', path: () => '', shows: 'Spring menu' },
  { name: 'contacts', theme: 'light', path: () => '/contacts', shows: /@example\.com/ },
  {
    name: 'contact-dark',
    theme: 'dark',
    path: () => '/contacts',
    shows: /@example\.com/,
    act: async (page) => {
      await page.getByRole('row').nth(7).click()
      await page.getByRole('dialog').waitFor()
      await page.getByText('checkout page').first().waitFor()
    },
  },
  { name: 'campaigns', theme: 'light', path: () => '/campaigns', shows: 'Notes from the farm' },
  {
    name: 'campaign-sending',
    theme: 'light',
    path: campaignPath('Spring menu'),
    shows: 'Pause',
  },
  {
    name: 'campaign-sending-dark',
    theme: 'dark',
    path: campaignPath('Spring menu'),
    shows: 'Pause',
  },
  {
    name: 'campaign-results',
    theme: 'light',
    path: campaignPath('Winter subscription'),
    shows: /Clicked/,
  },
  {
    name: 'campaign-draft',
    theme: 'light',
    path: campaignPath('Notes from the farm'),
    shows: 'Review',
    unkept: true,
  },
  { name: 'segments-dark', theme: 'dark', path: () => '/segments', shows: 'Regulars' },
  {
    name: 'webhooks',
    theme: 'light',
    path: () => '/webhooks',
    shows: /stock\.brindlequay\.example/,
  },
  {
    name: 'messages-dark',
    theme: 'dark',
    path: () => '/messages',
    shows: /@example\.com/,
    unkept: true,
  },
  { name: 'usage', theme: 'light', path: () => '/usage', shows: /Emails/i },
  {
    name: 'domains',
    theme: 'light',
    path: () => '/domains',
    shows: 'mail.brindlequay.example',
    unkept: true,
  },
  { name: 'home-phone', theme: 'dark', width: 390, path: () => '', shows: 'Spring menu' },
  {
    name: 'campaign-phone',
    theme: 'light',
    width: 390,
    path: campaignPath('Spring menu'),
    shows: 'Pause',
  },
  { name: 'reports', theme: 'light', path: () => '/reports', shows: 'Email subscribers' },
  {
    name: 'automation',
    theme: 'light',
    path: () => `/automations/${bench.objects.automation}`,
    shows: /Welcome/,
  },
  {
    name: 'composer',
    theme: 'light',
    path: campaignPath('Notes from the farm'),
    shows: 'Review',
    act: async (page) => {
      await page.getByRole('link', { name: /Content$/ }).click()
      await page
        .getByRole('textbox', { name: /^Heading/ })
        .first()
        .click()
      // Beside the parts of the brand, which say so below the pointer.
      await page.mouse.move(0, 0)
    },
  },
  { name: 'brand', theme: 'light', path: () => '/brand', shows: 'Logo' },
  {
    name: 'mail-preview',
    theme: 'light',
    path: campaignPath('Notes from the farm'),
    shows: 'Review',
    act: async (page) => {
      await page.getByRole('link', { name: /Content$/ }).click()
      await page.getByRole('button', { name: 'Preview', exact: true }).click()
      await page.locator('form').getByRole('button', { name: 'Dark', exact: true }).click()
      await page.frameLocator('iframe').first().getByRole('heading').first().waitFor()
    },
  },
  // The last one makes a draft, which the others would show.
  {
    name: 'gallery-draft',
    unkept: true,
    theme: 'light',
    path: () => '/campaigns?add=true',
    shows: 'Choose an email from the gallery',
    act: async (page) => {
      await page.getByRole('button', { name: 'Choose an email from the gallery' }).click()
      const gallery = page.getByRole('dialog', { name: 'Choose an email from the gallery' })
      await gallery.locator('iframe').nth(5).waitFor()
      if (folder) await page.screenshot({ path: path.join(folder, 'gallery.png') })
      await gallery.getByRole('button', { name: /^Sale/ }).click()
      // A new draft opens at its recipients.
      await page.getByRole('link', { name: /Content$/ }).click()
      await page.getByRole('textbox', { name: /^Heading/ }).click()
      await page.locator('.mail-slot').first().waitFor()
    },
  },
]

/** The frame in which a campaign shows its mail says that no script may run there. */
const isOfPage = (complaint: string) => !complaint.includes('frame is sandboxed')

for (const picture of pictures) {
  void test(`${picture.name}: the page with the demo data has no accessibility fault`, {
    skip,
  }, async () => {
    const { name, theme, width = 1280 } = picture
    const { page, complaints, close } = await bench.visit({ theme, width })
    await page.goto(bench.root + picture.path())
    await page.getByText(picture.shows).locator('visible=true').first().waitFor()
    await page.getByText('Demo data').locator('visible=true').waitFor()
    await picture.act?.(page)
    await page.waitForLoadState('networkidle')
    if (folder && !picture.unkept) await page.screenshot({ path: path.join(folder, `${name}.png`) })
    assert.deepEqual(await faultsOf(page), [], name)
    assert.deepEqual(complaints.filter(isOfPage), [], name)
    await close()
  })
}
