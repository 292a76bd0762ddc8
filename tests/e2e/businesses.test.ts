/** The page where an owner says what apps may do by themselves, in a real browser. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type { Id } from 'crier-server/platform/ids.ts'
import type { Role } from 'crier-server/platform/operation.ts'
import type { Browser, Page } from 'playwright-core'
import { type OwnHouse, openHouse } from '../operations/support/house.ts'
import { campaignScene } from '../support/campaigns.ts'
import { faultsOf, launch, person, picture, withoutBrowser } from './browser.ts'

const skip = withoutBrowser
const path = '/account/businesses'

let house: OwnHouse
let browser: Browser
before(async () => {
  if (skip) return
  house = await openHouse({ idle: true })
  browser = await launch()
})
after(async () => {
  await browser?.close()
  await house?.close()
})

async function visit(businesses: Id<'business'>[], role: Role, theme: 'light' | 'dark' = 'light') {
  const opened = await person(browser, { theme })
  const value = await house.newSession({ businesses, role })
  await opened.context.addCookies([{ name: 'crier-session', value, url: house.service.url }])
  await opened.page.goto(house.service.url + path)
  return { ...opened, value }
}

for (const theme of ['light', 'dark'] as const) {
  test(`an owner sets from how many people on a person approves (${theme})`, { skip }, async () => {
    const scene = await campaignScene(house)
    await scene.subscribers(3)
    const other = await house.newBusiness()
    const { page, complaints } = await visit([scene.businessId, other], 'owner', theme)
    await page.getByText('to up to 1,000 people by itself').first().waitFor()
    await page.getByText('Change', { exact: true }).first().click()
    await picture(page, `businesses-${theme}`)
    // axe needs script, which this page must do without: its labels are asked for below.
    await page.getByLabel('Recipients without approval').first().fill('2')
    await page.getByRole('button', { name: 'Save' }).first().click()
    await page.getByRole('status').getByText('Saved').waitFor()
    await page.getByText('to up to 2 people by itself').waitFor()
    await picture(page, `businesses-saved-${theme}`)
    assert.equal(await page.getByText('to up to 1,000 people by itself').count(), 1)
    const { campaign_id } = await scene.draft()
    const asked = await scene.owner.get<{ status: string }>('campaign.deploy', { campaign_id })
    assert.equal(asked.status, 'awaiting_approval')

    await page.getByText('Change', { exact: true }).first().click()
    await page.getByLabel('any number of people').first().check()
    await page.getByRole('button', { name: 'Save' }).first().click()
    await page.getByText('to any number of people by itself').first().waitFor()
    const again = { campaign_id: (await scene.draft()).campaign_id }
    const sent = await scene.owner.get<{ status: string }>('campaign.deploy', again)
    assert.equal(sent.status, 'deployed')
    assert.deepEqual(complaints, [])
  })
}

test('what is no number is said beside the field, and changes nothing', { skip }, async () => {
  const { page } = await visit([await house.newBusiness()], 'owner')
  await page.getByText('Change', { exact: true }).click()
  await page.getByLabel('Recipients without approval').fill('many')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').waitFor()
  await picture(page, 'businesses-fault')
  assert.equal(await page.getByLabel('Recipients without approval').inputValue(), 'many')
  await page.getByText('to up to 1,000 people by itself').waitFor()
})

test('the page has no fault that axe finds', { skip }, async () => {
  const opened = await person(browser, { script: true })
  const value = await house.newSession({ businesses: [await house.newBusiness()] })
  await opened.context.addCookies([{ name: 'crier-session', value, url: house.service.url }])
  await opened.page.goto(house.service.url + path)
  await opened.page.getByText('Change', { exact: true }).click()
  assert.deepEqual(await faultsOf(opened.page), [])
})

test('an admin sees the limit and cannot change it, not by a made-up form either', {
  skip,
}, async () => {
  const businessId = await house.newBusiness()
  const { page, context } = await visit([businessId], 'admin')
  await page.getByText('you are admin').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0)
  const owner = await visit([await house.newBusiness()], 'owner')
  const keyOf = (shown: Page) => shown.locator('input[name=form_key]').first().inputValue()
  const theirs = await page.locator('.row .mono').textContent()
  const fields = { approval: 'never', deploy_limit: '1' }
  const url = `${house.service.url}${path}/${theirs}`
  const admin = await context.request.post(url, {
    form: { ...fields, form_key: await keyOf(page) },
  })
  assert.equal(admin.status(), 403)
  const form = { ...fields, form_key: await keyOf(owner.page) }
  const stranger = await owner.context.request.post(url, { form })
  assert.equal(stranger.status(), 404)
  const unkeyed = await owner.context.request.post(url, { form: { ...form, form_key: 'x' } })
  assert.equal(unkeyed.status(), 403)
  await page.reload()
  await page.getByText('to up to 1,000 people by itself').waitFor()
})

test('who is not signed in signs in first, and comes back to the page', { skip }, async () => {
  const { page } = await person(browser)
  await page.goto(house.service.url + path)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('next'), path)
})
