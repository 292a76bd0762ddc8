import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { catalog } from '../../../../tests/operations/support/testbed.ts'
import { type Service, startService } from '../../../../tests/support/processes/service.ts'
import { writtenPage } from '../../reference/guides/written.ts'
import { anchorsOf } from '../../reference/html.ts'

let service: Service
before(async () => {
  service = await startService({ idle: true })
})
after(() => service.close())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(service.url + path, { headers })

test('every link in the reference leads to an existing page or anchor', async () => {
  const seen = new Map<string, string>()
  const waiting = ['/docs', '/openapi.json', '/llms.txt']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue
    const answer = await get(path)
    assert.equal(answer.status, 200, path)
    const html = await answer.text()
    seen.set(path, html)
    if (!answer.headers.get('content-type')?.startsWith('text/html')) continue
    for (const [, href = ''] of html.matchAll(/href="([^"]+)"/g)) {
      const { pathname, hash, origin } = new URL(href, service.url + path)
      if (origin !== service.url) continue
      waiting.push(pathname)
      const target = pathname === path ? html : ''
      if (hash && target) assert.ok(target.includes(`id="${hash.slice(1)}"`), `${path}: ${href}`)
    }
  }
  for (const { name } of catalog) {
    assert.ok(seen.has(`/docs/operations/${name}`), name)
    assert.ok(seen.has(`/docs/operations/${name}.md`), name)
  }
})

test('the guides for owners are served as pages, with links among themselves', async () => {
  const page = await (await get('/docs/help/forms')).text()
  assert.match(page, /<h1>Put a form on your site<\/h1>/)
  assert.match(page, /<h2 id="by-one-script-tag">/)
  assert.match(page, /<table>/)
  assert.match(page, /href="\/docs\/help\/[a-z-]+"/)
  assert.equal((await get('/docs/help/none')).status, 404)
})

test('what a guide has no page for is shown as text, and bold words keep their marks', () => {
  const { title, about, keywords, blocks } = writtenPage(
    'docs/guides/a.md',
    '# A\n\n<!-- search: other words -->\n\nSee [b](b.md#c) and\n**[d](../design/d.md)**.\n\n![E](../pictures/e.png)\n\n1. One\n   more\n2. Two\n\n   ```json\n   {}\n   ```\n3. Three\n\n### Small\n\n```bash no-run: x\n- ls\n```',
  )
  assert.deepEqual([title, about, keywords], ['A', 'See [b](help/b#c) and **d**.', 'other words'])
  assert.deepEqual(blocks, [
    { kind: 'picture', name: 'e.png', alt: 'E' },
    { kind: 'list', ordered: true, start: 1, items: ['One more', 'Two'] },
    { kind: 'code', language: 'json', code: '{}' },
    { kind: 'list', ordered: true, start: 3, items: ['Three'] },
    { kind: 'heading', text: 'Small', within: true },
    { kind: 'code', language: 'sh', code: '- ls' },
  ])
})

test('links of operators’ pages lead to pages of the service, and headings with the same words differ', () => {
  const { path, blocks } = writtenPage(
    'docs/operate/mail.md',
    '# Mail\n\nFirst.\n\n[A](relays.md#profiles) [B](README.md) [C](../guides/smtp.md) [D](#here)\n\n## Same\n\n## Same',
  )
  assert.equal(path, 'operate/mail')
  assert.deepEqual(blocks[0], {
    kind: 'text',
    text: '[A](operate/relays#profiles) [B](operate) [C](help/smtp) [D](#here)',
  })
  const page = { path, title: '', about: '', blocks }
  assert.deepEqual([...anchorsOf(page).values()], ['same', 'same-1'])
})

test('the search answers without a script, escapes the query, and the changelog is a feed', async () => {
  const found = await (await get('/docs/search?q=verify+webhook+signature')).text()
  assert.match(
    found,
    /<ol class="found"><li><a href="\/docs\/(?:guides\/webhooks|help\/receiving-webhooks)/,
  )
  const none = await get('/docs/search?q=%3Cscript%3Eqqq')
  assert.equal(none.status, 200)
  assert.match(await none.text(), /Nothing matches “&lt;script&gt;qqq”/)
  assert.equal((await get('/docs/search?q=a&q=b')).status, 200)
  const feed = await get('/docs/changelog.xml')
  assert.equal(feed.headers.get('content-type'), 'application/rss+xml; charset=utf-8')
  assert.match(await feed.text(), /<item><title>Crier v1\.1\.0<\/title>/)
})

test('scripts of the documentation are served for ever, and nothing else is beside them', async () => {
  const page = await (await get('/docs')).text()
  const [, script = ''] = /<script src="([^"]+)" defer>/.exec(page) ?? []
  const folder = script.slice(0, script.lastIndexOf('/'))
  for (const path of [script, `${folder}/ranking.js`, `${folder}/minisearch.js`]) {
    const answer = await get(path)
    assert.equal(answer.status, 200, path)
    assert.match(answer.headers.get('cache-control') ?? '', /immutable/)
    assert.doesNotMatch(await answer.text(), /sourceMappingURL/)
  }
  assert.equal((await get(`${folder}/package.json`)).status, 404)
})

test('the links of Markdown pages and of llms.txt lead to existing pages', async () => {
  const llms = await (await get('/llms.txt')).text()
  const twins = [...llms.matchAll(/\((http[^)]+\.md)\)/g)].map(([, url = '']) => url)
  assert.ok(twins.length > catalog.length + 13 + 7)
  for (const twin of twins) {
    const answer = await fetch(twin)
    assert.equal(answer.headers.get('content-type'), 'text/markdown; charset=utf-8', twin)
    const text = await answer.text()
    for (const [, link = ''] of text.matchAll(/\]\(((?!http)[^)]+\.md)/g)) {
      assert.equal((await fetch(new URL(link, twin))).status, 200, `${twin}: ${link}`)
    }
  }
})

test('the pages show the addresses and the slug of this installation', async () => {
  const named = await startService({
    idle: true,
    settings: { SERVICE_SLUG: 'acme', GATEWAY_URL: 'https://rest.example.com' },
  })
  try {
    const page = await (await fetch(`${named.url}/docs/operations/form.list.md`)).text()
    assert.match(page, /acme\.v1\.form\.list/)
    assert.match(page, /curl 'https:\/\/rest\.example\.com\/v1\/forms/)
    const document = await (await fetch(`${named.url}/openapi.json`)).text()
    assert.match(document, /"servers":\[\{"url":"https:\/\/rest\.example\.com"\}\]/)
    assert.match(document, /x-acme-signature/)
    assert.doesNotMatch(document + page, /svc/)
  } finally {
    await named.close()
  }
})

test('a page has a strict content security policy and an ETag, and is readable from any origin', async () => {
  const page = await get('/docs/')
  const policy = page.headers.get('content-security-policy') ?? ''
  assert.match(policy, /default-src 'none'/)
  assert.match(policy, /script-src 'self'/)
  assert.doesNotMatch(policy, /unsafe|\*/)
  assert.equal(page.headers.get('access-control-allow-origin'), '*')
  const etag = page.headers.get('etag') ?? ''
  assert.equal((await get('/docs', { 'if-none-match': etag })).status, 304)
  assert.equal((await get('/docs', { 'if-none-match': '"other"' })).status, 200)
})

test('an unknown page is 404, as HTML for people and as JSON for programs', async () => {
  const asked = await get('/docs/operations/nothing.at.all', { accept: 'text/html' })
  assert.deepEqual(
    [asked.status, asked.headers.get('content-type')?.slice(0, 9)],
    [404, 'text/html'],
  )
  for (const path of ['/docs/x', '/docs/../etc/passwd', '/docs/%2e%2e/x', '/docs/__proto__']) {
    const answer = await get(path)
    assert.equal(answer.status, 404)
    assert.equal(((await answer.json()) as { code: string }).code, 'not_found')
  }
})

test('the description of the API is sent in gzip to clients that take it', async () => {
  const plain = await get('/openapi.json', { 'accept-encoding': 'identity' })
  const packed = await get('/openapi.json', { 'accept-encoding': 'gzip' })
  assert.deepEqual(
    [plain, packed].map(({ headers }) => headers.get('content-encoding')),
    [null, 'gzip'],
  )
  const bytes = Number(packed.headers.get('content-length'))
  assert.ok(bytes < Number(plain.headers.get('content-length')) / 5, `${bytes}`)
  assert.equal(await packed.text(), await plain.text())
  const etag = packed.headers.get('etag') ?? ''
  assert.notEqual(etag, plain.headers.get('etag'))
  const again = await get('/openapi.json', { 'accept-encoding': 'gzip', 'if-none-match': etag })
  assert.equal(again.status, 304)
})
