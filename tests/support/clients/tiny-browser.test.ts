import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { formsOf, type Page, TinyBrowser } from './tiny-browser.ts'

const page = (body: string, headers: Record<string, string> = {}): Page => ({
  url: 'http://localhost:1/authorize?a=1',
  status: 200,
  headers: new Headers(headers),
  body,
})

test('the test browser reads a form as a real browser would submit it', () => {
  const [form] = formsOf(
    page(`<form method=post action="/consent?x=1&amp;y=2">
      <input type="hidden" name="state" value="a &quot;b&quot; &#233;">
      <input type=checkbox name=grant value="forms:read" checked>
      <input type='checkbox' name='grant' value='forms:write'>
      <input name="gone" value="1" disabled>
      <button type="submit">Send</button>
    </form>`),
  )
  assert.equal(form?.action, 'http://localhost:1/consent?x=1&y=2')
  assert.equal(form?.method, 'POST')
  assert.deepEqual(form?.fields, [
    { name: 'state', type: 'hidden', value: 'a "b" é', checked: false },
    { name: 'grant', type: 'checkbox', value: 'forms:read', checked: true },
    { name: 'grant', type: 'checkbox', value: 'forms:write', checked: false },
  ])
})

test('a form without an action is submitted to its own page by GET', () => {
  const [form] = formsOf(page('<form><input name=q value=1></form>'))
  assert.equal(form?.action, 'http://localhost:1/authorize?a=1')
  assert.equal(form?.method, 'GET')
})

test('a page with the policy no-referrer posts with the Origin null', () => {
  const html = '<form method=post></form>'
  assert.equal(formsOf(page(html))[0]?.origin, 'http://localhost:1')
  assert.equal(formsOf(page(html, { 'referrer-policy': 'no-referrer' }))[0]?.origin, 'null')
})

test('cookies are sent back to their origin and deleted when the server expires them', async (t) => {
  const url = await serve(t, (request, response) => {
    if (request.url === '/set') response.setHeader('set-cookie', ['a=1; HttpOnly', 'b=2; Path=/'])
    if (request.url === '/end') response.setHeader('set-cookie', 'a=; Max-Age=0')
    response.end(request.headers.cookie ?? 'none')
  })
  const browser = new TinyBrowser()
  assert.equal((await browser.open(`${url}/set`)).body, 'none')
  assert.equal((await browser.open(`${url}/`)).body, 'a=1; b=2')
  await browser.open(`${url}/end`)
  assert.equal((await browser.open(`${url}/`)).body, 'b=2')
})

test('a redirect within the origin is followed, and one to another origin is not', async (t) => {
  const url = await serve(t, (request, response) => {
    if (request.url === '/here') response.writeHead(303, { location: '/there' })
    if (request.url === '/away') response.writeHead(302, { location: 'http://127.0.0.1:9/' })
    response.end(request.url)
  })
  const browser = new TinyBrowser()
  assert.equal((await browser.open(`${url}/here`)).body, '/there')
  assert.equal((await browser.open(`${url}/away`)).status, 302)
})

async function serve(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
