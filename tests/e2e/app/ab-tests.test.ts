/** A/B tests in the app: how one is set up, how many people it takes, and what it shows. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { sql } from 'crier-server/lib/db/db.ts'
import { standings } from '../../support/businesses/campaign-drafts.ts'
import { draftTo, type Running } from '../../support/businesses/campaign-runs.ts'
import { eventually } from '../../support/time/eventually.ts'
import { withoutBrowser } from '../browser.ts'
import { type AppBench, assertSound, looks, openAppBench, type Visit, visitApp } from './app.ts'

const skip = withoutBrowser

let bench: AppBench
before(async () => {
  if (!skip) bench = await openAppBench()
})
after(() => bench?.close())

const pathOf = ({ name }: Running) => `/campaigns/${name}`

/** Sends the sample, and counts so many people of each variant as having clicked. */
async function sampled(running: Running, clicks: [first: number, second: number]) {
  const { owner } = running.scene
  const ab = { variants: [{ subject: 'Asparagus, for two weeks only' }], sample_percent: 50 }
  await owner.get('campaign.save', { campaign_id: running.name, ab })
  await owner.get('campaign.deploy', { campaign_id: running.name })
  await eventually(
    () => standings(running),
    (now) => (now['sent'] ?? 0) > 0 && !now['taken'],
  )
  for (const [variant, amount] of clicks.entries()) {
    await bench.testbed.db.run(sql`
      insert into campaign_counts (business_id, campaign_id, variant, metric, slot, amount)
      values (${running.businessId}, ${running.campaignId}, ${variant}, 'clicked', 0, ${amount})
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
    await visit.page.getByLabel(/Values of this campaign|Werte dieser Kampagne/).check()
    await visit.page.getByLabel(/^(Source|Quelle)/).fill('newsletter')
    await visit.page.getByText(/utm_source=newsletter/).waitFor()
    await visit.page.getByText(/5[.,]301/).scrollIntoViewIfNeeded()
    await assertSound(visit, `app-ab-set-up-${look}`)
    await visit.page.goto('about:blank')
    await sampled(running, [1, 14])
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
  await page.getByText('takes 5,301 people for each variant. Each variant gets 4.').waitFor()
  await page.getByText('That is too few').waitFor()
  await page.getByLabel('Usual share, in percent').fill('75')
  await page.getByText('To tell 75% from 100% by more than chance').waitFor()
  await page.getByLabel('Subject B').focus()
  await page.keyboard.press('Enter')
  await page.getByText('The test is saved').waitFor()
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
  await page.getByText('The test was ended').waitFor()
  assert.equal((await shown()).ab, undefined)
  assert.deepEqual(visit.complaints, [])
  await visit.close()
})

test('a lead within chance names no winner, and an owner may choose a variant by hand', {
  skip,
}, async () => {
  const running = await draftTo(bench.testbed, 80)
  await sampled(running, [3, 4])
  const businesses = [running.businessId]
  const visit = await visitApp(bench, { businesses, path: pathOf(running) })
  const { page } = visit
  // The halves of a sample are drawn by chance, so that either variant may lead with these clicks.
  await page.getByText(/^No variant is better beyond chance\. [AB] leads by/).waitFor()
  await page.getByRole('button', { name: 'Send A to the others' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send variant A to the others now?' })
  await dialog.getByRole('button', { name: 'Send A to the others' }).click()
  await page.getByText('A person chose variant A.').waitFor()
  await page.getByText('The others get variant A.').waitFor()
  assert.deepEqual(visit.complaints, [])
  await visit.close()
})
