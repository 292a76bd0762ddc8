/** Segments, messages, replies, webhooks, domains and usage. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { suppress } from 'crier-server/contacts/suppressions/suppression.ts'
import { sendOff } from '../../support/businesses/campaign-drafts.ts'
import { awaitState, draftTo } from '../../support/businesses/campaign-runs.ts'
import { newApiKey } from '../../support/clients/api-keys.ts'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { type AppBench, assertSound, looks, openAppBench, visitApp } from './app.ts'
import { somePeople } from './people.ts'
import { assertValue } from './settled.ts'

const skip = withoutBrowser

let bench: AppBench
before(async () => {
  if (!skip) bench = await openAppBench()
})
after(() => bench?.close())

const empties: Record<string, string> = {
  segments: 'No segments yet',
  topics: 'No topics yet',
  messages: 'No messages sent yet',
  replies: 'No replies yet',
  webhooks: 'No webhooks yet',
  domains: 'No domains yet',
  usage: 'Current totals',
  suppressions: 'No address is suppressed',
}

for (const { theme, width } of looks) {
  test(`the list pages have no accessibility fault, ${theme} at ${width}`, { skip }, async () => {
    const look = `${theme}-${width}`
    const business = await bench.testbed.newBusiness()
    const businesses = [business]
    const visit = await visitApp(bench, { businesses, theme, width })
    const { page, root } = visit
    for (const [name, text] of Object.entries(empties)) {
      await page.goto(`${root}/${name}`)
      const box = await page.getByText(text).first().boundingBox()
      assert.ok(box && box.x >= 0 && box.x + box.width <= width, `${name}: its words are cut`)
      await assertSound(visit, `app-${name}-empty-${look}`)
    }
    const owner = await somePeople(bench.testbed, business, 20)
    const filter = { and: [{ tag: 'vip' }, { consent: 'email', is: 'subscribed' }] }
    await owner.get('segment.save', { name: 'Important people', filter })
    const hello = { subject: 'Your receipt', text: 'Thank you.' }
    await owner.get('email.send', { to: 'ana.moreau.1@example.com', ...hello })
    await owner.get('domain.add', { domain: `mail-${theme}-${width}.example.com` })
    await owner.get('webhook.save', { url: 'https://hooks.example/x', events: ['form.submitted'] })

    await page.goto(`${root}/segments`)
    await page.getByRole('link', { name: 'Important people' }).click()
    await page.getByText('Matches by condition').waitFor()
    await page.getByText('Almost included').waitFor()
    await assertSound(visit, `app-segment-${look}`)
    await page.goto(`${root}/messages`)
    await page.getByRole('link', { name: 'ana.moreau.1@example.com' }).click()
    await page.getByText('Events').waitFor()
    await assertSound(visit, `app-message-${look}`)
    await page.goto(`${root}/domains`)
    await page.getByText('_domainkey').first().waitFor()
    await assertSound(visit, `app-domains-${look}`)
    await page.goto(`${root}/webhooks`)
    await page.getByText('No deliveries yet.').waitFor()
    await assertSound(visit, `app-webhooks-${look}`)
    await page.getByRole('button', { name: 'Add webhook' }).click()
    await page.getByLabel('contact.created').waitFor()
    await assertSound(visit, `app-webhook-add-${look}`)
    await page.goto(`${root}/usage`)
    await page.getByText('Emails').first().waitFor()
    await assertSound(visit, `app-usage-${look}`)
    await visit.close()
  })
}

test('a segment’s page explains it, and the segment is changed and deleted', { skip }, async () => {
  const business = await bench.testbed.newBusiness()
  const owner = await somePeople(bench.testbed, business, 20)
  await owner.get('segment.save', { name: 'Regulars', filter: { tag: 'member' } })
  const { page, complaints, close } = await visitApp(bench, {
    businesses: [business],
    path: '/segments',
  })
  await page.getByRole('link', { name: 'Regulars' }).click()
  await page.getByText('5 people match now').waitFor()
  await page.getByLabel('Value').fill('vip')
  await page.getByRole('button', { name: 'Save filter' }).click()
  await page.getByText('10 people match now').waitFor()
  await page.getByRole('button', { name: 'Delete segment' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete segment' }).last().click()
  await page.getByText('No segments yet').waitFor()
  assert.deepEqual(complaints, [])
  await close()
})

test('topics are made, described, ordered, renamed, archived and offered again', {
  skip,
}, async () => {
  const business = await bench.testbed.newBusiness()
  const owner = await bench.testbed.caller({ businesses: [business] })
  const { page, complaints, close } = await visitApp(bench, {
    businesses: [business],
    path: '/topics',
  })
  const named = async (name: string, description = '') => {
    await page.getByLabel('Name').fill(name)
    await page.getByLabel('Description').fill(description)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  for (const name of ['Neues & Angebote', 'Termine']) {
    await page.getByRole('button', { name: 'New topic' }).click()
    await named(name, `${name}, once a month.`)
  }
  const consent = { email: { status: 'subscribed', source: 'fair', topics: ['termine'] } }
  await owner.get('contact.upsert', { email: 'a@example.com', consent })
  await page.getByRole('button', { name: 'Move “Termine” up' }).click()
  const first = page.getByRole('listitem').filter({ hasText: 'once a month' }).first()
  await first.filter({ hasText: 'Termine' }).waitFor()
  await first.getByText('Subscribed by email: 1').waitFor()
  await first.getByRole('button', { name: 'Edit' }).click()
  await named('Dates', 'When we open.')
  await page.getByText('When we open.').waitFor()
  await page.getByRole('button', { name: 'Archive', exact: true }).last().click()
  await page.getByRole('button', { name: 'Offer again' }).waitFor()
  const { topics } = await owner.get<{ topics: object[] }>('topic.list')
  const seen = topics.map((topic) => {
    const { topic: key, name, archived } = topic as Record<string, unknown>
    return [key, name, archived]
  })
  assert.deepEqual(seen, [
    ['termine', 'Dates', false],
    ['neues-angebote', 'Neues & Angebote', true],
  ])
  assert.deepEqual(complaints, [])
  await close()
})

test('an owner finds a suppressed address and lifts it with a reason, and an admin only sees it', {
  skip,
}, async () => {
  const { testbed } = bench
  const businessId = await testbed.newBusiness()
  const one = { businessId, channel: 'email', reason: 'bounce', source: 'a test' } as const
  const all = ['ana@example.com', 'ben@example.com'].map((address) => ({ ...one, address }))
  await testbed.db.tx((tx) => suppress(tx, testbed.service.vault.hmac, all, new Date()))
  const businesses = [businessId]
  const admin = await visitApp(bench, { businesses, role: 'admin', path: '/suppressions' })
  await admin.page.getByText('Address without a contact').nth(1).waitFor()
  assert.equal(await admin.page.getByRole('button', { name: /^Lift/ }).count(), 0)
  await admin.close()

  const look = { theme: 'dark', width: 390 } as const
  const visit = await visitApp(bench, { businesses, path: '/contacts', ...look })
  const { page, close } = visit
  await page.getByRole('link', { name: 'Suppressed addresses' }).press('Enter')
  await page.getByText('Address without a contact').nth(1).waitFor()
  await assertSound(visit, 'app-suppressions-dark-390')
  await page.keyboard.press('/')
  await page.keyboard.type('ana')
  await page.getByText('Enter the whole address').waitFor()
  await page.keyboard.type('@example.com')
  const lift = page.getByRole('button', { name: 'Lift ana@example.com' })
  await lift.first().waitFor()
  // The rows of before the search stay until its own are there.
  await lift.nth(1).waitFor({ state: 'detached' })
  await lift.press('Enter')
  await page.getByLabel('Reason').fill('They wrote to us.')
  await assertSound(visit, 'app-suppression-lift-dark-390')
  await page.keyboard.press('Enter')
  await page.getByText('This address is not suppressed').waitFor()
  await page.getByRole('link', { name: 'Show all addresses' }).press('Enter')
  const lifts = page.getByRole('button', { name: /^Lift/ })
  await lifts.first().waitFor()
  await lifts.nth(1).waitFor({ state: 'detached' })
  assert.deepEqual(visit.complaints, [])
  await close()
})

test('a webhook is added, tested, filtered, handed over and outlives its key, with each attempt in raw form', {
  skip,
}, async () => {
  const businesses = [await bench.testbed.newBusiness()]
  const { page, complaints, close } = await visitApp(bench, { businesses, path: '/webhooks' })
  await page.getByRole('button', { name: 'Add webhook' }).first().click()
  await page.getByLabel('URL', { exact: true }).fill('https://hooks.example/hook')
  await page.getByLabel('contact.created').check()
  await page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click()
  await page.getByText(/^whsec_/).waitFor()
  await page.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('button', { name: 'Send test event' }).click()
  await page.getByText('Test event sent').waitFor()
  await page.getByText('attempt 1 of 7').first().waitFor()
  await page
    .getByRole('button', { name: /^form\.submitted|^contact\.created/ })
    .first()
    .click()
  await page.getByRole('dialog', { name: 'For developers' }).getByText('"delivery_id"').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('Paused').waitFor()
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name }).click()
    return page.getByRole('dialog', { name })
  }
  const edit = await choose('Edit webhook')
  await edit.getByLabel('Only events with one of these tags').fill('vip, early')
  await edit.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Only vip · early').waitFor()
  const span = await choose('Redeliver a period')
  await span.getByRole('button', { name: 'Redeliver' }).click()
  await span.getByText('There are no such events in this period.').waitFor()
  await page.keyboard.press('Escape')

  const [businessId] = businesses
  assert.ok(businessId)
  await newApiKey(bench.testbed.db, { businessId, name: 'Shop' })
  const handOver = await choose('Hand over')
  await handOver.getByLabel('New holder').selectOption({ label: 'API key “Shop”' })
  await handOver.getByRole('button', { name: 'Hand over' }).click()
  await page.getByText('Delivers while the API key “Shop” is valid.').waitFor()
  await page.goto(page.url().replace('/webhooks', '/keys'))
  await page.getByRole('button', { name: 'Revoke key' }).click()
  const revoke = page.getByRole('dialog', { name: 'Revoke key' })
  await revoke.getByText('One webhook depends on this key.').waitFor()
  await revoke.getByLabel('https://hooks.example/hook').selectOption({ index: 1 })
  await revoke.getByRole('button', { name: 'Revoke key' }).click()
  await page.getByText('API key revoked').waitFor()
  await page.goto(page.url().replace('/keys', '/webhooks'))
  await page.getByText(/^Delivers while .* is a member\.$/).waitFor()
  assert.deepEqual(complaints, [])
  await close()
})

test('a scheduled message is cancelled in the app', { skip }, async () => {
  const business = await bench.testbed.newBusiness()
  const owner = await bench.testbed.caller({ businesses: [business] })
  const send_at = new Date(Date.now() + 3_600_000).toISOString()
  const mail = { to: 'ana@example.com', subject: 'Later', text: 'Hello', send_at }
  await owner.get('email.send', mail)
  const { page, close } = await visitApp(bench, { businesses: [business], path: '/messages' })
  await page.getByRole('link', { name: 'ana@example.com' }).click()
  await page.getByRole('button', { name: 'Cancel message' }).click()
  await page.getByText('Message cancelled').waitFor()
  await page.getByRole('dialog').getByText('Cancelled').first().waitFor()
  await close()
})

test('messages are found by their recipient, and those of a campaign show its name', {
  skip,
}, async () => {
  const running = await draftTo(bench.testbed, 3)
  await sendOff(running)
  await awaitState(running, 'completed')
  const { businessId, scene } = running
  await scene.owner.get('email.send', { to: 'ana@example.com', subject: 'Receipt', text: 'Hi' })
  const { page, complaints, close } = await visitApp(bench, {
    businesses: [businessId],
    path: '/messages',
  })
  const ofCampaign = page.getByRole('link', { name: /^Campaign: / })
  await ofCampaign.nth(2).waitFor()
  assert.match(await page.title(), /^Messages · .+ · Crier$/)
  await page.keyboard.press('/')
  await page.keyboard.type('ana@example.com')
  await page.waitForURL(/to=ana/)
  await ofCampaign.first().waitFor({ state: 'detached' })
  await page.getByText('Receipt').waitFor()
  await page.getByRole('button', { name: 'Bounced' }).click()
  await page.getByText('No messages match these filters.').waitFor()
  await page.getByRole('button', { name: 'Show all messages' }).click()
  await assertValue(page.getByRole('searchbox'), '')
  await ofCampaign.first().click()
  await page.waitForURL(/campaigns\/cmp_/)
  assert.deepEqual(complaints, [])
  await close()
})

test('the list of segments says in words whom each selects', { skip }, async () => {
  const { businessId, owner } = await bench.testbed.someone()
  const filters: [object, string][] = [
    [{ tag: '<b>vip</b>' }, 'tagged <b>vip</b>'],
    [
      {
        and: [
          { consent: 'email', is: 'subscribed' },
          { did_not: 'message.opened', within: '60 days' },
          { or: [{ field: 'attributes.visits', op: 'gte', value: 20 }, { not: { tag: 'vip' } }] },
        ],
      },
      'subscribed by email and opened no message within the last 60 days and (visits is at least 20 or not tagged vip)',
    ],
    // Words that would leave a part out are not used.
    [{ did: 'message.clicked', at_least: 2, within: '14 days' }, 'another condition'],
  ]
  for (const [place, [filter]] of filters.entries()) {
    await owner.get('segment.save', { name: `Segment ${place}`, filter })
  }
  const { page, close } = await visitApp(bench, { businesses: [businessId], path: '/segments' })
  for (const [, text] of filters) await page.getByText(text, { exact: true }).waitFor()
  await close()
})
