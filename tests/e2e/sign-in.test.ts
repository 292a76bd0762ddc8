import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { inboxOf, newPerson } from '../support/clients/sign-in.ts'
import { withoutBrowser } from '../support/processes/chromium.ts'
import { type Service, startService } from '../support/processes/service.ts'
import { launch, type OpenBrowser, person } from './browser.ts'
import { codeVerifier, waitingClient } from './client.ts'

const skip = withoutBrowser

let service: Service
let browser: OpenBrowser
before(async () => {
  if (skip) return
  service = await startService()
  browser = await launch()
})
after(async () => {
  await browser?.close()
  await service?.close()
})

/** The link in the newest mail to an address, once it has arrived. */
async function linkTo(email: string): Promise<string> {
  for (;;) {
    const [mail] = await inboxOf(service.url, email)
    const [link] = mail?.links ?? []
    if (link) return link
    await new Promise((wake) => setTimeout(wake, 20))
  }
}

async function askForLink(page: Page, url: string): Promise<string> {
  const email = newPerson()
  await page.goto(url)
  await page.getByLabel('Your email address').fill(email)
  await page.getByRole('button', { name: 'Email me a link' }).click()
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  return email
}

test('a user connects a client through a sign-in mail, by keyboard alone and without script', {
  skip,
}, async () => {
  const client = await waitingClient(service.url)
  const { context, page, complaints } = await person(browser)
  try {
    await page.goto(client.authorizeUrl)
    const email = newPerson()
    await page.getByRole('checkbox', { name: /Send email/ }).focus()
    await page.keyboard.press('Space')
    while (!(await page.getByLabel('Your email address').evaluate(isFocused))) {
      await page.keyboard.press('Tab')
    }
    await page.keyboard.type(email)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    await page.goto(await linkTo(email))
    const query = await client.callback()
    assert.equal(query.get('state'), 'of-the-client')
    assert.equal(query.get('iss'), service.url)
    assert.match(query.get('code') ?? '', /^[\w-]{43}$/)
    assert.equal(await page.getByRole('heading').textContent(), 'Back at the client')
    assert.deepEqual(complaints, [])
  } finally {
    await context.close()
    await client.close()
  }
})

const isFocused = (element: Element) => element === document.activeElement

test('a sign-in link opened in another browser leads to the client with one button, through its redirects', {
  skip,
}, async () => {
  const elsewhere = await waitingClient(service.url)
  const client = await waitingClient(service.url, { goesOnTo: `${elsewhere.origin}/done` })
  const laptop = await person(browser)
  const phone = await person(browser, { width: 390 })
  try {
    const email = await askForLink(laptop.page, client.authorizeUrl)
    await phone.page.goto(await linkTo(email))
    await phone.page.getByRole('button', { name: 'Connect' }).click()
    await client.callback()
    await phone.page.waitForURL(`${elsewhere.origin}/done`)
    assert.deepEqual(phone.complaints, [], 'form-action must not stop what follows the form')
  } finally {
    await laptop.context.close()
    await phone.context.close()
    await client.close()
    await elsewhere.close()
  }
})

test('for a hosted callback, the other browser must enter the code shown in the first', {
  skip,
}, async () => {
  const redirectUri = 'https://claude.ai/api/mcp/auth_callback'
  const client = await waitingClient(service.url, { redirectUri })
  const laptop = await person(browser)
  const phone = await person(browser, { width: 390 })
  const reached: string[] = []
  await phone.context.route('https://claude.ai/**', (route) => {
    reached.push(route.request().url())
    return route.fulfill({ contentType: 'text/html', body: '<title>Claude</title>' })
  })
  try {
    const email = await askForLink(laptop.page, client.authorizeUrl)
    const code = (await laptop.page.locator('.digits').textContent()) ?? ''
    await phone.page.goto(await linkTo(email))
    await phone.page.getByLabel('Code from the first tab').fill('000 000')
    await phone.page.getByRole('button', { name: 'Connect' }).click()
    await phone.page.getByRole('alert').waitFor()
    await phone.page.getByLabel('Code from the first tab').fill(code)
    await phone.page.getByRole('button', { name: 'Connect' }).click()
    await phone.page.waitForURL('https://claude.ai/**')
    assert.match(reached[0] ?? '', /\?code=[\w-]{43}&state=of-the-client&iss=/)
  } finally {
    await laptop.context.close()
    await phone.context.close()
    await client.close()
  }
})

test('a signed-in user connects a client with one press, and signs out', {
  skip,
}, async () => {
  const client = await waitingClient(service.url, { name: 'My <i>helper</i>' })
  const { context, page, complaints } = await person(browser)
  try {
    const email = await askForLink(page, `${service.url}/login`)
    await page.goto(await linkTo(email))
    // A new person names their business first, in the app.
    await page.waitForURL(/\/b\/bus_\w+\/settings$/)
    await page.goto(client.authorizeUrl)
    await page.getByRole('button', { name: `Continue as ${email}` }).click()
    await page.getByRole('heading', { name: 'Back at the client' }).waitFor()
    await exchange(client.authorizeUrl, (await client.callback()).get('code') ?? '')

    await page.goto(service.url)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    assert.deepEqual(complaints, [])
  } finally {
    await context.close()
    await client.close()
  }
})

async function exchange(authorizeUrl: string, code: string): Promise<void> {
  const asked = new URL(authorizeUrl).searchParams
  const answer = await fetch(`${service.url}/functions/v1/mcp-oauth`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      client_id: asked.get('client_id') ?? '',
      redirect_uri: asked.get('redirect_uri') ?? '',
      code_verifier: codeVerifier,
    }),
  })
  assert.equal(answer.status, 200, await answer.text())
}

test('a user who declines sends the client access_denied', { skip }, async () => {
  const client = await waitingClient(service.url)
  const { context, page } = await person(browser)
  try {
    await page.goto(client.authorizeUrl)
    await page.getByRole('link', { name: 'Cancel' }).click()
    assert.equal((await client.callback()).get('error'), 'access_denied')
  } finally {
    await context.close()
    await client.close()
  }
})
