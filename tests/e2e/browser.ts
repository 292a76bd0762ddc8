/** A real browser: the system's Chromium, with all background requests disabled. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type axe from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { chromiumPath } from '../support/processes/chromium.ts'

/** Milliseconds, long enough for a busy machine. */
const patience = 120_000

/** What tests use of a browser. */
export type OpenBrowser = Pick<Browser, 'newContext' | 'contexts' | 'close'>

let shared: Promise<Browser> | undefined
let users = 0

/** Milliseconds for which the browser waits for the next file of this process. */
const idleMs = 3_000

/**
 * The browser of this process: starting one takes 1.5 s of a processor, and files of one process come
 * one after the other. What `newContext` opens here is seen and closed by this user alone.
 */
export async function launch(): Promise<OpenBrowser> {
  users += 1
  shared ??= startBrowser()
  const browser = await shared
  const opened = new Set<BrowserContext>()
  return {
    async newContext(options) {
      const context = await browser.newContext(options)
      opened.add(context)
      context.on('close', () => opened.delete(context))
      return context
    },
    contexts: () => [...opened],
    async close() {
      await Promise.all([...opened].map((context) => context.close()))
      users -= 1
      setTimeout(() => void closeIdle(), idleMs)
    },
  }
}

async function closeIdle(): Promise<void> {
  if (users > 0) return
  const idle = shared
  shared = undefined
  await (await idle)?.close()
}

function startBrowser(): Promise<Browser> {
  const started = startChromium()
  const forget = () => {
    if (shared === started) shared = undefined
  }
  void started.then((browser) => browser.on('disconnected', forget), forget)
  return started
}

/** A browser of its own, for who needs further arguments; the others share one. */
export function startChromium(args: readonly string[] = []): Promise<Browser> {
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
      ...args,
    ],
  })
}

export type Theme = 'light' | 'dark'

export interface Look {
  theme: Theme
  width: number
}

/** Shows a page in another look, with what it holds at the moment. */
export async function turnTo(page: Page, { theme, width }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme: theme })
  await page.setViewportSize({ width, height: 800 })
  // Colours change over a moment.
  await page.waitForFunction(() => document.getAnimations().length === 0)
}

/** A person's browser; `complaints` are the console's messages about policies and failures. */
export async function person(
  browser: OpenBrowser,
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

/** The words that stand in place of a blocked picture. */
export interface PictureWords {
  words: string
  /** Pixels of the lines that a reader does not see, since they are beyond the picture's place or the window: none of them where no line is drawn. */
  cut: number
}

interface DrawnNode {
  nodeId: number
  nodeName: string
  nodeValue: string
  children?: DrawnNode[]
  shadowRoots?: DrawnNode[]
  attributes?: string[]
}

/** Left, top, right and bottom. */
type Box = [number, number, number, number]

/**
 * Reads where Chromium draws each line of a blocked picture's words: it puts them into a tree of its
 * own below the picture, which no script of the page sees, and cuts them at the edges of the picture.
 */
export async function wordsOfBlocked(page: Page): Promise<PictureWords[]> {
  const cdp = await page.context().newCDPSession(page)
  const boxesOf = async ({ nodeId }: DrawnNode): Promise<Box[]> => {
    const { quads } = await cdp.send('DOM.getContentQuads', { nodeId })
    return quads.map((quad) => [quad[0] ?? 0, quad[1] ?? 0, quad[2] ?? 0, quad[5] ?? 0])
  }
  const found: PictureWords[] = []
  const visit = async (node: DrawnNode): Promise<void> => {
    const parts = node.shadowRoots?.[0]?.children?.[0]?.children
    const line = parts?.find(({ attributes = [] }) => attributes.includes('alttext'))
    const text = line?.children?.[0]
    if (node.nodeName === 'IMG' && text) {
      // A picture that is hidden has no boxes.
      const [frame] = await boxesOf(node).catch(() => [])
      const lines = frame ? await boxesOf(text) : []
      const beyond = lines.flatMap(([left, top, right, bottom]) =>
        frame ? [frame[0] - left, frame[1] - top, right - frame[2], bottom - frame[3]] : [],
      )
      const outside = lines.flatMap(([left, , right]) => [-left, right - width])
      const cut = lines.length > 0 ? Math.max(...beyond, ...outside) : Number.POSITIVE_INFINITY
      if (frame) found.push({ words: text.nodeValue, cut })
    }
    for (const child of node.children ?? []) await visit(child)
  }
  const width = page.viewportSize()?.width ?? 0
  const { root } = await cdp.send('DOM.getDocument', { depth: -1, pierce: true })
  await visit(root)
  await cdp.detach()
  return found
}

/** Stores a picture if SCREENSHOTS names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (folder) await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true })
}
