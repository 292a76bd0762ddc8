/** Blocks that only some see: chosen in the settings of a block, marked in the mail, and previewed. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { campaignScene, yes } from '../../support/businesses/campaigns.ts'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { type AppBench, assertSound, openAppBench, visitApp } from './app.ts'

const skip = withoutBrowser

let bench: AppBench
before(async () => {
  if (!skip) bench = await openAppBench()
})
after(() => bench?.close())

interface Content {
  blocks: Record<string, unknown>[]
}

test('a block is shown only to those of a filter, which its settings, its badge and the preview say', {
  skip,
}, async () => {
  const scene = await campaignScene(bench.testbed)
  await scene.contact({ email: 'vip@example.com', tags: ['vip'], consent: { email: yes } })
  await scene.contact({ email: 'other@example.com', consent: { email: yes } })
  const blocks = [
    { type: 'heading', text: 'For all' },
    { type: 'text', text: 'A table is kept' },
    { type: 'button', text: 'Book', url: 'https://shop.example' },
  ]
  const { campaign_id } = await scene.draft({ content: { subject: 'News', blocks }, name: 'News' })
  const path = `/campaigns/${campaign_id}?step=what`
  const visit = await visitApp(bench, { businesses: [scene.businessId], path })
  const { page } = visit
  await page.getByRole('textbox', { name: 'Text, 2 of 3', exact: true }).click()
  const settings = page.getByRole('region', { name: 'Block settings' })
  await settings.getByText('Everyone sees this block.').waitFor()
  await settings.getByRole('button', { name: 'Choose who sees it' }).click()
  const dialog = page.getByRole('dialog', { name: 'Show this block only to' })
  await dialog.getByLabel('Value').fill('vip')
  await dialog.getByText('1 person matches').waitFor()
  await assertSound(visit, 'block for some: filter')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await page
    .getByRole('group', { name: 'Text, 2 of 3, Not shown to everyone' })
    .getByText('Not shown to everyone')
    .waitFor()
  await settings.getByText('vip').waitFor()
  await assertSound(visit, 'block for some: badge')

  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  const frame = page.frameLocator('iframe')
  await frame.getByText('A table is kept').waitFor()
  const group = page.getByLabel('As someone who')
  await group.selectOption({ index: 2 })
  await frame.getByText('A table is kept').waitFor({ state: 'detached' })
  await frame.getByText('For all').waitFor()
  await assertSound(visit, 'block for some: preview of others')
  await group.selectOption({ index: 1 })
  await frame.getByText('A table is kept').waitFor()

  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Draft saved').waitFor()
  const got = await scene.owner.get<{ variants: { content: Content }[] }>('campaign.get', {
    campaign_id,
    content: true,
  })
  assert.deepEqual(got.variants[0]?.content.blocks[1], { ...blocks[1], show_if: { tag: 'vip' } })
  await visit.close()
})
