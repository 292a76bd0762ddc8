/** Sending from the app: asked once, undone for a while, and what a scheduled campaign offers. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { setBusiness } from 'crier-server/accounts/settings/settings.ts'
import { formatId } from 'crier-server/core/ids.ts'
import { days, later } from 'crier-server/lib/time/clock.ts'
import type { Page } from 'playwright-core'
import { campaignScene, deployPlanned } from '../../support/businesses/campaigns.ts'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { eventually } from '../../support/time/eventually.ts'
import {
  type AppBench,
  assertSound,
  looks,
  openAppBench,
  type VisitOptions,
  visitApp,
} from './app.ts'
import { keysOf } from './keyboard.ts'
import { assertValue } from './settled.ts'

const skip = withoutBrowser
const path = '/campaigns'

let bench: AppBench
before(async () => {
  // Long enough for a slow machine, and short enough that seconds are counted from the beginning.
  if (!skip) bench = await openAppBench({ settings: { UNDO_SECONDS: '110' } })
})
after(() => bench?.close())

/** A draft to five people, at the step in which it is sent. */
async function ready(look: Partial<VisitOptions> = {}) {
  const scene = await campaignScene(bench.testbed)
  const now = new Date()
  await setBusiness(bench.testbed.db, scene.businessId, {
    key: 'time_zone',
    value: 'Africa/Nairobi',
    now,
  })
  const consent = { email: { status: 'subscribed', source: 'checkout page' } }
  for (const name of ['Ana', '', 'Cem', 'Dora', 'Emil']) {
    const email = `${name || 'nameless'}@example.com`.toLowerCase()
    await scene.contact({ email, ...(name && { name }), consent })
  }
  const { campaign_id } = await scene.draft({
    name: 'Spring menu',
    content: { subject: 'The spring menu is here', html: '<p>Asparagus is back.</p>' },
  })
  const businesses = [scene.businessId]
  const at = `${path}/${campaign_id}?step=when`
  const visit = await visitApp(bench, { businesses, path: at, ...look })
  const owner = await bench.testbed.appCaller({ businesses, role: 'owner' })
  const business_id = formatId('business', scene.businessId)
  const status = async () => {
    const shown = await owner.get<{ status: string }>('campaign.get', { business_id, campaign_id })
    return shown.status
  }
  return { scene, campaign_id, owner, business_id, status, visit, page: visit.page }
}

/** Days that a campaign may be scheduled for, in a zone whose clocks are never changed. */
const dayAhead = (count: number) => later(new Date(), days(count)).toISOString().slice(0, 10)
const [first, second] = [dayAhead(30), dayAhead(31)]
const inWords = (date: string, dateStyle: 'full' | 'medium' = 'full') =>
  new Intl.DateTimeFormat('en', { dateStyle, timeZone: 'UTC' }).format(new Date(date))

const confirmation = (page: Page) => page.getByRole('dialog', { name: 'Send to 5 people?' })
const counting = (page: Page) => page.getByRole('heading', { name: /^Sends in \d+ s$/ })
const undo = (page: Page) => page.getByRole('button', { name: 'Undo', exact: true })

async function sendOff(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Send to 5 people' }).click()
  await confirmation(page).getByRole('button', { name: 'Send now' }).click()
  await counting(page).waitFor()
}

for (const { theme, width } of looks) {
  test(`what asks and what counts down has no accessibility fault, ${theme} at ${width}`, {
    skip,
  }, async () => {
    const look = `${theme}-${width}`
    const { visit, page, scene, campaign_id } = await ready({ theme, width })
    await page.getByRole('button', { name: 'Send to 5 people' }).click()
    await confirmation(page).getByText('Ana, nameless@example.com, Cem, and 2 others').waitFor()
    await assertSound(visit, `app-send-confirm-${look}`)
    await confirmation(page).getByRole('button', { name: 'Send now' }).click()
    await counting(page).waitFor()
    await page.frameLocator('iframe').getByText('Asparagus is back').waitFor()
    await assertSound(visit, `app-send-counting-${look}`)
    await undo(page).click()
    await page.getByRole('button', { name: 'Send to 5 people' }).waitFor()
    await deployPlanned(scene.owner, { campaign_id, send_at: `${first}T09:00` })
    await page.getByRole('heading', { name: /^Scheduled for/ }).waitFor()
    await page.frameLocator('iframe').getByText('Asparagus is back').waitFor()
    await assertSound(visit, `app-scheduled-${look}`)
    await page.getByRole('button', { name: 'Change time' }).click()
    await page.getByRole('dialog', { name: 'Change time' }).waitFor()
    await assertSound(visit, `app-change-time-${look}`)
    await page.goto(visit.root + path)
    await page.getByRole('link', { name: 'Spring menu' }).waitFor()
    await assertSound(visit, `app-campaigns-scheduled-${look}`)
    await page.goto(visit.root)
    await page.getByText(/^Scheduled for .*, 9:00 AM \(East Africa Time\)$/).waitFor()
    await assertSound(visit, `app-home-scheduled-${look}`)
    await scene.owner.get('campaign.cancel', { campaign_id })
    await page.goto(`${visit.root}${path}/${campaign_id}`)
    await page.frameLocator('iframe').getByText('Asparagus is back').waitFor()
    await assertSound(visit, `app-cancelled-${look}`)
    await visit.close()
  })
}

test('Send asks with count, subject, sender and first names, and Undo leaves everything as it was', {
  skip,
}, async () => {
  const { page, visit, status } = await ready()
  await page.getByRole('button', { name: 'Send to 5 people' }).click()
  const dialog = confirmation(page)
  for (const text of [
    'The spring menu is here',
    'crier@localhost',
    'Ana, nameless@example.com, Cem, and 2 others',
    'You can undo this for 110 seconds.',
  ]) {
    await dialog.getByText(text).waitFor()
  }
  await dialog.getByText(/leaves this machine/).waitFor()
  await dialog.getByRole('button', { name: 'Back' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await status(), 'draft', 'nothing was ordered')

  await sendOff(page)
  assert.equal(await status(), 'scheduled')
  // Its page shows the same after a reload, and in another window.
  const other = await page.context().newPage()
  await other.goto(page.url())
  await counting(other).waitFor()
  await page.reload()
  await counting(page).waitFor()
  await page.getByText('To 5 people.').waitFor()
  const before = await counting(page).textContent()
  await eventually(
    () => counting(page).textContent(),
    (text) => text !== before,
  )
  await undo(page).click()
  await page.getByText('Back to draft. Nothing was sent.').waitFor()
  await page.getByRole('button', { name: 'Send to 5 people' }).waitFor()
  await other.getByRole('button', { name: 'Send to 5 people' }).waitFor()
  assert.equal(await status(), 'draft')
  await page.getByRole('link', { name: '2 Content' }).click()
  await assertValue(page.getByLabel('Subject'), 'The spring menu is here')
  assert.deepEqual(visit.complaints, [])
  await visit.close()
})

test('it is sent and taken back by keyboard alone, and the focus is never lost', {
  skip,
}, async () => {
  const { page, visit, status } = await ready()
  const keys = keysOf(page)
  const focus = () => page.evaluate(() => document.activeElement?.getAttribute('aria-labelledby'))
  await keys.press(page.getByRole('button', { name: 'Send to 5 people' }))
  await confirmation(page).getByText('Ana, nameless').waitFor()
  await keys.press(confirmation(page).getByRole('button', { name: 'Send now' }))
  await counting(page).waitFor()
  // The next key does not undo by accident, and the button is one step away.
  await eventually(focus, (id) => id === 'goes-out')
  assert.equal(await page.getByRole('status').getByText('10 seconds').count(), 0)
  await keys.keys('Tab', 'Enter')
  await page.getByText('Back to draft. Nothing was sent.').waitFor()
  assert.equal(await status(), 'draft')
  const steps = page.getByRole('navigation', { name: 'Steps' })
  await eventually(() => steps.evaluate((node) => node === document.activeElement), Boolean)
  await visit.close()
})

test('where it went out meanwhile, Undo says so and offers what still helps', {
  skip,
}, async () => {
  const { page, visit, owner, business_id, campaign_id, status } = await ready()
  await sendOff(page)
  await page.route('**/unschedule*', async (route) => {
    // Another window's order to begin at once arrives first.
    const send_at = new Date(Date.now() - 1_000).toISOString()
    await owner.get('campaign.deploy', { business_id, campaign_id, send_at })
    await route.continue()
  })
  await undo(page).click()
  await page.getByText('Too late to undo').waitFor()
  await page.getByText('Pause it to stop the emails').waitFor()
  await eventually(status, (word) => word === 'completed')
  await page.getByText('5 of 5').first().waitFor()
  assert.equal(await undo(page).count(), 0)
  await visit.close()
})

test('a scheduled campaign shows its moment, is moved, duplicated and taken back', {
  skip,
}, async () => {
  const { page, visit, owner, business_id, campaign_id, status } = await ready()
  await page.getByLabel('Schedule for later').check()
  await page.getByLabel('Date and time').fill(`${first}T09:00`)
  await page.getByRole('button', { name: 'Schedule for 5 people' }).click()
  const moment = page.locator('main').getByRole('heading', {
    name: `Scheduled for ${inWords(first)} at 9:00 AM (East Africa Time)`,
  })
  await moment.waitFor()
  assert.equal(await status(), 'scheduled')

  const keys = keysOf(page)
  await keys.press(page.getByRole('button', { name: 'Change time' }))
  const dialog = page.getByRole('dialog', { name: 'Change time' })
  await assertValue(dialog.getByLabel('Date and time'), `${first}T09:00`)
  await dialog.getByText('Time zone of the business: East Africa Time.').waitFor()
  await dialog.getByRole('button', { name: 'Change time' }).click()
  await dialog.getByText(`is scheduled for ${first}T09:00:00+03:00`).waitFor()
  await dialog.getByLabel('Date and time').fill(`${second}T10:30`)
  await keys.press(dialog.getByRole('button', { name: 'Change time' }))
  // The notice has the same heading.
  await page
    .locator('main')
    .getByRole('heading', {
      name: `Scheduled for ${inWords(second)} at 10:30 AM (East Africa Time)`,
    })
    .waitFor()
  const { send_at } = await owner.get<{ send_at: string }>('campaign.get', {
    business_id,
    campaign_id,
  })
  assert.equal(send_at, `${second}T07:30:00.000Z`)

  await page.goto(visit.root)
  await page
    .getByText(`Scheduled for ${inWords(second, 'medium')}, 10:30 AM (East Africa Time)`)
    .waitFor()
  await page.goto(visit.root + path)
  await page.getByText(`${inWords(second, 'medium')}, 10:30 AM`).waitFor()
  await page.getByRole('button', { name: 'Duplicate “Spring menu”' }).click()
  await page.getByText('Copied as a draft').waitFor()
  await page.getByRole('heading', { name: 'Spring menu (copy)' }).waitFor()
  await assertValue(page.getByLabel('Subject'), 'The spring menu is here')

  await page.goto(`${visit.root}${path}/${campaign_id}`)
  await page.getByRole('button', { name: 'Unschedule' }).click()
  await page.getByText('Back to draft. Nothing was sent.').waitFor()
  assert.equal(await status(), 'draft')
  await visit.close()
})

test('a cancelled campaign shows its mail, and is duplicated', { skip }, async () => {
  const { page, visit, owner, business_id, campaign_id } = await ready()
  await owner.get('campaign.cancel', { business_id, campaign_id })
  await page.getByText('Cancelled').first().waitFor()
  await page.getByText('The spring menu is here').waitFor()
  await page.frameLocator('iframe').getByText('Asparagus is back').waitFor()
  assert.equal(await page.getByText('Recipient list').count(), 0, 'nobody was a recipient')
  await page.getByRole('button', { name: 'Duplicate', exact: true }).click()
  await page.getByRole('heading', { name: 'Spring menu (copy)' }).waitFor()
  await visit.close()
})

test('an editor duplicates and does not take back', { skip }, async () => {
  const { scene, campaign_id, visit } = await ready()
  await deployPlanned(scene.owner, { campaign_id, send_at: `${first}T09:00` })
  await visit.close()
  const businesses = [scene.businessId]
  const at = `${path}/${campaign_id}`
  const editor = await visitApp(bench, { businesses, role: 'editor', path: at })
  await editor.page.getByRole('heading', { name: /^Scheduled for/ }).waitFor()
  await editor.page.getByRole('button', { name: 'Duplicate', exact: true }).waitFor()
  for (const name of ['Unschedule', 'Change time']) {
    assert.equal(await editor.page.getByRole('button', { name }).count(), 0, name)
  }
  await editor.close()
})
