/** The page on which a person approves a campaign, in a real browser. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { setBusiness } from 'crier-server/accounts/settings/settings.ts'
import { startSession } from 'crier-server/accounts/sign-in/session.ts'
import type { Id } from 'crier-server/core/ids.ts'
import { type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import { campaignScene, deployPlanned } from '../support/businesses/campaigns.ts'
import { withoutBrowser } from '../support/processes/chromium.ts'
import { faultsOf, launch, type OpenBrowser, person, picture } from './browser.ts'

const skip = withoutBrowser

let testbed: OwnTestbed
let browser: OpenBrowser
before(async () => {
  if (skip) return
  testbed = await openTestbed({ idle: true })
  browser = await launch()
})
after(async () => {
  await browser?.close()
  await testbed?.close()
})

const content = {
  subject: 'New classes in {{ business.name }}',
  html: '<h1 style="color:#a03">Hello {{ contact.name | default: "you" }}</h1><p>Four new classes start on Monday.</p>',
}

async function waiting(more = '') {
  const scene = await campaignScene(testbed)
  await scene.subscribers(12)
  await scene.contact({ email: 'quiet@example.com' })
  const setting = { key: 'deploy_limit', value: '10', now: new Date() }
  await setBusiness(testbed.db, scene.businessId, setting)
  const { campaign_id } = await scene.draft({
    name: 'November news',
    content: { ...content, html: `${content.html}${more}` },
  })
  const { approval_url } = await deployPlanned<{ approval_url: string }>(scene.owner, {
    campaign_id,
  })
  return { scene, campaign_id, approval_url }
}

async function signedIn(
  businessId: Id<'business'>,
  theme: 'light' | 'dark' = 'light',
  role: 'owner' | 'admin' | 'editor' = 'admin',
) {
  const opened = await person(browser, { theme, script: true })
  // The address names the campaign alone, whatever else the person is a member of.
  const businesses = [businessId, await testbed.newBusiness()]
  const value = await testbed.newSession({ businesses, role })
  await opened.context.addCookies([{ name: 'crier-session', value, url: testbed.service.url }])
  return opened
}

for (const theme of ['light', 'dark'] as const) {
  test(`a member reviews the plan and approves it, and the campaign is deployed (${theme})`, {
    skip,
  }, async () => {
    const { scene, campaign_id, approval_url } = await waiting()
    const { page, complaints } = await signedIn(scene.businessId, theme)
    await page.goto(approval_url)
    await page.getByRole('heading', { name: 'Send “November news” to 12 people?' }).waitFor()
    await page.getByText('not 1, who have not subscribed').waitFor()
    const framed = page.frameLocator('iframe').getByRole('heading', { name: 'Hello Ana' })
    await framed.waitFor()
    // The footer as recipients get it, with the business's settings and nothing invented.
    const frame = page.frameLocator('iframe')
    await frame.getByText('1 Example Street').waitFor()
    await frame.getByRole('link', { name: 'Unsubscribe or choose what you get' }).waitFor()
    await page.getByLabel('Plain text').getByText('1 Example Street').waitFor()
    await picture(page, `approval-${theme}`)
    assert.deepEqual(await faultsOf(page), [])
    await page.getByRole('button', { name: 'Approve and send' }).click()
    await page.getByRole('status').getByText('Sending').waitFor()
    assert.equal(page.url(), approval_url, 'the page goes on as the page of the campaign')
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 })
      await picture(page, `approved-${theme}-${width}`)
      assert.deepEqual(await faultsOf(page), [])
    }
    const { status } = await scene.owner.get<{ status: string }>('campaign.get', { campaign_id })
    assert.equal(status, 'deployed')
    assert.deepEqual(complaints, [])
  })
}

test('a member who reads German is told in German what the checks found, and what to do', {
  skip,
}, async () => {
  const unlabelled = '<p><img src="https://example.com/a.png"></p>'
  const { scene, approval_url } = await waiting(unlabelled)
  const { page, context } = await signedIn(scene.businessId)
  await context.setExtraHTTPHeaders({ 'accept-language': 'de' })
  await page.goto(approval_url)
  await page
    .getByText(/Warnung: Ein Bild hat keinen Alternativtext. Ergänzen Sie fehlende Alternativtexte/)
    .waitFor()
  await page.getByText(/^\d+ Prüfungen bestanden$/).click()
  await page.getByText('Die Postanschrift steht im Fußbereich.').waitFor()
  const checks = page.locator('section').filter({ hasText: 'Prüfungen vor dem Senden' })
  assert.equal(await checks.locator('[lang=en]').count(), 0)
  await picture(page, 'approval-german')
  assert.deepEqual(await faultsOf(page), [])
})

test('an editor is offered only what an editor may do and sees who can approve', {
  skip,
}, async () => {
  const { scene, campaign_id, approval_url } = await waiting()
  const { page } = await signedIn(scene.businessId, 'light', 'editor')
  await page.goto(approval_url)
  await page
    .getByText('An approver, admin or owner of the business can approve or refuse it.')
    .waitFor()
  assert.equal(await page.getByRole('button', { name: /Approve|Refuse/ }).count(), 0)
  const admin = await signedIn(scene.businessId)
  await admin.page.goto(approval_url)
  await admin.page.getByRole('button', { name: 'Approve and send' }).click()
  await admin.page.getByRole('button', { name: 'Cancel campaign' }).waitFor()
  await page.reload()
  await page
    .getByText('An admin or owner of the business can pause, resume or cancel it.')
    .waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  await page
    .getByText('An admin or owner of the business can pause, resume or cancel it.')
    .waitFor()
  assert.deepEqual(await faultsOf(page), [])
  await picture(page, 'campaign-editor')
  const { status } = await scene.owner.get<{ status: string }>('campaign.get', { campaign_id })
  assert.equal(status, 'paused')
})

test('every variant of an A/B test is shown before approval', { skip }, async () => {
  const { scene, campaign_id } = await waiting()
  await scene.owner.get('campaign.cancel', { campaign_id })
  const draft = await scene.draft({ name: 'Two ways', content })
  const other = { subject: 'Come on Monday', html: '<h1>Hi {{ contact.name }}</h1><p>See you.</p>' }
  const ab = { variants: [other, { subject: 'Only the subject differs' }] }
  await scene.owner.get('campaign.save', { campaign_id: draft.campaign_id, ab })
  const { approval_url } = await deployPlanned<{ approval_url: string }>(scene.owner, {
    campaign_id: draft.campaign_id,
  })
  const { page, complaints } = await signedIn(scene.businessId)
  await page.goto(approval_url)
  for (const [i, says, subject] of [
    [1, 'Hello Ana', 'New classes in A business'],
    [2, 'Hi Ana', 'Come on Monday'],
    [3, 'Hello Ana', 'Only the subject differs'],
  ] as const) {
    await page.getByRole('heading', { name: `Variant ${i} of 3` }).waitFor()
    const frame = page.frameLocator(`iframe[title^="Variant ${i} of 3"]`)
    await frame.getByRole('heading', { name: says }).waitFor()
    await page.getByText(`Subject: ${subject}`).waitFor()
  }
  await picture(page, 'approval-variants')
  assert.deepEqual(await faultsOf(page), [])
  assert.deepEqual(complaints, [])
  const none = await page.goto(`${approval_url}/sample?variant=3`)
  assert.equal(none?.status(), 404)
})

test('each translation is shown before approval, and how many people get it', {
  skip,
}, async () => {
  const { scene, campaign_id } = await waiting()
  await scene.owner.get('campaign.cancel', { campaign_id })
  const translations = { de: { subject: 'Neue Kurse', html: '<h1>Hallo</h1>' } }
  const draft = await scene.draft({ name: 'In German', content: { ...content, translations } })
  const { approval_url } = await deployPlanned<{ approval_url: string }>(scene.owner, {
    campaign_id: draft.campaign_id,
  })
  const { page } = await signedIn(scene.businessId)
  await page.goto(approval_url)
  await page.getByRole('heading', { name: 'In de' }).waitFor()
  const frame = page.frameLocator('iframe[title^="In de"]')
  await frame.getByRole('heading', { name: 'Hallo' }).waitFor()
  await page.getByText('Subject: Neue Kurse').waitFor()
  await page.getByText('0 get it in de').waitFor()
  assert.deepEqual(await faultsOf(page), [])
})

test('a plan that changes while the page is open is shown again, and nothing is sent', {
  skip,
}, async () => {
  const { scene, campaign_id, approval_url } = await waiting()
  const { page } = await signedIn(scene.businessId)
  await page.goto(approval_url)
  await scene.contact({
    email: 'late@example.com',
    consent: { email: { status: 'subscribed', source: 'page' } },
  })
  await page.getByRole('button', { name: 'Approve and send' }).click()
  await page.getByRole('alert').getByText('recipients were 12 and are 13 now').waitFor()
  await picture(page, 'approval-drifted')
  await page.getByLabel('Reason for refusing').fill('Wait for the fair.')
  await page.getByRole('button', { name: 'Refuse' }).click()
  await page.getByText('This is a draft. Nothing is sent').waitFor()
  const after = await scene.owner.get<Record<string, unknown>>('campaign.get', { campaign_id })
  assert.deepEqual([after['status'], after['refusal_reason']], ['draft', 'Wait for the fair.'])
  await page.goto(approval_url)
  await page.getByText('Not approved: “Wait for the fair.”').waitFor()
})

test('a campaign is paused, resumed and cancelled on its page', { skip }, async () => {
  const { scene, campaign_id, approval_url } = await waiting()
  const { page, complaints } = await signedIn(scene.businessId)
  await page.goto(`${approval_url}/approval`)
  assert.equal(page.url(), approval_url, 'an address of before leads here')
  await page.getByRole('button', { name: 'Approve and send' }).click()
  await page.getByRole('progressbar').waitFor()
  await page.getByRole('link', { name: 'reload automatically' }).click()
  // The first load may be that of the link itself.
  await page.waitForEvent('load', { timeout: 20_000 })
  const again = await page.waitForEvent('load', { timeout: 20_000 })
  await again.getByRole('link', { name: 'Stop reloading' }).click()
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('Paused by a member').waitFor()
  await picture(page, 'campaign-paused')
  assert.deepEqual(await faultsOf(page), [])
  // Another person was faster: the page says so above the current state of the campaign.
  await scene.owner.get('campaign.resume', { campaign_id })
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('alert').getByText('cannot be resumed').waitFor()
  await page.getByRole('button', { name: 'Cancel campaign' }).click()
  await page.getByRole('status').getByText('Cancelled.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Resume' }).count(), 0)
  await picture(page, 'campaign-cancelled')
  // Chromium logs each error response, such as the one above.
  assert.deepEqual(
    complaints.filter((complaint) => !complaint.includes('409 (Conflict)')),
    [],
  )
  const { status } = await scene.owner.get<{ status: string }>('campaign.get', { campaign_id })
  assert.equal(status, 'cancelled')
})

test('a visitor who is not signed in signs in first and returns to the approval page', {
  skip,
}, async () => {
  const { approval_url } = await waiting()
  const { page } = await person(browser)
  await page.goto(approval_url)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('next'), new URL(approval_url).pathname)
})

test('a user who is not a member of the business gets 404 for its campaign', { skip }, async () => {
  const { approval_url } = await waiting()
  const { page } = await signedIn(await testbed.newBusiness())
  const answer = await page.goto(approval_url)
  assert.equal(answer?.status(), 404)
})

test('where two people are asked for, who sent it off is told who approves, and can take it back', {
  skip,
}, async () => {
  const scene = await campaignScene(testbed)
  const { businessId } = scene
  await scene.subscribers(2)
  const now = new Date()
  await setBusiness(testbed.db, businessId, { key: 'deploy_limit', value: '0', now })
  const author = await testbed.appCaller({ businesses: [businessId], role: 'admin' })
  await setBusiness(testbed.db, businessId, { key: 'two_people', value: 'yes', now })
  const { campaign_id } = await scene.draft({ name: 'November news', content })
  const { approval_url } = await author.get<{ approval_url: string }>('campaign.deploy', {
    campaign_id,
  })
  const { page, context } = await person(browser, { width: 390, script: true })
  const value = await startSession(testbed.db, author.userId, now)
  await context.addCookies([{ name: 'crier-session', value, url: testbed.service.url }])
  await page.goto(approval_url)
  await page.getByText('One other person can approve it.').waitFor()
  await picture(page, 'approval-own-390')
  assert.deepEqual(await faultsOf(page), [])
  assert.equal(await page.getByRole('button', { name: 'Approve' }).count(), 0)
  await page.getByRole('button', { name: 'Back to draft' }).click()
  await page.getByText('This is a draft').waitFor()
  await context.close()
})

test('an owner who approves can have the app send as many the next time without asking', {
  skip,
}, async () => {
  const { scene, approval_url } = await waiting()
  const { page, context } = await signedIn(scene.businessId, 'light', 'owner')
  await page.goto(approval_url)
  const limit = page.getByRole('spinbutton', { name: 'Recipients a day without approval' })
  assert.equal(await limit.inputValue(), '250')
  await limit.fill('300')
  await page.getByLabel('From now on, allow up to').check()
  assert.deepEqual(await faultsOf(page), [])
  await page.getByRole('button', { name: 'Approve and send' }).click()
  await page.getByText('From now on, allow up to').waitFor({ state: 'detached' })
  const { deploy_limit } = await scene.owner.get<{ deploy_limit: number }>('business.get', {})
  assert.equal(deploy_limit, 300)
  await context.close()
})
