/**
 * Texts of strangers on every page: names, subjects, answers, clients and mail that would run a
 * script, load something or lead away. Nothing runs, nothing becomes markup, and nothing leaves.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import test, { after, before } from 'node:test'
import { startSession } from 'crier-server/accounts/sign-in/session.ts'
import { formatId } from 'crier-server/core/ids.ts'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { person } from '../browser.ts'
import { waitingClient } from '../client.ts'
import { type AppBench, openAppBench } from './app.ts'
import { type HostileBusiness, hostileBusiness, hostileTexts, kinds } from './hostile-business.ts'
import { everyPlace } from './places.ts'
import { servedPages } from './served-pages.ts'
import { type Stillness, stillness } from './still.ts'

const skip = withoutBrowser

let bench: AppBench
/** The stranger's server: whoever asks it for anything but the webhook’s path has left. */
let stranger: Server
let lure: string
const left: string[] = []
let hostile: HostileBusiness
let page: Page
let stay: Stillness
const dialogs: string[] = []
/** The kinds of hostile text that some page has shown. */
const seen = new Set<string>()

before(async () => {
  if (skip) return
  stranger = createServer((request, response) => {
    if (!request.url?.startsWith('/hook')) left.push(request.url ?? '')
    response.statusCode = 500
    response.end(hostileTexts(lure).line('hook'))
  }).listen(0, '127.0.0.1')
  await once(stranger, 'listening')
  const { port } = stranger.address() as AddressInfo
  lure = `http://127.0.0.1:${port}`
  bench = await openAppBench({ settings: { OUTBOUND_ALLOW: `127.0.0.1/32:${port}` } })
  const { testbed, browser } = bench
  hostile = await hostileBusiness(testbed, hostileTexts(lure), lure)
  const opened = await person(browser, { script: true, width: 1280 })
  page = opened.page
  const value = await startSession(testbed.db, hostile.userId, new Date())
  await opened.context.addCookies([{ name: 'crier-session', value, url: testbed.service.url }])
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    dialog.dismiss().catch(() => {})
  })
  stay = stillness(page)
})
after(async () => {
  await bench?.close()
  stranger?.closeAllConnections()
  stranger?.close()
})

/** Opens a page, and asserts that nothing of a text came to life on it. */
async function look(place: string, isMail = false): Promise<void> {
  await stay.open(new URL(place, bench.testbed.service.url).href)
  // A drawer is loaded once the page below it is drawn.
  if (place.includes('/contacts?open=')) {
    await page.getByRole('dialog').getByRole('heading', { name: 'Consent' }).waitFor()
    await stay.still()
  }
  await assertHarmless(place, isMail)
}

async function assertHarmless(place: string, isMail = false): Promise<void> {
  const found = await page.evaluate(
    ([origin, words]) => {
      const all = [...document.querySelectorAll('*')]
      const isAlive = (element: Element) =>
        element.getAttributeNames().some((name) => name.startsWith('on')) ||
        element.getAttribute('href')?.startsWith('javascript:') === true ||
        [
          element.getAttribute('src'),
          element.getAttribute('href'),
          element.getAttribute('action'),
        ].some((target) => target?.startsWith(origin) === true)
      const fields = all.map((element) => ('value' in element ? String(element.value) : ''))
      const text = [document.body.textContent, document.title, ...fields].join('\n')
      return {
        ran: 'owned' in globalThis,
        alive: all.filter(isAlive).map((element) => element.outerHTML.slice(0, 200)),
        texts: words.filter(
          (word) => text.includes(`${word}"><img`) || text.includes(`${word}\\"><img`),
        ),
      }
    },
    [lure, kinds] as const,
  )
  for (const text of found.texts) seen.add(text)
  assert.ok(!found.ran, `${place}: a script ran`)
  if (!isMail) assert.deepEqual(found.alive, [], `${place}: a text became markup`)
  assert.deepEqual(dialogs, [], `${place}: a script asked`)
  assert.deepEqual(left, [], `${place}: a request left`)
  assert.equal(new URL(page.url()).origin, bench.testbed.service.url, `${place} led away`)
}

test('the stranger’s server notices a request', { skip }, async () => {
  await fetch(`${lure}/here`)
  assert.deepEqual(left.splice(0), ['/here'])
})

test('hostile texts run nothing, load nothing and become no markup on any page of the app', {
  skip,
}, async (t) => {
  const root = `/b/${formatId('business', hostile.id)}`
  const places = everyPlace(hostile.objects)
  for (const { path } of places) await look(root + path)
  await look(`${root}/webhooks`)
  await page.getByRole('button', { name: 'contact.created', exact: false }).first().click()
  await page.getByRole('dialog').getByText('"response"').first().waitFor()
  await assertHarmless('the attempt of a webhook')
  t.diagnostic(`${places.length + 1} pages`)
})

test('hostile texts run nothing, load nothing and become no markup on the pages that the service renders', {
  skip,
}, async (t) => {
  const client = await waitingClient(bench.testbed.service.url, {
    name: hostileTexts(lure).line('client', 100),
    redirectUri: 'https://claude.ai/api/mcp/auth_callback',
  })
  await look(client.authorizeUrl)
  await client.close()
  const pages = servedPages(bench.testbed.service, hostile)
  for (const { path, isMail } of pages) await look(path, isMail)
  t.diagnostic(`${pages.length + 1} pages`)
})

test('each kind of hostile text was shown on some page, as text', { skip }, () => {
  assert.deepEqual(
    kinds.filter((kind) => !seen.has(kind)),
    [],
  )
})
