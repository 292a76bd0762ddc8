/** The campaign pages: from nothing to results without leaving the app. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { campaignScene, deployPlanned, yes } from '../../support/businesses/campaigns.ts'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { eventually } from '../../support/time/eventually.ts'
import { type AppBench, assertSound, looks, openAppBench, visitApp } from './app.ts'
import { hostileName } from './people.ts'
import { assertValue } from './settled.ts'

const skip = withoutBrowser
const path = '/campaigns'

let bench: AppBench
before(async () => {
  // So that what is sent here arrives; `send.test.ts` undoes it.
  if (!skip) bench = await openAppBench({ settings: { UNDO_SECONDS: '2' } })
})
after(() => bench?.close())

for (const { theme, width } of looks) {
  test(`the campaign pages have no accessibility fault, ${theme} at ${width}`, {
    skip,
  }, async () => {
    const look = `${theme}-${width}`
    const scene = await campaignScene(bench.testbed)
    await scene.subscribers(12)
    const businesses = [scene.businessId]
    const visit = await visitApp(bench, { businesses, theme, width, path })
    const { page } = visit
    await page.getByText('No campaigns yet').waitFor()
    await assertSound(visit, `app-campaigns-empty-${look}`)
    await page.getByRole('button', { name: 'New campaign' }).first().click()
    await page.getByRole('dialog', { name: 'New campaign' }).waitFor()
    await assertSound(visit, `app-campaign-new-${look}`)

    const draft = await scene.draft({ name: 'Spring menu' })
    const sent = await scene.draft({ name: 'Winter letter' })
    await deployPlanned(scene.owner, { campaign_id: sent.campaign_id })
    await page.goto(visit.root + path)
    await page.getByRole('link', { name: 'Winter letter' }).waitFor()
    await assertSound(visit, `app-campaigns-${look}`)
    await page.getByRole('button', { name: 'Calendar' }).click()
    await page.getByRole('link', { name: 'Winter letter' }).waitFor()
    await assertSound(visit, `app-campaigns-calendar-${look}`)
    for (const [step, seen] of [
      ['who', 'All subscribers'],
      ['what', 'Content, as HTML'],
      ['check', 'Recipients: 12'],
      ['when', 'Send to 12 people'],
    ] as const) {
      await page.goto(`${visit.root}${path}/${draft.campaign_id}?step=${step}`)
      await page.getByText(seen).first().waitFor()
      if (step === 'what') await page.frameLocator('iframe').getByText('Hello').waitFor()
      await assertSound(visit, `app-campaign-${step}-${look}`)
    }
    await page.goto(`${visit.root}${path}/${sent.campaign_id}`)
    await page.getByText('12 of 12').first().waitFor()
    await page.getByText('Recipient list').waitFor()
    await page.getByRole('link', { name: /@/ }).first().waitFor()
    await assertSound(visit, `app-campaign-sent-${look}`)
    await visit.close()
  })
}

test('a campaign of HTML is written for those of a filter, and its results are read', {
  skip,
}, async () => {
  const scene = await campaignScene(bench.testbed)
  await scene.subscribers(3)
  await scene.contact({ email: 'vip@example.com', tags: ['vip'], consent: { email: yes } })
  const { campaign_id } = await scene.draft()
  const businesses = [scene.businessId]
  const at = `${path}/${campaign_id}`
  const { page, root, complaints, close } = await visitApp(bench, {
    businesses,
    path: `${at}?step=who`,
  })
  await page.getByLabel('A filter').check()
  await page.getByLabel('Value').fill('vip')
  await page.getByText('1 person matches').waitFor()
  await page.getByRole('button', { name: 'Save and continue' }).click()
  const content = page.getByLabel('Content, as HTML')
  await content.fill('<p>Asparagus is back, {{ contact.name | default: "friend" }}.</p>')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.frameLocator('iframe').getByText('Asparagus is back').waitFor()
  await page.getByText('Draft saved').waitFor()
  await deployPlanned(scene.owner, { campaign_id })
  await page.goto(root + at)
  await page.getByText('1 of 1').first().waitFor()
  await page.getByText('Sent', { exact: true }).first().waitFor()
  await page.getByLabel('Status').selectOption('skipped')
  await page.getByText('No recipients with this status.').waitFor()
  await page.getByRole('button', { name: 'Show all recipients' }).click()
  await page.getByText('No recipients with this status.').waitFor({ state: 'detached' })
  assert.deepEqual(complaints, [])
  await close()
})

test('a campaign leaves out a segment and whoever had one lately, and says how many for what', {
  skip,
}, async () => {
  const scene = await campaignScene(bench.testbed)
  const { owner } = scene
  await scene.subscribers(3, { tags: ['vip'] })
  await scene.contact({
    email: 'staff@example.com',
    tags: ['vip', 'staff'],
    consent: { email: yes },
  })
  await scene.contact({ email: 'never@example.com', tags: ['vip'] })
  await owner.get('topic.save', { topic: 'news', name: 'News' })
  const segmentOf = async (name: string, tag: string) =>
    (await owner.get<{ segment_id: string }>('segment.save', { name, filter: { tag } })).segment_id
  const vips = await segmentOf('VIPs', 'vip')
  const staff = await segmentOf('Staff', 'staff')
  const none = await segmentOf('Nobody yet', 'none')
  const { campaign_id } = await scene.draft()
  const at = `${path}/${campaign_id}?step=who`
  const { page, root, complaints, close } = await visitApp(bench, {
    businesses: [scene.businessId],
    path: at,
  })
  const days = page.getByLabel('Exclude people who got a campaign in the last (days)')
  const chosen = page.getByRole('group', { name: 'Choose segments' })
  const without = page.getByRole('group', { name: 'People in these segments' })
  await page.getByLabel('Segments', { exact: true }).check()
  await chosen.getByLabel('VIPs').check()
  await chosen.getByLabel('Nobody yet').check()
  await without.getByLabel('Staff').check()
  await page.getByText('Staff excludes 1').waitFor()
  await without.getByRole('button', { name: 'Show ten' }).click()
  await without.getByText('staff@example.com').waitFor()
  await page.getByLabel('Topic', { exact: true }).selectOption('news')
  await days.fill('30')
  await page.getByRole('button', { name: 'Save and continue' }).click()
  await page.waitForURL(/step=what/)
  await page.goto(root + at)
  await page.getByText('Recipients: 3').first().waitFor()
  await page.getByText('1 have not subscribed').waitFor()
  assert.equal(await chosen.getByLabel('VIPs').isChecked(), true)
  assert.equal(await chosen.getByLabel('Staff').isChecked(), false)
  assert.equal(await without.getByLabel('Staff').isChecked(), true)
  assert.equal(await days.inputValue(), '30')
  const saved = await owner.get<{ audience: object; topic: string }>('campaign.get', {
    campaign_id,
  })
  const any = { or: [{ segment: vips }, { segment: none }] }
  const filter = { and: [any, { not: { segment: staff } }] }
  assert.deepEqual([saved.audience, saved.topic], [{ filter, not_sent_within_days: 30 }, 'news'])
  await page.getByLabel('All subscribers').check()
  await without.getByLabel('Staff').uncheck()
  await days.fill('')
  await page.getByLabel('Topic', { exact: true }).selectOption('')
  await page.getByRole('button', { name: 'Save and continue' }).click()
  await page.waitForURL(/step=what/)
  await page.goto(`${root}${path}/${campaign_id}?step=check`)
  await page.getByText('Recipients: 4').first().waitFor()
  await page.goto(`${root}${path}/${campaign_id}?step=when`)
  await page.getByLabel('Schedule for later').check()
  await page.getByLabel('In each recipient’s time zone').check()
  await page.getByText('In each recipient’s time zone.').waitFor()
  const day = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10)
  await page.locator('input[type="datetime-local"]').fill(`${day}T09:00`)
  await page.getByRole('button', { name: /^Schedule/ }).click()
  const { schedule } = await eventually(
    () => owner.get<{ schedule: object | null }>('campaign.get', { campaign_id }),
    (campaign) => campaign.schedule !== null,
  )
  assert.deepEqual(schedule, { at: `${day}T09:00:00`, zone: 'recipient' })
  assert.deepEqual(complaints, [])
  await close()
})

test('campaigns are found by words and by month, also by keyboard', { skip }, async () => {
  const scene = await campaignScene(bench.testbed)
  const { owner } = scene
  await scene.subscribers(1)
  await owner.get('business.save', { time_zone: 'Asia/Tokyo' })
  await scene.draft({ name: 'Spring menu' })
  const { campaign_id } = await scene.draft({ name: 'Year’s end' })
  const inTokyo = new Date(Date.now() + 9 * 3_600_000)
  const [year, month] = [inTokyo.getUTCFullYear(), inTokyo.getUTCMonth()]
  // The last half hour of the next month, when it is the first of the one after it in Tokyo.
  const sendAt = new Date(Date.UTC(year, month + 2, 1) - 1_800_000)
  await deployPlanned(owner, { campaign_id, send_at: sendAt.toISOString() })
  const nameOf = (time: number) =>
    new Date(time).toLocaleString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })
  const { page, complaints, close } = await visitApp(bench, {
    businesses: [scene.businessId],
    path,
  })
  await page.getByRole('link', { name: 'Spring menu' }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('YEAR')
  await page.waitForURL(/q=YEAR/)
  await page.getByRole('link', { name: 'Spring menu' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Year’s end' }).waitFor()
  await page.getByLabel('Search by name or subject').fill('no such words')
  await page.getByText('No campaigns match this search').waitFor()

  await page.getByRole('button', { name: 'Calendar' }).click()
  await page.getByText('Times in Asia/Tokyo').waitFor()
  assert.equal(await page.getByRole('link', { name: 'Year’s end' }).count(), 0)
  await page.getByRole('button', { name: 'Next month' }).press('Enter')
  await page.getByRole('heading', { name: nameOf(sendAt.getTime()) }).waitFor()
  await page.getByRole('button', { name: 'Next month' }).press('Enter')
  await page.getByRole('heading', { name: nameOf(Date.UTC(year, month + 2, 1)) }).waitFor()
  await page.reload()
  const first = page.getByRole('cell').filter({ hasText: 'Year’s end' })
  assert.match(String(await first.textContent()), /^18:30.AM.*Year’s end.*Scheduled$/s)
  await first.getByRole('link').click()
  await page.waitForURL(new RegExp(campaign_id))
  assert.deepEqual(complaints, [])
  await close()
})

test('a campaign that was sent is renamed by keyboard, on its page and in the list', {
  skip,
}, async () => {
  const scene = await campaignScene(bench.testbed)
  await scene.subscribers(1)
  const { campaign_id } = await scene.draft({ name: 'Spring' })
  await deployPlanned(scene.owner, { campaign_id })
  const { page, complaints, close } = await visitApp(bench, {
    businesses: [scene.businessId],
    path: `${path}/${campaign_id}`,
  })
  await page.getByRole('button', { name: 'Rename' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Rename' })
  await dialog.getByLabel('Name').fill('Summer <b>menu</b>')
  await dialog.getByLabel('Name').press('Enter')
  await page.getByRole('heading', { name: 'Summer <b>menu</b>' }).waitFor()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('navigation').getByRole('link', { name: 'Campaigns' }).click()
  await page.getByRole('link', { name: 'Summer <b>menu</b>' }).waitFor()
  assert.deepEqual(complaints, [])
  await close()
})

test('unsaved input is restored after the page is reloaded', {
  skip,
}, async () => {
  const scene = await campaignScene(bench.testbed)
  const { campaign_id } = await scene.draft()
  const businesses = [scene.businessId]
  const { page, close } = await visitApp(bench, {
    businesses,
    path: `${path}/${campaign_id}?step=what`,
  })
  await page.getByLabel('Subject').fill('Half a thought')
  await page.reload()
  await assertValue(page.getByLabel('Subject'), 'Half a thought')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Draft saved').waitFor()
  await page.reload()
  await assertValue(page.getByLabel('Subject'), 'Half a thought')
  const kept = await page.evaluate(() => Object.keys(sessionStorage))
  assert.deepEqual(
    kept.filter((key) => key.startsWith('crier-unsaved')),
    [],
  )
  await close()
})

test('a press on another step saves what was written, and that is what is checked', {
  skip,
}, async () => {
  const scene = await campaignScene(bench.testbed)
  await scene.subscribers(2)
  const { campaign_id } = await scene.draft()
  const { page, close } = await visitApp(bench, {
    businesses: [scene.businessId],
    path: `${path}/${campaign_id}?step=what`,
  })
  const steps = page.getByRole('navigation', { name: 'Steps' })
  await page.getByLabel('Subject').fill('What was written last')
  await steps.getByRole('link', { name: 'Review' }).click()
  await page.getByText('Draft saved').waitFor()
  await page.getByText('What was written last').first().waitFor()
  assert.match(page.url(), /step=check/)
  await steps.getByRole('link', { name: 'Recipients' }).click()
  await page.getByLabel('A filter').check()
  await page.getByLabel('Value').fill('vip')
  await page.getByText('0 people match').waitFor()
  await steps.getByRole('link', { name: 'Content' }).click()
  await page.getByLabel('Subject').waitFor()
  const { audience } = await scene.owner.get<{ audience: object }>('campaign.get', { campaign_id })
  assert.deepEqual(audience, { filter: { tag: 'vip' } })
  await close()
})

test('a campaign above the limit waits for approval and links to the approval page', {
  skip,
}, async () => {
  const scene = await campaignScene(bench.testbed)
  await scene.subscribers(3)
  await scene.owner.get('business.save', { deploy_limit: 1 })
  const { campaign_id } = await scene.draft({ name: 'For all' })
  const { status } = await deployPlanned<{ status: string }>(scene.owner, { campaign_id })
  assert.equal(status, 'awaiting_approval')
  const { page, close } = await visitApp(bench, { businesses: [scene.businessId] })
  await page.getByText('“For all” is awaiting approval').waitFor()
  await page.getByRole('link', { name: 'Review' }).click()
  await page.getByRole('button', { name: 'Approve and send' }).waitFor()
  await close()
})

test('hostile subjects, mail and names have no effect in the app', { skip }, async () => {
  const scene = await campaignScene(bench.testbed)
  await scene.subscribers(1, { name: hostileName })
  const html = `<p>Hello</p><script>top.document.title='owned'</script><img src="x" onerror="top.document.title='owned'"><form action="/logout" method="post"><button>Go</button></form>`
  const { campaign_id } = await scene.draft({
    name: '<img src=x onerror=alert(1)>',
    content: { subject: '<script>document.title="owned"</script>', html },
  })
  const { page, complaints, close } = await visitApp(bench, {
    businesses: [scene.businessId],
    path: `${path}/${campaign_id}?step=check`,
  })
  await page.frameLocator('iframe').getByText('Hello').waitFor()
  assert.doesNotMatch(await page.title(), /owned/)
  // The frame's own policy blocks the mail's attempts; the page itself violates none.
  const ours = complaints.filter((text) => !/sandbox|img-src data:/.test(text))
  assert.deepEqual(ours, [])
  await close()
})
