/** Mail as a real browser shows it, light and dark, on a desktop and on a phone. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type { Copy } from 'crier-server/campaigns/writer/copy.ts'
import { layOut } from 'crier-server/campaigns/writer/layout.ts'
import { isRefusal } from 'crier-server/core/errors.ts'
import { footerOf } from 'crier-server/tracking/track-mail.ts'
import type { Page } from 'playwright-core'
import { shop } from '../support/businesses/briefs.ts'
import { ownTemplates } from '../support/businesses/own-templates.ts'
import { withoutBrowser } from '../support/processes/chromium.ts'
import { launch, type OpenBrowser, person, picture, type Theme } from './browser.ts'

const skip = withoutBrowser
let browser: OpenBrowser
let mail: string
const section = { heading: '', paragraphs: [], points: [] }
const jazz: Copy = {
  subject: 'You are invited: Our jazz evening',
  preheader: 'Bring a friend.',
  headline: 'Our jazz evening',
  greeting: 'Hi',
  nameless: 'there',
  sections: [
    {
      ...section,
      paragraphs: [
        'Brindlequay & Co invites you.',
        'Our jazz evening on Friday at 18:30. Bring a friend.',
      ],
    },
    {
      heading: 'The details',
      paragraphs: [],
      points: ['Doors at 18:00', 'Tickets 12.50 €'],
      button: { label: 'See the details', url: 'https://jazz.example/book' },
    },
    { ...section, button: { label: 'Menu', url: 'https://jazz.example/menu' } },
  ],
  closing: 'Warm regards,',
  sms: '',
  tags: [],
}

before(async () => {
  mail = await wholeMail()
  if (!skip) browser = await launch()
})
after(() => browser?.close())

/** A mail with every kind of block, and the footer that the service adds. */
async function wholeMail(colour: string | null = null): Promise<string> {
  const templates = ownTemplates()
  const compiled = await templates.check(layOut(jazz, shop), {
    language: 'en',
    colour,
  })
  assert.ok(!isRefusal(compiled))
  const shown = await templates.render(compiled, {
    contact: { name: 'Ana' },
    business: { name: 'Brindlequay & Co', postal_address: '1 Harbour Street\nPorto' },
    preferences_url: 'https://u.example',
  })
  await templates.close()
  assert.ok(!isRefusal(shown))
  const sender = { name: 'Brindlequay & Co', postalAddress: '2 Other Street', language: 'en' }
  const { html } = footerOf(sender, 'https://other.example', { text: '' })
  assert.ok(html.includes('2 Other Street'))
  return (shown.html ?? '').replace('</body>', `${html}</body>`)
}

interface Seen {
  text: string
  contrast: number
}

/** Every visible text, with its contrast to its background (WCAG 2.2, 1.4.3). */
function textsOf(page: Page): Promise<Seen[]> {
  return page.evaluate(() => {
    const numbers = (colour: string) => (colour.match(/[\d.]+/g) ?? []).map(Number)
    const light = (colour: string) => {
      const [r = 0, g = 0, b = 0] = numbers(colour).map((part) => {
        const share = part / 255
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    const behind = (element: Element | null): string => {
      if (!element) return 'rgb(255, 255, 255)'
      const { backgroundColor } = getComputedStyle(element)
      const [, , , alpha = 1] = numbers(backgroundColor)
      return alpha > 0 ? backgroundColor : behind(element.parentElement)
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const seen: Seen[] = []
    while (walker.nextNode()) {
      const text = walker.currentNode.textContent?.trim() ?? ''
      const element = walker.currentNode.parentElement
      if (text === '' || !element?.checkVisibility()) continue
      const [one, other] = [light(getComputedStyle(element).color), light(behind(element))]
      const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
      seen.push({ text, contrast })
    }
    return seen
  })
}

/** The percentage of nearly white pixels in the picture. */
async function whiteness(page: Page): Promise<number> {
  const shot = await page.screenshot({ fullPage: true })
  return page.evaluate(async (base64) => {
    const image = new Image()
    image.src = `data:image/png;base64,${base64}`
    await image.decode()
    const canvas = new OffscreenCanvas(image.width, image.height)
    const context = canvas.getContext('2d')
    context?.drawImage(image, 0, 0)
    const { data } = context?.getImageData(0, 0, image.width, image.height) ?? { data: [] }
    let white = 0
    for (let at = 0; at < data.length; at += 4) {
      if (Math.min(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0) > 200) white++
    }
    return (white * 400) / data.length
  }, shot.toString('base64'))
}

const themes: Theme[] = ['light', 'dark']
for (const theme of themes) {
  for (const width of [600, 390]) {
    test(`generated mail is readable in the ${theme}, ${width} pixels wide`, { skip }, async () => {
      const { context, page } = await person(browser, { theme, width, script: true })
      await page.setContent(mail)
      await picture(page, `mail-${theme}-${width}`)
      const texts = await textsOf(page)
      assert.ok(texts.length > 10, `only ${texts.length} texts were seen`)
      const pale = texts.filter(({ contrast }) => contrast < 4.5)
      assert.deepEqual(pale, [])
      const white = await whiteness(page)
      if (theme === 'dark') assert.ok(white < 8, `${white} % of it is white`)
      else assert.ok(white > 50, `only ${white} % of it is white`)
      await context.close()
    })
  }
}

for (const [colour, words] of [
  ['#b91c1c', 'rgb(255, 255, 255)'],
  // The first grey on which white has too little contrast.
  ['#777777', 'rgb(0, 0, 0)'],
  ['#ffee00', 'rgb(0, 0, 0)'],
] as const) {
  test(`buttons of generated mail have the business's colour ${colour} and are readable in both themes`, {
    skip,
  }, async () => {
    const own = await wholeMail(colour)
    for (const theme of themes) {
      const { context, page } = await person(browser, { theme, script: true })
      await page.setContent(own)
      await picture(page, `mail-${colour.slice(1)}-${theme}`)
      const button = page.locator('a[href="https://jazz.example/book"]').first()
      const look = await button.evaluate((entry) => {
        const { color, backgroundColor } = getComputedStyle(entry)
        return { color, backgroundColor }
      })
      const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
      assert.deepEqual(look, { color: words, backgroundColor: `rgb(${r}, ${g}, ${b})` })
      const pale = (await textsOf(page)).filter(({ contrast }) => contrast < 4.5)
      assert.deepEqual(pale, [])
      await context.close()
    }
  })
}

test('generated mail has dark colours for text and backgrounds under Outlook.com’s own attributes', () => {
  assert.match(mail, /\[data-ogsc\] \.card div\{color:#ececf1!important\}/)
  assert.match(mail, /\[data-ogsb\] \.page > div\{background-color:#17171b!important\}/)
  assert.match(mail, /<meta name="supported-color-schemes" content="light dark">/)
})
