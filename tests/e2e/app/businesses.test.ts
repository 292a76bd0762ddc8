/** The page over all businesses of a person. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test, { after, before } from 'node:test'
import { formatId } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { campaignScene, deployPlanned } from '../../support/businesses/campaigns.ts'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { type AppBench, assertSound, looks, openAppBench, visitApp } from './app.ts'

const skip = withoutBrowser

let bench: AppBench
before(async () => {
  if (!skip) bench = await openAppBench()
})
after(() => bench?.close())

/** Two businesses: one in which a campaign waits for approval, and one with a name like a formula. */
async function twoBusinesses() {
  const { testbed } = bench
  const scene = await campaignScene(testbed)
  await scene.subscribers(2)
  const { campaign_id } = await scene.draft({ name: 'Spring menu' })
  await testbed.db.run(sql`update businesses set deploy_limit = 1 where id = ${scene.businessId}`)
  await deployPlanned(scene.owner, { campaign_id })
  const other = await testbed.newBusiness()
  await testbed.db.run(sql`
    update businesses set name = '=1+1 "Bakery"', postal_address = null where id = ${other}
  `)
  return [scene.businessId, other]
}

for (const { theme, width } of looks) {
  test(`the page over all businesses has no accessibility fault, ${theme} at ${width}`, {
    skip,
  }, async () => {
    const businesses = await twoBusinesses()
    const look = { businesses, theme, width, path: '/businesses' }
    const language = theme === 'dark' ? 'de' : 'en'
    const visit = await visitApp(bench, { ...look, language })
    await visit.page.getByText(/1 to approve|1 freizugeben/).waitFor()
    await visit.page
      .getByText(/^0 (of|von) |no limit|ohne Limit/)
      .first()
      .waitFor()
    await assertSound(visit, `app-businesses-${theme}-${width}`)
    await visit.close()
  })
}

const monthName = (at: Date) =>
  at.toLocaleString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })

test('a person opens the page by keyboard, sees what waits in each business and saves the usage', {
  skip,
}, async () => {
  const businesses = await twoBusinesses()
  const past = new Date()
  past.setUTCMonth(past.getUTCMonth() - 1, 15)
  const [day, month] = [past.toISOString().slice(0, 10), past.toISOString().slice(0, 7)]
  await bench.testbed.db.run(sql`
    insert into usage_days (business_id, metric, day, amount)
    values (${businesses[0]}, 'emails', ${day}, 4321)
  `)
  await bench.testbed.db.run(sql`
    update businesses set created_at = ${past} where id = ${businesses[0]}
  `)
  const visit = await visitApp(bench, { businesses })
  const { page } = visit
  await page.getByRole('button', { name: 'Switch business' }).first().focus()
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'All businesses and pending work' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'All businesses' }).waitFor()
  await page.getByText('1 to approve').waitFor()
  await page.getByText('No postal address').waitFor()
  const offered = page.getByLabel('Month').getByRole('option')
  await page.getByRole('option', { name: monthName(past) }).waitFor({ state: 'attached' })
  assert.deepEqual(await offered.allInnerTexts(), [monthName(new Date()), monthName(past)])
  await page.getByLabel('Month').selectOption(month)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Usage as CSV' }).click()
  const text = readFileSync(await (await saved).path(), 'utf8')
  const lines = text.trimEnd().split('\r\n')
  assert.equal(
    lines[0],
    '\ufeff"month","business_id","business","tier","metric","per","used","limit"',
  )
  for (const id of businesses) assert.ok(text.includes(formatId('business', id)))
  assert.ok(text.includes('"emails","month","4321"'), 'the chosen month')
  assert.ok(lines.slice(1).every((line) => line.startsWith(`"${month}",`)))
  assert.ok(text.includes('"\'=1+1 ""Bakery"""'), 'a name is no formula')
  assert.ok(lines.every((line) => !line.includes('"=')))
  assert.deepEqual(visit.complaints, [])
  await visit.close()
})

test('a business is made by copying another, from the switcher by keyboard', { skip }, async () => {
  const scene = await campaignScene(bench.testbed)
  await scene.owner.get('template.save', { name: 'Welcome', subject: 'Hello', html: '<p>Hi</p>' })
  const { campaign_id } = await scene.draft()
  const filter = { did: 'message.opened', campaign_id }
  await scene.owner.get('segment.save', { name: 'Readers', filter })
  const visit = await visitApp(bench, { businesses: [scene.businessId] })
  const { page } = visit
  await page.getByRole('button', { name: 'Switch business' }).first().focus()
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'New business' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'New business' })
  await dialog.getByLabel('Name').fill('Second shop')
  await dialog.getByRole('checkbox', { name: 'Forms' }).uncheck()
  await assertSound(visit, 'app-new-business')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Second shop created' }).waitFor()
  await page.getByText('Templates: 1').waitFor()
  await page.getByText('It refers to a campaign').waitFor()
  assert.equal(await page.getByText('Forms: ').count(), 0)
  await assertSound(visit, 'app-new-business-done')
  await page.getByRole('button', { name: 'Open business' }).click()
  await page.getByRole('button', { name: 'Switch business Second shop' }).first().waitFor()
  assert.ok(!page.url().startsWith(visit.root))
  assert.deepEqual(visit.complaints, [])
  await visit.close()
})
