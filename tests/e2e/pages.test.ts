import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { startSession } from 'crier-server/accounts/sign-in/session.ts'
import { setupLink } from 'crier-server/accounts/sign-in/setup.ts'
import { findOrSignUpUser } from 'crier-server/accounts/sign-in/sign-up.ts'
import type { Id } from 'crier-server/core/ids.ts'
import type { Page } from 'playwright-core'
import { inboxOf, newPerson } from '../support/clients/sign-in.ts'
import { withoutBrowser } from '../support/processes/chromium.ts'
import { type Service, startService } from '../support/processes/service.ts'
import { faultsOf, launch, type OpenBrowser, person, picture, type Theme } from './browser.ts'
import { waitingClient } from './client.ts'

const skip = withoutBrowser

let service: Service
let browser: OpenBrowser
let setupUrl: string
before(async () => {
  if (skip) return
  service = await startService()
  setupUrl = (await setupLink(service, service.config, new Date())) ?? ''
  browser = await launch()
})
after(async () => {
  await browser?.close()
  await service?.close()
})

const hosted = 'https://claude.ai/api/mcp/auth_callback'

/** Checks an open page; the name is that of its picture. */
type Look = (name: string, page: Page) => Promise<void>

/** Every page, in the order in which one person sees them. */
async function tour(page: Page, other: Page, look: Look): Promise<void> {
  const client = await waitingClient(service.url, { redirectUri: hosted })
  await page.goto(setupUrl)
  await look('setup', page)
  await page.goto(client.authorizeUrl)
  await look('authorize', page)
  await page.locator('form').evaluate((form: HTMLFormElement) => {
    form.noValidate = true
  })
  await page.getByLabel('Your email address').fill('nonsense@')
  await page.getByRole('button', { name: 'Email me a link' }).click()
  await page.getByRole('alert').waitFor()
  await look('authorize-fault', page)
  const email = newPerson('ana')
  await page.getByLabel('Your email address').fill(email)
  await page.getByRole('button', { name: 'Email me a link' }).click()
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  await look('mail-sent', page)
  await other.goto(await linkTo(email))
  await look('other-browser', other)

  await page.goto(`${service.url}/inbox`)
  await look('inbox', page)
  await page.getByRole('link', { name: 'Confirm the connection' }).first().click()
  for (const view of ['HTML', 'Text', 'Headers', 'Source']) {
    await page.getByRole('link', { name: view, exact: true }).click()
    await look(`inbox-${view.toLowerCase()}`, page)
  }
  for (const path of ['/login', '/', '/mcp', `/sign-in/${'x'.repeat(43)}`]) {
    await page.goto(service.url + path)
    await look({ '/login': 'login', '/': 'home', '/mcp': 'connect' }[path] ?? 'error', page)
  }

  await page.context().addCookies([await sessionCookie(email)])
  await page.goto(`${service.url}/account/invitations`)
  await look('invitations-empty', page)
  await page.goto(service.url)
  await look('home-signed-in', page)
  await page.goto(client.authorizeUrl)
  await look('authorize-signed-in', page)
  await client.close()
}

for (const theme of ['light', 'dark'] as Theme[]) {
  test(`every page is accessible and violates no content security policy, ${theme}`, {
    skip,
  }, async () => {
    const first = await person(browser, { theme, script: true })
    const second = await person(browser, { theme, script: true })
    const faults: string[] = []
    try {
      await tour(first.page, second.page, async (name, page) => {
        await picture(page, `${name}-${theme}`)
        faults.push(...(await faultsOf(page)))
      })
      assert.deepEqual(faults, [])
      // A refused form and a dead link return 4xx, which the console also reports.
      const said = [...first.complaints, ...second.complaints]
      assert.deepEqual(
        said.filter((text) => !/status of 4\d\d/.test(text)),
        [],
      )
    } finally {
      await first.context.close()
      await second.context.close()
    }
  })
}

test('no page scrolls sideways on a phone', { skip }, async () => {
  const phone = { width: 390, script: true }
  const first = await person(browser, phone)
  const second = await person(browser, phone)
  try {
    await tour(first.page, second.page, async (name, page) => {
      await picture(page, `${name}-phone`)
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      assert.ok(excess <= 0, `${name} is ${excess} px too wide`)
    })
  } finally {
    await first.context.close()
    await second.context.close()
  }
})

test('these tests detect a page that violates its content security policy', { skip }, async () => {
  const { context, page, complaints } = await person(browser, { script: true })
  try {
    await page.goto(`${service.url}/login`)
    await page.evaluate(() => {
      const style = document.createElement('style')
      style.textContent = 'body { color: #ddd }'
      document.body.append(style)
    })
    await page.evaluate(() => new Promise((done) => setTimeout(done)))
    assert.match(complaints.join('\n'), /Content Security Policy/)
  } finally {
    await context.close()
  }
})

async function linkTo(email: string): Promise<string> {
  for (;;) {
    const [mail] = await inboxOf(service.url, email)
    const [link] = mail?.links ?? []
    if (link) return link
    await new Promise((wake) => setTimeout(wake, 20))
  }
}

async function userOf(email: string): Promise<Id<'user'>> {
  const user = await service.db.tx((tx) => findOrSignUpUser(tx, service.config, email, new Date()))
  return user.id
}

async function sessionCookie(email: string) {
  const value = await startSession(service.db, await userOf(email), new Date())
  return { name: 'crier-session', value, url: service.url }
}
