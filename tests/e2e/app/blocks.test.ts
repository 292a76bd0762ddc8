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

const src = 'https://shop.example/a.png'
const furtherBlocks = [
  { type: 'logo', src, alt: 'Brindlequay' },
  {
    type: 'product',
    src,
    name: 'Apple cake',
    price: '€ 4.20',
    url: 'https://shop.example',
    button: 'Order',
    background: '#fff7ed',
  },
  { type: 'code', code: 'SPRING-20', text: 'Your code', background: '#1e1b4b', padding: 'large' },
  { type: 'image_text', src, alt: 'A cake', text: 'Fresh each morning.', side: 'right' },
  {
    type: 'receipt',
    rows: [{ name: 'Apple cake', quantity: '2', price: '€ 8.40' }],
    totals: [{ name: 'Total', price: '€ 8.40' }],
  },
  { type: 'social', links: [{ network: 'instagram', url: 'https://instagram.example/shop' }] },
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
  await page.getByRole('textbox', { name: 'Link to' }).fill('https://shop.example/book')
  await page.getByText('has an address that ends after').first().waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'More actions for Book a table' }).click()
  await page.getByRole('menuitem', { name: 'Move up' }).click()
  await page.getByRole('button', { name: 'More actions for Spring menu' }).click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await words('Heading, 3 of 3').fill('Our cakes')
  await page.getByRole('button', { name: 'More actions for Spring menu' }).click()
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
  await page.getByText('Draft saved').waitFor()
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

test('logo, social media, product, code, image beside text and receipt are added and written', {
  skip,
}, async () => {
  const draft = await draftOf({ subject: 'Spring menu', html: '<p>Old</p>' })
  const { page, complaints, close } = await visitApp(bench, draft)
  await page.getByRole('button', { name: 'Blocks', exact: true }).click()
  const add = async (type: string) => {
    await page.getByRole('button', { name: 'Add a block', exact: true }).click()
    await page.getByRole('menuitem', { name: type, exact: true }).click()
  }
  const words = (name: string) => page.getByRole('textbox', { name, exact: true })
  const settings = page.getByRole('region', { name: 'Block settings' })
  const put = (label: string, value: string) =>
    settings.getByLabel(label, { exact: true }).fill(value)
  const src = 'https://shop.example/a.png'

  await add('Logo')
  await put('Image URL', src)
  await put('Alt text', 'Brindlequay')
  await put('Link to', 'https://shop.example')
  await settings.getByLabel('Spacing above and below').selectOption('Large')
  await put('Background', '#eef2ff')

  await add('Product')
  await put('Image URL', src)
  await put('Link to', 'https://shop.example/cake')
  await put('Button text', 'Order')
  await words('Product, 2 of 2: Name').fill('Apple cake')
  await words('Product, 2 of 2: Price').fill('€ 4.20')
  await words('Product, 2 of 2: Text').fill('With cream.')
  await words('Product, 2 of 2: Button text').fill('Order now')

  await add('Discount code')
  await words('Discount code, 3 of 3: Text above the code').fill('Your code')
  await words('Discount code, 3 of 3: Code').fill('SPRING-20')

  await add('Image and text')
  await put('Image URL', src)
  await put('Alt text', 'A cake')
  await settings.getByLabel('Image side').selectOption('Right')
  await words('Image and text, 4 of 4: Text').fill('Fresh each morning.')

  await add('Receipt')
  const row = (name: string) => settings.getByRole('group', { name })
  await row('Row 1').getByLabel('Name').fill('Apple cake')
  await row('Row 1').getByLabel('Quantity').fill('2')
  await row('Row 1').getByLabel('Price').fill('€ 8.40')
  await settings.getByRole('button', { name: 'Add a row' }).click()
  await row('Row 2').getByLabel('Name').fill('Tea')
  await settings.getByRole('button', { name: 'Add a total' }).click()
  await row('Total 1').getByLabel('Price').fill('€ 8.40')
  await settings.getByRole('button', { name: 'Delete Row 2' }).click()

  await add('Social media')
  await put('Instagram', 'https://instagram.example/shop')
  await put('Mastodon', 'https://mastodon.example/@shop')
  const icons = page.locator('.mail-social img')
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLImageElement>('.mail-social img')].every(
      ({ naturalWidth }) => naturalWidth === 64,
    ),
  )
  assert.equal(await icons.count(), 2)

  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  const frame = page.frameLocator('iframe')
  await frame.getByRole('link', { name: 'Mastodon' }).waitFor()
  await frame.getByRole('link', { name: 'Order now' }).waitFor()
  await frame.getByRole('row', { name: 'Apple cake 2 € 8.40' }).waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Draft saved').waitFor()
  assert.deepEqual((await draft.content())?.blocks, [
    {
      type: 'logo',
      src,
      alt: 'Brindlequay',
      url: 'https://shop.example',
      padding: 'large',
      background: '#eef2ff',
    },
    {
      type: 'product',
      src,
      name: 'Apple cake',
      url: 'https://shop.example/cake',
      button: 'Order now',
      price: '€ 4.20',
      text: 'With cream.',
    },
    { type: 'code', code: 'SPRING-20', text: 'Your code' },
    { type: 'image_text', src, text: 'Fresh each morning.', alt: 'A cake', side: 'right' },
    {
      type: 'receipt',
      rows: [{ name: 'Apple cake', price: '€ 8.40', quantity: '2' }],
      totals: [{ name: 'Total 1', price: '€ 8.40' }],
    },
    {
      type: 'social',
      links: [
        { network: 'instagram', url: 'https://instagram.example/shop' },
        { network: 'mastodon', url: 'https://mastodon.example/@shop' },
      ],
    },
  ])
  // What was unfinished was refused, which is what the builder showed.
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
  await page.getByRole('button', { name: 'More actions for Spring menu' }).focus()
  await keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
  await keyboard.press('End')
  await keyboard.press('Enter')
  await page
    .getByRole('button', { name: 'More actions for Spring menu' })
    .waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Save', exact: true }).focus()
  await keyboard.press('Enter')
  await page.getByText('Draft saved').waitFor()
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
    const content = {
      subject: 'Spring menu',
      blocks: [...blocks, { type: 'columns', columns }, ...furtherBlocks],
    }
    const draft = await draftOf(content)
    const language = theme === 'dark' ? 'de' : 'en'
    const visit = await visitApp(bench, { ...draft, theme, width, language })
    const { page } = visit
    const heading = page.getByRole('textbox', { name: /^(Heading|Überschrift), 1/ })
    await heading.getByText('Spring menu').waitFor()
    await assertSound(visit, `app-blocks-${theme}-${width}`)
    await heading.click()
    await page.getByRole('region', { name: /^(Block settings|Einstellungen des)/ }).waitFor()
    await assertSound(visit, `app-blocks-heading-${theme}-${width}`)
    const words = page.getByRole('textbox', { name: /^Text, 2/ })
    await words.click()
    await page.keyboard.press('ControlOrMeta+a')
    await page.getByRole('toolbar').first().waitFor()
    await assertSound(visit, `app-blocks-text-${theme}-${width}`)
    for (const name of [/^(Receipt|Beleg), 9/, /^Social (media|Media), 10/]) {
      await page.getByRole('button', { name }).click()
      const label = /^(Name|Mastodon)$/
      const settings = page.getByRole('region', { name: /^(Block settings|Einstellungen des)/ })
      await settings.getByLabel(label).first().waitFor()
      await assertSound(
        visit,
        `app-blocks-${name.source.includes('9') ? 'receipt' : 'social'}-${theme}-${width}`,
      )
    }
    await page.getByRole('button', { name: /^(Preview|Vorschau)$/ }).click()
    await page.frameLocator('iframe').getByText('Spring menu').waitFor()
    await assertSound(visit, `app-blocks-preview-${theme}-${width}`)
    await visit.close()
  })
}
