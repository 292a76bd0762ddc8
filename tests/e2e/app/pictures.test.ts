/**
 * The app's pages with the demo data, as a person sees them: each has no fault, and `npm run
 * pictures` stores screenshots in docs/pictures. The clock stands still, so that the pictures are
 * the same each time.
 */
import assert from 'node:assert/strict'
import path from 'node:path'
import test, { after, before } from 'node:test'
import { startSession } from 'crier-server/accounts/sign-in/session.ts'
import { formatId, type Id } from 'crier-server/core/ids.ts'
import { findDemo } from 'crier-server/core/installation/demo.ts'
import { demoOwner, makeDemo } from 'crier-server/demo/make.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { systemClock } from 'crier-server/lib/time/clock.ts'
import type { Page } from 'playwright-core'
import { silentLog } from '../../support/silent-log.ts'
import { faultsOf, type Theme, withoutBrowser } from '../browser.ts'
import { type AppBench, openAppBench } from './app.ts'

const skip = withoutBrowser
/** The folder for the pictures; undefined in an ordinary run. */
const folder = process.env['PICTURES']
const moment = new Date('2026-11-24T10:41:00Z')
const clock = { ...systemClock, now: () => moment }

let bench: AppBench
let root: string
let session: string
let campaigns: Map<string, string>
before(async () => {
  if (skip) return
  bench = await openAppBench({ idle: true, clock })
  const { service, db } = bench.testbed
  const { config, vault } = service
  assert.equal(await makeDemo({ config, db, vault, clock, log: silentLog }), undefined)
  const [roaster] = (await findDemo(db))?.businesses ?? []
  assert.ok(roaster)
  root = `${service.url}/b/${formatId('business', roaster)}`
  const { id } = await db.one<{ id: Id<'user'> }>(
    sql`select id from users where email = ${demoOwner}`,
  )
  session = await startSession(db, id, moment)
  const rows = await db.all<{ name: string; id: Id<'campaign'> }>(
    sql`select name, id from campaigns where business_id = ${roaster}`,
  )
  campaigns = new Map(rows.map((row) => [row.name, formatId('campaign', row.id)]))
})
after(() => bench?.close())

interface Picture {
  name: string
  theme: Theme
  width?: number
  path: () => string
  /** The text that must be visible before the picture is taken. */
  shows: string | RegExp
  act?: (page: Page) => Promise<void>
  /** The page is checked, but its picture is not stored. */
  unkept?: true
}

const campaignPath = (name: string) => () => `/campaigns/${campaigns.get(name)}`

const pictures: readonly Picture[] = [
  { name: 'home', theme: 'light', path: () => '', shows: 'Spring menu' },
  { name: 'contacts', theme: 'light', path: () => '/contacts', shows: /@example\.com/ },
  {
    name: 'contact-dark',
    theme: 'dark',
    path: () => '/contacts',
    shows: /@example\.com/,
    act: async (page) => {
      await page.getByRole('row').nth(7).click()
      await page.getByRole('dialog').waitFor()
      await page.getByText('checkout page').first().waitFor()
    },
  },
  { name: 'campaigns', theme: 'light', path: () => '/campaigns', shows: 'Notes from the farm' },
  {
    name: 'campaign-sending',
    theme: 'light',
    path: campaignPath('Spring menu'),
    shows: 'Pause',
  },
  {
    name: 'campaign-sending-dark',
    theme: 'dark',
    path: campaignPath('Spring menu'),
    shows: 'Pause',
  },
  {
    name: 'campaign-results',
    theme: 'light',
    path: campaignPath('Winter subscription'),
    shows: /Clicked/,
  },
  {
    name: 'campaign-draft',
    theme: 'light',
    path: campaignPath('Notes from the farm'),
    shows: 'Check',
    unkept: true,
  },
  { name: 'segments-dark', theme: 'dark', path: () => '/segments', shows: 'Regulars' },
  {
    name: 'webhooks',
    theme: 'light',
    path: () => '/webhooks',
    shows: /stock\.bluebottle\.example/,
  },
  {
    name: 'messages-dark',
    theme: 'dark',
    path: () => '/messages',
    shows: /@example\.com/,
    unkept: true,
  },
  { name: 'usage', theme: 'light', path: () => '/usage', shows: /Emails/i },
  {
    name: 'domains',
    theme: 'light',
    path: () => '/domains',
    shows: 'mail.bluebottle.example',
    unkept: true,
  },
  { name: 'home-phone', theme: 'dark', width: 390, path: () => '', shows: 'Spring menu' },
  {
    name: 'campaign-phone',
    theme: 'light',
    width: 390,
    path: campaignPath('Spring menu'),
    shows: 'Pause',
  },
]

for (const picture of pictures) {
  test(`${picture.name}: the page with the demo data has no accessibility fault`, {
    skip,
  }, async () => {
    const { name, theme, width = 1280 } = picture
    const context = await bench.browser.newContext({
      colorScheme: theme,
      reducedMotion: 'reduce',
      viewport: { width, height: 800 },
      locale: 'en-GB',
      timezoneId: 'Europe/Brussels',
    })
    const { url } = bench.testbed.service
    await context.addCookies([{ name: 'crier-session', value: session, url }])
    context.setDefaultTimeout(15_000)
    await context.clock.setFixedTime(moment)
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    await page.goto(root + picture.path())
    await page.getByText(picture.shows).locator('visible=true').first().waitFor()
    await page.getByText('Demo data').locator('visible=true').waitFor()
    await picture.act?.(page)
    await page.waitForLoadState('networkidle')
    if (folder && !picture.unkept) await page.screenshot({ path: path.join(folder, `${name}.png`) })
    assert.deepEqual(await faultsOf(page), [], name)
    assert.deepEqual(complaints, [], name)
    await context.close()
  })
}
