/** Sites of strangers, read through the guard: what is found, and what hostile ones do not get. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { httpServer, type RemoteServer } from '../../../tests/support/network/remote-server.ts'
import { createOutbound } from '../lib/http-client/outbound-fetch.ts'
import { createGuard, parseAllowRule } from '../lib/http-client/outbound-guard.ts'
import { coloursIn, readSite, siteLimits } from './read-site.ts'

const open: { close(): Promise<void> }[] = []
after(() => Promise.all(open.map((entry) => entry.close())))

/** Reaches servers of the test at far.example, and no other private address. */
async function reader(answer: Parameters<typeof httpServer>[0]) {
  const server: RemoteServer = await httpServer(answer)
  const rules = [parseAllowRule(`127.0.0.1/32:${server.port}`) ?? assert.fail()]
  const guard = createGuard({ allowHttp: true, rules, resolve: async () => ['127.0.0.1'] })
  const outbound = createOutbound({ guard })
  open.push(outbound, server)
  const url = `http://far.example:${server.port}/`
  return { server, url, read: (path = '') => readSite(outbound, url + path) }
}

const page = (text: string) => (_request: unknown, response: import('node:http').ServerResponse) =>
  void response.setHeader('content-type', 'text/html; charset=utf-8').end(text)

async function faultOf(work: ReturnType<typeof readSite>): Promise<string> {
  const { problem, colours, pictures } = await work
  assert.deepEqual([colours, pictures], [[], []])
  return problem ?? assert.fail('it was read')
}

test('a site gives its name, colours and pictures', async () => {
  const { url, read } = await reader((request, response) => {
    if (request.url === '/main.css') {
      return void response
        .setHeader('content-type', 'text/css')
        .end(
          'a{color:#0A7} b{color: #00aa77;border:1px solid #c0392b} #facade {color:#222} p #decade.x{} i{color:#c0392b!important}',
        )
    }
    return page(`<!doctype html><title>Start – Fennoway Yoga</title>
      <META property='og:site_name' content="North &amp; Yoga"><meta name=theme-color content=#1D4ED8>
      <link rel="shortcut icon" href="/favicon.png"><link rel="stylesheet" href="main.css">
      <meta property="og:image" content="https://cdn.example/share.jpg">
      <img alt="Our logo" src="img/l.png"><img src="/logo.svg"><img src="/other.png">
      <style>h1{color:#c0392b}</style>`)(request, response)
  })
  const site = await read()
  assert.deepEqual(site, {
    url,
    name: 'North & Yoga',
    colours: ['#1d4ed8', '#c0392b', '#00aa77'],
    pictures: [
      { kind: 'logo', url: `${url}img/l.png` },
      { kind: 'icon', url: `${url}favicon.png` },
      { kind: 'image', url: 'https://cdn.example/share.jpg' },
    ],
  })
})

test('no redirect, style sheet or picture leads to a private address', async () => {
  const secrets: string[] = []
  const inside = await httpServer((request, response) => {
    secrets.push(request.url ?? '')
    response.end('secret')
  })
  open.push(inside)
  const private_ = `http://127.0.0.1:${inside.port}/x`
  const { read } = await reader((request, response) => {
    if (request.url === '/away') return void response.writeHead(302, { location: private_ }).end()
    if (request.url === '/private') {
      return void response.writeHead(302, { location: 'https://10.0.0.1/' }).end()
    }
    if (request.url === '/loop') return void response.writeHead(302, { location: '/loop' }).end()
    return page(`<title>x</title><link rel=stylesheet href="${private_}.css">
      <link rel=icon href="${private_}.png"><link rel=icon href="data:image/png;base64,aaaa">
      <link rel=icon href="javascript:alert(1)"><link rel=icon href="file:///etc/passwd">`)(
      request,
      response,
    )
  })
  assert.match(await faultOf(read('away')), /not allowed/)
  assert.match(await faultOf(read('private')), /not public/)
  assert.match(await faultOf(read('loop')), /redirects more than 3 times/)
  const site = await read()
  assert.deepEqual(
    site.pictures.map((picture) => picture.url),
    [`${private_}.png`],
  )
  assert.deepEqual(secrets, [], 'pictures are named and not loaded')
})

test('a site that is slow, endless or no page ends in time', async () => {
  const { read } = await reader((request, response) => {
    if (request.url === '/slow')
      return void response.writeHead(200, { 'content-type': 'text/html' }).write('<title>')
    if (request.url === '/image') {
      return void response.setHeader('content-type', 'image/png').end('x')
    }
    if (request.url === '/gone') return void response.writeHead(404).end()
    response.setHeader('content-type', 'text/html')
    response.write('<title>Endless</title>')
    const chunk = '<p>'.repeat(20_000)
    const write = () => {
      while (!response.destroyed && response.write(chunk));
      if (!response.destroyed) response.once('drain', write)
    }
    write()
  })
  const start = performance.now()
  const [slow, endless] = await Promise.all([read('slow'), read('endless')])
  const ms = performance.now() - start
  assert.ok(ms < siteLimits.requestMs * 2 + 2_000, `${ms} ms`)
  assert.deepEqual([slow.name, endless.name], [undefined, 'Endless'])
  assert.match(await faultOf(read('image')), /does not return a web page/)
  assert.match(await faultOf(read('gone')), /answered 404/)
})

test('texts made to be slow are read in linear time', async () => {
  const bytes = siteLimits.pageBytes
  const hostile = [
    '<',
    '<meta ',
    '<meta a=',
    '<meta a="',
    '<title>',
    '<style>',
    '#',
    ':#',
    '<link rel=icon href=a>',
  ]
  for (const piece of hostile) {
    const text = piece.repeat(Math.floor(bytes / piece.length))
    const { read } = await reader(page(text))
    const start = performance.now()
    const site = await read()
    coloursIn(text)
    assert.ok(performance.now() - start < 1_500, piece)
    assert.ok(JSON.stringify(site).length < 20_000, piece)
  }
})

test('what strangers wrote stays text, on one line and short', async () => {
  const { read } = await reader(
    page(
      `<meta property="og:site_name" content="<script>alert(1)</script>\u202e\n${'x'.repeat(500)}">`,
    ),
  )
  const { name = '' } = await read()
  assert.match(name, /^<script>alert\(1\)<\/script>/)
  assert.ok(!name.includes('\n') && name.length <= siteLimits.nameLength)
})
