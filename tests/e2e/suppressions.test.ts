/** The page where an owner finds and lifts suppressed addresses, in a real browser. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { suppress } from 'crier-server/contacts/suppressions.ts'
import type { Id } from 'crier-server/platform/ids.ts'
import { formatId } from 'crier-server/platform/ids.ts'
import type { Role } from 'crier-server/platform/operation.ts'
import type { Browser } from 'playwright-core'
import { type OwnHouse, openHouse } from '../operations/support/house.ts'
import { launch, person, withoutBrowser } from './browser.ts'

const skip = withoutBrowser
const address = 'bounced@example.com'

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

async function visit(businessId: Id<'business'>, role: Role) {
  const opened = await person(browser, { theme: 'light' })
  const value = await house.newSession({ businesses: [businessId], role })
  await opened.context.addCookies([{ name: 'crier-session', value, url: house.service.url }])
  const path = `/account/businesses/${formatId('business', businessId)}/suppressions`
  await opened.page.goto(house.service.url + path)
  return opened
}

async function bounced(): Promise<Id<'business'>> {
  const businessId = await house.newBusiness()
  const one = { businessId, channel: 'email', address, reason: 'bounce', source: 'a test' } as const
  await house.db.tx((tx) => suppress(tx, house.service.vault.hmac, [one], new Date()))
  return businessId
}

test('an owner finds an address and lifts it with a reason', { skip }, async () => {
  const { page, complaints, context } = await visit(await bounced(), 'owner')
  await page.getByText('An address that no contact has').waitFor()
  await page.getByLabel('Find an email address').fill(address)
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByText(address).first().waitFor()
  await page.getByText('Lift', { exact: true }).click()
  await page.getByLabel('Why it may be written to again').fill('They wrote to us.')
  await page.getByRole('button', { name: 'Lift it' }).click()
  await page.getByRole('status').getByText('messages may go').waitFor()
  await page.getByText('No address is suppressed').waitFor()
  assert.deepEqual(complaints, [])
  await context.close()
})

test('an admin sees the list and has nothing to lift it with', { skip }, async () => {
  const { page, context } = await visit(await bounced(), 'admin')
  await page.getByText('An address that no contact has').waitFor()
  assert.equal(await page.getByText('Lift', { exact: true }).count(), 0)
  await context.close()
})
