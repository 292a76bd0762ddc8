/** The page on which an owner finds and lifts suppressed addresses, in a real browser. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { suppress } from 'crier-server/contacts/suppression/suppressions.ts'
import type { Id } from 'crier-server/core/ids.ts'
import { formatId } from 'crier-server/core/ids.ts'
import type { Role } from 'crier-server/core/operation.ts'
import type { Browser } from 'playwright-core'
import { type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import { faultsOf, launch, person, picture, type Theme, withoutBrowser } from './browser.ts'

const skip = withoutBrowser
const address = 'bounced@example.com'

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

interface Look {
  theme?: Theme
  width?: number
  script?: boolean
}

async function visit(businessId: Id<'business'>, role: Role, look: Look = {}) {
  const opened = await person(browser, look)
  const value = await testbed.newSession({ businesses: [businessId], role })
  await opened.context.addCookies([{ name: 'crier-session', value, url: testbed.service.url }])
  const path = `/account/businesses/${formatId('business', businessId)}/suppressions`
  await opened.page.goto(testbed.service.url + path)
  return opened
}

async function bounced(): Promise<Id<'business'>> {
  const businessId = await testbed.newBusiness()
  const one = { businessId, channel: 'email', address, reason: 'bounce', source: 'a test' } as const
  await testbed.db.tx((tx) => suppress(tx, testbed.service.vault.hmac, [one], new Date()))
  return businessId
}

test('an owner finds a suppressed address and lifts the suppression with a reason', {
  skip,
}, async () => {
  const { page, complaints, context } = await visit(await bounced(), 'owner')
  await page.getByText('An address that no contact has').waitFor()
  await page.getByLabel('Find an email address').fill(address)
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByText(address).first().waitFor()
  await page.getByText('Lift', { exact: true }).click()
  await page.getByLabel('Why it may be written to again').fill('They wrote to us.')
  await page.getByRole('button', { name: 'Lift the suppression' }).click()
  await page.getByRole('status').getByText('messages may go').waitFor()
  await page.getByText('No address is suppressed').waitFor()
  assert.deepEqual(complaints, [])
  await context.close()
})

test('an admin sees the suppressions and has no button to lift one', { skip }, async () => {
  const { page, context } = await visit(await bounced(), 'admin')
  await page.getByText('An address that no contact has').waitFor()
  assert.equal(await page.getByText('Lift', { exact: true }).count(), 0)
  await context.close()
})

for (const theme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    test(`axe finds no fault in the suppression page (${theme}, ${width} px)`, {
      skip,
    }, async () => {
      const look = { theme, width, script: true }
      const { page, context } = await visit(await bounced(), 'owner', look)
      await page.getByText('Lift', { exact: true }).click()
      await page.getByRole('button', { name: 'Lift the suppression' }).waitFor()
      await picture(page, `suppressions-${theme}-${width}`)
      assert.deepEqual(await faultsOf(page), [])
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      assert.ok(excess <= 0, `${excess} px too wide`)
      await context.close()
    })
  }
}
