/** Reactions to a message, as people make them: in a real browser, from the built-in inbox. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { suppressionsOf } from 'crier-server/contacts/suppressions/suppression.ts'
import type { Id } from 'crier-server/core/ids.ts'
import type { Page } from 'playwright-core'
import { type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import { inboxOf, newPerson } from '../support/clients/sign-in.ts'
import type { ToolCaller } from '../support/clients/tool-caller.ts'
import { withoutBrowser } from '../support/processes/chromium.ts'
import { eventually } from '../support/time/eventually.ts'
import {
  faultsOf,
  type Look,
  launch,
  type OpenBrowser,
  person,
  picture,
  turnTo,
} from './browser.ts'

const skip = withoutBrowser

let testbed: OwnTestbed
let browser: OpenBrowser
before(async () => {
  if (skip) return
  testbed = await openTestbed()
  browser = await launch()
})
after(async () => {
  await browser?.close()
  await testbed?.close()
})

interface Sent {
  owner: ToolCaller
  businessId: Id<'business'>
  to: string
  messageId: string
  /** The message's page in the inbox. */
  url: string
  /** The unsubscribe link in the message's text. */
  way: string
  /** The link to the view in the browser, where the mail has one. */
  view: string
}

const html =
  '<h1>News</h1><p><a href="https://shop.test/a">A</a> <a href="https://shop.test/b">B</a></p>'

/** Sends a mailing to a subscriber; it is in the inbox when this returns. */
async function mailing(more: object = {}): Promise<Sent> {
  const to = newPerson()
  const { businessId, owner } = await testbed.someone()
  const consent = { email: { status: 'subscribed', source: 'a form' } }
  await owner.get('contact.upsert', { email: to, consent })
  const words = { to, subject: 'News', html, kind: 'marketing', ...more }
  const sent = await owner.get<{ message_id: string }>('email.send', words)
  const [mail] = await eventually(
    () => inboxOf(testbed.service.url, to),
    ({ length }) => length > 0,
  )
  const url = `${testbed.service.url}/inbox/${mail?.id}`
  const linkTo = (path: string) => mail?.links.find((link) => link.includes(path)) ?? ''
  const links = { way: linkTo('/u/'), view: linkTo('/v/') }
  return { owner, businessId, to, messageId: sent.message_id, url, ...links }
}

/** The message's first event of this type, once there is one. */
async function eventsOf({ owner, messageId }: Sent, type: string) {
  const { events } = await eventually(
    () =>
      owner.get<{ events: { type: string; machine?: boolean; untrusted?: { url?: string } }[] }>(
        'message.get',
        {
          message_id: messageId,
        },
      ),
    (shown) => shown.events.some((event) => event.type === type),
  )
  return events.find((event) => event.type === type)
}

async function suppressedFor({ businessId, to }: Sent) {
  const { hmac } = testbed.service.vault
  const found = await suppressionsOf(testbed.db, hmac, businessId, { email: to, phone: null })
  return found.map(({ reason }) => reason)
}

async function press(page: Page, url: string, button: string, says: RegExp): Promise<void> {
  await page.goto(url)
  await page.getByRole('button', { name: button }).click()
  await page.getByRole('status').filter({ hasText: says }).waitFor()
}

test('the buttons of the inbox simulate a remote server’s events', { skip }, async () => {
  const { context, page } = await person(browser)
  // Chromium identifies itself as headless, and would count as a machine.
  await page.setExtraHTTPHeaders({ 'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox/145.0' })
  try {
    const read = await mailing()
    await press(page, read.url, 'Open it', /was opened/)
    assert.equal((await eventsOf(read, 'opened'))?.machine, false)
    await press(page, read.url, 'Click its first link', /was clicked/)
    const click = await eventsOf(read, 'clicked')
    assert.deepEqual([click?.untrusted?.url, click?.machine], ['https://shop.test/a', false])
    await press(page, read.url, 'Bounce it', /bounced/)
    assert.ok(await eventsOf(read, 'bounced'))
    assert.deepEqual(await suppressedFor(read), ['bounce'])
    const hated = await mailing()
    await press(page, hated.url, 'Complain about it', /complained/)
    assert.ok(await eventsOf(hated, 'complained'))
    assert.deepEqual(await suppressedFor(hated), ['complaint'])
  } finally {
    await context.close()
  }
})

test('the view in the browser runs nothing that the mail brings, and its links work', {
  skip,
}, async () => {
  const { context, page } = await person(browser, { script: true })
  const asked: string[] = []
  try {
    await context.route('https://shop.test/**', (route) => {
      asked.push(route.request().url())
      return route.fulfill({ contentType: 'text/html', body: '<h1>The shop</h1>' })
    })
    const hostile =
      '<script>document.title = "ran"</script><iframe src="https://shop.test/frame"></iframe><form action="https://shop.test/form"><button>Send</button></form>'
    const own = `<style>h1{color:#123456}</style><p><a href="{{ view_url }}">View in browser</a></p>${hostile}`
    const sent = await mailing({ html: own + html, variables: {} })
    await page.goto(sent.view)
    const title = page.getByRole('heading', { name: 'News' })
    assert.equal(await title.evaluate((it) => getComputedStyle(it).color), 'rgb(18, 52, 86)')
    await picture(page, 'mail-view')
    await page.getByRole('button', { name: 'Send' }).click()
    assert.equal(page.url(), sent.view)
    assert.notEqual(await page.title(), 'ran')
    assert.deepEqual(asked, [])
    // A redirection is not led to the route in every Chromium, but each tells of its request.
    const arrival = page.waitForRequest('https://shop.test/a')
    await page.getByRole('link', { name: 'A', exact: true }).click()
    assert.ok((await arrival).isNavigationRequest())
  } finally {
    await context.close()
  }
})

test('a recipient unsubscribes with one press, without script', { skip }, async () => {
  const { context, page } = await person(browser)
  try {
    const sent = await mailing()
    const mailings = page.getByRole('checkbox', { name: 'Send me news' })
    await page.goto(sent.way)
    await page.getByRole('button', { name: 'Unsubscribe' }).click()
    await page.getByRole('status').filter({ hasText: 'no more marketing' }).waitFor()
    assert.equal(await mailings.isChecked(), false)
    const again = { to: sent.to, subject: 'More', html, kind: 'marketing' }
    assert.equal((await sent.owner.call('email.send', again)).kind, 'refusal')
    await mailings.check()
    await page.getByRole('button', { name: 'Save my choice' }).click()
    await page.getByRole('status').filter({ hasText: 'saved' }).waitFor()
    assert.equal(await mailings.isChecked(), true)
    await sent.owner.get('email.send', again)
  } finally {
    await context.close()
  }
})

const looks: readonly Look[] = (['light', 'dark'] as const).flatMap((theme) =>
  [1280, 390].map((width) => ({ theme, width })),
)

test('the recipient pages are accessible in each theme and width, and violate no policy', {
  skip,
}, async () => {
  const { context, page, complaints } = await person(browser, { script: true })
  try {
    const sent = await mailing()
    const faults: string[] = []
    const look = async (name: string) => {
      for (const each of looks) {
        await turnTo(page, each)
        await picture(page, `${name}-${each.theme}-${each.width}`)
        faults.push(
          ...(await faultsOf(page)).map((fault) => `${each.theme}, ${each.width}: ${fault}`),
        )
      }
    }
    await page.goto(sent.way)
    await look('preferences')
    await page.getByRole('button', { name: 'Unsubscribe' }).click()
    await page.getByRole('status').waitFor()
    await look('unsubscribed')
    await press(page, sent.url, 'Open it', /was opened/)
    await look('inbox-actions')
    await page.goto(`${testbed.service.url}/u/nonsense`)
    await look('no-such-link')
    await page.goto(`${testbed.service.url}/c/nonsense`)
    await page.getByText('This link does not work').first().waitFor()
    await look('no-such-click')
    await page.goto(`${testbed.service.url}/u/test`)
    await look('link-of-a-test')
    await page.goto(`${testbed.service.url}/sign-in/nonsense`)
    await page.getByText('This link does not work').first().waitFor()
    await page.getByRole('link', { name: 'Go to sign-in' }).waitFor()
    await look('no-such-sign-in')
    assert.deepEqual(faults, [])
    // The inbox loads no images of a mail, so opening it needs the button.
    const expected = /status of 4\d\d|^Loading the image '[^']+\/o\//
    assert.deepEqual(
      complaints.filter((text) => !expected.test(text)),
      [],
    )
  } finally {
    await context.close()
  }
})

test('the recipient pages do not scroll sideways on a phone', { skip }, async () => {
  const { context, page } = await person(browser, { width: 360, script: true })
  try {
    const sent = await mailing()
    for (const url of [sent.way, sent.url]) {
      await page.goto(url)
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      assert.ok(excess <= 0, `${excess} px too wide`)
    }
  } finally {
    await context.close()
  }
})
