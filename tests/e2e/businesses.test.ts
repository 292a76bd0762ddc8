/** The pages for a business's settings and for the rights of apps, in a real browser. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type { Id } from 'crier-server/core/ids.ts'
import type { Role } from 'crier-server/core/operation.ts'
import type { Browser, Page } from 'playwright-core'
import { type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import { campaignScene } from '../support/businesses/campaigns.ts'
import { faultsOf, launch, person, picture, withoutBrowser } from './browser.ts'

const skip = withoutBrowser
const path = '/account/businesses'

let testbed: OwnTestbed
let browser: Browser
before(async () => {
  if (skip) return
  testbed = await openTestbed({ idle: true })
  browser = await launch()
})
after(async () => {
  await browser?.close()
  await testbed?.close()
})

async function visit(businesses: Id<'business'>[], role: Role, theme: 'light' | 'dark' = 'light') {
  const opened = await person(browser, { theme })
  const value = await testbed.newSession({ businesses, role })
  await opened.context.addCookies([{ name: 'crier-session', value, url: testbed.service.url }])
  await opened.page.goto(testbed.service.url + path)
  await opened.page
    .getByRole('link', { name: /^Settings of/ })
    .first()
    .click()
  return { ...opened, value }
}

for (const theme of ['light', 'dark'] as const) {
  test(`an owner sets what a deploy needs and when approval is required (${theme})`, {
    skip,
  }, async () => {
    const scene = await campaignScene(testbed)
    await scene.subscribers(3)
    const { page, complaints } = await visit([scene.businessId], 'owner', theme)
    await picture(page, `settings-${theme}`)
    await page.getByLabel('Postal address').fill('1 High St\nLeeds')
    await page.getByLabel('Recipients without approval').fill('2')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('status').getByText('Saved').waitFor()
    await picture(page, `settings-saved-${theme}`)
    assert.equal(await page.getByLabel('Postal address').inputValue(), '1 High St\nLeeds')
    const { campaign_id } = await scene.draft()
    const asked = await scene.owner.get<{ status: string }>('campaign.deploy', { campaign_id })
    assert.equal(asked.status, 'awaiting_approval')
    await page.getByLabel('any number of people').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('status').getByText('Saved').waitFor()
    const again = { campaign_id: (await scene.draft()).campaign_id }
    const sent = await scene.owner.get<{ status: string }>('campaign.deploy', again)
    assert.equal(sent.status, 'deployed')
    assert.deepEqual(complaints, [])
  })
}

test('an error is shown beside its field, the input is kept and nothing is changed', {
  skip,
}, async () => {
  const { page } = await visit([await testbed.newBusiness()], 'owner')
  await page.getByLabel('Address for replies').fill('nobody')
  await page.getByLabel('Answer to HELP').fill('Call us.')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').waitFor()
  await picture(page, 'settings-fault')
  assert.equal(await page.getByLabel('Address for replies').inputValue(), 'nobody')
  assert.equal(await page.getByLabel('Answer to HELP').inputValue(), 'Call us.')
  await page.goto(page.url())
  assert.equal(await page.getByLabel('Answer to HELP').inputValue(), '')
})

test('axe finds no fault in the settings pages', { skip }, async () => {
  const opened = await person(browser, { script: true })
  const value = await testbed.newSession({ businesses: [await testbed.newBusiness()] })
  await opened.context.addCookies([{ name: 'crier-session', value, url: testbed.service.url }])
  await opened.page.goto(testbed.service.url + path)
  assert.deepEqual(await faultsOf(opened.page), [])
  await opened.page.getByRole('link', { name: /^Settings of/ }).click()
  assert.deepEqual(await faultsOf(opened.page), [])
})

test('an admin sees the settings and cannot change them, not even with a forged form', {
  skip,
}, async () => {
  const businessId = await testbed.newBusiness()
  const { page, context } = await visit([businessId], 'admin')
  await page.getByText('Only owners change these').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0)
  const owner = await visit([await testbed.newBusiness()], 'owner')
  const keyOf = (shown: Page) => shown.locator('input[name=form_key]').first().inputValue()
  const url = page.url()
  const fields = { name: 'Mine', time_zone: 'UTC', language: 'en', deploy_limit: '1' }
  const ask = async (who: { page: Page; context: typeof context }, key?: string) => {
    const form = { ...fields, form_key: key ?? (await keyOf(who.page)) }
    return (await who.context.request.post(url, { form })).status()
  }
  assert.equal(await ask({ page, context }), 403)
  assert.equal(await ask(owner), 404)
  assert.equal(await ask(owner, 'x'), 403)
})

test('a visitor who is not signed in signs in first and returns to the settings page', {
  skip,
}, async () => {
  const { page } = await person(browser)
  await page.goto(testbed.service.url + path)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('next'), path)
})
