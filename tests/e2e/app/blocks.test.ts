/** A mail written in blocks: by mouse, by keyboard, and as it looks. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { campaignScene } from '../../support/businesses/campaigns.ts'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { type AppBench, assertSound, looks, openAppBench, visitApp } from './app.ts'

const skip = withoutBrowser

let bench: AppBench
before(async () => {
  if (!skip) bench = await openAppBench()
})
after(() => bench?.close())

interface Content {
  subject: string
  html?: string
  blocks?: object[]
}

const blocks = [
  { type: 'heading', text: 'Spring menu' },
  { type: 'text', text: 'Hello **{{ contact.name }}**, three new cakes wait for you.' },
  { type: 'button', text: 'Book a table', url: 'https://shop.example/book' },
]

/** A draft, with the address of its content step. */
async function draftOf(content: object) {
  const scene = await campaignScene(bench.testbed)
  const { campaign_id } = await scene.draft({ content, name: 'Spring menu' })
  return {
    businesses: [scene.businessId],
    path: `/campaigns/${campaign_id}?step=what`,
    async content() {
      const got = await scene.owner.get<{ variants: { content: Content }[] }>('campaign.get', {
        campaign_id,
        content: true,
      })
      return got.variants[0]?.content
    },
  }
}

test('a mail is built of blocks by mouse: added, edited, moved, duplicated, deleted and restored', {
  skip,
}, async () => {
  const draft = await draftOf({ subject: 'Spring menu', html: '<p>Old</p>' })
  const { page, complaints, close } = await visitApp(bench, draft)
  await page.getByRole('button', { name: 'Blocks', exact: true }).click()
  const add = async (type: string) => {
    await page.getByRole('button', { name: 'Add a block', exact: true }).click()
    await page.getByRole('menuitem', { name: type, exact: true }).click()
  }
  const frame = page.frameLocator('iframe')
  const words = (name: string) => page.getByRole('textbox', { name, exact: true })
  await add('Heading')
  await words('Heading, 1 of 1').fill('Spring menu')
  await add('Button')
  await words('Button, 2 of 2').fill('Book a table')
  await page.getByText('has an address that ends after its scheme').first().waitFor()
  await page.getByRole('textbox', { name: 'Leads to' }).fill('https://shop.example/book')
  await page.getByText('has an address that ends after').first().waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'More for Book a table' }).click()
  await page.getByRole('menuitem', { name: 'Move up' }).click()
  await page.getByRole('button', { name: 'More for Spring menu' }).click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await words('Heading, 3 of 3').fill('Our cakes')
  await page.getByRole('button', { name: 'More for Spring menu' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await words('Heading, 2 of 2').getByText('Our cakes').waitFor()
  await page
    .getByRole('region', { name: 'Notifications' })
    .getByRole('button', { name: 'Undo' })
    .click()
  await page.getByRole('button', { name: 'Move Spring menu, 2 of 3' }).waitFor()
  await page
    .getByRole('button', { name: 'Move Our cakes, 3 of 3' })
    .dragTo(page.getByRole('button', { name: 'Move Book a table, 1 of 3' }))
  await page.getByRole('button', { name: 'Move Our cakes, 1 of 3' }).waitFor()
  await page.getByRole('button', { name: 'Add a block at the end' }).click()
  await page.getByRole('menuitem', { name: 'View in browser', exact: true }).click()
  await page.getByRole('button', { name: 'Move View in browser, 1 of 4' }).waitFor()
  await words('View in browser, 1 of 4').fill('See it as a page')
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  const view = frame.getByRole('link', { name: 'See it as a page' })
  await view.waitFor()
  assert.match((await view.getAttribute('href')) ?? '', /\/v\/test$/)
  await frame.getByRole('link', { name: 'Book a table' }).waitFor()
  await page.getByRole('button', { name: 'Text', exact: true }).click()
  await page.locator('pre').getByText('Book a table [https://shop.example/book]').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The draft is saved').waitFor()
  assert.deepEqual(await draft.content(), {
    subject: 'Spring menu',
    blocks: [
      { type: 'view_link', align: 'center', text: 'See it as a page' },
      { type: 'heading', text: 'Our cakes' },
      { type: 'button', text: 'Book a table', url: 'https://shop.example/book' },
      { type: 'heading', text: 'Spring menu' },
    ],
  })
  // The unfinished address was refused, which is what the builder showed.
  assert.deepEqual(
    complaints.filter((complaint) => !complaint.includes('400')),
    [],
  )
  await close()
})

test('a mail is built of blocks by keyboard alone', { skip }, async () => {
  const draft = await draftOf({ subject: 'Spring menu', blocks: blocks.slice(0, 2) })
  const { page, complaints, close } = await visitApp(bench, draft)
  const { keyboard } = page
  await page.getByRole('button', { name: 'Add a block', exact: true }).focus()
  await keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'List' }).waitFor()
  for (const letter of 'List') await keyboard.press(letter)
  await keyboard.press('Enter')
  const items = page.getByRole('textbox', { name: 'List, 3 of 3' })
  await items.and(page.locator(':focus')).waitFor()
  await keyboard.press('ControlOrMeta+a')
  await keyboard.type('Apple cake')
  await keyboard.press('Enter')
  await keyboard.type('Pear cake')
  const handle = page.getByRole('button', { name: 'Move Apple cake' })
  await handle.focus()
  await keyboard.press('ArrowUp')
  await page.getByText('Apple cake is now 2 of 3').waitFor()
  // The handle keeps the focus, so that a second press moves the same block.
  await keyboard.press('ArrowUp')
  await page.getByText('Apple cake is now 1 of 3').waitFor()
  await page.getByRole('button', { name: 'More for Spring menu' }).focus()
  await keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
  await keyboard.press('End')
  await keyboard.press('Enter')
  await page.getByRole('button', { name: 'More for Spring menu' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Save', exact: true }).focus()
  await keyboard.press('Enter')
  await page.getByText('The draft is saved').waitFor()
  assert.deepEqual((await draft.content())?.blocks, [
    { type: 'list', items: ['Apple cake', 'Pear cake'] },
    blocks[1],
  ])
  assert.deepEqual(complaints, [])
  await close()
})

test('the preview of a mail shows it dark, runs nothing and loads nothing', { skip }, async () => {
  const draft = await draftOf({
    subject: 'Spring menu',
    blocks: [
      { type: 'image', src: 'https://shop.example/a.png', alt: 'A cake' },
      { type: 'mjml', mjml: '<mj-text><script>parent.ran = true</script>Raw</mj-text>' },
    ],
  })
  const { page, close } = await visitApp(bench, draft)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  const frame = page.frameLocator('iframe')
  await frame.getByText('Raw').waitFor()
  const ground = () =>
    frame.locator('.card').evaluate((entry) => getComputedStyle(entry).backgroundColor)
  assert.equal(await ground(), 'rgb(255, 255, 255)')
  await page.locator('form').getByRole('button', { name: 'Dark', exact: true }).click()
  await page.waitForFunction(() => {
    const card = document.querySelector('iframe')?.contentDocument?.querySelector('.card')
    return card && getComputedStyle(card).backgroundColor === 'rgb(35, 35, 41)'
  })
  assert.equal(await page.evaluate(() => 'ran' in window), false)
  assert.deepEqual(
    asked.filter((url) => url.includes('shop.example')),
    [],
  )
  await close()
})

for (const { theme, width } of looks) {
  test(`the builder of blocks has no accessibility fault, ${theme} at ${width}`, {
    skip,
  }, async () => {
    const columns = [[blocks[1]], [blocks[2]]]
    const content = { subject: 'Spring menu', blocks: [...blocks, { type: 'columns', columns }] }
    const draft = await draftOf(content)
    const language = theme === 'dark' ? 'de' : 'en'
    const visit = await visitApp(bench, { ...draft, theme, width, language })
    const { page } = visit
    const heading = page.getByRole('textbox', { name: /^(Heading|Überschrift), 1/ })
    await heading.getByText('Spring menu').waitFor()
    await assertSound(visit, `app-blocks-${theme}-${width}`)
    await heading.click()
    await page.getByRole('region', { name: /^(Settings of|Einstellungen des)/ }).waitFor()
    await assertSound(visit, `app-blocks-heading-${theme}-${width}`)
    const words = page.getByRole('textbox', { name: /^Text, 2/ })
    await words.click()
    await page.keyboard.press('ControlOrMeta+a')
    await page.getByRole('toolbar').first().waitFor()
    await assertSound(visit, `app-blocks-text-${theme}-${width}`)
    await page.getByRole('button', { name: /^(Preview|Vorschau)$/ }).click()
    await page.frameLocator('iframe').getByText('Spring menu').waitFor()
    await assertSound(visit, `app-blocks-preview-${theme}-${width}`)
    await visit.close()
  })
}
