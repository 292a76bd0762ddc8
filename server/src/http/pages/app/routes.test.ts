/** How the app is served: to whom, with which policy, and with which files. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test, { after, before } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { newMember } from '../../../../../tests/support/clients/grants.ts'
import { type PagesWorld, pagesWorld } from '../../../../../tests/support/clients/pages.ts'
import { type TestDatabase, testDatabase } from '../../../../../tests/support/postgres/database.ts'
import { startSession } from '../../../accounts/sign-in/session.ts'

let database: TestDatabase
let world: PagesWorld
before(async () => {
  database = await testDatabase()
  world = pagesWorld(database.db)
})
after(() => database.drop())

/** The page without the files that it asks the browser to load at once. */
const withoutHints = (body: string) =>
  body
    .split('<link rel="modulepreload"')
    .map((part, place) => (place === 0 ? part : part.slice(part.indexOf('>') + 1).trimStart()))
    .join('')

async function signedIn() {
  const visitor = world.visitor()
  const userId = await newMember(database.db, { businesses: [] })
  const session = await startSession(database.db, userId, world.clock.now())
  visitor.cookies.set('__Host-crier-session', session)
  return visitor
}

/** The files of the built app by their sources. */
function chunks(): Record<string, { file: string }> {
  const manifest = new URL('../../../../../web/dist/.vite/manifest.json', import.meta.url)
  return JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, { file: string }>
}

test('the page of a view has the browser load the view’s own script at once', async () => {
  const visitor = await signedIn()
  const bodies = await Promise.all(
    ['/b/bus_x', '/b/bus_x/contacts?q=1', '/b/bus_x/nothing'].map((at) => visitor.get(at)),
  )
  const hinted = (name: string) => {
    const file = chunks()[`src/pages/${name}/${name}.tsx`]?.file
    return bodies.map(({ body }) => body.includes(`/assets/app/${file}`))
  }
  assert.deepEqual(hinted('contacts'), [false, true, false])
  assert.deepEqual(hinted('home'), [true, false, false])
})

test('the page of a view has the browser load its texts in the language of the person at once', async () => {
  const visitor = await signedIn()
  const hinted = async (headers: Record<string, string>) => {
    const { body } = await visitor.get('/b/bus_x/forms', headers)
    return ['shell', 'forms', 'home'].map((part) =>
      body.includes(`href="/assets/app/${chunks()[`src/words/de/${part}.ts`]?.file}"`),
    )
  }
  assert.deepEqual(await hinted({ 'accept-language': 'de-AT, en' }), [true, true, false])
  assert.deepEqual(await hinted({ 'accept-language': 'en' }), [false, false, false])
  visitor.cookies.set('crier-language', 'de')
  assert.deepEqual(await hinted({ 'accept-language': 'en' }), [true, true, false])
})

test('the app page is the same at every address, is not cached, and has a strict security policy', async () => {
  const visitor = await signedIn()
  const root = await visitor.get('/b')
  const deep = await visitor.get('/b/bus_x/contacts/y?q=1')
  assert.deepEqual([root.status, deep.status], [200, 200])
  assert.equal(withoutHints(root.body), withoutHints(deep.body))
  assert.equal(root.headers['cache-control'], 'no-store')
  const policy = String(root.headers['content-security-policy'])
  assert.match(
    policy,
    /default-src 'none'.*script-src 'self'.*style-src 'self'.*frame-ancestors 'none'/,
  )
  // Pictures of mail have one address of their own, for all businesses.
  const others = policy.replace(/ https:\/\/[a-z.]+\/images\//, '')
  assert.doesNotMatch(others, /unsafe|https?:|\*/)
  assert.doesNotMatch(root.body, /<script(?![^>]* src=)|<style| style=/)
})

test('a visitor without a session is sent to sign in, and then back to the address with its filters', async () => {
  const visitor = world.visitor()
  const asked = await visitor.get('/b/bus_x/contacts?q=ana&filter=%7B%22tag%22%3A%22vip%22%7D')
  assert.equal(asked.status, 303)
  const login = await visitor.get(asked.to ?? '')
  const next = login.forms[0]?.fields.find(({ name }) => name === 'next')?.value
  assert.equal(
    next,
    '/b/bus_x/contacts?q=ana&amp;filter=%7B%22tag%22%3A%22vip%22%7D'.replace('&amp;', '&'),
  )
  for (const elsewhere of [
    '/b//evil.example\\',
    '/b/"><script>',
    `/b/${'x'.repeat(2_000)}`,
    '/bad',
  ]) {
    const shown = await visitor.get(`/login?next=${encodeURIComponent(elsewhere)}`)
    const kept = shown.forms[0]?.fields.find(({ name }) => name === 'next')?.value
    assert.equal(kept, '/b', elsewhere)
  }
})

test('app files are cached for ever, compressed where accepted, and limited to those that were built', async () => {
  const visitor = await signedIn()
  const { body } = await visitor.get('/b')
  const [, script = ''] = /src="(\/assets\/app\/[\w-]+\.js)"/.exec(body) ?? []
  const plain = await visitor.get(script)
  assert.equal(plain.status, 200)
  assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.match(String(plain.headers['content-type']), /^text\/javascript/)
  for (const [accepted, encoding, unpack] of [
    ['gzip, deflate', 'gzip', gunzipSync],
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
  ] as const) {
    const packed = await world.app.inject({ url: script, headers: { 'accept-encoding': accepted } })
    assert.equal(packed.headers['content-encoding'], encoding)
    assert.equal(unpack(packed.rawPayload).toString(), plain.body)
  }
  const manifest = new URL('../../../../../web/dist/.vite/manifest.json', import.meta.url)
  const fonts = [...readFileSync(manifest, 'utf8').matchAll(/"file": "(inter-latin-wght[^"]+)"/g)]
  const font = await visitor.get(`/assets/app/${fonts[0]?.[1]}`)
  assert.equal(font.headers['content-type'], 'font/woff2')
  for (const other of ['index.html', '..%2fpackage.json', '.vite%2fmanifest.json', 'x.js']) {
    assert.equal((await visitor.get(`/assets/app/${other}`)).status, 404, other)
  }
})
