/**
 * Every page of the app with the demo data, in German and in French, light and dark, wide and as on a
 * phone: no page is too wide, complains in the console, or shows English. SCREENSHOTS=folder stores how
 * each looks, and asks axe about it, which the tests of the single pages do in every run.
 */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import test, { after, before } from 'node:test'
import { roaster } from 'crier-server/demo/roaster.ts'
import { contentOf } from 'crier-server/demo/story.ts'
import { galleryMails } from 'crier-server/templates/gallery/entries.ts'
import type { Page } from 'playwright-core'
import { appTexts, appTextsFolder } from '../../support/app-texts.ts'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { faultsOf, picture } from '../browser.ts'
import { bothLooks, looks } from './app.ts'
import { type DemoBench, sharedDemoBench } from './demo-bench.ts'
import './demo-accessibility.ts'
import './demo-pictures.ts'
import { everyPlace } from './places.ts'
import { stillness } from './still.ts'

const skip = withoutBrowser
const isThorough = process.env['SCREENSHOTS'] !== undefined

let bench: DemoBench
before(async () => {
  if (!skip) bench = await sharedDemoBench()
})
after(() => bench?.close())

/** A mail in its frame says that no script may run there: the frame of a sample, or of a preview. */
const isOfPage = (complaint: string) =>
  !complaint.includes('/sample') && !complaint.includes('frame is sandboxed')

/** Buttons that a finger misses (WCAG 2.5.8), and states whose word is cut off. */
function onPhone(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)]
    const low = all('button, summary').filter(({ offsetHeight: high }) => high > 1 && high < 24)
    const cut = all('.rounded-full > .truncate').filter(
      (word) => word.scrollWidth > word.clientWidth,
    )
    return [
      ...low.map((one) => `“${one.textContent}” is ${one.offsetHeight} px high`),
      ...cut.map((one) => `“${one.textContent}” is cut off`),
    ]
  })
}

type Language = 'de' | 'fr'

/** The texts of at least two words that are English, and others in the language. */
async function englishTexts(language: Language): Promise<Set<string>> {
  const folder = path.join(import.meta.dirname, '../../..', appTextsFolder, 'en')
  const found = new Set<string>()
  const own = new Set<unknown>()
  for (const file of readdirSync(folder)) {
    for (const { value } of await appTexts(language, file)) own.add(value)
    for (const { value } of await appTexts('en', file)) {
      if (typeof value === 'string' && /[a-z] [a-z]/i.test(value)) found.add(value)
    }
  }
  return new Set([...found].filter((text) => !own.has(text)))
}

/** Words that every English sentence has, and that neither German nor French knows. */
const englishWords = /\b(?:the|and|with|your|this|that|are|from|have|been|of|which|when|will)\b/i

/** A code or a key in a sentence, or what a program shows where it has no text. */
const raw = /\b(?:undefined|NaN|null|\[object \w+\]|[a-z]+(?:_[a-z]+)+)\b/

/** What is meant so: a field of a template, an address or id to copy. */
const isCode = (line: string) => /\{\{|:\/\/|@|^[a-z]{3}_[0-9a-z]{26}$|postgresql\.conf/.test(line)

/** Lines of the page, without code and without what is marked as another's words. */
function linesOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const lines: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement
      if (parent?.closest('code, pre, textarea, script, style, bdi, [lang=en]')) continue
      const text = node.textContent?.trim()
      if (text) lines.push(text)
    }
    return lines
  })
}

/** The demo's own words, which the app shows in each language as they are. */
const mails = roaster.campaigns.map((campaign) => contentOf(campaign, { site: '', pictures: {} }))
const demoWords = JSON.stringify([roaster, mails, galleryMails()]).toLowerCase()
const isOfDemo = (line: string) =>
  demoWords.includes(JSON.stringify(line).slice(1, -1).toLowerCase())

/** Each page once in each language, by turns wide and light, or dark and as on a phone. */
async function walk(language: Language): Promise<string[]> {
  const { page, complaints, close } = await bench.visit({ theme: 'light', width: 1280 })
  await page.addInitScript((chosen) => localStorage.setItem('crier-language', chosen), language)
  const { open, go, still } = stillness(page)
  const english = await englishTexts(language)
  const faults: string[] = []
  for (const [turn, { name, path: below }] of everyPlace(bench.objects).entries()) {
    complaints.length = 0
    bench.pass(10)
    const isWide = (turn % 2 === 0) === (language === 'de')
    const seen = isThorough ? looks : bothLooks.filter(({ width }) => (width === 1280) === isWide)
    const at = `${name} (${language})`
    for (const [n, { theme, width }] of seen.entries()) {
      await page.emulateMedia({ colorScheme: theme })
      await page.setViewportSize({ width, height: 800 })
      await (n > 0 ? still() : turn === 0 ? open(bench.root + below) : go(bench.root + below))
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      if (excess > 0) faults.push(`${at} is ${excess} px too wide at ${width}`)
      if (width === 390) faults.push(...(await onPhone(page)).map((fault) => `${at}: ${fault}`))
      if (!isThorough) continue
      await picture(page, `${name}-${language}-${theme}-${width}`)
      faults.push(...(await faultsOf(page)))
    }
    for (const line of await linesOf(page)) {
      const isEnglish = english.has(line) || (englishWords.test(line) && !isOfDemo(line))
      if (isEnglish && !isCode(line)) faults.push(`${at} says “${line}”`)
      if (raw.test(line) && !isCode(line)) faults.push(`${at} shows the raw “${line}”`)
    }
    faults.push(...complaints.filter(isOfPage).map((complaint) => `${at}: ${complaint}`))
  }
  if (language === 'de') {
    await open(`${bench.root}/campaigns/${bench.objects.draft}?step=check`)
    await page.getByText(/Prüfungen bestanden$/).click()
    await page.getByText('Die Postanschrift steht im Fußbereich.').waitFor()
    await page.getByRole('region', { name: 'Meldungen' }).waitFor({ state: 'attached' })
  }
  await close()
  return faults
}

test('no page with the demo data is too wide, complains, or shows English, a code or an id, in German and French', {
  skip,
}, async () => {
  // Both wait for the service and the browser most of the time.
  const faults = await Promise.all([walk('de'), walk('fr')])
  assert.deepEqual(faults.flat(), [])
})

test('a chart tells its values below the arrow keys, and in a table of the same figures', {
  skip,
}, async () => {
  const { page, close } = await bench.visit({ theme: 'light', width: 1280 })
  await page.addInitScript(() => localStorage.setItem('crier-language', 'en'))
  await page.goto(`${bench.root}/reports`)
  const figure = page.getByRole('figure', { name: /subscribers gained/ })
  await figure.getByRole('application').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowLeft')
  const shown = figure.locator('.recharts-tooltip-wrapper p')
  await shown.first().waitFor()
  const day = (await shown.first().textContent()) ?? ''
  const gained = await shown.nth(1).locator('span').last().textContent()
  await figure.getByRole('button', { name: 'Show as a table' }).click()
  const row = figure.getByRole('row', { name: new RegExp(`^${day}`) })
  assert.equal(await row.getByRole('cell').first().textContent(), gained)
  await close()
})
