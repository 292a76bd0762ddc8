/**
 * What stands between an assistant and harm, in a real browser: the red button without script, emails
 * that it proposed, and what it ordered to be removed.
 */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { formatId } from 'crier-server/core/ids.ts'
import { campaignScene, deployPlanned } from '../../support/businesses/campaigns.ts'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { eventually } from '../../support/time/eventually.ts'
import { person } from '../browser.ts'
import { type AppBench, assertSound, looks, openAppBench, visitApp } from './app.ts'

const skip = withoutBrowser

let bench: AppBench
before(async () => {
  if (!skip) bench = await openAppBench({ settings: { CANARY_SECONDS: '0' } })
})
after(() => bench?.close())

test('on a phone without script, an approver stops all sending of a business', {
  skip,
}, async () => {
  const { testbed, browser } = bench
  const scene = await campaignScene(testbed)
  await scene.subscribers(3)
  const { campaign_id } = await scene.draft({ name: 'Going out' })
  await deployPlanned(scene.owner, { campaign_id, throttle_per_minute: 1 })
  const { context, page, complaints } = await person(browser, { width: 390, touch: true })
  const businesses = [scene.businessId]
  const value = await testbed.newSession({ businesses, role: 'approver' })
  await context.addCookies([{ name: 'crier-session', value, url: testbed.service.url }])
  // Whoever may stop one business alone is led to it.
  await page.goto(`${testbed.service.url}/account/stop`)
  assert.match(page.url(), new RegExp(`/account/stop/${formatId('business', scene.businessId)}$`))
  const button = await page.getByRole('button', { name: 'Stop all sending' }).boundingBox()
  assert.ok(
    button && button.x >= 0 && button.x + button.width <= 390 && button.height >= 36,
    JSON.stringify(button),
  )
  await page.getByLabel(/Hold receipts/).check()
  await page.getByRole('button', { name: 'Stop all sending' }).tap()
  await page.getByRole('heading', { name: 'All sending is stopped' }).waitFor()
  assert.match((await page.getByRole('status').textContent()) ?? '', /Campaigns paused: 1\./)
  const { status } = await scene.owner.get<{ status: string }>('campaign.get', { campaign_id })
  assert.equal(status, 'paused')
  const receipt = { to: 'buyer@example.com', subject: 'Receipt', text: 'Paid.' }
  const { message_id } = await scene.owner.get<{ message_id: string }>('email.send', receipt)
  const shown = await eventually(
    () => scene.owner.get<{ status: string; due_at: string }>('message.get', { message_id }),
    ({ due_at }) => Date.parse(due_at) > Date.now() + 30_000,
  )
  assert.equal(shown.status, 'queued')
  assert.deepEqual(complaints, [])
  await context.close()
})

for (const { theme, width } of looks) {
  test(`proposed emails are read, changed, approved and refused, ${theme} at ${width}`, {
    skip,
  }, async () => {
    const { testbed } = bench
    const scene = await campaignScene(testbed)
    await scene.subscribers(4)
    const emails = [1, 2, 3, 4].map((n) => ({
      to: `who-${n}@example.com`,
      subject: `Your tent ${n}`,
      text: `Tent ${n} is ready.`,
    }))
    const { batch_id } = await scene.owner.get<{ batch_id: string }>('message.propose', { emails })
    const visit = await visitApp(bench, {
      businesses: [scene.businessId],
      role: 'editor',
      theme,
      width,
      path: '/proposals',
    })
    const { page } = visit
    const open = (n: number) =>
      page.getByRole('button', { name: new RegExp(`^Your tent ${n}`) }).click()
    const together = page.getByRole('button', { name: /^Approve all/ })
    await together.waitFor()
    assert.ok(await together.isDisabled(), 'nobody has read them')
    await open(1)
    await page.getByText('Tent 1 is ready.').waitFor()
    await page.getByRole('button', { name: 'Edit: Your tent 1' }).click()
    await page.getByLabel('Text').fill('Tent 1 is ready on Friday.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Approve: Your tent 1' }).click()
    await page.getByText('1 email approved').first().waitFor()
    await open(2)
    await page.getByRole('button', { name: /^Refuse$/ }).click()
    await page.getByLabel('Reason').fill('They have it already.')
    await assertSound(visit, `app-proposals-${theme}-${width}`)
    await page
      .getByRole('button', { name: /^Refuse$/ })
      .last()
      .click()
    await page.getByText('1 email refused').first().waitFor()
    await open(3)
    await open(4)
    await together.click()
    await page.getByText('2 emails approved').first().waitFor()
    type Proposals = {
      proposals: { status: string; reason?: string; untrusted?: { subject: string } }[]
    }
    const { proposals } = await eventually(
      () => scene.owner.get<Proposals>('proposal.get', { batch_id }),
      ({ proposals }) => proposals.every(({ status }) => status !== 'waiting'),
    )
    const refused = proposals.filter(({ status }) => status === 'refused')
    assert.equal(refused.length, 1)
    assert.match(JSON.stringify(refused), /They have it already\./)
    const others = proposals.filter(({ status }) => status !== 'refused')
    assert.ok(others.every(({ status }) => ['approved', 'sent'].includes(status)))
    await visit.close()
  })

  test(`what an assistant ordered to be removed is cancelled or done at once, ${theme} at ${width}`, {
    skip,
  }, async () => {
    const { testbed } = bench
    const { businessId, owner } = await testbed.someone()
    const merge = async (name: string) => {
      const ids = await Promise.all(
        ['a', 'b'].map(async (letter) => {
          const email = `${name}-${letter}@example.com`
          const { contact_id } = await owner.get<{ contact_id: string }>('contact.upsert', {
            email,
          })
          return contact_id
        }),
      )
      const [contact_id, other_contact_id] = ids
      await owner.get('contact.merge', { contact_id, other_contact_id })
    }
    await merge('first')
    await merge('second')
    const visit = await visitApp(bench, {
      businesses: [businessId],
      theme,
      width,
      path: '/connections',
    })
    const { page } = visit
    await page.getByText('On hold for 24 hours').waitFor()
    await assertSound(visit, `app-removals-${theme}-${width}`)
    const row = (name: string) =>
      page.getByRole('listitem').filter({ hasText: `${name}-b@example.com` })
    await row('first')
      .getByRole('button', { name: /Cancel/ })
      .click()
    await page.getByText('Cancelled. Nothing was removed.').first().waitFor()
    await row('second')
      .getByRole('button', { name: /Do it now/ })
      .click()
    const addresses = async () => {
      const { contacts } = await owner.get<{ contacts: { email: string }[] }>('contact.list', {})
      return contacts.map(({ email }) => email).toSorted()
    }
    const left = await eventually(addresses, (all) => all.length === 3)
    assert.ok(left.includes('first-a@example.com') && left.includes('first-b@example.com'))
    assert.ok(!left.includes('second-b@example.com'))
    await visit.close()
  })
}
