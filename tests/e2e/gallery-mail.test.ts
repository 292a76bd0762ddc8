/** The mails of the gallery in a real browser, on each width, light and dark, without pictures. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { isRefusal } from 'crier-server/core/errors.ts'
import { galleryMails } from 'crier-server/templates/gallery/entries.ts'
import { galleryLanguages } from 'crier-server/templates/gallery/mail.ts'
import { footerOf } from 'crier-server/tracking/track-mail.ts'
import { factsOf } from '../support/businesses/gallery-facts.ts'
import { ownTemplates } from '../support/businesses/own-templates.ts'
import { withoutBrowser } from '../support/processes/chromium.ts'
import { faultsOf, launch, type OpenBrowser, person, picture, wordsOfBlocked } from './browser.ts'

const skip = withoutBrowser
const business = { name: 'Mill & Moss', postal_address: '4 Mill Lane' }
const variables = {
  business,
  contact: { name: 'Ana Moreau', first_name: 'Ana' },
  reset_url: 'https://mill.example/reset/0f6b2c',
  preferences_url: 'https://mill.example/u/1',
  view_url: 'https://mill.example/v/1',
}

interface MadeMail {
  name: string
  html: string
  text: string
}

let browser: OpenBrowser
const made: MadeMail[] = []
before(async () => {
  if (skip) return
  const templates = ownTemplates({ checkMs: 30_000, deadlineMs: 30_000 })
  for (const mail of galleryMails()) {
    for (const language of galleryLanguages) {
      for (const isBare of [false, true]) {
        const source = factsOf(mail, { language, isBare })
        const compiled = await templates.check(source, { language, colour: '#0f766e' })
        assert.ok(!isRefusal(compiled), isRefusal(compiled) ? compiled.message : '')
        const shown = await templates.render(compiled, variables)
        assert.ok(!isRefusal(shown))
        const sender = { name: business.name, postalAddress: business.postal_address, language }
        const footer = footerOf(sender, 'https://mill.example/u', { text: '' }).html
        const html = (shown.html ?? '').replace('</body>', `${footer}</body>`)
        made.push({
          name: `${mail.key}-${language}${isBare ? '-bare' : ''}`,
          html,
          text: shown.text,
        })
      }
    }
  }
  await templates.close()
  browser = await launch()
})
after(() => browser?.close())

/** Rules about whole pages: mailboxes show a mail within their own page, with its landmarks. */
const ofPages = ['landmark-one-main', 'region', 'page-has-heading-one']

test('each mail fits a phone and a desktop, shows its action early, and axe finds no fault', {
  skip,
}, async () => {
  const { context, page } = await person(browser, { script: true, width: 390 })
  await context.route('https://mill.example/**', (route) => route.abort())
  for (const { name, html } of made) {
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setContent(html)
    for (const width of [320, 600, 390]) {
      await page.setViewportSize({ width, height: 800 })
      const wide = await page.evaluate(() => document.documentElement.scrollWidth)
      assert.ok(wide <= width, `${name} is ${wide} pixels wide at ${width}`)
    }
    const bottom = await page.evaluate(() => {
      const [button] = document.querySelectorAll('a[style*="inline-block"][style*="padding"]')
      return button?.getBoundingClientRect().bottom
    })
    assert.ok(bottom !== undefined || name.endsWith('-bare'), `${name} has no button`)
    assert.ok((bottom ?? 0) < 600, `the button of ${name} ends at ${bottom}`)
    if (!name.endsWith('-bare')) {
      assert.deepEqual(await faultsOf(page, ofPages), [], name)
      // The colours are the same in each language.
      if (name.endsWith('-en')) {
        await page.emulateMedia({ colorScheme: 'dark' })
        assert.deepEqual(await faultsOf(page, ofPages), [], `${name}, dark`)
      }
    }
    if (name.includes('-en')) await picture(page, `gallery-${name}`)
  }
  await context.close()
})

test('where pictures are blocked, what they say stands there whole on a narrow phone', {
  skip,
}, async () => {
  const { context, page } = await person(browser, { script: true, width: 320 })
  await context.route(/^https?:/, (route) => route.abort())
  const withWords = made.filter(({ name, html }) => name.endsWith('-en') && / alt="[^"]/.test(html))
  assert.ok(withWords.length > 0)
  for (const { name, html } of withWords) {
    await page.setContent(html)
    await page.waitForFunction(() => [...document.images].every(({ complete }) => complete))
    for (const { words, cut } of await wordsOfBlocked(page)) {
      assert.ok(cut <= 1, `${words} is cut by ${cut} pixels in ${name}`)
    }
  }
  await context.close()
})

test('as text, each mail has its facts and no marks', { skip }, () => {
  for (const { name, text } of made) {
    assert.ok(text.length > 60, name)
    assert.doesNotMatch(text, /\[\[|\*\*|\{\{|\{color/, name)
  }
})
