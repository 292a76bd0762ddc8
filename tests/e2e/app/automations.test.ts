/** Automations in the app: from the gallery to the last mail, the editor by keyboard, and on a phone. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { setBusiness } from 'crier-server/accounts/settings/settings.ts'
import { days, seconds } from 'crier-server/lib/time/clock.ts'
import { campaignScene } from '../../support/businesses/campaigns.ts'
import { inboxOf, newPerson } from '../../support/clients/sign-in.ts'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { eventually } from '../../support/time/eventually.ts'
import { ShiftedClock } from '../../support/time/shifted-clock.ts'
import { person, turnTo } from '../browser.ts'
import { type AppBench, assertSound, openAppBench, type Visit, visitApp } from './app.ts'

const skip = withoutBrowser

const clock = new ShiftedClock()
let bench: AppBench
before(async () => {
  if (!skip) bench = await openAppBench({ clock })
})
after(() => bench?.close())

/** The page in both themes and at both widths. */
async function assertSoundEverywhere(visit: Visit, name: string): Promise<void> {
  const { page } = visit
  await assertSound(visit, name)
  await turnTo(page, { theme: 'dark', width: 390 })
  await assertSound(visit, `${name}-dark-390`)
  await turnTo(page, { theme: 'light', width: 1280 })
}

test('the editor is used by keyboard, tells at each step what is missing, and fits a phone', {
  skip,
}, async () => {
  const { businessId, owner } = await campaignScene(bench.testbed)
  await owner.get('template.save', { name: 'Hello', subject: 'Hello', html: '<p>Hello</p>' })
  const visit = await visitApp(bench, { businesses: [businessId], path: '/automations/new' })
  const { page, close } = visit
  await page.getByLabel('Name', { exact: true }).focus()
  await page.keyboard.type('VIP greeting')
  await page.getByLabel('People enter when').selectOption('tag.added')
  const add = async (kind: string) => {
    await page.getByRole('button', { name: 'Add step' }).last().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: kind, exact: true }).focus()
    await page.keyboard.press('Enter')
  }
  await add('Wait')
  await add('Send an email')
  await page.getByRole('button', { name: 'Save' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Enter a tag.').waitFor()
  await page.getByText('Choose an email.').waitFor()
  await assertSoundEverywhere(visit, 'automation-editor')
  await page.getByLabel('Tag', { exact: true }).fill('vip')
  await page.getByLabel('Email', { exact: true }).selectOption({ label: 'Hello' })
  await page.getByRole('button', { name: 'Move up: Hello' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Hello is now step 1').waitFor()
  await add('Send an email')
  await page.getByRole('button', { name: 'Write it here' }).last().click()
  await page.getByLabel('Subject', { exact: true }).fill('A word')
  await page.getByLabel('Email text').fill('Good to have you, {{ contact.first_name }}.')
  await add('Send a text message')
  await page.getByRole('button', { name: 'Write it here' }).last().click()
  await page.getByLabel('Text message', { exact: true }).fill('See you on Friday!')
  await add('Notify your team')
  await page.getByRole('checkbox', { name: 'All admins' }).check()
  await page.getByLabel('Note', { exact: true }).fill('Call this person')
  await add('Unsubscribe the person')
  await page.getByLabel('Unsubscribe from', { exact: true }).selectOption('sms')
  await page.getByRole('checkbox', { name: 'Skip a message that has waited too long' }).check()
  await assertSoundEverywhere(visit, 'automation-editor-steps')
  await page.getByRole('button', { name: 'Add an exit condition' }).click()
  await page.getByLabel('Field', { exact: true }).selectOption('did')
  await page.getByLabel('Operator').selectOption('own')
  await page.getByLabel('Event name').fill('order_placed')
  await page.getByLabel('Period').selectOption('entry')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(/automations\/seq_/)
  const sequence_id = /seq_\w+/.exec(page.url())?.[0]
  const saved = await owner.get<Record<string, unknown>>('sequence.get', { sequence_id })
  assert.deepEqual(
    [saved['enter'], saved['exit'], saved['wait_at_most']],
    [{ on: 'tag.added', tag: 'vip' }, { did: 'order_placed', since: 'entry' }, '1 day'],
  )
  const steps = saved['steps'] as Record<string, unknown>[]
  assert.deepEqual(
    steps.map((step) => Object.keys(step)[0]),
    ['send', 'wait', 'send', 'send', 'notify', 'unsubscribe'],
  )
  assert.deepEqual(
    [steps[3]?.['channel'], steps[4]?.['notify'], steps[5]?.['unsubscribe']],
    ['sms', { members: ['owner', 'admin'], note: 'Call this person' }, { channel: 'sms' }],
  )
  await page.getByText('Notify your team: Call this person').waitFor()
  await page.getByText('Unsubscribe from text messages').waitFor()
  await page.getByText('Exit immediately if did order_placed since entering').waitFor()
  await close()
})

const stranger = newPerson('ana')

/** Signs up by the form as a stranger's browser does, and confirms by the mail that comes. */
async function signUp(url: string): Promise<void> {
  const { page, context } = await person(bench.browser)
  await page.goto(url)
  clock.forward(seconds(5))
  await page.getByRole('textbox', { name: 'Email' }).fill(stranger)
  await page.getByRole('checkbox').check()
  await page.getByRole('button').first().click()
  const [mail] = await eventually(
    () => inboxOf(bench.testbed.service.url, stranger),
    ({ length }) => length > 0,
  )
  await page.goto(mail?.links.find((link) => link.includes('/confirm/')) ?? '')
  await page.getByRole('button').first().click()
  await page.getByRole('button').first().waitFor({ state: 'detached' })
  await context.close()
}

test('a welcome series goes from the gallery over approval to a stranger, who leaves', {
  skip,
}, async () => {
  const { businessId, owner } = await campaignScene(bench.testbed)
  const { form_id } = await owner.get<{ form_id: string }>('form.save', {
    name: 'Join',
    status: 'published',
    fields: [
      { key: 'email', label: 'Email', type: 'email', required: true },
      { key: 'news', label: 'Send me news by email.', type: 'consent' },
    ],
  })
  const { url } = await owner.get<{ url: string }>('form.get', { form_id })
  const visit = await visitApp(bench, { businesses: [businessId], path: '/automations' })
  const second = await visitApp(bench, { businesses: [businessId], role: 'admin' })
  const twoPeople = { key: 'two_people', value: 'yes', now: new Date() }
  await setBusiness(bench.testbed.db, businessId, twoPeople)
  const { page, close } = visit
  await page.getByText('No automations yet.').waitFor()
  await assertSound(visit, 'automations-empty')
  await page.getByRole('button', { name: 'Choose from the gallery' }).click()
  await page.getByRole('button', { name: /^Welcome/ }).click()
  const facts = page.getByRole('group', { name: 'To fill in' })
  await facts.getByRole('textbox').fill('https://shop.example/favourites')
  await page.getByRole('button', { name: 'Use this' }).click()
  await page.waitForURL(/automations\/seq_/)
  await page.getByText('Someone subscribes to email').waitFor()
  await page.getByText('Wait 3 days, until 09:00').waitFor()
  await page.getByText('Nobody has entered yet.').waitFor()
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByText('Who would have entered').waitFor()
  await page.getByText(/checks? passed/).click()
  await page.getByText('Every field has a value or a fallback.').waitFor()
  await assertSound(visit, 'automation-start')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByText('A start is awaiting approval').waitFor()
  await page.getByText('You started it, so another admin or owner has to approve it.').waitFor()
  const path = `/automations/${/seq_\w+/.exec(page.url())?.[0]}`

  await second.page.goto(second.root)
  await second.page.getByText('The automation “Welcome” is awaiting approval').waitFor()
  await second.page.getByRole('link', { name: 'Review', exact: true }).first().click()
  await second.page.getByText('Who would have entered').waitFor()
  await second.page.goto(second.root + path)
  await second.page.getByRole('button', { name: 'Review' }).first().click()
  await second.page.getByRole('button', { name: 'Approve with limits' }).click()
  await second.page.getByLabel('Maximum people per day').fill('50')
  await assertSound(second, 'automation-decision')
  await second.page.getByRole('button', { name: 'Approve and start' }).click()
  await second.page.getByText('Running', { exact: true }).waitFor()
  await second.close()

  await signUp(url)
  const received = (subject: RegExp) =>
    eventually(
      async () =>
        (await inboxOf(bench.testbed.service.url, stranger)).find((mail) =>
          subject.test(mail.subject),
        ),
      (mail) => mail !== undefined,
    )
  await received(/^Welcome to/)
  await page.goto(page.url().replace(/\?.*/, ''))
  await page.getByText('1 person here now').waitFor()
  await assertSoundEverywhere(visit, 'automation-running')

  clock.forward(days(4))
  const mail = await received(/^Where to start at/)
  const leaving = await person(bench.browser)
  await leaving.page.goto(mail?.links.find((link) => link.includes('/u/')) ?? '')
  await leaving.page
    .getByRole('button', { name: /^Unsubscribe/ })
    .first()
    .click()
  await leaving.page.getByRole('status').first().waitFor()
  await leaving.context.close()

  const later = await visitApp(bench, { businesses: [businessId], path: `${path}?tab=person` })
  await later.page.getByRole('button', { name: stranger }).click()
  await later.page.getByText('Entered', { exact: false }).first().waitFor()
  await later.page.getByText('Welcome, second email').waitFor()
  await assertSound(later, 'automation-person')
  await later.close()
  await close()
})
