/** A campaign and a template begin from a mail of the gallery. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { campaignScene } from '../../support/businesses/campaigns.ts'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { picture } from '../browser.ts'
import { type AppBench, assertSound, openAppBench, visitApp } from './app.ts'
import { textIn } from './settled.ts'

const skip = withoutBrowser

let bench: AppBench
before(async () => {
  if (!skip) bench = await openAppBench()
})
after(() => bench?.close())

/** A new draft opens at its recipients. */
async function toContent(page: Page): Promise<void> {
  await page.waitForURL(/campaigns\/cmp_.*step=who/)
  await page.getByRole('link', { name: /Content$/ }).click()
  await page.waitForURL(/step=what/)
}

test('the gallery shows mails by purpose, and a chosen one becomes a draft with its empty slots marked', {
  skip,
}, async () => {
  const { businessId } = await campaignScene(bench.testbed)
  const visit = await visitApp(bench, { businesses: [businessId], path: '/campaigns?add=true' })
  const { page, complaints, close } = visit
  await page.getByRole('button', { name: 'Choose an email from the gallery' }).click()
  const dialog = page.getByRole('dialog', { name: 'Choose an email from the gallery' })
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
  await toContent(page)
  await page.locator('.mail-slot').first().waitFor()
  assert.ok((await page.locator('.mail-slot').count()) >= 5)
  const heading = page.getByRole('textbox', { name: / 2 of 6$/ })
  const written = () => heading.textContent()
  const before = await heading.textContent()
  const slot = heading.locator('.mail-slot').first()
  // A press chooses the whole, and what is typed takes its place.
  await slot.click()
  await page.keyboard.type('15%')
  assert.equal(await written(), before?.replace(/\[\[.+?\]\]/, '15%'))
  await page.keyboard.press('ControlOrMeta+z')
  await slot.waitFor()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('20%')
  assert.equal(await written(), before?.replace(/\[\[.+?\]\]/, '20%'))
  await page.keyboard.press('ControlOrMeta+z')
  await slot.waitFor()
  await page.keyboard.press('Home')
  await page.keyboard.press('Delete')
  assert.equal(await heading.textContent(), before?.replace(/\[\[.+?\]\]/, ''))
  await page.keyboard.press('ControlOrMeta+z')
  await slot.waitFor()
  await page.getByRole('button', { name: 'Shop the sale', exact: true }).click()
  const url = page.getByLabel('Link to')
  assert.deepEqual(
    [await url.inputValue(), await url.getAttribute('placeholder')],
    ['', 'Link to the shop'],
  )
  await picture(page, 'gallery-composer')
  assert.deepEqual(complaints, [])
  await close()
})

test('a text message of the gallery becomes a draft, and a draft begins anew from either gallery', {
  skip,
}, async () => {
  const { businessId, owner, draft } = await campaignScene(bench.testbed)
  const path = '/campaigns?add=true'
  const visit = await visitApp(bench, { businesses: [businessId], path, width: 390 })
  const { page, root, complaints, close } = visit
  await page.getByLabel('Channel').selectOption('sms')
  await page.getByRole('button', { name: 'Choose a text message from the gallery' }).click()
  const texts = page.getByRole('dialog', { name: 'Choose a text message from the gallery' })
  await texts.getByRole('listitem').first().waitFor()
  assert.equal(await texts.getByRole('listitem').count(), 6)
  await assertSound(visit, 'gallery-texts-390')
  await texts.getByRole('button').nth(2).click()
  await toContent(page)
  const sms = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const text = await textIn(page.getByRole('textbox', { name: 'Text message' }))
  assert.match(text, /\[\[.+\]\]/)
  type Content = { variants: { content: { text?: string; subject?: string; blocks?: object[] } }[] }
  const contentOf = async (campaign_id: string) => {
    const got = await owner.get<Content>('campaign.get', { campaign_id, content: true })
    return got.variants[0]?.content ?? {}
  }
  assert.equal((await contentOf(sms)).text, text)

  await page.getByRole('button', { name: 'Start from a template' }).click()
  await page.getByRole('button', { name: 'Choose a text message from the gallery' }).click()
  await texts.getByRole('button').nth(3).click()
  const other = await textIn(page.getByRole('textbox', { name: 'Text message' }))
  assert.notEqual(other, text)

  const { campaign_id } = await draft({ content: { subject: 'Old', html: '<p>Old</p>' } })
  await page.goto(`${root}/campaigns/${campaign_id}?step=what`)
  await page.getByRole('button', { name: 'Start from a template' }).click()
  await page.getByRole('button', { name: 'Choose an email from the gallery' }).click()
  const mails = page.getByRole('dialog', { name: 'Choose an email from the gallery' })
  await mails.getByRole('button', { name: 'Webinar' }).click()
  await page.locator('.mail-slot').first().waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Draft saved').waitFor()
  const { subject, blocks = [] } = await contentOf(campaign_id)
  assert.notEqual(subject, 'Old')
  assert.ok(blocks.length > 4)
  assert.deepEqual(complaints, [])
  await close()
})

test('the HTML of another program becomes a draft of blocks, beside a picture of both', {
  skip,
}, async () => {
  const { businessId, owner } = await campaignScene(bench.testbed)
  const path = '/campaigns?add=true'
  const visit = await visitApp(bench, { businesses: [businessId], path, width: 390 })
  const { page, complaints, close } = visit
  await page.getByRole('button', { name: 'Paste HTML from elsewhere' }).click()
  const dialog = page.getByRole('dialog', { name: 'Paste HTML from elsewhere' })
  await dialog
    .getByRole('textbox', { name: 'HTML or MJML' })
    .fill(
      '<title>Autumn roast</title><script>x</script><h1 onclick="y()">New</h1><p>Hello *|FNAME|* and *|PET|*</p><p><a class="btn" href="https://example.com">Look</a></p>',
    )
  await dialog.getByRole('button', { name: 'Convert to blocks' }).click()
  await dialog.getByText('*|PET|*').waitFor()
  await dialog.frameLocator('iframe').nth(1).getByText('Look').waitFor()
  await picture(page, 'from-html-390')
  await assertSound(visit, 'from-html-390')
  await dialog.getByRole('button', { name: 'Use these blocks' }).click()
  await toContent(page)
  await page.locator('.mail-slot').first().waitFor()
  const campaign_id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const { variants } = await owner.get<{
    variants: { content: { subject: string; blocks: object[] } }[]
  }>('campaign.get', { campaign_id, content: true })
  assert.deepEqual(variants[0]?.content, {
    subject: 'Autumn roast',
    blocks: [
      { type: 'heading', text: 'New', level: 1 },
      { type: 'text', text: 'Hello {{ contact.first_name }} and [[PET]]' },
      { type: 'button', text: 'Look', url: 'https://example.com' },
    ],
  })
  assert.deepEqual(complaints, [])
  await close()
})
