/** A mail is written on a phone: touches, as a screen of 390 px sends them. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { campaignScene } from '../../support/businesses/campaigns.ts'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { type AppBench, assertSound, openAppBench, visitApp } from './app.ts'

const skip = withoutBrowser

let bench: AppBench
before(async () => {
  if (!skip) bench = await openAppBench()
})
after(() => bench?.close())

/** A finger that comes down on the middle of an element and leaves it. */
async function touch(page: Page, on: Locator, times = 1): Promise<void> {
  await on.scrollIntoViewIfNeeded()
  const box = await on.boundingBox()
  assert.ok(box)
  for (let count = 0; count < times; count++) {
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2)
  }
}

test('a mail is written, chosen, moved, deleted and put back by touch at 390 px', {
  skip,
}, async () => {
  const scene = await campaignScene(bench.testbed)
  const blocks = [
    { type: 'heading', text: 'One' },
    { type: 'text', text: 'Two' },
    { type: 'button', text: 'Three', url: 'https://shop.example' },
  ]
  const { campaign_id } = await scene.draft({ content: { subject: 'News', blocks }, name: 'News' })
  const path = `/campaigns/${campaign_id}?step=what`
  const visit = await visitApp(bench, {
    businesses: [scene.businessId],
    path,
    width: 390,
    touch: true,
  })
  const { page } = visit
  const words = (name: string) => page.getByRole('textbox', { name, exact: true })
  assert.ok(await page.evaluate(() => navigator.maxTouchPoints > 0))

  await touch(page, words('Text, 2 of 3'))
  await words('Text, 2 of 3').and(page.locator(':focus')).waitFor()
  await page.keyboard.press('End')
  // As the keyboard of a phone puts words in: without keys.
  await page.keyboard.insertText(' more')
  await words('Text, 2 of 3').getByText('Two more').waitFor()

  await touch(page, words('Text, 2 of 3').getByText('Two more'), 2)
  await page.evaluate(() => getSelection()?.selectAllChildren(document.activeElement as Element))
  await touch(page, page.getByRole('button', { name: 'Bold' }).first())
  await words('Text, 2 of 3').locator('strong').waitFor()
  await assertSound(visit, 'touch: chosen')

  // What floats above chosen words goes when something else is touched.
  await touch(page, words('Heading, 1 of 3'))
  await touch(page, words('Text, 2 of 3'))
  await touch(page, page.getByRole('button', { name: 'Move Text up' }))
  await words('Text, 1 of 3').waitFor()
  await touch(page, words('Text, 1 of 3'))
  await touch(page, page.getByRole('button', { name: 'Delete Text' }))
  await words('Heading, 1 of 2').waitFor()
  await touch(page, page.getByRole('button', { name: 'Undo', exact: true }).last())
  await words('Text, 1 of 3').getByText('Two more').waitFor()

  await touch(page, page.getByRole('button', { name: 'Save', exact: true }))
  await page.getByText('Draft saved').waitFor()
  type Got = { variants: { content: { blocks: { text: string }[] } }[] }
  const got = await scene.owner.get<Got>('campaign.get', { campaign_id, content: true })
  assert.deepEqual(
    got.variants[0]?.content.blocks.map(({ text }) => text),
    ['**Two more**', 'One', 'Three'],
  )
  await visit.close()
})
