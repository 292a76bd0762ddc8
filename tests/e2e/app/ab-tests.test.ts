/** A/B tests in the app: how one is set up, how many people it takes, and what it shows. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { sql } from 'crier-server/lib/db/db.ts'
import { draftTo, type Running } from '../../support/businesses/campaign-runs.ts'
import { deployPlanned } from '../../support/businesses/campaigns.ts'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { eventually } from '../../support/time/eventually.ts'
import { type AppBench, assertSound, looks, openAppBench, type Visit, visitApp } from './app.ts'

const skip = withoutBrowser

let bench: AppBench
before(async () => {
  if (!skip) bench = await openAppBench()
})
after(() => bench?.close())

const pathOf = ({ name }: Running) => `/campaigns/${name}`

/** Sends the sample, and counts so large a share of each variant's people as having clicked. */
async function sampled(running: Running, shares: [first: number, second: number]) {
  const { owner } = running.scene
  const ab = { variants: [{ subject: 'Asparagus, for two weeks only' }], sample_percent: 50 }
  await owner.get('campaign.save', { campaign_id: running.name, ab })
  await deployPlanned(owner, { campaign_id: running.name })
  const { db } = bench.testbed
  // Chance draws who gets which variant, so that clicks are counted by how many did.
  const sentTo = await eventually(
    () =>
      db.all<{ variant: number; sent: number; open: number }>(sql`
        select variant, count(*) filter (where state = 'sent')::int as sent,
          count(*) filter (where state <> 'sent')::int as open
        from campaign_recipients
        where business_id = ${running.businessId} and campaign_id = ${running.campaignId}
          and variant is not null
        group by variant order by variant
      `),
    (rows) => rows.length === 2 && rows.every(({ open }) => open === 0),
  )
  for (const { variant, sent } of sentTo) {
    await db.run(sql`
      insert into campaign_counts (business_id, campaign_id, variant, metric, slot, amount)
      values (${running.businessId}, ${running.campaignId}, ${variant}, 'clicked', 0,
        ${Math.floor(sent * (shares[variant] ?? 0))})
    `)
  }
}

for (const { theme, width } of looks) {
  test(`the set-up and the results of an A/B test have no fault, ${theme} at ${width}`, {
    skip,
  }, async () => {
    const look = `${theme}-${width}`
    const running = await draftTo(bench.testbed, 80)
    const businesses = [running.businessId]
    const visit = await visitApp(bench, {
      businesses,
      theme,
      width,
      path: `${pathOf(running)}?step=what`,
      ...(theme === 'dark' && { language: 'de' }),
    })
    await openTest(visit, theme === 'dark' ? 'Anderen Betreff testen' : 'Test another subject')
    await visit.page.getByLabel(/Custom for this campaign|Eigene für diese Kampagne/).check()
    await visit.page.getByLabel(/^(Source|Quelle)/).fill('newsletter')
    await visit.page.getByText(/utm_source=newsletter/).waitFor()
    await visit.page.getByText(/5[.,]301/).scrollIntoViewIfNeeded()
    await assertSound(visit, `app-ab-set-up-${look}`)
    await visit.page.goto('about:blank')
    await sampled(running, [0.05, 0.7])
    await visit.page.goto(visit.root + pathOf(running))
    await visit.page.getByRole('heading', { name: /^A\/B/ }).waitFor()
    await visit.page.getByText('Asparagus, for two weeks only').scrollIntoViewIfNeeded()
    await assertSound(visit, `app-ab-results-${look}`)
    await visit.close()
  })
}

async function openTest({ page }: Visit, label: string) {
  await page.getByRole('button', { name: label }).click()
  await page.getByLabel(/^(Subject|Betreff) B/).fill('Asparagus, for two weeks only')
}

test('an owner sets up a test by keyboard, is told how many people it takes, and ends it', {
  skip,
}, async () => {
  const running = await draftTo(bench.testbed, 40)
  const businesses = [running.businessId]
  const visit = await visitApp(bench, { businesses, path: `${pathOf(running)}?step=what` })
  const { page } = visit
  await page.getByRole('button', { name: 'Test another subject' }).focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('Subject B').focus()
  await page.keyboard.type('Hello from Leeds')
  // 40 people, a fifth of them, two variants.
  await page.getByText('needs 5,301 people. Each variant gets 4.').waitFor()
  await page.getByText('That is too few').waitFor()
  await page.getByLabel('Usual rate, in percent').fill('75')
  await page.getByText('To tell 75% from 100% with statistical significance').waitFor()
  await page.getByLabel('Subject B').focus()
  await page.keyboard.press('Enter')
  await page.getByText('Test saved').waitFor()
  const { owner } = running.scene
  const shown = () =>
    owner.get<{ variants: { subject: string }[]; ab?: object }>('campaign.get', {
      campaign_id: running.name,
    })
  assert.deepEqual(
    (await shown()).variants.map(({ subject }) => subject),
    ['News, {{ contact.name }}', 'Hello from Leeds'],
  )
  await page.getByRole('button', { name: 'End the test' }).click()
  await page.getByText('Test ended').waitFor()
  assert.equal((await shown()).ab, undefined)
  assert.deepEqual(visit.complaints, [])
  await visit.close()
})

test('a lead within chance names no winner, and an owner may choose a variant by hand', {
  skip,
}, async () => {
  const running = await draftTo(bench.testbed, 80)
  await sampled(running, [0.2, 0.2])
  const businesses = [running.businessId]
  const visit = await visitApp(bench, { businesses, path: pathOf(running) })
  const { page } = visit
  await page
    .getByText(/^Too early to name a leader: each variant needs 100 messages sent\./)
    .waitFor()
  await page.getByRole('button', { name: 'Send A to the rest' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send variant A to the rest now?' })
  await dialog.getByRole('button', { name: 'Send A to the rest' }).click()
  await page.getByText('Variant A was chosen manually.').waitFor()
  await page.getByText('The remaining recipients get variant A.').waitFor()
  assert.deepEqual(visit.complaints, [])
  await visit.close()
})
