/**
 * What axe cannot judge, on pages of the app with the demo data: 320 CSS pixels (a desktop at 400 %),
 * text of twice the size, text spaced as its reader wants it, targets of 24 px, a focus that is always
 * seen, and states that forced colours do not hide (WCAG 2.2 AA 1.4.4, 1.4.10, 1.4.12, 2.4.7, 2.4.11,
 * 2.5.8). `npm run soak -- --only looks` walks every page.
 */
import assert from 'node:assert/strict'
import test, { before } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { type DemoBench, sharedDemoBench } from './demo-bench.ts'
import { everyPlace } from './places.ts'
import { stillness } from './still.ts'

const skip = withoutBrowser

/** A table, and a bar at the bottom: in every run, the others by `npm run soak`. */
const everyRun = ['contacts-filter', 'form-build']
const isThorough = process.env['LOOKS'] === 'all'

/** More stops than the page with the most has; in every run as many as reach its end bar. */
const longestWalk = isThorough ? 200 : 80

let bench: DemoBench
before(async () => {
  if (!skip) bench = await sharedDemoBench()
})

/** What lies outside of the window, where no box of its own scrolls. */
function outside(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const excess = document.documentElement.scrollWidth - innerWidth
    const found = excess > 0 ? [`the page is ${excess} px too wide`] : []
    const isInBox = (element: Element) => {
      for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
        const { overflowX, position } = getComputedStyle(at)
        if (/auto|scroll/.test(overflowX)) return true
        if (position === 'fixed' && at.getBoundingClientRect().left >= innerWidth) return true
      }
      return false
    }
    for (const element of document.querySelectorAll('button, a, input, select, h1, h2, p')) {
      const { left, right, width, height } = element.getBoundingClientRect()
      const isHidden = width < 2 || height < 2 || element.closest('[aria-hidden=true], [inert]')
      const isOutside = right > innerWidth + 1 || left < -1
      if (isHidden || !isOutside || isInBox(element)) continue
      const text = element.textContent?.slice(0, 40) || element.getAttribute('aria-label')
      found.push(`“${text}” reaches from ${Math.round(left)} to ${Math.round(right)}`)
    }
    return found
  })
}

/** Targets below 24 px, with another one within the circle of 24 px around their middle. */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const kinds =
      'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=switch], [role=tab], [role=option]'
    const targets = [...document.querySelectorAll<HTMLElement>(kinds)].flatMap((element) => {
      const isBox = element.matches('[type=checkbox], [type=radio]')
      const box = ((isBox && element.closest('label')) || element).getBoundingClientRect()
      const isHidden =
        box.width <= 2 ||
        box.height <= 2 ||
        element.closest('[aria-hidden=true], [inert], .sr-only') !== null ||
        getComputedStyle(element).visibility === 'hidden'
      return isHidden ? [] : [{ element, box }]
    })
    const small = targets.filter(({ element, box }) => {
      // In a sentence the height of the line is what it is.
      const isInSentence = element.matches('a') && getComputedStyle(element).display === 'inline'
      return (box.width < 24 || box.height < 24) && !isInSentence
    })
    const crowded = small.filter(({ element, box }) => {
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
      return targets.some(({ element: other, box: near }) => {
        if (element.contains(other) || other.contains(element)) return false
        const dx = Math.max(near.left - x, 0, x - near.right)
        const dy = Math.max(near.top - y, 0, y - near.bottom)
        return Math.hypot(dx, dy) < 12
      })
    })
    const names = crowded.map(({ element, box }) => {
      const name = element.getAttribute('aria-label') || element.textContent || element.tagName
      return `“${name.slice(0, 40)}” is ${Math.round(box.width)} by ${Math.round(box.height)} px`
    })
    return [...new Set(names)]
  })
}

/** Walks the page by Tab: each stop is marked, and nothing covers it. */
async function focusFaults(page: Page): Promise<string[]> {
  const found = new Set<string>()
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  for (let stop = 0; stop < longestWalk; stop++) {
    await page.keyboard.press('Tab')
    const fault = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement | null
      if (!element || element === document.body) return 'end'
      if (element.matches('iframe, [data-base-ui-focus-guard]')) return ''
      const { left, top, width, height } = element.getBoundingClientRect()
      const label = element.closest('label')
      const isSeenAt = ([x, y]: readonly [number, number]) => {
        const at = document.elementFromPoint(left + width * x, top + height * y)
        if (!at) return false
        const isOfLabel = label !== null && at.closest('label') === label
        return element.contains(at) || at.contains(element) || isOfLabel
      }
      const spots = [
        [0.5, 0.5],
        [0.1, 0.5],
        [0.9, 0.5],
        [0.5, 0.15],
        [0.5, 0.85],
      ] as const // prettier-ignore
      const name = `“${(element.getAttribute('aria-label') || element.textContent || element.id).trim().slice(0, 40)}”`
      if (!spots.some(isSeenAt)) return `${name} is focused and covered at ${Math.round(top)} px`
      const { nextElementSibling, previousElementSibling, parentElement } = element
      // The part of a date that is being typed is marked by the browser itself.
      if (element.matches('[type=date], [type=time], [type=datetime-local]')) return ''
      const block = element.closest('.is-chosen, .mail-block, [data-block]')
      const marks = [element, parentElement, nextElementSibling, previousElementSibling, block]
      const isMarked = marks.some((at) => {
        if (!at) return false
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(at)
        return (
          (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1) || boxShadow !== 'none'
        )
      })
      return isMarked ? '' : `${name} shows no focus`
    })
    if (fault === 'end') break
    if (fault) found.add(fault)
  }
  return [...found]
}

/** The spacing of 1.4.12, which a reader may set for every text. */
const wideSpacing = `* {
  line-height: 1.5 !important;
  letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important;
}
p { margin-bottom: 2em !important }`

/** Sets the styles of a reader beside those of the page, whose policy allows no style element. */
async function restyle(page: Page, css: string): Promise<void> {
  await page.evaluate((text) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    document.adoptedStyleSheets = [sheet]
  }, css)
}

/** Texts of one line, or of a box without a bar to scroll, that are cut off at the end. */
function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const cut = [...document.querySelectorAll<HTMLElement>('button, a, label, h1, h2, h3, p, th')]
    return cut.flatMap((element) => {
      const { overflowX, overflowY, textOverflow } = getComputedStyle(element)
      const isCut =
        (overflowX === 'hidden' && element.scrollWidth > element.clientWidth + 1) ||
        (overflowY === 'hidden' && element.scrollHeight > element.clientHeight + 1)
      // An ellipsis says so, and the whole text is one click away.
      if (!isCut || textOverflow === 'ellipsis' || element.closest('.sr-only')) return []
      return [`“${element.textContent?.slice(0, 40)}” is cut`]
    })
  })
}

/** What is chosen, without anything that forced colours leave of it. */
function hiddenStates(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const chosen =
      '[aria-current]:not([aria-current=false]), [aria-pressed=true], [aria-selected=true]'
    return [...document.querySelectorAll<HTMLElement>(chosen)]
      .filter((element) => getComputedStyle(element).outlineStyle === 'none')
      .map((element) => `“${element.textContent?.slice(0, 40)}” is chosen, and it is not seen`)
  })
}

void test('pages hold at 320 px and with text of twice the size, targets are large enough, and the focus is seen', {
  skip,
}, async () => {
  const { page, close } = await bench.visit({ theme: 'light', width: 320 })
  await page.addInitScript(() => localStorage.setItem('crier-language', 'de'))
  const devtools = await page.context().newCDPSession(page)
  const textSize = (standard: number) =>
    devtools.send('Page.setFontSizes', { fontSizes: { standard, fixed: standard } })
  const { open, go, still } = stillness(page)
  const all = everyPlace(bench.objects)
  const places = isThorough ? all : all.filter(({ name }) => everyRun.includes(name))
  const faults: string[] = []
  for (const [turn, { name, path }] of places.entries()) {
    const add = (at: string, found: readonly string[]) =>
      faults.push(...found.map((fault) => `${name}, ${at}: ${fault}`))
    bench.pass(10)
    await page.setViewportSize({ width: 320, height: 640 })
    await (turn === 0 ? open(bench.root + path) : go(bench.root + path))
    add('320 px', await outside(page))
    add('320 px', await smallTargets(page))
    await page.setViewportSize({ width: 1280, height: 800 })
    await still()
    add('1280 px', await smallTargets(page))
    add('1280 px', await focusFaults(page))
    await textSize(32)
    await still()
    add('text of 200 %', await outside(page))
    const heading = page.getByRole('heading', { level: 1 })
    if ((await heading.count()) > 0) {
      const size = await heading.evaluate((h1) => Number.parseFloat(getComputedStyle(h1).fontSize))
      assert.equal(size, 30, `${name}: the title grows with the text`)
    }
    await textSize(16)
    await restyle(page, wideSpacing)
    await still()
    add('spaced text', await outside(page))
    add('spaced text', await cutTexts(page))
    await restyle(page, '')
    await page.emulateMedia({ forcedColors: 'active' })
    add('forced colours', await hiddenStates(page))
    add('forced colours', await focusFaults(page))
    await page.emulateMedia({ forcedColors: 'none' })
  }
  await close()
  assert.deepEqual(faults, [])
})
