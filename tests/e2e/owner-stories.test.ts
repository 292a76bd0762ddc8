/**
 * What an owner lives through with sign-ins, in a real browser, in English and German: a lost phone, a
 * lost mailbox, a member who leaves, and two owners.
 */
import assert from 'node:assert/strict'
import test, { after, before, describe } from 'node:test'
import { factorsFromOperator } from 'crier-server/accounts/factors/operator-reset.ts'
import { holdMember } from 'crier-server/accounts/identities/holds.ts'
import { formatId, type Id, newId } from 'crier-server/core/ids.ts'
import type { Role } from 'crier-server/core/operation.ts'
import { invitationPageWords } from 'crier-server/http/pages/account/invitation-page-words.ts'
import { secondStepWords } from 'crier-server/http/pages/auth/second-step-words.ts'
import { signInWords } from 'crier-server/http/pages/auth/sign-in-words.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { BrowserContext, Page } from 'playwright-core'
import * as germanAccount from '../../web/src/words/de/account.ts'
import * as germanFactors from '../../web/src/words/de/factors.ts'
import { members as germanMembers } from '../../web/src/words/de/settings.ts'
import { shell as germanShell } from '../../web/src/words/de/shell.ts'
import * as englishAccount from '../../web/src/words/en/account.ts'
import * as englishFactors from '../../web/src/words/en/factors.ts'
import { members as englishMembers } from '../../web/src/words/en/settings.ts'
import { shell as englishShell } from '../../web/src/words/en/shell.ts'
import { catalog, type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import { newApiKey } from '../support/clients/api-keys.ts'
import { bytesOf, codeAt } from '../support/clients/one-time-codes.ts'
import { restCaller } from '../support/clients/rest-caller.ts'
import { inboxOf, newPerson } from '../support/clients/sign-in.ts'
import { virtualAuthenticator } from '../support/clients/virtual-authenticator.ts'
import { withoutBrowser } from '../support/processes/chromium.ts'
import { eventually } from '../support/time/eventually.ts'
import { faultsOf, launch, type OpenBrowser, person, picture } from './browser.ts'

const skip = withoutBrowser

let testbed: OwnTestbed
let browser: OpenBrowser
before(async () => {
  if (!skip) browser = await launch()
})
after(() => browser?.close())

const languages = ['en', 'de'] as const
type Language = (typeof languages)[number]

const textsOf = {
  en: {
    ...englishFactors,
    ...englishAccount,
    members: englishMembers,
    shell: englishShell,
    held: /no longer confirms you/,
    lastOwner: /keeps at least one owner/,
  },
  de: {
    ...germanFactors,
    ...germanAccount,
    members: germanMembers,
    shell: germanShell,
    held: /bestätigt Sie nicht mehr/,
    lastOwner: /mindestens einen Inhaber/,
  },
}

/** A browser of somebody who reads this language. */
async function device(language: Language): Promise<{ context: BrowserContext; page: Page }> {
  const { context, page } = await person(browser, { script: true, width: 1100 })
  page.setDefaultTimeout(30_000)
  await context.setExtraHTTPHeaders({ 'accept-language': language })
  await context.addInitScript((chosen) => {
    localStorage.setItem('crier-language', chosen)
    // A device that is always there would answer the browser's own offer at once.
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  }, language)
  return { context, page }
}

/** The page is sound, and its picture is kept where somebody wants to look. */
async function look(page: Page, name: string): Promise<void> {
  // Behind a dialog it has no role.
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await picture(page, `story-${name}`)
  assert.deepEqual(await faultsOf(page), [], name)
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  assert.ok(excess <= 0, `${name} is ${excess} px too wide`)
}

async function member(
  businessId: Id<'business'>,
  role: Role,
  email = newPerson(role),
): Promise<{ userId: Id<'user'>; email: string }> {
  const userId = newId('user')
  await testbed.db.run(sql`
    insert into users (id, email, created_at) values (${userId}, ${email}, now())
  `)
  await testbed.db.run(sql`
    insert into memberships (business_id, user_id, role, created_at)
    values (${businessId}, ${userId}, ${role}, now())
  `)
  return { userId, email }
}

/** The newest mail to the address that came since, as soon as it has. */
async function mailTo(email: string, seen: number) {
  const all = () => inboxOf(testbed.service.url, email)
  const mails = await eventually(all, (found) => found.length > seen)
  assert.ok(mails.length > seen, `a mail to ${email}`)
  return mails
}

/** Asks for a link and opens it, as everybody does. */
async function byMail(page: Page, email: string, language: Language): Promise<void> {
  const words = signInWords(language)
  const { url } = testbed.service
  const { length: seen } = await inboxOf(url, email)
  await page.goto(`${url}/login?again=yes`)
  await page.getByRole('textbox', { name: words.address }).fill(email)
  await page.getByRole('button', { name: words.send }).click()
  const link = await eventually(
    async () =>
      (await inboxOf(url, email)).flatMap(({ links }) => links).find((text) => isLink(text, used)),
    (found) => found !== undefined,
  )
  assert.ok(link, `a link after ${seen} mails`)
  used.add(link)
  await page.goto(link)
}

const used = new Set<string>()
const isLink = (text: string, past: ReadonlySet<string>) =>
  /\/sign-in\//.test(new URL(text).pathname) && !past.has(text)

const inTheApp = (page: Page) => page.waitForURL(/\/b(\/|$)/)

const row = (page: Page, email: string) => page.getByRole('listitem').filter({ hasText: email })

const pageOf = (businessId: Id<'business'>, name: string) =>
  `${testbed.service.url}/b/${formatId('business', businessId)}/${name}`

/** Sets up an authenticator app on the page that needs no script; returns the recovery codes. */
async function setUpApp(page: Page, language: Language): Promise<string[]> {
  const words = secondStepWords(language)
  await page.goto(`${testbed.service.url}/confirm`)
  await page.getByRole('button', { name: words.setUp }).click()
  const secret = bytesOf(((await page.locator('code').textContent()) ?? '').replace(/\s/g, ''))
  await look(page, `app-${language}`)
  await page.getByRole('textbox', { name: words.firstCode }).fill(codeAt(secret, new Date()))
  await page.getByRole('button', { name: words.add }).click()
  const shown = (await page.locator('pre').textContent()) ?? ''
  await look(page, `codes-${language}`)
  return shown.split('\n')
}

async function addPasskey(page: Page, language: Language, name: string): Promise<void> {
  const { passkeys, factors } = textsOf[language]
  await page.getByRole('button', { name: passkeys.add }).click()
  await page.getByRole('textbox', { name: passkeys.name }).fill(name)
  await page.getByRole('button', { name: passkeys.go }).click()
  await page.getByRole('button', { name: factors.saved }).click()
  await page.getByText(name, { exact: true }).waitFor()
}

for (const language of languages) {
  describe(`stories in ${language}`, () => storiesIn(language))
}

function storiesIn(language: Language): void {
  // One network asks for so many links an hour at most, so each language has a service of its own.
  before(async () => {
    if (!skip) testbed = await openTestbed()
  })
  after(() => testbed?.close())
  const texts = textsOf[language]
  const { rules, factors, members, address, ownership, shell } = texts
  const step = secondStepWords(language)

  test(`lost phone, ${language}: a recovery code, then two owners, and of the last owner the operator`, {
    skip,
  }, async () => {
    const business = await testbed.newBusiness()
    const [ana, ben] = [await member(business, 'owner'), await member(business, 'owner')]
    const mia = await member(business, 'editor')
    const first = await device(language)
    await byMail(first.page, mia.email, language)
    await inTheApp(first.page)
    const [code = ''] = await setUpApp(first.page, language)
    await first.context.close()

    // The phone is gone: the code of the app is asked for, and a recovery code does.
    const second = await device(language)
    await byMail(second.page, mia.email, language)
    await look(second.page, `lost-phone-step-${language}`)
    const field = second.page.getByRole('textbox', { name: step.code })
    await field.fill('123456')
    await second.page.getByRole('button', { name: /^(Continue|Weiter|Sign in|Anmelden)/ }).click()
    await second.page.getByText(step.wrong).waitFor()
    await look(second.page, `lost-phone-wrong-${language}`)
    await field.fill(code.toLowerCase())
    await second.page.getByRole('button', { name: /^(Continue|Weiter|Sign in|Anmelden)/ }).click()
    await inTheApp(second.page)
    await second.page.goto(pageOf(business, 'sessions'))
    await second.page.getByText(factors.codesLeft(9)).waitFor()
    await look(second.page, `lost-phone-sessions-${language}`)
    await second.context.close()

    // The paper is gone too: whom to ask stands on the page.
    const third = await device(language)
    await byMail(third.page, mia.email, language)
    await third.page.getByText(step.lostTitle).click()
    await third.page.getByText(step.lost).waitFor()
    await look(third.page, `lost-all-${language}`)

    const anas = await device(language)
    await byMail(anas.page, ana.email, language)
    await inTheApp(anas.page)
    await anas.page.goto(pageOf(business, 'members'))
    await row(anas.page, mia.email).getByRole('button', { name: rules.reset }).click()
    await look(anas.page, `reset-dialog-${language}`)
    await anas.page.getByRole('dialog').getByRole('button', { name: rules.reset }).click()
    await anas.page.getByText(rules.resetAsked).waitFor()
    await row(anas.page, mia.email).getByRole('button', { name: rules.confirmReset }).waitFor()
    await look(anas.page, `reset-waits-${language}`)
    // Alone she cannot make it go faster.
    await row(anas.page, mia.email).getByRole('button', { name: rules.confirmReset }).click()
    await anas.page.getByRole('dialog').getByRole('button', { name: rules.confirmReset }).click()
    await anas.page.getByText(rules.resetAsked).first().waitFor()
    await row(anas.page, mia.email).getByRole('button', { name: rules.confirmReset }).waitFor()
    await look(anas.page, `reset-alone-${language}`)
    await anas.context.close()

    const bens = await device(language)
    await byMail(bens.page, ben.email, language)
    await inTheApp(bens.page)
    await bens.page.goto(pageOf(business, 'members'))
    await row(bens.page, mia.email).getByRole('button', { name: rules.confirmReset }).click()
    await look(bens.page, `reset-confirm-${language}`)
    await bens.page.getByRole('dialog').getByRole('button', { name: rules.confirmReset }).click()
    await bens.page.getByText(rules.resetDone).waitFor()
    await bens.context.close()
    await byMail(third.page, mia.email, language)
    await inTheApp(third.page)
    await third.context.close()

    // The only owner of a business has nobody to ask but the operator.
    const alone = await testbed.newBusiness()
    const eva = await member(alone, 'owner')
    const evas = await device(language)
    await byMail(evas.page, eva.email, language)
    await inTheApp(evas.page)
    await setUpApp(evas.page, language)
    await evas.context.clearCookies()
    await byMail(evas.page, eva.email, language)
    await evas.page.getByRole('textbox', { name: step.code }).waitFor()
    const { db } = testbed
    const reset = { email: eva.email, reset: true, now: new Date() }
    const left = await factorsFromOperator(db, reset)
    assert.deepEqual([left.authenticator_app, left.recovery_codes], [false, 0])
    await byMail(evas.page, eva.email, language)
    await inTheApp(evas.page)
    await evas.context.close()
  })

  test(`lost mailbox, ${language}: the passkey signs in, and the owner moves to an address that works`, {
    skip,
  }, async () => {
    const business = await testbed.newBusiness()
    const eva = await member(business, 'owner')
    const { context, page } = await device(language)
    await virtualAuthenticator(page)
    await byMail(page, eva.email, language)
    await inTheApp(page)
    await page.goto(pageOf(business, 'sessions'))
    await addPasskey(page, language, 'Laptop')

    // From here on nobody reads the mailbox.
    await context.clearCookies()
    await page.goto(`${testbed.service.url}/login`)
    await look(page, `lost-mailbox-login-${language}`)
    await page.getByRole('button', { name: signInWords(language).usePasskey }).click()
    await inTheApp(page)
    await page.goto(pageOf(business, 'sessions'))
    const fresh = newPerson('new')
    await page.getByRole('button', { name: address.change }).click()
    await page.getByRole('textbox', { name: address.newAddress }).fill(fresh)
    await look(page, `address-dialog-${language}`)
    await page.getByRole('button', { name: address.send }).click()
    await page.getByText(address.waitsForOld(fresh)).waitFor()
    await look(page, `address-waits-${language}`)
    const link = (await mailTo(fresh, 0)).flatMap(({ links }) => links)[0]
    assert.ok(link)
    const elsewhere = await device(language)
    await elsewhere.page.goto(link)
    await look(elsewhere.page, `address-link-${language}`)
    await elsewhere.page.getByRole('main').getByRole('button').first().click()
    await elsewhere.page.getByRole('heading').first().waitFor()
    await look(elsewhere.page, `address-half-${language}`)
    // One mailbox moves nothing.
    await page.reload()
    await page.getByText(address.signIn(eva.email)).waitFor()

    // So the owner invites the new address, which becomes an owner too, and leaves with the old one.
    await page.goto(pageOf(business, 'members'))
    await page.getByRole('button', { name: members.invite }).click()
    await page.getByRole('textbox', { name: members.email }).fill(fresh)
    await page.getByRole('combobox', { name: members.role }).selectOption('owner')
    await look(page, `invite-dialog-${language}`)
    await page.getByRole('dialog').getByRole('button', { name: members.invite }).click()
    await page.getByText(members.invited(fresh)).first().waitFor()
    await byMail(elsewhere.page, fresh, language)
    await elsewhere.page.goto(`${testbed.service.url}/account/invitations`)
    await look(elsewhere.page, `invitation-${language}`)
    await elsewhere.page
      .getByRole('button', { name: new RegExp(`^${invitationPageWords(language).accept}`) })
      .or(
        elsewhere.page
          .getByRole('button')
          .filter({ hasText: invitationPageWords(language).accept }),
      )
      .first()
      .click()
    await elsewhere.page.waitForURL(pageOf(business, '').slice(0, -1))
    await page.reload()
    await row(page, eva.email).getByRole('button', { name: members.leave }).click()
    await look(page, `leave-dialog-${language}`)
    await page.getByRole('dialog').getByRole('button', { name: members.leave }).click()
    await page.waitForURL(/\/b$/)
    await elsewhere.page.goto(pageOf(business, 'members'))
    await row(elsewhere.page, fresh).waitFor()
    assert.equal(await row(elsewhere.page, eva.email).count(), 0)
    await context.close()
    await elsewhere.context.close()
  })

  test(`a member leaves, ${language}: what they see, and what is left of keys and apps`, {
    skip,
  }, async () => {
    const business = await testbed.newBusiness()
    const [ana, mia] = [await member(business, 'owner'), await member(business, 'admin')]
    const { secret } = await newApiKey(testbed.db, { businessId: business, userId: mia.userId })
    const { gatewayUrl } = testbed.service.config
    const key = restCaller(gatewayUrl, catalog, async () => secret)
    assert.equal((await key.call('contact.list', {})).kind, 'answer')
    const app = await testbed.restCaller({ userId: mia.userId, businesses: [business] })
    assert.equal((await app.call('contact.list', {})).kind, 'answer')
    const mias = await device(language)
    await byMail(mias.page, mia.email, language)
    await inTheApp(mias.page)
    const anas = await device(language)
    await byMail(anas.page, ana.email, language)
    await inTheApp(anas.page)
    await anas.page.goto(pageOf(business, 'members'))
    await row(anas.page, mia.email).getByRole('button', { name: members.remove }).click()
    await anas.page.getByText(members.removeText(mia.email)).waitFor()
    await look(anas.page, `remove-dialog-${language}`)
    await anas.page.getByRole('dialog').getByRole('button', { name: members.remove }).click()
    await anas.page.getByText(members.removed).waitFor()
    assert.equal((await key.call('contact.list', {})).status, 401)
    assert.equal((await app.call('contact.list', {})).body['code'], 'not_found')
    await mias.page.goto(pageOf(business, 'contacts'))
    await mias.page.getByText(shell.notAMember).waitFor()
    await look(mias.page, `removed-${language}`)
    await anas.context.close()
    await mias.context.close()
  })

  test(`two owners, ${language}: one is held and let go on, the last one stays, and ownership goes over`, {
    skip,
  }, async () => {
    const business = await testbed.newBusiness()
    const [ana, ben] = [await member(business, 'owner'), await member(business, 'owner')]
    await testbed.db.tx((tx) =>
      holdMember(tx, [business], {
        userId: ben.userId,
        issuer: 'https://login.works.example',
        subject: 'ben',
        providerId: null,
        now: new Date(),
      }),
    )
    const bens = await device(language)
    await byMail(bens.page, ben.email, language)
    await inTheApp(bens.page)
    await bens.page.getByText(texts.held).waitFor()
    await look(bens.page, `held-${language}`)
    await bens.page.goto(pageOf(business, 'contacts'))
    await bens.page.getByText(texts.held).waitFor()
    await look(bens.page, `held-contacts-${language}`)
    const anas = await device(language)
    await byMail(anas.page, ana.email, language)
    await inTheApp(anas.page)
    await anas.page.goto(pageOf(business, 'members'))
    await row(anas.page, ana.email).getByRole('button', { name: members.leave }).click()
    await anas.page.getByRole('dialog').getByRole('button', { name: members.leave }).click()
    await anas.page.getByRole('dialog').getByText(texts.lastOwner).waitFor()
    await look(anas.page, `last-owner-${language}`)
    await anas.page.keyboard.press('Escape')
    await row(anas.page, ben.email).getByRole('button', { name: rules.release }).click()
    await look(anas.page, `release-dialog-${language}`)
    await anas.page.getByRole('dialog').getByRole('button', { name: rules.release }).click()
    await anas.page.getByText(rules.released).waitFor()
    await bens.page.goto(pageOf(business, 'members'))
    await row(bens.page, ben.email).waitFor()
    // The page of who was shut out asks for a sign-in, which leads back into the business.
    await bens.context.close()

    const mia = await member(business, 'admin')
    await anas.page.reload()
    await row(anas.page, mia.email).getByRole('button', { name: ownership.transfer }).click()
    await look(anas.page, `transfer-dialog-${language}`)
    await anas.page.getByRole('dialog').getByRole('button', { name: ownership.offer }).click()
    await anas.page.getByText(ownership.byYou(mia.email)).waitFor()
    const mias = await device(language)
    await byMail(mias.page, mia.email, language)
    await inTheApp(mias.page)
    await mias.page.goto(pageOf(business, 'members'))
    await mias.page.getByText(ownership.toYou(ana.email)).waitFor()
    await look(mias.page, `offered-${language}`)
    await mias.page.getByRole('button', { name: ownership.accept }).click()
    await mias.page.getByText(ownership.accepted).waitFor()
    const { role } = await testbed.db.one<{ role: string }>(sql`
      select role from memberships where business_id = ${business} and user_id = ${ana.userId}
    `)
    assert.equal(role, 'admin')
    await mias.context.close()
    await anas.context.close()
  })
}
