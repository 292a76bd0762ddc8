/** What others change shows by itself, in every tab; and where the stream is gone, pages ask. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Page, Response } from 'playwright-core'
import { draftTo } from '../../support/businesses/campaign-runs.ts'
import { deployPlanned } from '../../support/businesses/campaigns.ts'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { type AppBench, openAppBench, visitApp } from './app.ts'

const skip = withoutBrowser

let bench: AppBench
before(async () => {
  if (!skip) bench = await openAppBench()
})
after(() => bench?.close())

/** A page that hears of changes asks by itself only once a minute: sooner means that it was told. */
const promptlyMs = 20_000

const isStream = (answer: Response) => answer.url().includes('/v1/stream')

/** Opens the page again, and waits until it listens: a stream that opens later has nothing to tell. */
async function listening(page: Page): Promise<void> {
  await Promise.all([page.waitForResponse(isStream), page.reload()])
}

test('two tabs and another browser show what an assistant changes, over one stream a browser', {
  skip,
}, async () => {
  const business = await bench.testbed.newBusiness()
  const owner = await bench.testbed.caller({ businesses: [business] })
  const one = await visitApp(bench, { businesses: [business], path: '/segments' })
  const other = await visitApp(bench, { businesses: [business], path: '/segments' })
  await Promise.all([listening(one.page), listening(other.page)])
  const tab = await one.page.context().newPage()
  const streams: string[] = []
  tab.on('request', (request) => {
    if (request.url().includes('/v1/stream')) streams.push(request.url())
  })
  await tab.goto(`${one.root}/segments`)
  const pages = [one.page, tab, other.page]
  const empty = 'No segments yet'
  for (const page of pages) await page.getByText(empty).waitFor()
  await owner.get('segment.save', { name: 'Important people', filter: { tag: 'vip' } })
  const began = performance.now()
  await Promise.all(pages.map((page) => page.getByText('Important people').waitFor()))
  const took = performance.now() - began
  assert.ok(took < promptlyMs, `it showed after ${Math.round(took)} ms`)
  assert.deepEqual(streams, [], 'the second tab has no stream of its own')
  // The tab that listened goes: the other takes its place.
  const takesOver = tab.waitForResponse(isStream)
  await one.page.close()
  await takesOver
  await owner.get('segment.save', { name: 'Regulars', filter: { tag: 'member' } })
  await tab.getByText('Regulars').waitFor({ timeout: promptlyMs })
  assert.deepEqual(other.complaints, [])
  await Promise.all([one.close(), other.close()])
})

test('a campaign that waits for approval shows on Home by itself', { skip }, async () => {
  const { scene, name: campaign_id, businessId } = await draftTo(bench.testbed, 20)
  const limit = sql`update businesses set deploy_limit = 0 where id = ${businessId}`
  await bench.testbed.db.run(limit)
  const { page, complaints, close } = await visitApp(bench, { businesses: [businessId] })
  await page.getByText('This month').first().waitFor()
  await listening(page)
  await page.getByText('This month').first().waitFor()
  const { status } = await deployPlanned<{ status: string }>(scene.owner, { campaign_id })
  assert.equal(status, 'awaiting_approval')
  await page.locator(`a[href="/campaigns/${campaign_id}"]`).first().waitFor({ timeout: promptlyMs })
  assert.deepEqual(complaints, [])
  await close()
})

test('where the stream is refused, pages ask by themselves; at sign-out they say so', {
  skip,
}, async () => {
  const business = await bench.testbed.newBusiness()
  const owner = await bench.testbed.caller({ businesses: [business] })
  const visit = await visitApp(bench, { businesses: [business], path: '/webhooks' })
  const { page } = visit
  await page.route('**/v1/stream*', (route) => route.fulfill({ status: 429, body: '{}' }))
  await page.reload()
  await page.getByText('No webhooks yet').waitFor()
  await owner.get('webhook.save', { url: 'https://hooks.example/x', events: ['form.submitted'] })
  await page.getByText('https://hooks.example/x').waitFor({ timeout: 45_000 })
  await page.unroute('**/v1/stream*')
  await listening(page)
  await page.getByText('https://hooks.example/x').waitFor()
  await bench.testbed.db.run(sql`
    delete from sessions where user_id in
      (select user_id from memberships where business_id = ${business})
  `)
  await page.getByText('Your session has ended').waitFor({ timeout: promptlyMs })
  await visit.close()
})
