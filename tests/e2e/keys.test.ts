/** The page on which an owner makes and revokes API keys, in a real browser without script. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type { Id } from 'crier-server/core/ids.ts'
import { formatId } from 'crier-server/core/ids.ts'
import type { Role } from 'crier-server/core/operation.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { minutes } from 'crier-server/lib/time/clock.ts'
import type { Browser } from 'playwright-core'
import { type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import { newApiKey } from '../support/clients/api-keys.ts'
import { eventually } from '../support/time/eventually.ts'
import { faultsOf, launch, person, picture, type Theme, withoutBrowser } from './browser.ts'

const skip = withoutBrowser

let testbed: OwnTestbed
let browser: Browser
before(async () => {
  if (skip) return
  testbed = await openTestbed()
  browser = await launch()
})
after(async () => {
  await browser?.close()
  await testbed?.close()
})

interface Look {
  theme?: Theme
  width?: number
  script?: boolean
}

async function visit(businessId: Id<'business'>, role: Role = 'owner', look: Look = {}) {
  const opened = await person(browser, look)
  const value = await testbed.newSession({ businesses: [businessId], role })
  await opened.context.addCookies([{ name: 'crier-session', value, url: testbed.service.url }])
  await opened.page.goto(`${testbed.service.url}/account/businesses`)
  return { ...opened, path: `/account/businesses/${formatId('business', businessId)}/keys` }
}

const statusWith = async (key: string) => {
  const headers = { authorization: `Bearer ${key}` }
  return (await fetch(`${testbed.service.url}/v1/businesses`, { headers })).status
}

test('an owner creates an API key, sees it once and revokes it', { skip }, async () => {
  const { page, complaints, context } = await visit(await testbed.newBusiness())
  await page.getByRole('link', { name: 'API keys' }).click()
  await page.getByText('There is no key yet').waitFor()
  assert.equal(await page.getByRole('checkbox', { name: /Send email/ }).isChecked(), false)
  assert.equal(await page.getByRole('checkbox', { name: /See your contacts/ }).isChecked(), true)
  await page.getByLabel('Name').fill('Shop')
  await page.getByRole('checkbox', { name: /Send email/ }).check()
  await page.getByLabel('Recipients in 24 hours').fill('20')
  await page.getByLabel('Networks it is taken from').fill('nowhere')
  await page.getByRole('button', { name: 'Make the key' }).click()
  await page.getByRole('alert').getByText('“nowhere” is no network').waitFor()
  assert.equal(await page.getByRole('checkbox', { name: /Send email/ }).isChecked(), true)
  await page.getByLabel('Networks it is taken from').fill('127.0.0.1 ::1')
  await page.getByRole('button', { name: 'Make the key' }).click()
  await page.getByText('It may send to 20 recipients in 24 hours').waitFor()
  const key = (await page.locator('.copy code').textContent()) ?? ''
  assert.match(key, /^crk_[\w-]{43}$/)
  assert.equal(await statusWith(key), 200)
  await page.goto(page.url())
  assert.ok(!(await page.content()).includes(key), 'it is shown once')
  await page.getByText('Revoke', { exact: true }).click()
  await page.getByRole('button', { name: 'Revoke the key' }).click()
  await page.getByText('There is no key yet').waitFor()
  assert.equal(await statusWith(key), 401)
  assert.equal(complaints.filter((complaint) => !complaint.includes('400')).length, 0)
  await context.close()
})

test('after 15 minutes the owner must sign in again to create a key and returns to the page', {
  skip,
}, async () => {
  const { page, context, path } = await visit(await testbed.newBusiness())
  await page.goto(testbed.service.url + path)
  await page.getByLabel('Name').fill('Shop')
  const before = new Date(Date.now() - minutes(15))
  await testbed.db.run(sql`update sessions set created_at = ${before}`)
  await page.getByRole('button', { name: 'Make the key' }).click()
  await page.getByRole('link', { name: 'Sign in again' }).click()
  const email = await page.getByLabel('Your email address').inputValue()
  await page.getByRole('button', { name: 'Send me a link' }).click()
  const mail = await eventually(
    () =>
      testbed.db.maybe<{ text: string }>(sql`
        select body_text as text from inbox_messages where recipient = ${email}
      `),
    (found) => found !== undefined,
  )
  await page.goto(/https?:\/\/\S+\/sign-in\/\S+/.exec(mail?.text ?? '')?.[0] ?? '')
  assert.equal(new URL(page.url()).pathname, path)
  await page.getByLabel('Name').fill('Shop')
  await page.getByRole('button', { name: 'Make the key' }).click()
  await page.getByText('Copy it now').waitFor()
  await context.close()
})

test('an editor has no link to the API keys and gets 403', { skip }, async () => {
  const { page, context, path } = await visit(await testbed.newBusiness(), 'editor')
  assert.equal(await page.getByRole('link', { name: 'API keys' }).count(), 0)
  const answer = await page.goto(testbed.service.url + path)
  assert.equal(answer?.status(), 403)
  await context.close()
})

for (const theme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    test(`axe finds no fault in the API key page (${theme}, ${width} px)`, { skip }, async () => {
      const businessId = await testbed.newBusiness()
      const networks = ['203.0.113.0/24']
      await newApiKey(testbed.db, { businessId, name: 'A shop of long standing', networks })
      const { page, context, path } = await visit(businessId, 'owner', {
        theme,
        width,
        script: true,
      })
      await page.goto(testbed.service.url + path)
      await page.getByText('Revoke', { exact: true }).click()
      await page.getByLabel('Name').fill('Shop')
      await page.getByRole('button', { name: 'Make the key' }).click()
      await page.getByText('Copy it now').waitFor()
      await picture(page, `keys-${theme}-${width}`)
      assert.deepEqual(await faultsOf(page), [])
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      assert.ok(excess <= 0, `${excess} px too wide`)
      await context.close()
    })
  }
}
