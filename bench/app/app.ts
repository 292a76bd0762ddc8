/** The app in a real browser: how soon it shows on a slow phone, and how it answers while one works. */
import { type Browser, chromium, type Page } from 'playwright-core'
import { startSession } from '../../server/src/accounts/sign-in/session.ts'
import { formatId, type Id } from '../../server/src/core/ids.ts'
import { sql } from '../../server/src/lib/db/db.ts'
import { chromiumPath, withoutBrowser } from '../../tests/support/processes/chromium.ts'
import { fillPeople } from '../audience/audience-population.ts'
import { atMost, type Bench, type Figure, median, number } from '../support/bench.ts'
import { settle } from '../support/population.ts'
import { sizes } from '../support/sizes.ts'
import { type BenchTestbed, openTestbed } from '../support/testbed.ts'

const { contacts: many, rounds, scrolls, presses, processor: slowProcessor } = sizes.app

/** As Lighthouse throttles a phone: 1.6 Mbit/s, 150 ms, and a processor of a quarter. */
const slow = { latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }

export const app: Bench = {
  name: 'app',
  title: 'The app in a browser',
  method: `Chromium without a cache, 1.6 Mbit/s, 150 ms and a quarter of this machine's processor: medians of ${rounds} loads. Then unthrottled with ${number(many)} contacts behind the table: p95 of the time from an event to the next paint (Event Timing, which counts in steps of 8 ms) while scrolling by wheel and keys, typing in the search and choosing filters.`,

  async run(tell) {
    if (withoutBrowser) throw new Error(withoutBrowser)
    const testbed = await openTestbed()
    const browser = await chromium.launch({
      executablePath: chromiumPath,
      args: ['--no-sandbox', '--disable-gpu'],
    })
    try {
      const { connected } = await settle(testbed.db, 1)
      const [person] = connected
      const business = person?.businesses[0]?.id
      if (!person || !business) throw new Error('no business')
      tell(`making ${number(many)} contacts`)
      await fillPeople(testbed.db, business, many)
      await testbed.db.run(sql`vacuum analyze`)
      const session = await startSession(testbed.db, person.userId, new Date())
      const place = { testbed, browser, business, session }
      const figures: Figure[] = []
      for (const [name, path, row] of [
        ['Home', '', 'main h1'],
        ['Contacts', '/contacts', 'tbody a'],
      ] as const) {
        tell(`loading ${name}`)
        figures.push(...(await loading(place, { name, path, row })))
      }
      tell('working in the table')
      return [...figures, ...(await working(place))]
    } finally {
      await browser.close()
      await testbed.close()
    }
  },
}

interface Place {
  testbed: BenchTestbed
  browser: Browser
  business: Id<'business'>
  session: string
}

async function visit({ testbed, browser, business, session }: Place) {
  const url = `http://localhost:${testbed.service.port}`
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  await context.addCookies([{ name: 'crier-session', value: session, url }])
  const page = await context.newPage()
  return { page, root: `${url}/b/${formatId('business', business)}`, close: () => context.close() }
}

interface Loaded {
  name: string
  path: string
  /** What shows that real data has come. */
  row: string
}

async function loading(place: Place, { name, path, row }: Loaded): Promise<Figure[]> {
  const first: number[] = []
  const largest: number[] = []
  const rows: number[] = []
  for (let round = 0; round < rounds; round++) {
    const { page, root, close } = await visit(place)
    const client = await page.context().newCDPSession(page)
    await client.send('Network.enable')
    await client.send('Network.emulateNetworkConditions', { offline: false, ...slow })
    await client.send('Emulation.setCPUThrottlingRate', { rate: slowProcessor })
    await page.addInitScript((selector) => {
      const painted = globalThis as unknown as { largest: number; row: number }
      painted.largest = 0
      painted.row = 0
      new PerformanceObserver((list) => {
        for (const { startTime } of list.getEntries()) painted.largest = startTime
      }).observe({ type: 'largest-contentful-paint', buffered: true })
      const look = () => {
        if (document.querySelector(selector)) painted.row = performance.now()
        else requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    }, row)
    await page.goto(root + path)
    await page.locator(row).first().waitFor()
    await page.waitForLoadState('networkidle')
    const seen = await page.evaluate(() => {
      const painted = globalThis as unknown as { largest: number; row: number }
      const [paint] = performance.getEntriesByName('first-contentful-paint')
      return { first: paint?.startTime ?? 0, largest: painted.largest, row: painted.row }
    })
    first.push(seen.first)
    largest.push(seen.largest)
    rows.push(seen.row)
    await close()
  }
  return [
    atMost(`${name}: first contentful paint`, median(first), 1_800, ' ms'),
    atMost(`${name}: largest contentful paint`, median(largest), 2_500, ' ms'),
    atMost(`${name}: the first real content`, median(rows), 2_500, ' ms'),
  ]
}

/** Acts on the table as a person does, and returns the time of each event until the next paint. */
async function working(place: Place): Promise<Figure[]> {
  const { page, root, close } = await visit(place)
  await page.addInitScript(() => {
    const kept = globalThis as unknown as { taken: { name: string; ms: number }[] }
    kept.taken = []
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) kept.taken.push({ name, ms: duration })
    }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit)
  })
  await page.goto(`${root}/contacts`)
  await page.locator('tbody a').first().waitFor()
  const frames = await scrolling(page)
  for (let press = 0; press < presses; press++) await page.keyboard.press('j')
  const events = presses + (await filtering(page))
  const taken = await page.evaluate(
    () => (globalThis as unknown as { taken: { name: string; ms: number }[] }).taken,
  )
  await close()
  // Events below the threshold are not told; they count as a frame.
  const all = [...taken.map(({ ms }) => ms), ...Array.from({ length: events }, () => 16)]
  return [
    atMost('an event until the next paint, p95', p95(all), 100, ' ms'),
    atMost('the same, the slowest', Math.max(...all), 200, ' ms'),
    atMost('a frame while scrolling through 6,000 rows, p95', p95(frames), 100, ' ms'),
  ]
}

/** Scrolls on and on by the wheel; returns the time of each step until the next paint. */
async function scrolling(page: Page): Promise<number[]> {
  await page.mouse.move(700, 500)
  const frames: number[] = []
  for (let step = 0; step < scrolls; step++) {
    const drawn = page.evaluate(
      () =>
        new Promise<number>((done) => {
          const frame = document.querySelector('table')?.parentElement
          const since = performance.now()
          frame?.scrollBy(0, 900)
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel()
            // A message comes after the paint of this frame.
            port1.addEventListener('message', () => done(performance.now() - since))
            port1.start()
            port2.postMessage(0)
          })
        }),
    )
    frames.push(await drawn)
  }
  return frames
}

/** Types searches and chooses filters; returns how many events that were at least. */
async function filtering(page: Page): Promise<number> {
  const search = page.getByRole('searchbox')
  for (const text of ['p123', 'p99', 'person']) {
    await search.fill('')
    await search.pressSequentially(text, { delay: 60 })
    await page.waitForLoadState('networkidle')
  }
  await search.fill('')
  for (const name of [/^Subscribed/, /^Unsubscribed/, /^All/]) {
    await page.getByRole('button', { name }).click()
    await page.waitForLoadState('networkidle')
  }
  return 20
}

function p95(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN
}
