/** A real browser: the system's Chromium, with all background requests disabled. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type axe from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { chromiumPath } from '../support/processes/chromium.ts'

/** Milliseconds, long enough for a busy machine. */
const patience = 120_000

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath,
    timeout: patience,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  })
}

export type Theme = 'light' | 'dark'

/** A person's browser; `complaints` are the console's messages about policies and failures. */
export async function person(
  browser: Browser,
  options: { theme?: Theme; script?: boolean; width?: number; touch?: boolean } = {},
): Promise<{ context: BrowserContext; page: Page; complaints: string[] }> {
  const context = await browser.newContext({
    javaScriptEnabled: options.script ?? false,
    colorScheme: options.theme ?? 'light',
    reducedMotion: 'reduce',
    hasTouch: options.touch ?? false,
    isMobile: options.touch ?? false,
    viewport: { width: options.width ?? 900, height: 800 },
  })
  context.setDefaultTimeout(patience)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  return { context, page, complaints }
}

let axeSource: string | undefined

/**
 * The axe findings of the page, one a line; a framed mail is left out, as no script runs there.
 * `@axe-core/playwright` finds the same in six times the processor's time: it loads axe a second
 * time in a page of its own, to join findings of frames, and returns all that is right as well.
 */
export async function faultsOf(page: Page, without: string[] = []): Promise<string[]> {
  const isLoaded = await page.evaluate(() => 'axe' in window)
  if (!isLoaded) {
    axeSource ??= readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
    await page.evaluate(axeSource)
  }
  const found = await page.evaluate(async (rules) => {
    const { axe: loaded } = window as unknown as { axe: typeof axe }
    const { violations } = await loaded.run(
      { exclude: ['iframe'] },
      {
        iframes: false,
        resultTypes: ['violations'],
        rules: Object.fromEntries(rules.map((rule) => [rule, { enabled: false }])),
      },
    )
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
    )
  }, without)
  return found.map((finding) => `${page.url()} ${finding}`)
}

/** Stores a picture if SCREENSHOTS names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (folder) await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true })
}
