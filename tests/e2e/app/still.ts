/** Waits until a page shows what it has to show. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'

/** Milliseconds after which a page that still loads is at fault, on a slow machine too. */
const deadlineMs = 30_000

export interface Stillness {
  /** Opens the page and waits until it is drawn and has asked for everything. */
  open(url: string): Promise<void>
  /** Goes to another page of the app that is open, without loading it anew. */
  go(url: string): Promise<void>
  /** Waits for the same after an action on the page. */
  still(): Promise<void>
}

/** Counts the page's requests from here on; the stream of changes never ends and is left out. */
export function stillness(page: Page): Stillness {
  const running = new Set<object>()
  page.on('request', (request) => {
    if (!request.url().includes('/v1/stream')) running.add(request)
  })
  page.on('requestfinished', (request) => running.delete(request))
  page.on('requestfailed', (request) => running.delete(request))
  const drawn = () =>
    Promise.race([
      // A framed mail may run nothing, not even this: there the promise would never settle.
      page.evaluate(() => new Promise((done) => requestAnimationFrame(done))).catch(() => {}),
      sleep(100),
    ])
  const still = async () => {
    const since = performance.now()
    // A page that has its answers may ask for more once they are drawn.
    for (let calm = 0; calm < 3; ) {
      if (performance.now() - since > deadlineMs) {
        throw new Error(`${page.url()} is not still after ${deadlineMs} ms`)
      }
      await drawn()
      const isLoading = await page.locator('.pulse').count()
      calm = running.size === 0 && isLoading === 0 ? calm + 1 : 0
    }
  }
  return {
    async open(url) {
      running.clear()
      await page.goto(url, { timeout: deadlineMs })
      await still()
    },
    async go(url) {
      await page.evaluate((to) => {
        history.pushState(null, '', to)
        dispatchEvent(new PopStateEvent('popstate'))
      }, url)
      await still()
    },
    still,
  }
}
