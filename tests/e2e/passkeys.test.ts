/** A passkey's life in a real browser: added, signed in with, approved with, and removed. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { setBusiness } from 'crier-server/accounts/settings/settings.ts'
import { formatId, type Id } from 'crier-server/core/ids.ts'
import { sessionCookie } from 'crier-server/http/pages/shared/cookies.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { type OwnTestbed, openTestbed, testbedAt } from '../operations/support/testbed.ts'
import { campaignScene, deployPlanned } from '../support/businesses/campaigns.ts'
import { authorizeUrl, newPkce, registered } from '../support/clients/plain-client.ts'
import { inboxOf } from '../support/clients/sign-in.ts'
import { virtualAuthenticator } from '../support/clients/virtual-authenticator.ts'
import { freePort } from '../support/network/port.ts'
import { tlsFront } from '../support/network/tls-front.ts'
import { withoutBrowser } from '../support/processes/chromium.ts'
import { faultsOf, person, picture, startChromium } from './browser.ts'

const skip = withoutBrowser

/** An installation, with a browser that reaches its hosts. */
interface Place {
  testbed: OwnTestbed
  browser: Browser
  urls: { app: string; base: string; tools: string }
  close(): Promise<void>
}

async function onOneHost(): Promise<Place> {
  const [testbed, browser] = await Promise.all([openTestbed(), startChromium()])
  const { url } = testbed.service
  return {
    testbed,
    browser,
    urls: { app: url, base: url, tools: url },
    async close() {
      await browser.close()
      await testbed.close()
    },
  }
}

/** The app, the sign-in of apps and the tools each have a host, and passkeys belong to the first. */
async function onThreeHosts(): Promise<Place> {
  const urls = {
    app: 'https://app.crier.example',
    base: 'https://id.crier.example',
    tools: 'https://tools.crier.example',
  }
  const port = await freePort()
  const settings = {
    PORT: String(port),
    APP_URL: urls.app,
    BASE_URL: urls.base,
    GATEWAY_URL: urls.tools,
    ALLOW_INBOX: 'yes',
  }
  const opened = await openTestbed({ settings })
  const { service } = opened
  // Tests that call have no such names, and use the port.
  const endpoint = service.endpoint.replace(service.url, `http://127.0.0.1:${port}`)
  const testbed = { ...opened, ...testbedAt({ ...service, endpoint }) }
  const front = await tlsFront('app.crier.example', port)
  const browser = await startChromium([
    `--host-resolver-rules=MAP *.crier.example 127.0.0.1:${front.port}`,
    '--ignore-certificate-errors',
  ])
  return {
    testbed,
    browser,
    urls,
    async close() {
      await browser.close()
      await front.close()
      await opened.close()
    },
  }
}

const places: Record<string, Place> = {}
before(async () => {
  if (skip) return
  const [oneHost, threeHosts] = await Promise.all([onOneHost(), onThreeHosts()])
  Object.assign(places, { oneHost, threeHosts })
})
after(() => Promise.all(Object.values(places).map((place) => place.close())))

interface Signed {
  context: BrowserContext
  page: Page
  userId: Id<'user'>
  email: string
}

/** A new member's browser, signed in at the app. */
async function signedIn(
  { testbed, browser, urls }: Place,
  businesses: Id<'business'>[],
): Promise<Signed> {
  const { context, page } = await person(browser, { script: true, width: 1280 })
  await pressesOnly(context)
  const value = await testbed.newSession({ businesses, role: 'owner' })
  const { name } = sessionCookie(testbed.service.config)
  await context.addCookies([{ name, value, url: urls.app, secure: name.startsWith('__') }])
  const { userId, email } = await testbed.db.one<{ userId: Id<'user'>; email: string }>(sql`
    select s.user_id as "userId", u.email from sessions s join users u on u.id = s.user_id
    order by s.created_at desc, s.id desc limit 1
  `)
  return { context, page, userId, email }
}

/** The browser offers no passkeys by itself, which a device that is always there would answer at once. */
async function pressesOnly(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })
}

/** Adds a passkey of the device that the page has. */
async function addPasskey(page: Page, name: string, { isFirst = true } = {}): Promise<void> {
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('button', { name: 'Continue' }).click()
  if (isFirst) await page.getByRole('button', { name: 'I have saved them' }).click()
  await page.getByText(name, { exact: true }).waitFor()
}

const sessionsPage = ({ urls }: Place, business: Id<'business'>) =>
  `${urls.app}/b/${formatId('business', business)}/sessions`

/** Signs in with the passkey at a host, after which the page is where `next` leads. */
async function signInAt(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/login?again=yes`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL(/\/b(\/|$)/)
}

/** A campaign of 12 recipients that waits for a person, in a business that asks for a fresh factor. */
async function waitingCampaign({ testbed }: Place) {
  const scene = await campaignScene(testbed)
  await scene.subscribers(12)
  const setting = { key: 'deploy_limit', value: '10', now: new Date() }
  await setBusiness(testbed.db, scene.businessId, setting)
  const content = { subject: 'Four new classes', html: '<p>They start on Monday.</p>' }
  const { campaign_id } = await scene.draft({ name: 'November news', content })
  const { approval_url } = await deployPlanned<{ approval_url: string }>(scene.owner, {
    campaign_id,
  })
  const { businessId, owner, contact } = scene
  return { businessId, campaign_id, approval_url, owner, contact }
}

const stale = (place: Place, userId: Id<'user'>) =>
  place.testbed.db.run(sql`
    update sessions set proven_at = proven_at - interval '6 minutes' where user_id = ${userId}
  `)

for (const [name, hosts] of [
  ['oneHost', 'one host'],
  ['threeHosts', 'three hosts'],
] as const) {
  test(`on ${hosts} a passkey is added, signs in everywhere, approves and is removed`, {
    skip,
  }, async () => {
    const place = places[name]
    assert.ok(place)
    const { testbed, urls } = place
    const { db } = testbed
    const { businessId, campaign_id, approval_url, owner } = await waitingCampaign(place)
    const { context, page, userId } = await signedIn(place, [businessId])
    const device = await virtualAuthenticator(page)
    await page.goto(sessionsPage(place, businessId))
    await addPasskey(page, 'My phone')

    // At each host, all of which use the passkey of the app's.
    for (const url of new Set([urls.app, urls.tools, urls.base])) {
      await context.clearCookies()
      await signInAt(page, url)
      const cookies = await context.cookies(url)
      assert.ok(cookies.some((cookie) => cookie.name.endsWith('crier-session')))
    }

    // An app is connected at the host of the sign-in of apps, with nothing but the passkey.
    const redirect_uri = 'http://localhost:41872/callback'
    await page.route(`${redirect_uri}?*`, (route) => route.fulfill({ body: 'connected' }))
    const authorize = authorizeUrl(urls.base, {
      response_type: 'code',
      client_id: await registered(`http://127.0.0.1:${testbed.service.config.port}`, redirect_uri),
      redirect_uri,
      code_challenge: newPkce().challenge,
      code_challenge_method: 'S256',
      state: 'of-the-app',
      scope: 'forms:read',
      prompt: 'login',
    })
    await page.goto(authorize.href)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL(/callback\?code=\S+&state=of-the-app/)

    // The business asks for a fresh factor, and the person's is too old.
    await context.clearCookies()
    await signInAt(page, urls.app)
    await db.run(sql`update businesses set asks_fresh_factor = true where id = ${businessId}`)
    await stale(place, userId)
    await device.isPresent(false)
    await page.goto(approval_url)
    await page.getByRole('textbox', { name: /Reason/ }).fill('Too early, perhaps')
    await page.getByRole('button', { name: 'Approve and send' }).click()
    await page.getByRole('alert').filter({ hasText: 'within 5 minutes' }).waitFor()
    await picture(page, `approval-passkey-${name}`)
    assert.deepEqual(await faultsOf(page), [])
    assert.equal(
      await page.getByRole('textbox', { name: /Reason/ }).inputValue(),
      'Too early, perhaps',
      'what was typed stays',
    )
    await device.isPresent(true)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('status').getByText('Sending').waitFor()
    const { status } = await owner.get<{ status: string }>('campaign.get', { campaign_id })
    assert.equal(status, 'deployed')
    const { details } = await db.one<{ details: Record<string, string> }>(sql`
      select details from audit_entries
      where business_id = ${businessId} and details ? 'confirmed_by' and user_id = ${userId}
      order by created_at desc limit 1
    `)
    const { id: passkey } = await db.one<{ id: Id<'passkey'> }>(sql`
      select id from passkeys where user_id = ${userId}
    `)
    assert.equal(details['confirmed_by'], 'passkey')
    assert.equal(details['passkey'], formatId('passkey', passkey))

    await page.goto(sessionsPage(place, businessId))
    await page.getByRole('button', { name: 'Remove My phone' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('You have no passkey yet.').waitFor()
    await page.goto(`${urls.app}/login?again=yes`)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('alert').filter({ hasText: 'That passkey did not work.' }).waitFor()
    await context.close()
  })
}

test('who was asked for a factor to approve can refuse instead', { skip }, async () => {
  const place = places['oneHost']
  assert.ok(place)
  const { businessId, campaign_id, approval_url, owner } = await waitingCampaign(place)
  const { context, page, userId } = await signedIn(place, [businessId])
  const device = await virtualAuthenticator(page)
  await page.goto(sessionsPage(place, businessId))
  await addPasskey(page, 'My phone')
  await place.testbed.db.run(sql`
    update businesses set asks_fresh_factor = true where id = ${businessId}
  `)
  await stale(place, userId)
  await device.isPresent(false)
  await page.goto(approval_url)
  await page.getByRole('button', { name: 'Approve and send' }).click()
  await page.getByRole('button', { name: 'Use a passkey' }).waitFor()
  await page.getByRole('textbox', { name: /Reason/ }).fill('The date is wrong')
  await page.getByRole('button', { name: 'Refuse' }).click()
  await page.getByText('The date is wrong').waitFor()
  const { status } = await owner.get<{ status: string }>('campaign.get', { campaign_id })
  assert.equal(status, 'draft')
  await context.close()
})

test('a passkey confirms the plan that was shown when approving, and what was typed stays', {
  skip,
}, async () => {
  const place = places['oneHost']
  assert.ok(place)
  const { businessId, campaign_id, approval_url, owner, contact } = await waitingCampaign(place)
  const { context, page, userId } = await signedIn(place, [businessId])
  const device = await virtualAuthenticator(page)
  await page.goto(sessionsPage(place, businessId))
  await addPasskey(page, 'My phone')
  await place.testbed.db.run(sql`
    update businesses set asks_fresh_factor = true where id = ${businessId}
  `)
  await stale(place, userId)
  await device.isPresent(false)
  await page.goto(approval_url)
  // The campaign changes while its plan is open.
  const consent = { email: { status: 'subscribed', source: 'page' } }
  await contact({ email: `${crypto.randomUUID()}@example.com`, consent })
  const limit = page.getByRole('spinbutton', { name: 'Recipients a day without approval' })
  await page.getByRole('checkbox', { name: /allow up to/ }).check()
  await limit.fill('500')
  await page.getByRole('button', { name: 'Approve and send' }).click()
  await page.getByRole('button', { name: 'Use a passkey' }).waitFor()
  assert.equal(await limit.inputValue(), '500')
  await device.isPresent(true)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByRole('alert').getByText('recipients were 12 and are 13 now').waitFor()
  const { status } = await owner.get<{ status: string }>('campaign.get', { campaign_id })
  assert.equal(status, 'awaiting_approval')
  // What is shown now is approved by a press of its own.
  await page.getByRole('button', { name: 'Approve and send' }).click()
  await page.getByRole('status').getByText('Sending').waitFor()
  await context.close()
})

test('a second device has a passkey of its own, which stays when the first is removed', {
  skip,
}, async () => {
  const place = places['oneHost']
  assert.ok(place)
  const { testbed, urls } = place
  const business = await testbed.newBusiness()
  const phone = await signedIn(place, [business])
  const phoneDevice = await virtualAuthenticator(phone.page)
  await phone.page.goto(sessionsPage(place, business))
  await addPasskey(phone.page, 'My phone')
  // The laptop: another browser, to which the person signs in by mail.
  const laptop = await person(place.browser, { script: true, width: 1280 })
  await pressesOnly(laptop.context)
  const laptopDevice = await virtualAuthenticator(laptop.page)
  await laptop.page.goto(`${urls.app}/login`)
  await laptop.page.getByLabel('Your email address').fill(phone.email)
  await laptop.page.getByRole('button', { name: 'Email me a link' }).click()
  await laptop.page.goto(await linkTo(urls.app, phone.email))
  await laptop.page.waitForURL(/\/b(\/|$)/)
  await laptop.page.goto(sessionsPage(place, business))
  await laptop.page.getByText('My phone').waitFor()
  // Whoever reads the mailbox adds no device to an account that has a factor.
  await laptop.page.getByRole('button', { name: 'Add passkey' }).click()
  await laptop.page.getByRole('textbox', { name: 'Name' }).fill('My laptop')
  await laptop.page.getByRole('button', { name: 'Continue' }).click()
  await laptop.page
    .getByText(/recovery code/i)
    .first()
    .waitFor()
  assert.equal(await passkeysOf(place, phone.userId), 1)
  await laptop.page.keyboard.press('Escape')
  // On the phone it is proven, so that this browser may.
  await testbed.db.run(sql`update sessions set proven_at = now() where user_id = ${phone.userId}`)
  await laptop.page.reload()
  await addPasskey(laptop.page, 'My laptop', { isFirst: false })
  assert.equal(await passkeysOf(place, phone.userId), 2)
  for (const page of [phone.page, laptop.page]) {
    await page.context().clearCookies()
    await signInAt(page, urls.app)
  }
  await laptop.page.goto(sessionsPage(place, business))
  await laptop.page.getByRole('button', { name: 'Remove My phone' }).click()
  await laptop.page.getByRole('button', { name: 'Remove', exact: true }).click()
  await laptop.page.getByText('My phone', { exact: true }).waitFor({ state: 'detached' })
  await phone.page.context().clearCookies()
  await phone.page.goto(`${urls.app}/login`)
  await phone.page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await phone.page.getByRole('alert').filter({ hasText: 'That passkey did not work.' }).waitFor()
  await laptop.page.context().clearCookies()
  await signInAt(laptop.page, urls.app)
  assert.ok((await phoneDevice.counter()) > 0 && (await laptopDevice.counter()) > 0)
  await Promise.all([phone.context.close(), laptop.context.close()])
})

const passkeysOf = async ({ testbed }: Place, userId: Id<'user'>) =>
  (
    await testbed.db.one<{ count: number }>(sql`
      select count(*)::int as count from passkeys where user_id = ${userId}
    `)
  ).count

/** The newest sign-in link to an address, once it has arrived. */
async function linkTo(url: string, email: string): Promise<string> {
  for (;;) {
    const links = (await inboxOf(url, email)).flatMap((mail) => mail.links)
    const link = links.find((entry) => entry.includes('/sign-in/'))
    if (link) return link
    await new Promise((wake) => setTimeout(wake, 20))
  }
}

test('a copy of a passkey is refused once the other has been used, and its person is told', {
  skip,
}, async () => {
  const place = places['oneHost']
  assert.ok(place)
  const { testbed, urls } = place
  const business = await testbed.newBusiness()
  const { context, page, userId, email } = await signedIn(place, [business])
  const device = await virtualAuthenticator(page)
  await page.goto(sessionsPage(place, business))
  await addPasskey(page, 'My phone')
  for (let use = 0; use < 2; use += 1) {
    await context.clearCookies()
    await signInAt(page, urls.app)
  }
  const counter = await device.counter()
  assert.ok(counter > 1)
  await device.restoreCopy(0)
  await context.clearCookies()
  await page.goto(`${urls.app}/login`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('alert').filter({ hasText: 'That passkey did not work.' }).waitFor()
  assert.deepEqual(
    (await context.cookies()).filter(({ name }) => name.endsWith('crier-session')),
    [],
  )
  await mailOf(urls.app, email, /copied/)
  // The one that counts on goes on.
  await device.restoreCopy(counter + 10)
  await signInAt(page, urls.app)
  assert.equal(await passkeysOf(place, userId), 1)
  await context.close()
})

/** Waits for a mail with such a subject. */
async function mailOf(url: string, email: string, subject: RegExp): Promise<void> {
  const until = Date.now() + 60_000
  for (;;) {
    const subjects = (await inboxOf(url, email)).map((mail) => mail.subject)
    if (subjects.some((text) => subject.test(text))) return
    assert.ok(Date.now() < until, `only ${subjects.join(', ')}`)
    await new Promise((wake) => setTimeout(wake, 50))
  }
}

test('the browser offers the passkey by itself in the field of the address', { skip }, async () => {
  const place = places['oneHost']
  assert.ok(place)
  const { testbed, urls } = place
  const business = await testbed.newBusiness()
  const { context, page } = await person(place.browser, { script: true, width: 1280 })
  const value = await testbed.newSession({ businesses: [business], role: 'owner' })
  await context.addCookies([{ name: 'crier-session', value, url: urls.app }])
  await virtualAuthenticator(page)
  await page.goto(sessionsPage(place, business))
  await addPasskey(page, 'My phone')
  await context.clearCookies()
  await page.goto(`${urls.app}/login`, { waitUntil: 'commit' })
  await page.waitForURL(/\/b(\/|$)/)
  assert.ok((await context.cookies()).some(({ name }) => name === 'crier-session'))
  await context.close()
})

test('where a factor is required, who has none sets one up under Sessions, and nothing stands before it', {
  skip,
}, async () => {
  const place = places['oneHost']
  assert.ok(place)
  const { testbed } = place
  const business = await testbed.newBusiness()
  await testbed.db.run(sql`
    update businesses set factor_required_from = now() - interval '1 day' where id = ${business}
  `)
  const { context, page } = await signedIn(place, [business])
  await virtualAuthenticator(page)
  await page.goto(`${place.urls.app}/b/${formatId('business', business)}`)
  await page.getByRole('link', { name: 'Set one up' }).click()
  await page.waitForURL(/\/sessions$/)
  await addPasskey(page, 'My phone')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.goto(`${place.urls.app}/b/${formatId('business', business)}/contacts`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Set one up' }).count(), 0)
  await context.close()
})

test('without script there is the link, and no button that does nothing', { skip }, async () => {
  const place = places['oneHost']
  assert.ok(place)
  const { testbed, urls } = place
  const business = await testbed.newBusiness()
  const scripted = await signedIn(place, [business])
  await virtualAuthenticator(scripted.page)
  await scripted.page.goto(sessionsPage(place, business))
  await addPasskey(scripted.page, 'My phone')
  const { context, page } = await person(place.browser, { script: false })
  await page.goto(`${urls.app}/login`)
  assert.equal(
    await page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible(),
    false,
  )
  await picture(page, 'login-without-script')
  await page.getByLabel('Your email address').fill(scripted.email)
  await page.getByRole('button', { name: 'Email me a link' }).click()
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  await page.goto(await linkTo(urls.app, scripted.email))
  assert.ok((await context.cookies()).some(({ name }) => name === 'crier-session'))
  // Where a factor is required, who has only a passkey gives a recovery code.
  await testbed.db.run(sql`
    update businesses set factor_required_from = now() - interval '1 day' where id = ${business}
  `)
  await context.clearCookies()
  await page.goto(`${urls.app}/login`)
  await page.getByLabel('Your email address').fill(scripted.email)
  const earlier = await linkTo(urls.app, scripted.email)
  await page.getByRole('button', { name: 'Email me a link' }).click()
  let link = earlier
  while (link === earlier) link = await linkTo(urls.app, scripted.email)
  await page.goto(link)
  await page.getByLabel('Recovery code').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Use a passkey' }).isVisible(), false)
  await Promise.all([context.close(), scripted.context.close()])
})
