/** The web app in a real browser, with a service for the test. */
import assert from 'node:assert/strict'
import { formatId, type Id } from 'crier-server/core/ids.ts'
import type { Role } from 'crier-server/core/operation.ts'
import type { Page } from 'playwright-core'
import { type OwnTestbed, openTestbed } from '../../operations/support/testbed.ts'
import type { ServiceOptions } from '../../support/processes/service.ts'
import {
  faultsOf,
  type Look,
  launch,
  type OpenBrowser,
  person,
  picture,
  type Theme,
  turnTo,
} from '../browser.ts'

export interface AppBench {
  testbed: OwnTestbed
  browser: OpenBrowser
  close(): Promise<void>
}

export async function openAppBench(
  options: Pick<ServiceOptions, 'idle' | 'clock' | 'settings'> = {},
): Promise<AppBench> {
  const [testbed, browser] = await Promise.all([openTestbed(options), launch()])
  return {
    testbed,
    browser,
    async close() {
      await showLeftPages(browser)
      await browser.close()
      await testbed.close()
    },
  }
}

/** A test that fails leaves its page open: what the page showed says more than the time-out. */
async function showLeftPages(browser: OpenBrowser): Promise<void> {
  for (const page of browser.contexts().flatMap((context) => context.pages())) {
    const shown = await page
      .locator('body, main')
      .last()
      .ariaSnapshot({ timeout: 1_000 })
      .catch(String)
    process.stderr.write(`A page was left open at ${page.url()}:\n${shown.slice(0, 3_000)}\n`)
  }
}

export interface VisitOptions {
  businesses: Id<'business'>[]
  role?: Role
  theme?: Theme
  width?: number
  /** A finger in place of a mouse. */
  touch?: boolean
  language?: string
  /** The path after `/b/<the first business>`. */
  path?: string
}

export interface Visit {
  page: Page
  /** The console's messages about policies and failures. */
  complaints: string[]
  /** The app's path of the first business. */
  root: string
  look: Look
  close(): Promise<void>
}

/** A new signed-in person, at a page of the first business. */
export async function visitApp(bench: AppBench, options: VisitOptions): Promise<Visit> {
  const { testbed, browser } = bench
  const { businesses, role = 'owner', theme = 'light', width = 1280, touch = false } = options
  const opened = await person(browser, { theme, width, touch, script: true })
  const value = await testbed.newSession({ businesses, role })
  await opened.context.addCookies([{ name: 'crier-session', value, url: testbed.service.url }])
  const language = options.language ?? 'en'
  await opened.context.addInitScript((chosen) => {
    localStorage.setItem('crier-language', chosen)
  }, language)
  const [first] = businesses
  assert.ok(first)
  const root = `${testbed.service.url}/b/${formatId('business', first)}`
  await opened.page.goto(root + (options.path ?? ''))
  return {
    page: opened.page,
    complaints: opened.complaints,
    root,
    look: { theme, width },
    close: () => opened.context.close(),
  }
}

const isThorough = process.env['LOOKS'] === 'all' || process.env['SCREENSHOTS'] !== undefined

const wide: Look = { theme: 'light', width: 1280 }
const phone: Look = { theme: 'dark', width: 390 }

/**
 * In what a story runs that looks at pages: once, dark and as on a phone, where texts have least room.
 * Each page is then looked at light and wide as well (`assertSound`). `npm run soak -- --only looks`,
 * and who stores pictures, runs it in each of the four combinations.
 */
export const looks: readonly Look[] = isThorough
  ? [wide, { theme: 'dark', width: 1280 }, { theme: 'light', width: 390 }, phone]
  : [phone]

/** Every look in which a page is checked in an ordinary run. */
export const bothLooks: readonly Look[] = [wide, phone]

/** Asserts a sound page, in the other look of an ordinary run as well. */
export async function assertSound(visit: Visit, name: string): Promise<void> {
  await assertSoundNow(visit, name)
  const { page, look } = visit
  if (isThorough || look.theme !== phone.theme || look.width !== phone.width) return
  await turnTo(page, wide)
  await assertSoundNow(visit, `${name}, wide`)
  await turnTo(page, phone)
}

/** No axe findings, no scrolling beside the frame, a silent console. */
async function assertSoundNow({ page, complaints }: Visit, name: string): Promise<void> {
  await picture(page, name)
  assert.deepEqual(await faultsOf(page), [], name)
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  const height = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)
  assert.ok(height <= 0, `${name} is ${height} px too high: the page scrolls beside its frame`)
  assert.ok(excess <= 0, `${name} is ${excess} px too wide`)
  assert.deepEqual(complaints, [], name)
}
