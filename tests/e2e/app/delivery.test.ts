/** What came of mail by the provider that receives it, on the pages where an owner looks for it. */
import test, { after, before } from 'node:test'
import { addToProviders, addToWords } from 'crier-server/campaigns/providers/counts.ts'
import { parseId } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { hours, later, systemClock } from 'crier-server/lib/time/clock.ts'
import { pauseStream } from 'crier-server/messages/throttle/pause-stream.ts'
import { holdShare } from 'crier-server/messages/throttle/provider-holds.ts'
import { createThrottle } from 'crier-server/messages/throttle/throttle.ts'
import { manyContacts } from '../../support/businesses/campaign-drafts.ts'
import { relaySettings } from '../../support/businesses/campaign-runs.ts'
import { campaignScene, deployPlanned } from '../../support/businesses/campaigns.ts'
import { type FakeRelay, startFakeRelay } from '../../support/mail/fake-relay.ts'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { type AppBench, assertSound, looks, openAppBench, visitApp } from './app.ts'

const skip = withoutBrowser

let relay: FakeRelay
let bench: AppBench
before(async () => {
  if (skip) return
  relay = await startFakeRelay()
  bench = await openAppBench(relaySettings(relay.url()))
})
after(async () => {
  await bench?.close()
  await relay?.stop()
})

/** A campaign that was sent, of which Gmail refused a part. */
async function heldCampaign() {
  const { testbed } = bench
  const scene = await campaignScene(testbed)
  const { businessId } = scene
  await scene.subscribers(2)
  const { campaign_id } = await scene.draft({ name: 'Winter letter' })
  await deployPlanned(scene.owner, { campaign_id })
  const campaignId = parseId('campaign', campaign_id)
  if (!campaignId) throw new Error(campaign_id)
  const key = { businessId, campaignId }
  const none = { deferred: 0, refused: 0, refusedByPolicy: 0, bounced: 0, complained: 0 }
  const gmail = { ...none, sent: 812, delivered: 690, deferred: 40, refused: 41, bounced: 9 }
  const rows = [
    { ...key, ...gmail, provider: 'gmail', refusedByPolicy: 38, complained: 1 },
    { ...key, ...none, provider: 'microsoft', sent: 410, delivered: 402, bounced: 6 },
    {
      ...key,
      ...none,
      provider: 'a-rather-long-name-of-a-bakery.example',
      sent: 12,
      delivered: 12,
    },
    { ...key, ...none, provider: '', sent: 96, delivered: 90 },
  ]
  const words = '550-5.7.26 Your email was blocked, because the sender is unauthenticated.'
  const now = new Date()
  await testbed.db.tx(async (tx) => {
    await addToProviders(tx, rows, { slot: 0, limit: 200 })
    await addToWords(tx, [{ ...key, provider: 'gmail', words, amount: 38 }], {
      limit: 20,
      mostOfCampaign: 2_000,
    })
    const counters = { sent: 812, refusedByPolicy: 38, complained: 1 }
    const until = later(now, hours(3))
    const hold = { provider: 'gmail', reason: 'refusals' as const, times: 1, until, ...counters }
    await holdShare(tx, key, hold, now)
  })
  return { businessId, path: `/campaigns/${campaign_id}` }
}

for (const { theme, width } of looks) {
  test(`the results of a campaign by provider have no accessibility fault, ${theme} at ${width}`, {
    skip,
  }, async () => {
    const { businessId, path } = await heldCampaign()
    const visit = await visitApp(bench, { businesses: [businessId], theme, width, path })
    const line = visit.page.getByRole('listitem').filter({ hasText: 'Gmail' }).first()
    await line.getByText('On hold', { exact: true }).waitFor()
    await line.getByText('resumes automatically in 3 hours').waitFor()
    await line.getByText('Your email was blocked').waitFor()
    await visit.page
      .getByRole('img', { name: 'Microsoft: 410 sent, 6 refused or bounced' })
      .waitFor()
    await assertSound(visit, `app-campaign-providers-${theme}-${width}`)
    await visit.close()
  })
}

/** A verified domain that warms up: one provider has its most of today, one refuses the sender. */
async function warmingDomain(name: string) {
  const { db, newBusiness } = bench.testbed
  const businessId = await newBusiness()
  const owner = await bench.testbed.caller({ businesses: [businessId] })
  await owner.get('domain.add', { domain: name })
  await db.run(sql`
    update domains set status = 'verified', verified_at = ${new Date()} where name = ${name}
  `)
  const limits = { rate: undefined, connections: 20, warmUp: true }
  const route = `127.0.0.1:${relay.port}`
  const throttle = createThrottle({ db, clock: systemClock, route, limits })
  const stream = { domain: name, kind: 'marketing' } as const
  for (let n = 0; n < 200; n++) {
    const pass = await throttle.enter({ ...stream, provider: 'gmail' })
    if ('leave' in pass) pass.leave(false)
  }
  await throttle.enter({ ...stream, provider: 'a-rather-long-name-of-a-bakery.example' })
  await db.tx(async (tx) => {
    const refused = { route, senderDomain: name, kind: 'marketing', provider: 'yahoo' } as const
    for (let n = 0; n < 5; n++) await pauseStream(tx, refused, new Date())
  })
  return { businessId, path: '/domains' }
}

for (const { theme, width } of looks) {
  test(`the warm-up of a domain has no accessibility fault, ${theme} at ${width}`, {
    skip,
  }, async () => {
    const { businessId, path } = await warmingDomain(`warm-${theme}-${width}.test`)
    const visit = await visitApp(bench, { businesses: [businessId], theme, width, path })
    const { page } = visit
    await page.getByRole('img', { name: 'Gmail: 200 of 200 today' }).waitFor()
    await page.getByText('Today’s limit is reached.').waitFor()
    await page.getByText('On hold: the provider refused the sender.').waitFor()
    await page.getByText('10 days left').first().waitFor()
    await page.getByRole('button', { name: 'Have you sent from this domain before?' }).click()
    await page.getByLabel('Emails per day').fill('8000')
    await page.getByText('Warm-up', { exact: true }).scrollIntoViewIfNeeded()
    await assertSound(visit, `app-domain-warm-up-${theme}-${width}`)
    await page.getByRole('button', { name: 'Request approval' }).click()
    await page.getByText('You stated 8,000 emails per day').waitFor()
    await page
      .getByRole('button', { name: 'Have you sent from this domain' })
      .waitFor({ state: 'hidden' })
    await visit.close()
  })
}

test('the plan of a campaign says how many days it takes while its sender is new', {
  skip,
}, async () => {
  const scene = await campaignScene(bench.testbed)
  const { businessId } = scene
  await manyContacts(bench.testbed.db, businessId, 701)
  await bench.testbed.db.run(sql`
    update contacts set email = split_part(email, '@', 1) || '@gmail.com'
    where business_id = ${businessId}
  `)
  const { campaign_id } = await scene.draft({ name: 'Spring menu' })
  const path = `/campaigns/${campaign_id}?step=check`
  const visit = await visitApp(bench, { businesses: [businessId], width: 390, path })
  await visit.page.getByText('about 3 days').waitFor()
  await visit.page.getByText('Gmail: 701 people, 3 days').waitFor()
  await assertSound(visit, 'app-campaign-check-warm-up-light-390')
  await visit.close()
})

test('the results by provider are in German too', { skip }, async () => {
  const { businessId, path } = await heldCampaign()
  const visit = await visitApp(bench, { businesses: [businessId], language: 'de', path })
  await visit.page.getByRole('heading', { name: 'Nach Anbieter' }).waitFor()
  await visit.page.getByText('wird in 3 Stunden automatisch fortgesetzt').waitFor()
  await visit.page.getByText('Andere', { exact: true }).waitFor()
  await visit.close()
})
