/** The audit log of a business in the app: its filters, one entry, and the file. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { readSession } from 'crier-server/accounts/sign-in/session.ts'
import { formatId, type Id, newId } from 'crier-server/core/ids.ts'
import { recordAudit } from 'crier-server/events/audit.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { minutes } from 'crier-server/lib/time/clock.ts'
import { connectApp } from '../../support/clients/connected-app.ts'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { type AppBench, assertSound, looks, openAppBench, type Visit, visitApp } from './app.ts'
import { hostileName } from './people.ts'
import { assertCount } from './settled.ts'

const skip = withoutBrowser
const idText = /\b[a-z]{3}_[0-9a-z]{26}\b/

let bench: AppBench
before(async () => {
  if (!skip) bench = await openAppBench({ idle: true })
})
after(() => bench?.close())

async function personOf({ page }: Visit): Promise<Id<'user'>> {
  const cookie = (await page.context().cookies()).find((entry) => entry.name === 'crier-session')
  const found = await readSession(bench.testbed.db, cookie?.value ?? '', new Date())
  assert.ok(found)
  return found.session.user.id
}

/** What the person did in the app, what two apps did for them, and what the service did. */
async function someEntries(businessId: Id<'business'>, userId: Id<'user'>, count = 1) {
  const { db } = bench.testbed
  const app = { userId, businesses: [businessId] }
  const claude = await connectApp(db, { ...app, clientName: 'Claude' })
  const hostile = await connectApp(db, { ...app, clientName: hostileName })
  const by = (connectionId: Id<'connection'> | null) => ({
    userId,
    connectionId,
    callId: formatId('request', newId('request')),
  })
  const subject = formatId('campaign', newId('campaign'))
  const deploy = { businessId, action: 'campaign.deploy', subject, origin: by(null) }
  const send = { businessId, action: 'email.send', details: { messages: 1 } }
  const ago = (n: number) => new Date(Date.now() - minutes(n))
  await db.tx((tx) => recordAudit(tx, [{ businessId, action: 'retention.apply' }], ago(200)))
  for (let n = 0; n < count; n++) {
    const entry = { ...send, origin: by(claude.connectionId) }
    await db.tx((tx) => recordAudit(tx, [entry], ago(60 + n)))
  }
  const details = { reason: hostileName }
  const lift = { businessId, action: 'suppression.lift', details, origin: by(hostile.connectionId) }
  await db.tx((tx) => recordAudit(tx, [lift], ago(20)))
  await db.tx((tx) => recordAudit(tx, [deploy], ago(5)))
}

for (const { theme, width } of looks) {
  test(`the audit page has no accessibility fault, ${theme} at ${width}`, { skip }, async () => {
    const look = `${theme}-${width}`
    const business = await bench.testbed.newBusiness()
    const visit = await visitApp(bench, { businesses: [business], theme, width, path: '/audit' })
    const { page } = visit
    await page.getByText('Nothing logged yet').waitFor()
    await assertSound(visit, `app-audit-empty-${look}`)
    await someEntries(business, await personOf(visit), 20)
    await page.reload()
    await page.getByRole('link', { name: 'Sent or scheduled a campaign' }).waitFor()
    await assertSound(visit, `app-audit-${look}`)
    await page.getByRole('link', { name: 'Lifted a suppression' }).click()
    await page.getByRole('dialog').getByText('it is not verified').waitFor()
    await assertSound(visit, `app-audit-entry-${look}`)
    assert.doesNotMatch(await page.title(), /owned/)
    await visit.close()
  })
}

test('an owner filters the audit log by app, by operation and by day, and the URL keeps it', {
  skip,
}, async () => {
  const business = await bench.testbed.newBusiness()
  const visit = await visitApp(bench, { businesses: [business] })
  const { page, complaints, close } = visit
  await someEntries(business, await personOf(visit))
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  const rows = page.getByRole('row')
  await page.getByRole('link', { name: 'Deleted expired data' }).waitFor()
  await assertCount(rows, 5)
  await page.getByLabel('Via', { exact: true }).selectOption('Claude')
  await page
    .getByRole('link', { name: 'Sent or scheduled a campaign' })
    .waitFor({ state: 'detached' })
  await assertCount(rows, 2)
  await page.reload()
  await page.getByRole('link', { name: 'Sent email' }).waitFor()
  await assertCount(rows, 2)
  await page.getByLabel('Action', { exact: true }).selectOption('Lifted a suppression')
  await page.getByText('No entries match these filters.').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  await page.getByRole('link', { name: 'Deleted expired data' }).waitFor()
  await page.getByLabel('To', { exact: true }).fill('2020-01-01')
  await page.getByText('No entries match these filters.').waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'Deleted expired data' }).waitFor()
  await page
    .getByLabel('To', { exact: true })
    .fill(new Date(Date.now() + minutes(1440)).toISOString().slice(0, 10))
  await page.getByRole('link', { name: 'Deleted expired data' }).waitFor()
  assert.deepEqual(complaints, [])
  await close()
})

test('an entry is opened by keyboard, shows a hostile name as text, and leads to all of its kind', {
  skip,
}, async () => {
  const business = await bench.testbed.newBusiness()
  const visit = await visitApp(bench, { businesses: [business], path: '/audit' })
  const { page, complaints, close } = visit
  await someEntries(business, await personOf(visit))
  await page.reload()
  await page.getByRole('link', { name: 'Lifted a suppression' }).waitFor()
  for (const name of ['Sent or scheduled a campaign', 'Lifted a suppression']) {
    await page.keyboard.press('j')
    await page.locator('a:focus', { hasText: name }).waitFor()
  }
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog', { name: 'Lifted a suppression' })
  await drawer.getByText('it is not verified').waitFor()
  assert.ok((await drawer.textContent())?.includes('<script>'))
  // Ids and fields without words stand in the JSON for developers alone.
  assert.doesNotMatch(String(await page.locator('main').textContent()), idText)
  assert.doesNotMatch(String(await drawer.textContent()), idText)
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
  await page.locator('a:focus', { hasText: 'Lifted a suppression' }).waitFor()
  await page.keyboard.press('Enter')
  const only = drawer.getByRole('button', { name: 'This connection only' })
  await only.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Sent email' }).waitFor({ state: 'detached' })
  await assertCount(page.getByRole('row'), 2)
  assert.match(page.url(), /connection=cnx_/)
  assert.doesNotMatch(await page.title(), /owned/)
  assert.deepEqual(complaints, [])
  await close()
})

test('an entry says in words what was set, and names no id', { skip }, async () => {
  const business = await bench.testbed.newBusiness()
  const visit = await visitApp(bench, { businesses: [business], path: '/audit' })
  const { page, complaints, close } = visit
  const entries: [operation: string, details: Record<string, string | number | boolean>][] = [
    ['member.save', { role: 'approver' }],
    ['connection.save', { read_only: true, recipients_per_day: 5_000, sees: 'masked' }],
    [
      'feed.approve',
      { people: 300, plan: 'a1b2c3', passkey: formatId('passkey', newId('passkey')) },
    ],
    ['removal.order', { of: 'contact.erase', is_notified: true }],
    ['business.save', { settings: 'name time_zone' }],
  ]
  const saved = entries.map(([action, details]) => ({ businessId: business, action, details }))
  await bench.testbed.db.tx((tx) => recordAudit(tx, saved, new Date()))
  await page.reload()
  const shown: string[][] = []
  for (const name of [
    'Changed a role',
    'Limited a connection',
    'Approved a feed',
    'Ordered a removal',
    'Changed settings',
  ]) {
    await page.getByRole('link', { name }).click()
    const drawer = page.getByRole('dialog', { name })
    const details = drawer.getByRole('region', { name: 'Details' })
    await details.waitFor()
    shown.push(
      await details
        .locator('dt, dd')
        .evaluateAll((parts) => parts.map((part) => String(part.textContent))),
    )
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
  }
  assert.deepEqual(
    shown.map((parts) => new Set(parts)),
    [
      ['Role', 'approver'],
      [
        'Addresses and numbers',
        'masked',
        'Read-only access',
        'Yes',
        'Recipients per 24 hours',
        '5,000',
      ],
      ['Recipients an email', '300'],
      ['What', 'Erasing a person'],
      ['Settings', 'Name, Time zone'],
    ].map((parts) => new Set(parts)),
  )
  assert.deepEqual(complaints, [])
  await close()
})

test('the audit log is read page by page while one scrolls', { skip }, async () => {
  const business = await bench.testbed.newBusiness()
  const visit = await visitApp(bench, { businesses: [business], path: '/audit' })
  await someEntries(business, await personOf(visit), 110)
  await visit.page.reload()
  await visit.page.getByRole('link', { name: 'Sent or scheduled a campaign' }).waitFor()
  await visit.page.locator('table').evaluate((table) => {
    const frame = table.parentElement
    if (frame) frame.scrollTop = frame.scrollHeight
  })
  await visit.page.locator('table').hover()
  await visit.page.mouse.wheel(0, 10_000)
  await visit.page.getByRole('link', { name: 'Deleted expired data' }).waitFor()
  await visit.close()
})

test('the audit log is downloaded as CSV, after 15 minutes only with a new sign-in', {
  skip,
}, async () => {
  const business = await bench.testbed.newBusiness()
  const visit = await visitApp(bench, { businesses: [business], path: '/audit' })
  const { page, complaints, close } = visit
  const userId = await personOf(visit)
  await someEntries(business, userId)
  await page.reload()
  const button = page.getByRole('button', { name: 'Export', exact: true })
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()])
  assert.match(file.suggestedFilename(), /^audit-\d{4}-\d\d-\d\d\.csv$/)
  const before = new Date(Date.now() - minutes(15))
  await bench.testbed.db.run(
    sql`update sessions set created_at = ${before} where user_id = ${userId}`,
  )
  await button.click()
  await page.getByText('Exporting the audit log needs a sign-in').waitFor()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Email me a link' }).waitFor()
  assert.match(new URL(page.url()).searchParams.get('next') ?? '', /^\/b\/bus_\w+\/audit$/)
  // The browser itself names each response of an error.
  assert.ok(
    complaints.every((text) => text.includes('401')),
    complaints.join('\n'),
  )
  await close()
})

test('an admin sees who may read the audit log', { skip }, async () => {
  const businesses = [await bench.testbed.newBusiness()]
  const { page, close } = await visitApp(bench, { businesses, role: 'admin', path: '/audit' })
  await page.getByText('Only owners can see the audit log.').waitFor()
  await close()
})
