/** The pages about the person: connected apps and signed-in browsers. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { readSession, startSession } from 'crier-server/accounts/sign-in/session.ts'
import { type Id, newPublicId } from 'crier-server/core/ids.ts'
import { recordAudit } from 'crier-server/events/audit.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { systemClock } from 'crier-server/lib/time/clock.ts'
import { createRecentCalls } from 'crier-server/oauth/connections/recent-use.ts'
import { connectApp } from '../../support/clients/connected-app.ts'
import { authorizeUrl, newPkce, registered } from '../../support/clients/plain-client.ts'
import { virtualAuthenticator } from '../../support/clients/virtual-authenticator.ts'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { silentLog } from '../../support/silent-log.ts'
import { faultsOf, picture } from '../browser.ts'
import { type AppBench, assertSound, looks, openAppBench, type Visit, visitApp } from './app.ts'
import { keysOf } from './keyboard.ts'
import { hostileName } from './people.ts'

const skip = withoutBrowser

let bench: AppBench
before(async () => {
  if (!skip) bench = await openAppBench()
})
after(() => bench?.close())

/** The person whose browser this is. */
async function personOf({ page }: Visit): Promise<Id<'user'>> {
  const cookie = (await page.context().cookies()).find((entry) => entry.name === 'crier-session')
  const found = await readSession(bench.testbed.db, cookie?.value ?? '', new Date())
  assert.ok(found)
  return found.session.user.id
}

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

/** Three calls of the connection, as its page shows them. */
async function called(connectionId: Id<'connection'>) {
  const { db } = bench.testbed
  const calls = createRecentCalls({ db, clock: systemClock, log: silentLog })
  for (const [operation, outcome] of [
    ['contact.upsert', 'ok'],
    ['email.send', 'rate_limited'],
    ['email.send', 'ok'],
  ] as const) {
    calls.ended(connectionId, { operation, outcome, request_id: newPublicId('request') })
  }
  await calls.stop()
}

const signInFrom = (userId: Id<'user'>, agent: string, address: string) =>
  startSession(bench.testbed.db, userId, new Date(), { agent, address })

for (const { theme, width } of looks) {
  test(`the account pages have no accessibility fault, ${theme} at ${width}`, {
    skip,
  }, async () => {
    const look = `${theme}-${width}`
    const { db } = bench.testbed
    const businesses = [await bench.testbed.newBusiness()]
    const visit = await visitApp(bench, { businesses, theme, width, path: '/connections' })
    const { page, root } = visit
    await page.getByText('No apps connected yet').waitFor()
    await assertSound(visit, `app-connections-empty-${look}`)
    const userId = await personOf(visit)
    const app = { userId, businesses }
    const { connectionId } = await connectApp(db, { ...app, clientName: 'Claude' })
    await db.run(sql`
      update connections set last_used_at = now(), late_reuses = 1, last_late_reuse_at = now(),
        recipients_per_day = 500
      where id = ${connectionId}
    `)
    await called(connectionId)
    await connectApp(db, {
      ...app,
      clientName: 'Report builder',
      scopes: ['meta:read', 'audience:read'],
      redirectUri: 'http://localhost:8123/callback',
    })
    await connectApp(db, { ...app, clientName: hostileName })
    await page.reload()
    await page.getByText('Claude', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Recent calls' }).last().click()
    await page.getByText('refused: rate_limited').waitFor()
    await assertSound(visit, `app-connections-${look}`)
    await page.getByRole('button', { name: 'Revoke Claude' }).click()
    await page.getByRole('dialog').waitFor()
    await assertSound(visit, `app-connection-revoke-${look}`)
    assert.doesNotMatch(await page.title(), /owned/)

    await page.goto(`${root}/sessions`)
    await page.getByText('You are not signed in anywhere else.').waitFor()
    await signInFrom(userId, firefox, '203.0.113.9')
    await signInFrom(userId, phone, '2001:db8::7')
    await page.reload()
    await page.getByText('Firefox on Linux').waitFor()
    await assertSound(visit, `app-sessions-${look}`)
    await visit.close()
  })
}

test('a connection is revoked by keyboard, with its hostile name shown as text', {
  skip,
}, async () => {
  const businesses = [await bench.testbed.newBusiness()]
  const visit = await visitApp(bench, { businesses })
  const { page, complaints, close } = visit
  const userId = await personOf(visit)
  await connectApp(bench.testbed.db, { userId, businesses, clientName: hostileName })
  const kept = await connectApp(bench.testbed.db, { userId, businesses, clientName: 'Kept' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('n')
  await page.getByText('<img src=x').first().waitFor()
  const button = page.getByRole('button', { name: /^Revoke <img/ })
  await button.focus()
  await page.keyboard.press('Enter')
  await page.getByText('The app loses access immediately and is not notified.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.ok(await button.evaluate((entry) => entry === document.activeElement), 'the focus returns')
  await page.keyboard.press('Enter')
  const sure = page.getByRole('dialog').getByRole('button', { name: 'Revoke access' })
  await sure.focus()
  await page.keyboard.press('Enter')
  await page.getByText('<img src=x').first().waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: /^Kept/ }).waitFor()
  const live = await bench.testbed.db.all(sql`
    select id from connections where user_id = ${userId} and revoked_at is null
  `)
  assert.deepEqual(live, [{ id: kept.connectionId }])
  assert.doesNotMatch(await page.title(), /owned/)
  assert.deepEqual(complaints, [])
  await close()
})

test('a connection is limited and given more again, loses a business, and shows what it did last', {
  skip,
}, async () => {
  const { db } = bench.testbed
  const first = await bench.testbed.newBusiness()
  const second = await bench.testbed.newBusiness()
  await db.run(sql`update businesses set name = 'Second shop' where id = ${second}`)
  const businesses = [first, second]
  const visit = await visitApp(bench, { businesses, path: '/connections' })
  const { page, complaints, close } = visit
  const userId = await personOf(visit)
  const { connectionId } = await connectApp(db, { userId, businesses, clientName: 'Claude' })
  const origin = { userId, connectionId, callId: '' }
  const entry = { businessId: second, action: 'email.send', origin }
  await db.tx((tx) => recordAudit(tx, [entry], new Date()))
  await page.reload()
  await page.getByRole('button', { name: 'Recent calls' }).press('Enter')
  await page.getByText('Sent email').waitFor()
  await assertSound(visit, 'app-connection-activity')
  await page.getByRole('button', { name: 'Limit Claude' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Read-only access').press('Space')
  await dialog.getByLabel('Recipients per 24 hours', { exact: true }).fill('25')
  await dialog.getByLabel('Second shop').uncheck()
  await assertSound(visit, 'app-connection-limit')
  await dialog.getByRole('button', { name: 'Limit', exact: true }).press('Enter')
  await page.getByText('Read-only', { exact: true }).waitFor()
  await page.getByText('Second shop').first().waitFor({ state: 'detached' })
  await page.getByText('0 of 25 recipients in 24 hours').waitFor()
  await page.getByRole('button', { name: 'Limit Claude' }).press('Enter')
  await dialog.getByLabel('Read-only access').uncheck()
  await dialog.getByRole('button', { name: 'Limit', exact: true }).press('Enter')
  await page.getByText('Read-only', { exact: true }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'See all in the audit log' }).click()
  await page.getByRole('link', { name: 'Limited a connection' }).waitFor({ state: 'detached' })
  assert.match(page.url(), /audit\?connection=cnx_/)
  assert.deepEqual(complaints, [])
  await close()
})

test('a person ends one session, then all others, and signs out of this browser', {
  skip,
}, async () => {
  const businesses = [await bench.testbed.newBusiness()]
  const visit = await visitApp(bench, { businesses, path: '/sessions' })
  const { page, complaints, close } = visit
  const userId = await personOf(visit)
  const lost = await signInFrom(userId, phone, '203.0.113.9')
  await signInFrom(userId, firefox, '203.0.113.9')
  await page.reload()
  await page.getByRole('button', { name: 'End session Safari on iPhone' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End session', exact: true }).click()
  await page.getByText('Safari on iPhone', { exact: true }).waitFor({ state: 'detached' })
  assert.equal(await readSession(bench.testbed.db, lost, new Date()), undefined)
  await page.getByRole('button', { name: 'End all other sessions' }).press('Enter')
  await keysOf(page).press(
    page.getByRole('dialog').getByRole('button', { name: 'End all other sessions' }),
  )
  await page.getByText('You are not signed in anywhere else.').waitFor()
  // The stream of changes is refused from here on, which the browser itself reports.
  assert.deepEqual(complaints, [])
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Email me a link' }).waitFor()
  await close()
})

test('a passkey is added, signs in without a mail, connects an app, and confirms what needs it', {
  skip,
}, async () => {
  const { db, service } = bench.testbed
  const visit = await visitApp(bench, {
    businesses: [await bench.testbed.newBusiness()],
    path: '/sessions',
  })
  const { page } = visit
  const userId = await personOf(visit)
  const authenticator = await virtualAuthenticator(page)
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('My phone')
  await page.getByRole('button', { name: 'Continue' }).click()
  // The first factor comes with recovery codes.
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await page.getByText('My phone').waitFor()
  await page.getByText('not used yet').waitFor()
  await assertSound(visit, 'app-passkeys-1280')
  // The same device makes no second one.
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Again')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('This device has a passkey of yours already.').waitFor()
  await page.keyboard.press('Escape')

  // Signing in again, with the browser's own offer or the button.
  await page.context().clearCookies()
  await authenticator.isPresent(false)
  await page.goto(`${service.url}/login?next=/b/sessions`)
  await picture(page, 'login-passkey')
  assert.deepEqual(await faultsOf(page), [])
  await authenticator.isPresent(true)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL(/\/b\/bus_\w+\/sessions$/)
  await page.getByText('My phone').waitFor()
  await page
    .getByText(/last used/)
    .first()
    .waitFor()
  assert.equal(await personOf(visit), userId)

  // What needs a recent sign-in is confirmed where one is.
  await db.run(sql`
    update sessions set created_at = created_at - interval '1 hour', proven_at = null
    where user_id = ${userId}
  `)
  await page.getByRole('button', { name: 'Remove My phone' }).click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByRole('button', { name: 'Confirm with a passkey' }).click()
  await page.getByText('Confirmed. Do it again now.').waitFor()

  // An app is connected, and no mail is needed.
  const redirect_uri = 'http://localhost:41871/callback'
  await page.route(`${redirect_uri}?*`, (route) => route.fulfill({ body: 'connected' }))
  const authorize = authorizeUrl(service.url, {
    response_type: 'code',
    client_id: await registered(service.url, redirect_uri),
    redirect_uri,
    code_challenge: newPkce().challenge,
    code_challenge_method: 'S256',
    state: 'of-the-app',
    scope: 'forms:read',
    prompt: 'login',
  })
  await authenticator.isPresent(false)
  await page.goto(authorize.href)
  assert.deepEqual(await faultsOf(page), [])
  await authenticator.isPresent(true)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL(/callback\?code=\S+&state=of-the-app/)

  await page.goto(`${visit.root}/sessions`)
  await page.getByRole('button', { name: 'Remove My phone' }).click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('You have no passkey yet.').waitFor()
  await visit.close()
})

test('the account pages are shown in German', { skip }, async () => {
  const businesses = [await bench.testbed.newBusiness()]
  const visit = await visitApp(bench, { businesses, language: 'de', path: '/connections' })
  await visit.page.getByText('Noch keine App verbunden').waitFor()
  await visit.page.goto(`${visit.root}/sessions`)
  await visit.page.getByText('Sie sind sonst nirgends angemeldet.').waitFor()
  await assertSound(visit, 'app-sessions-german')
  await visit.close()
})
