/** The page of the brand: what it shows, mends, previews and saves, and the brand on the canvas. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { formatId } from 'crier-server/core/ids.ts'
import { png } from '../../images/pictures.ts'
import { campaignScene, deployPlanned } from '../../support/businesses/campaigns.ts'
import { inboxOf } from '../../support/clients/sign-in.ts'
import { httpServer } from '../../support/network/remote-server.ts'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { eventually } from '../../support/time/eventually.ts'
import { faultsOf, person, picture } from '../browser.ts'
import { type AppBench, assertSound, looks, openAppBench, visitApp } from './app.ts'
import { assertValue } from './settled.ts'

const skip = withoutBrowser

let bench: AppBench
before(async () => {
  const settings = { OUTBOUND_ALLOW: '127.0.0.1/32:*' }
  if (!skip) bench = await openAppBench({ settings })
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
    await page.getByRole('button', { name: 'Add network' }).click()
    await page.frameLocator('iframe').getByText('What’s new').waitFor()
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
  await page.getByLabel('Footer text').fill('Since 2011')
  await page.frameLocator('iframe').getByText('Since 2011').waitFor()
  await page.getByLabel('Colours', { exact: true }).check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Brand saved').waitFor()
  await page.goto(`${root}/brand`)
  await assertValue(accent, mended)
  await assertValue(page.getByLabel('Footer text'), 'Since 2011')
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

test('a mail is written between the header and the footer of the brand, in its colours', {
  skip,
}, async () => {
  const { owner, businessId, draft } = await campaignScene(bench.testbed)
  await owner.get('brand.set', {
    colours: [
      { name: 'accent', value: '#7a1f3d' },
      { name: 'card', value: '#fffaf0' },
      { name: 'berry', value: '#8a0f4d' },
    ],
    font: 'georgia',
    radius: 0,
    header: [{ type: 'text', text: 'Baked since 2011', align: 'center' }],
    footer: [{ type: 'text', text: 'Mill Lane 4' }, { type: 'social' }],
    social: [{ network: 'instagram', url: 'https://instagram.com/mill' }],
  })
  const content = {
    subject: 'News',
    blocks: [
      { type: 'view_link' },
      { type: 'text', text: 'Come [in]{color=berry}, please' },
      { type: 'button', text: 'Go', url: 'https://mill.example' },
    ],
  }
  const { campaign_id } = await draft({ content })
  const path = `/campaigns/${campaign_id}?step=what`
  const visit = await visitApp(bench, { businesses: [businessId], path })
  const { page, close } = visit
  const card = page.locator('.mail-card')
  await card.getByText('Mill Lane 4').waitFor()
  await card.getByRole('img', { name: 'instagram', includeHidden: true }).waitFor()
  const words = ((await card.textContent()) ?? '').replace(/\s+/g, ' ')
  assert.match(words, /Baked since 2011.*Come in, please.*Go.*Mill Lane 4/)
  const styleOf = (text: string) =>
    card
      .getByText(text, { exact: true })
      .first()
      .evaluate((element) => {
        const { color, fontFamily } = getComputedStyle(element)
        return [color, fontFamily]
      })
  const [berry, font = ''] = await styleOf('in')
  assert.equal(berry, 'rgb(138, 15, 77)')
  assert.match(font, /^Georgia/)
  assert.equal(
    await card.evaluate((element) => getComputedStyle(element).backgroundColor),
    'rgb(255, 250, 240)',
  )
  await picture(page, 'canvas-brand')
  // The brand's own colour is given to other words by its button.
  const text = page.getByRole('textbox', { name: 'Text, 2 of 3' })
  await text.click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.getByRole('button', { name: 'Colour berry' }).first().click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Draft saved').waitFor()
  type Got = { variants: { content: { blocks: { text?: string }[] } }[] }
  const got = await owner.get<Got>('campaign.get', { campaign_id, content: true })
  assert.equal(got.variants[0]?.content.blocks[1]?.text, '[Come in, please]{color=berry}')
  await assertSound(visit, 'canvas-brand-saved')
  await close()
})

test('an owner takes the colours and the logo of a site, and a hostile one gets nothing run or loaded', {
  skip,
}, async () => {
  const secrets: string[] = []
  const inside = await httpServer((request, response) => {
    secrets.push(request.url ?? '')
    response.end('secret')
  }, '127.0.0.2')
  const private_ = `http://127.0.0.2:${inside.port}`
  const wanted: string[] = []
  const site = await httpServer((request, response) => {
    const { url = '' } = request
    wanted.push(url)
    const html = (text: string) =>
      response.setHeader('content-type', 'text/html; charset=utf-8').end(text)
    if (url === '/logo.png') {
      return void response
        .setHeader('content-type', 'image/png')
        .end(png({ width: 200, height: 60 }))
    }
    if (url === '/bomb-logo.png') {
      const says = { width: 60_000, height: 60_000 }
      return void response
        .setHeader('content-type', 'image/png')
        .end(png({ width: 8, height: 8, says }))
    }
    if (url === '/away-logo.png') {
      return void response.writeHead(302, { location: `${private_}/logo.png` }).end()
    }
    if (url === '/hostile') {
      return void html(`<title>x</title><img class="logo" src="/logo.svg">
        <img class="logo" src="/bomb-logo.png"><img class="logo" src="/away-logo.png">
        <meta property="og:site_name" content="<img src=x onerror=document.title='run'>">
        <script>document.title='run'</script><script src="/run.js"></script>
        <link rel="stylesheet" href="${private_}/a.css"><link rel=icon href="${private_}/i.png">`)
    }
    return void html(
      '<title>The Mill</title><meta name="theme-color" content="#0F766E"><img class="logo" src="/logo.png">',
    )
  })
  const businesses = [await bench.testbed.newBusiness()]
  const { page, close } = await visitApp(bench, { businesses, path: '/brand' })
  const origin = `http://127.0.0.1:${site.port}`
  const read = async (path: string) => {
    await page.getByLabel('URL of your site').fill(origin + path)
    await page.getByRole('button', { name: 'Find colours and logo' }).click()
  }
  await read('/')
  await page.getByText('The Mill', { exact: true }).waitFor()
  await page.getByLabel('Use #0f766e for').selectOption('accent')
  await assertValue(page.getByLabel('Buttons and links', { exact: true }), '#0f766e')
  await page.getByRole('button', { name: 'Use as logo' }).click()
  await page.getByLabel('Width in pixels').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Brand saved').waitFor()
  await read('/hostile')
  await page.getByText('onerror=document.title').waitFor()
  assert.equal(await page.getByText('/logo.svg').count(), 0, 'an SVG is not offered')
  // Each is refused with a sentence: a huge picture, one that redirects inside, and one inside.
  for (const n of [0, 1, 2]) {
    await page.getByRole('button', { name: 'Use as logo' }).nth(n).click()
    await page.getByRole('alert').waitFor()
    await page.getByRole('button', { name: 'Use as logo' }).nth(n).isEnabled()
  }
  assert.notEqual(await page.title(), 'run')
  assert.deepEqual(secrets, [], 'nothing private is asked')
  assert.ok(!wanted.some((url) => /run\.js|svg/.test(url)), wanted.join(' '))
  await close()
  await Promise.all([site.close(), inside.close()])
})

test('form, confirmation, preferences and archive are in the brand and its words, light and dark', {
  skip,
}, async () => {
  const { owner, businessId, draft } = await campaignScene(bench.testbed)
  const { url } = bench.testbed.service
  const data = png({ width: 200, height: 60 }).toString('base64')
  const { image_id } = await owner.get<{ image_id: string }>('image.upload', { data })
  await owner.get('business.save', { language: 'de', archive: { on: true } })
  const word = (name: string, text: string) => ({ language: 'de', name, text })
  await owner.get('brand.set', {
    logo: { image_id, alt: 'The Mill' },
    colours: [{ name: 'accent', value: '#7a1f3d' }],
    font: 'georgia',
    radius: 0,
    words: [
      word('confirm_subject', 'Noch ein Klick bis zur Mühle'),
      word('confirm_button', 'Ja, gern'),
      word('unsubscribe', 'Keine Post mehr'),
      word('sent_with', ''),
    ],
  })
  const form = await owner.get<{ url: string }>('form.save', {
    name: 'Post der Mühle',
    status: 'published',
    fields: [
      { key: 'email', label: 'E-Mail', type: 'email', required: true },
      { key: 'news', label: 'Ich möchte Post.', type: 'consent' },
    ],
  })
  const visitor = await person(bench.browser, { script: true, width: 390 })
  const { page, complaints } = visitor
  const seen = async (name: string) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await picture(page, `brand-${name}-${colorScheme}`)
      assert.deepEqual(await faultsOf(page), [], `${name} ${colorScheme}`)
      const { logo, font, sentWith, button } = await page.evaluate(() => {
        const styleOf = (selector: string) => {
          const element = document.querySelector(selector)
          return element ? getComputedStyle(element) : undefined
        }
        const { backgroundColor, borderRadius } = styleOf('main button') ?? {}
        return {
          logo: document.querySelector<HTMLImageElement>('header img')?.naturalWidth,
          font: styleOf('body')?.fontFamily,
          sentWith: document.querySelector('.sent-with'),
          button: backgroundColor && `${backgroundColor} ${borderRadius}`,
        }
      })
      assert.equal(logo, 200, name)
      assert.match(font ?? '', /^Georgia/, name)
      assert.equal(sentWith, null, name)
      if (name !== 'archive' && name !== 'preferences' && colorScheme === 'light') {
        assert.equal(button, 'rgb(122, 31, 61) 0px', name)
      }
    }
  }
  await page.goto(form.url)
  await seen('form')
  await page.getByLabel(/^E-Mail/).fill('greta@example.com')
  await page.getByLabel(/Ich möchte Post/).check()
  await page.getByRole('button', { name: 'Senden' }).click()
  await page.waitForURL(/thanks/)
  const linkTo = async (subject: string, part: string) => {
    const mails = await eventually(
      () => inboxOf(url, 'greta@example.com'),
      (found) => found.some((mail) => mail.subject === subject),
    )
    const mail = mails.find((found) => found.subject === subject)
    return mail?.links.find((link) => link.includes(part)) ?? ''
  }
  await page.goto(await linkTo('Noch ein Klick bis zur Mühle', '/confirm/'))
  await seen('confirmation')
  await page.getByRole('button', { name: 'Ja, gern' }).click()
  await page.getByRole('status').waitFor()

  const content = {
    subject: 'Brot',
    blocks: [{ type: 'text', text: 'Frisch' }, { type: 'view_link' }],
  }
  const { campaign_id } = await draft({ content })
  await owner.get('campaign.save', { campaign_id, archive: true })
  await deployPlanned(owner, { campaign_id })
  await page.goto(await linkTo('Brot', '/u/'))
  await seen('preferences')
  const [sent] = (await inboxOf(url, 'greta@example.com')).filter(
    ({ subject }) => subject === 'Brot',
  )
  const mail = await (await fetch(`${url}/inbox/${sent?.id}/html`)).text()
  assert.match(mail, /Keine Post mehr/)
  await page.goto(`${url}/archive/${formatId('business', businessId)}`)
  await seen('archive')
  assert.deepEqual(complaints, [])
  await visitor.context.close()
})
