/** Pictures in a mail: chosen, dropped and pasted, taken again, deleted. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { png } from '../../images/pictures.ts'
import { campaignScene } from '../../support/businesses/campaigns.ts'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { type AppBench, assertSound, looks, openAppBench, visitApp } from './app.ts'
import { assertValue } from './settled.ts'

const skip = withoutBrowser

let bench: AppBench
before(async () => {
  if (!skip) bench = await openAppBench()
})
after(() => bench?.close())

const heading = { type: 'heading', text: 'Spring menu' }

async function draft() {
  const scene = await campaignScene(bench.testbed)
  const content = { subject: 'Spring menu', blocks: [heading] }
  const { campaign_id } = await scene.draft({ content, name: 'Spring menu' })
  return {
    businesses: [scene.businessId],
    path: `/campaigns/${campaign_id}?step=what`,
    async blocks() {
      type Got = { variants: { content: { blocks: Record<string, unknown>[] } }[] }
      const got = await scene.owner.get<Got>('campaign.get', { campaign_id, content: true })
      return got.variants[0]?.content.blocks ?? []
    },
  }
}

/** Hands a picture to the page as the browser does when it is dropped or pasted. */
const give = (page: Page, by: 'drop' | 'paste', picture: Buffer, name: string) =>
  page.getByRole('region', { name: 'Blocks' }).evaluate(
    (target, given) => {
      const data = new DataTransfer()
      const bytes = Uint8Array.from(atob(given.base64), (text) => text.charCodeAt(0))
      data.items.add(new File([bytes], given.name, { type: 'image/png' }))
      const shared = { bubbles: true, cancelable: true }
      const event =
        given.by === 'drop'
          ? new DragEvent('drop', { ...shared, dataTransfer: data })
          : new ClipboardEvent('paste', { ...shared, clipboardData: data })
      target.dispatchEvent(event)
    },
    { by, base64: picture.toString('base64'), name },
  )

test('a picture is chosen, dropped or pasted, and the mail shows it', { skip }, async () => {
  const mail = await draft()
  const { page, complaints, close } = await visitApp(bench, mail)
  await page.getByRole('button', { name: 'Add a block', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Image', exact: true }).click()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose image', exact: true }).click()
  await (await chooser).setFiles({
    name: 'cake.png',
    mimeType: 'image/png',
    buffer: png({ width: 300, height: 200, colour: [200, 90, 30] }),
  })
  await page.getByRole('img', { name: 'Image of this block' }).waitFor()
  // The width of a small picture is its own, and its words are asked for.
  await assertValue(page.getByLabel('Width in pixels'), '300')
  await page.getByText('is missing: say what the image shows').first().waitFor()
  await page.getByLabel('Alt text').fill('A slice of apple cake')
  await page.getByRole('button', { name: /^Image, 2 of 2: A slice of apple cake/ }).waitFor()
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLImageElement>('.mail-card img')].some(
      ({ naturalWidth }) => naturalWidth === 300,
    ),
  )

  await give(page, 'drop', png({ width: 1_300, height: 40 }), 'wide.png')
  await page.getByText('Image added at the end').waitFor()
  await page.getByRole('button', { name: /^Move Image, 3 of 3/ }).waitFor()
  await give(page, 'paste', png({ width: 60, height: 60 }), 'image.png')
  await page.getByRole('button', { name: /^Move Image, 4 of 4/ }).waitFor()
  for (const place of [3, 4]) {
    await page.getByRole('button', { name: new RegExp(`^Image, ${place} of 4`) }).click()
    await page.getByLabel('Decorative, no description needed').check()
  }
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Draft saved').waitFor()
  const [, cake, wide, small] = await mail.blocks()
  assert.deepEqual(
    [cake, wide, small].map((entry) => [entry?.['width'], entry?.['alt'], entry?.['decorative']]),
    [
      [300, 'A slice of apple cake', undefined],
      [undefined, undefined, true],
      [60, undefined, true],
    ],
  )
  // Unfinished blocks were refused, which is what the builder showed.
  assert.deepEqual(
    complaints.filter((complaint) => !complaint.includes('400')),
    [],
  )
  await close()
})

test('former pictures are taken again and deleted by keyboard, and what is no picture is refused', {
  skip,
}, async () => {
  const mail = await draft()
  const { page, close } = await visitApp(bench, mail)
  const { keyboard } = page
  await page.getByRole('region', { name: 'Blocks' }).waitFor()
  await give(page, 'drop', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'drawing.png')
  await page.getByText('This is not a PNG, JPEG, GIF or WebP.').waitFor()
  await give(page, 'drop', png({ width: 80, height: 50 }), 'logo.png')
  await page.getByRole('button', { name: /^Move Image, 2 of 2/ }).waitFor()
  await page.getByRole('button', { name: /^Image, 2 of 2/ }).click()
  const shelf = page.getByRole('button', { name: 'Your images' })
  await shelf.focus()
  await keyboard.press('Enter')
  await page.getByRole('button', { name: 'Use logo.png' }).focus()
  await keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await shelf.focus()
  await keyboard.press('Enter')
  await page.getByRole('button', { name: 'Delete logo.png' }).focus()
  await keyboard.press('Enter')
  await page.getByText('will show a gap in its place').waitFor()
  await page.getByRole('button', { name: 'Delete', exact: true }).focus()
  await keyboard.press('Enter')
  await page.getByText('Image deleted').waitFor()
  await page.getByText('No images yet.').waitFor()
  await keyboard.press('Escape')
  await close()
})

test('a block with a picture and the shelf are sound in both themes and widths', {
  skip,
}, async () => {
  const mail = await draft()
  const first = await visitApp(bench, mail)
  await first.page.getByRole('region', { name: 'Blocks' }).waitFor()
  await give(
    first.page,
    'drop',
    png({ width: 420, height: 260, colour: [210, 120, 60] }),
    'cake.png',
  )
  await first.page.getByRole('button', { name: /^Move Image, 2 of 2/ }).waitFor()
  await first.page.getByRole('button', { name: /^Image, 2 of 2/ }).click()
  await first.page.getByLabel('Alt text').fill('A slice of apple cake')
  await first.page.getByRole('button', { name: 'Save', exact: true }).click()
  await first.page.getByText('Draft saved').waitFor()
  await first.close()
  for (const look of looks) {
    const visit = await visitApp(bench, { ...mail, ...look })
    await visit.page.getByRole('button', { name: /^Image, 2 of 2: A slice of apple cake/ }).click()
    await visit.page.getByRole('img', { name: 'Image of this block' }).waitFor()
    await assertSound(visit, `picture block, ${look.theme}, ${look.width}`)
    await visit.page.getByRole('button', { name: 'Your images' }).click()
    await visit.page.getByRole('button', { name: 'Use cake.png' }).waitFor()
    await assertSound(visit, `picture shelf, ${look.theme}, ${look.width}`)
    await visit.close()
  }
})
