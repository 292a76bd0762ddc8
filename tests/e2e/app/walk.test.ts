/**
 * From an empty installation to the results of a campaign, in the app and by keyboard alone: setup,
 * settings, an import, a form, a segment, a second member, a mail of blocks, its approval, pause and
 * resume, and what came of it.
 */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { startSession } from 'crier-server/accounts/sign-in/session.ts'
import { setupLink } from 'crier-server/accounts/sign-in/setup.ts'
import { findOrSignUpUser } from 'crier-server/accounts/sign-in/sign-up.ts'
import type { Page } from 'playwright-core'
import { inboxOf } from '../../support/clients/sign-in.ts'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { eventually } from '../../support/time/eventually.ts'
import { person } from '../browser.ts'
import { type AppBench, openAppBench } from './app.ts'
import { dialogsOf, type Keys, keysOf } from './keyboard.ts'

const skip = withoutBrowser
/** As many as begin with a canary, which leaves time to pause. */
const people = 1_010

let bench: AppBench
before(async () => {
  if (!skip) bench = await openAppBench({ settings: { CANARY_SECONDS: '12' } })
})
after(() => bench?.close())

const rows = Array.from(
  { length: people },
  (_, place) => `who-${place + 1}@example.com,Person ${place + 1},${place % 2 ? 'vip' : ''}`,
)
const file = {
  name: 'people.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(`Email,Name,Tags\n${rows.join('\n')}\n`),
}

interface Walker {
  page: Page
  keys: Keys
  complaints: string[]
}

async function walker(): Promise<Walker> {
  const { page, complaints } = await person(bench.browser, { script: true, width: 1280 })
  page.setDefaultTimeout(60_000)
  return { page, keys: keysOf(page), complaints }
}

const button = ({ page }: Walker, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true })

async function setUp({ page, keys }: Walker): Promise<void> {
  const { service } = bench.testbed
  await page.goto((await setupLink(service, service.config, new Date())) ?? '')
  await keys.type(page.getByLabel('Your email address'), 'ana@example.com')
  await keys.type(page.getByLabel('Name of your business'), 'Brindlequay')
  await keys.press(page.getByRole('button', { name: 'Start', exact: true }))
  await page.getByRole('heading', { name: 'Home' }).waitFor()
  await page.getByRole('link', { name: 'Open the test inbox' }).waitFor()
  await keys.press(page.getByRole('link', { name: 'Add address' }))
}

async function fillSettings(one: Walker): Promise<void> {
  const { page, keys } = one
  await keys.type(page.getByLabel('Postal address'), '1 Example Street')
  await keys.type(page.getByLabel('Recipients without approval'), '100')
  await keys.press(button(one, 'Save').first())
  await page.getByText('Saved').first().waitFor()
}

/** Possible only once a second person may approve. */
async function requireSecond(one: Walker): Promise<void> {
  const { page, keys } = one
  await keys.keys('g', 's')
  await keys.check(page.getByLabel('Require a second person'))
  await keys.press(button(one, 'Save').first())
  await page.getByText('Saved').first().waitFor()
}

async function bringContacts(one: Walker): Promise<void> {
  const { page, keys } = one
  await keys.keys('g', 'c')
  await keys.press(page.getByRole('link', { name: 'Import', exact: true }).first())
  const chosen = page.waitForEvent('filechooser')
  await keys.press(button(one, 'Choose files'))
  await (await chosen).setFiles(file)
  await page.getByRole('heading', { name: 'Contents of people.csv' }).waitFor()
  await keys.check(page.getByLabel('They agreed to marketing email'))
  await keys.type(page.getByLabel('Where they agreed'), 'sign-up page')
  await keys.type(page.getByLabel('What they agreed to, word for word'), 'Send me the newsletter.')
  await keys.press(page.getByRole('button', { name: /^Start import/ }))
  await page.getByText('New contacts').waitFor()
}

async function saveSegment(one: Walker): Promise<void> {
  const { page, keys } = one
  await keys.keys('g', 'c')
  await keys.press(page.getByRole('button', { name: 'Filter' }))
  await keys.type(page.getByLabel('Value'), 'vip')
  await page.getByText(`${people / 2} people match`).waitFor()
  await keys.press(button(one, 'Save as segment'))
  await keys.type(page.getByLabel('Segment name'), 'Important people')
  await keys.press(button(one, 'Save'))
  await page.getByText('Segment “Important people” saved').waitFor()
  await keys.keys('g', 'e')
  await keys.press(page.getByRole('link', { name: 'Important people' }))
  await page.getByText(`${people / 2} people match now`).waitFor()
  await keys.keys('Escape')
  await dialogsOf(page).waitFor({ state: 'detached' })
}

/** Builds a form, and answers it as a visitor who agrees to nothing. */
async function buildForm(one: Walker): Promise<void> {
  const { page, keys } = one
  await keys.keys('g', 'f')
  await keys.press(button(one, 'New form').first())
  await keys.type(page.getByLabel('Form name'), 'Newsletter')
  await keys.press(dialogsOf(page).getByRole('button', { name: 'Create form' }))
  await keys.type(page.getByLabel('Title'), 'Coffee by post')
  await keys.press(button(one, 'Publish'))
  await page.getByText('Form published').waitFor()
  await keys.press(button(one, 'Share'))
  const address = (await page.getByRole('link', { name: 'Open' }).getAttribute('href')) ?? ''
  const visitor = await walker()
  await visitor.page.goto(address)
  await visitor.keys.type(visitor.page.getByLabel(/^Email/), 'quiet@example.com')
  await visitor.keys.check(visitor.page.getByRole('checkbox'))
  await visitor.keys.keys('Enter')
  await visitor.page.waitForURL(/thanks/)
  await visitor.page.context().close()
  await keys.press(page.getByRole('button', { name: /^Submissions/ }))
  await page.getByRole('link', { name: 'quiet@example.com' }).waitFor()
}

/** Invites a second person, who accepts. */
async function inviteSecond(one: Walker): Promise<Walker> {
  const { page, keys } = one
  await keys.keys('Control+k')
  await page.getByRole('combobox', { name: 'Command palette' }).waitFor()
  await page.keyboard.type('Members')
  await keys.keys('Enter')
  await keys.press(button(one, 'Invite member').first())
  await keys.type(page.getByLabel('Email address'), 'ben@example.com')
  await keys.choose(dialogsOf(page).getByLabel('Role'), 'admin')
  await keys.press(dialogsOf(page).getByRole('button', { name: /^Invite/ }))
  await page.getByText('Invitation sent to ben@example.com').waitFor()
  const { db, service } = bench.testbed
  const value = await db.tx(async (tx) => {
    const rule = { signup: 'open', defaultTier: 'scale', defaultDeployLimit: 0 } as const
    const user = await findOrSignUpUser(tx, rule, 'ben@example.com', new Date())
    return startSession(tx, user.id, new Date())
  })
  const second = await walker()
  await second.page.context().addCookies([{ name: 'crier-session', value, url: service.url }])
  await second.page.goto(`${service.url}/account/invitations`)
  await second.keys.press(second.page.getByRole('button', { name: /^Accept/ }))
  await second.page.getByRole('heading', { name: /^Home/ }).waitFor()
  return second
}

/** Composes a mail of blocks, sends a test and asks to send it; returns the campaign's id. */
async function compose(one: Walker): Promise<string> {
  const { page, keys } = one
  await keys.keys('g', 'm')
  await keys.press(button(one, 'New campaign').first())
  await keys.press(button(one, 'Write it myself'))
  await keys.type(page.getByLabel('Subject', { exact: true }), 'Spring menu')
  await keys.press(button(one, 'Start a draft'))
  await page.waitForURL(/campaigns\/cmp_.*step=who/)
  await keys.check(page.getByLabel('All subscribers'))
  await keys.press(button(one, 'Save and continue'))
  await page.waitForURL(/campaigns\/cmp_.*step=what/)
  // A mail that still has the words it began with is not sent.
  await keys.type(page.getByRole('textbox', { name: 'Heading, 1 of 2' }), 'Spring menu')
  for (const type of ['Heading', 'Button']) {
    await keys.press(button(one, 'Add a block'))
    const item = page.getByRole('menuitem', { name: type, exact: true })
    await item.waitFor()
    // One letter finds it. After a pause, the menu takes a further one for the first of another.
    await keys.keys(type.slice(0, 1))
    await item.and(page.locator('[data-highlighted]')).waitFor()
    await keys.keys('Enter')
    await keys.type(
      page.getByRole('textbox', { name: new RegExp(`^${type}, (3 of 3|4 of 4)`) }),
      `The ${type}`,
    )
  }
  await keys.type(page.getByRole('textbox', { name: 'Link to' }), 'https://shop.example/menu')
  await keys.press(button(one, 'Preview'))
  await page.frameLocator('iframe').getByRole('link', { name: 'The Button' }).waitFor()
  await keys.press(button(one, 'Save'))
  await page.getByText('Draft saved').waitFor()
  await keys.press(page.getByRole('link', { name: 'Review' }))
  await page.getByText('Recipients: 1,010').waitFor()
  await keys.press(button(one, 'Send me a test'))
  await page.getByText('The test is on its way').waitFor()
  await keys.press(button(one, 'Next'))
  await keys.press(button(one, 'Send to 1,010 people'))
  const asks = dialogsOf(page)
  await asks.getByText('Another person may have to approve it first.').waitFor()
  await keys.press(asks.getByRole('button', { name: 'Send now' }))
  await page.getByText('Submitted for approval').waitFor()
  return new URL(page.url()).pathname.split('/').at(-1) ?? ''
}

/** Pauses after the first few, takes one person out, and goes on. */
async function pauseAndResume(one: Walker): Promise<void> {
  const { page, keys } = one
  await keys.press(button(one, 'Pause'))
  await page.getByText('Nobody receives it twice').first().waitFor()
  await keys.choose(page.getByLabel('Status'), 'pending')
  await keys.press(page.getByRole('link', { name: /^who-/ }).first())
  const drawer = dialogsOf(page).first()
  await keys.press(drawer.getByRole('button', { name: 'More' }))
  await page.getByRole('menuitem', { name: 'Suppress' }).waitFor()
  await page.keyboard.type('Stop')
  await keys.keys('Enter')
  await keys.press(dialogsOf(page).last().getByRole('button', { name: 'Suppress' }))
  await drawer.getByText('Suppressed for Email').waitFor()
  await page.goBack()
  await keys.press(button(one, 'Resume'))
}

test('a campaign goes from an empty installation to its results, by keyboard alone', {
  skip,
}, async () => {
  const owner = await walker()
  const { page, keys } = owner
  await setUp(owner)
  await fillSettings(owner)
  await bringContacts(owner)
  await saveSegment(owner)
  await buildForm(owner)
  const second = await inviteSecond(owner)
  await requireSecond(owner)
  const campaign = await compose(owner)

  const { url } = bench.testbed.service
  await second.page.goto(`${url}/campaigns/${campaign}`)
  await second.keys.press(second.page.getByRole('button', { name: 'Approve and send' }))
  await second.page
    .getByRole('status')
    .getByText(/^Sen(ding|t)$/)
    .waitFor()
  await pauseAndResume(owner)
  await page.getByText('Sent', { exact: true }).first().waitFor()

  // One person reads it and follows the button; a mailbox provider loads another's images.
  const [read] = await inboxOf(url, 'who-1@example.com')
  await second.page.goto(`${url}/inbox/${read?.id}`)
  await second.keys.press(second.page.getByRole('button', { name: 'Open it' }))
  await second.keys.press(second.page.getByRole('button', { name: 'Click its first link' }))
  await second.page.getByText('Its first link was clicked').waitFor()
  const [other] = await inboxOf(url, 'who-2@example.com')
  const html = await (await fetch(`${url}/inbox/${other?.id}/html`)).text()
  const pixel = html.split('"').find((part) => part.includes('/o/'))
  await fetch(pixel ?? '', { headers: { 'user-agent': 'Mozilla/5.0' } })
  const results = page.getByRole('region', { name: 'Results' }).or(page.locator('main')).last()
  await results.getByText('plus 1 by bots').first().waitFor()
  await eventually(() => page.getByText('https://shop.example/menu').count(), Boolean)

  await keys.choose(page.getByLabel('Status'), 'skipped')
  await page.getByText('are suppressed').first().waitFor()
  // The button's unfinished address was refused, which is what the builder showed.
  assert.deepEqual(
    owner.complaints.filter((complaint) => !/400|img-src data:/.test(complaint)),
    [],
  )
  // The pixel of a mail that is shown in the inbox is not loaded.
  assert.deepEqual(
    second.complaints.filter((complaint) => !complaint.includes('img-src data:')),
    [],
  )
})
