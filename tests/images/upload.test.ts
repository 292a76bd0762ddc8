/** Pictures from their upload to the public address, over the whole service. */

import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { imageLimits } from 'crier-server/config/images.ts'
import type { Id } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { networks } from 'crier-server/templates/blocks/types.ts'
import { type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import type { RestCaller } from '../support/clients/rest-caller.ts'
import type { ToolCaller } from '../support/clients/tool-caller.ts'
import { until } from '../support/time/eventually.ts'
import { png, smallPng } from './pictures.ts'

interface Stored {
  image_id: string
  url: string
  type: string
  width: number
  height: number
  bytes: number
  alt?: string
}

let testbed: OwnTestbed
let businessId: Id<'business'>
let owner: ToolCaller
let rest: RestCaller
before(async () => {
  testbed = await openTestbed({
    // The server of a test is on this machine.
    settings: { OUTBOUND_ALLOW: '127.0.0.0/8:*' },
  })
  businessId = await testbed.newBusiness()
  owner = await testbed.caller({ businesses: [businessId] })
  rest = await testbed.restCaller({ businesses: [businessId] })
})
after(() => testbed.close())

const base64 = {
  /** 40 by 20 pixels, which a camera marked as turned, with a description. */
  turnedJpeg:
    '/9j/4QDSRXhpZgAASUkqAAgAAAAHAA4BAgAJAAAAcgAAABIBAwABAAAABgAAABoBBQABAAAAYgAAABsBBQABAAAAagAAACgBAwABAAAAAgAAABMCAwABAAAAAQAAAGmHBAABAAAAfAAAAAAAAAA4YwAA6AMAADhjAADoAwAAb3VyIGhvbWUAAAYAAJAHAAQAAAAwMjEwAZEHAAQAAAABAgMAAKAHAAQAAAAwMTAwAaADAAEAAAD//wAAAqAEAAEAAAAoAAAAA6AEAAEAAAAUAAAAAAAAAP/bAEMA///////////////////////////////////////////////////////////////////////////////////////bAEMB///////////////////////////////////////////////////////////////////////////////////////CABEIABQAKAMBIgACEQEDEQH/xAAVAAEBAAAAAAAAAAAAAAAAAAAAAf/EABYBAQEBAAAAAAAAAAAAAAAAAAABAv/aAAwDAQACEAMQAAAAgmwAAAAP/8QAFBABAAAAAAAAAAAAAAAAAAAAMP/aAAgBAQABPwB//8QAFBEBAAAAAAAAAAAAAAAAAAAAIP/aAAgBAgEBPwBf/8QAFBEBAAAAAAAAAAAAAAAAAAAAIP/aAAgBAwEBPwBf/9k=',
  webp: 'UklGRkgAAABXRUJQVlA4IDwAAAAwAwCdASooABQAPxGGu1csKSYjpWgBgCIJZwDO7A8KmggAAP7lCv6qp6/Wt//G8f3Kf6Vs8KSCLNwoAAA=',
  clearWebp:
    'UklGRmAAAABXRUJQVlA4WAoAAAAQAAAABwAABwAAQUxQSAoAAAABB1DAiAhERP8DVlA4IDAAAAAQAgCdASoIAAgAAUAmJaACdLoB+AH4AAPIAP7guX/2Mx+0Z/klf+8+awHVf0kAAAA=',
  threeFrames:
    'R0lGODlhCAAIAIAAAExpcQAAACH/C05FVFNDQVBFMi4wAwEAAAAh+QQFCgAAACwAAAAACAAIAAACB4yPqcvtXQAAIfkEBQAAAAAsAAAAAAgACACATGlxWlpaAgeMj6nL7V0AACH5BAUAAAAALAAAAAAIAAgAgExpcbS0tAIHjI+py+1dAAA7',
}

const upload = (data: string, more = {}) => owner.get<Stored>('image.upload', { data, ...more })
const refusalOf = async (input: object) => {
  const { kind, body } = await owner.call('image.upload', input)
  assert.equal(kind, 'refusal')
  return body as unknown as { code: string; field?: string; message: string }
}

test('a picture that an assistant sends gets a public address that serves it and nothing else', async () => {
  const made = await upload(png({ width: 40, height: 30 }).toString('base64'), {
    file_name: 'menu.png',
    alt: 'The menu',
  })
  const { type, width, height, alt } = made
  assert.deepEqual(
    { type, width, height, alt },
    { type: 'image/png', width: 40, height: 30, alt: 'The menu' },
  )
  assert.match(made.url, /\/images\/[0-9a-f]{32}\.png$/)
  const served = await fetch(made.url)
  assert.equal(served.status, 200)
  const { headers } = served
  assert.equal(headers.get('content-type'), 'image/png')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.equal(headers.get('content-security-policy'), "default-src 'none'; sandbox")
  assert.equal((await served.arrayBuffer()).byteLength, made.bytes)
  const etag = headers.get('etag') ?? ''
  const again = await fetch(made.url, { headers: { 'if-none-match': etag } })
  assert.equal(again.status, 304)
  const listed = await owner.get<{ images: Stored[]; used: object }>('image.list')
  assert.deepEqual(listed.images, [made])
  assert.deepEqual(listed.used, { images: 1, bytes: made.bytes })
})

test('other addresses below /images are not found, whatever they name', async () => {
  const { url } = await upload(smallPng('addresses'))
  const [base, name = ''] = url.split('/images/')
  const others = [
    name.replace('.png', '.gif'),
    name.replace('.png', '.svg'),
    name.replace('.png', ''),
    `${name}.png`,
    name.toUpperCase(),
    `..%2Fimages%2F${name}`,
    '0'.repeat(32),
  ]
  for (const other of others) {
    const { status, headers } = await fetch(`${base}/images/${other}`)
    assert.equal(status, 404, other)
    assert.equal(headers.get('cache-control'), null, other)
  }
})

test('a picture comes as the body of a REST call, and its bytes decide, not its name', async () => {
  const send = (body: Buffer, type: string) =>
    rest.send('POST', '/v1/images?file_name=holiday.gif', {
      body: new Uint8Array(body),
      headers: { 'content-type': type },
    })
  const made = await send(Buffer.from(base64.turnedJpeg, 'base64'), 'image/png')
  assert.equal(made.status, 201)
  assert.equal(made.body['type'], 'image/jpeg')
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  for (const type of ['image/svg+xml', 'image/png', 'application/octet-stream']) {
    const refused = await send(svg, type)
    assert.equal(refused.status, 415, type)
  }
  const empty = await send(Buffer.alloc(0), 'image/png')
  assert.equal(empty.status, 400)
})

test('a photograph is turned upright and loses what the camera wrote into it', async () => {
  const { url, width, height } = await upload(base64.turnedJpeg)
  assert.deepEqual({ width, height }, { width: 20, height: 40 })
  assert.ok(Buffer.from(base64.turnedJpeg, 'base64').includes('our home'))
  const served = Buffer.from(await (await fetch(url)).arrayBuffer())
  assert.ok(!served.includes('our home') && !served.includes('Exif'))
})

test('a large picture is made smaller, and a small one stays as it is', async () => {
  const large = await upload(png({ width: 2_400, height: 1_000 }).toString('base64'))
  assert.deepEqual([large.width, large.height], [imageLimits.width, 500])
  const high = await upload(png({ width: 10, height: 6_000 }).toString('base64'))
  assert.deepEqual([high.width, high.height], [5, imageLimits.height])
})

test('WebP becomes what every mail program shows, and an animation stays one', async () => {
  assert.equal((await upload(base64.webp)).type, 'image/jpeg')
  assert.equal((await upload(base64.clearWebp)).type, 'image/png')
  const { url, type, height } = await upload(base64.threeFrames)
  assert.deepEqual({ type, height }, { type: 'image/gif', height: 8 })
  const served = Buffer.from(await (await fetch(url)).arrayBuffer())
  // A graphic control extension stands before each frame.
  assert.equal(served.toString('latin1').split('\x21\xf9\x04').length - 1, 3)
})

test('a picture of billions of pixels is refused before anything of it is decoded', async () => {
  const says = { width: 60_000, height: 60_000 }
  const bomb = png({ width: 1, height: 1, says })
  const { code, message } = await refusalOf({ data: bomb.toString('base64') })
  assert.equal(code, 'too_large')
  assert.match(message, /50000000 pixels/)
  // As many as are allowed, and one row more; neither has the pixels that it declares.
  const edge = (height: number) => png({ width: 1, height: 1, says: { width: 10_000, height } })
  const atEdge = await refusalOf({ data: edge(5_000).toString('base64') })
  assert.match(atEdge.message, /is corrupt/)
  const above = await refusalOf({ data: edge(5_001).toString('base64') })
  assert.match(above.message, /50000000 pixels/)
})

test('broken, disguised and missing pictures are refused with what would be right', async () => {
  const whole = png({ width: 30, height: 30 })
  const broken = await refusalOf({ data: whole.subarray(0, whole.length / 2).toString('base64') })
  assert.match(broken.message, /is corrupt/)
  const html = Buffer.from('<html><script>alert(1)</script></html>').toString('base64')
  assert.match((await refusalOf({ data: html })).message, /not a PNG, JPEG, GIF or WebP/)
  assert.match(
    (await refusalOf({ data: 'data:image/png;base64,AAAA' })).message,
    /without a "data:"/,
  )
  assert.match((await refusalOf({})).message, /data is missing/)
  assert.equal((await refusalOf({ data: 'AAAA', url: 'https://shop.example/a.png' })).field, 'url')
})

test('the body of a picture is read up to its limit and no further', async () => {
  const atLimit = Buffer.alloc(imageLimits.uploadBytes)
  const headers = { 'content-type': 'image/png' }
  const read = await rest.send('POST', '/v1/images', { body: new Uint8Array(atLimit), headers })
  assert.equal(read.body['code'], 'unsupported_media_type')
  const above = new Uint8Array(imageLimits.uploadBytes + 1)
  const refused = await rest.send('POST', '/v1/images', { body: above, headers })
  assert.equal(refused.status, 413)
})

test('a picture is copied from its address, through the guard of all outbound requests', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/moved.png') response.writeHead(302, { location: '/a.png' }).end()
    else response.end(png({ width: 12, height: 9 }))
  }).listen(0, '127.0.0.1')
  try {
    await new Promise((ready) => server.once('listening', ready))
    const { port } = server.address() as AddressInfo
    const { width } = await owner.get<Stored>('image.upload', {
      url: `http://127.0.0.1:${port}/a.png`,
    })
    assert.equal(width, 12)
    const moved = await refusalOf({ url: `http://127.0.0.1:${port}/moved.png` })
    assert.match(moved.message, /answered 302/)
    const forbidden = await refusalOf({ url: 'http://10.0.0.1/a.png' })
    assert.equal(forbidden.field, 'url')
  } finally {
    server.close()
  }
})

test('the same picture is stored once, and deleting it removes its file', async () => {
  const data = smallPng('twice')
  const first = await upload(data)
  assert.deepEqual(await upload(data, { alt: 'other words' }), first)
  const folder = path.join(testbed.service.config.dataDir, 'files/images')
  const name = first.url.split('/').at(-1)?.replace('.', '-') ?? ''
  assert.ok(readdirSync(folder).includes(name))
  const deleted = { image_id: first.image_id, deleted: true }
  assert.deepEqual(await owner.get('image.delete', { image_id: first.image_id }), deleted)
  await until(() => !existsSync(path.join(folder, name)), 'the file is removed')
  assert.equal((await fetch(first.url)).status, 404)
  assert.deepEqual(await owner.get('image.delete', { image_id: first.image_id }), deleted)
  const second = await upload(data)
  assert.notEqual(second.url, first.url)
})

test('a business has room for a number of pictures and of bytes, and no more', async () => {
  const { businessId, owner } = await testbed.someone()
  const fill = (count: number, bytes: number) =>
    testbed.db.run(sql`
      insert into images (business_id, id, file, kind, name, width, height, bytes, sha256, created_at)
      select ${businessId}, gen_random_uuid(), n::text, 'png', 'x', 1, 1, ${bytes},
        sha256(n::text::bytea), '2026-01-01'
      from generate_series(1, ${count}) n
    `)
  await fill(imageLimits.perBusiness - 1, 0)
  await owner.get('image.upload', { data: smallPng('last') })
  const full = await owner.call('image.upload', { data: smallPng('one more') })
  assert.match(full.text, /at most 2000 pictures/)
  await testbed.db.run(sql`delete from images where business_id = ${businessId}`)
  await fill(1, imageLimits.bytesPerBusiness - 10)
  const bytes = await owner.call('image.upload', { data: smallPng('one more') })
  assert.match(bytes.text, /at most 1073741824 bytes/)
})

test('the icon of each network is a small picture that stays in caches, and no other name is one', async () => {
  const { url } = await upload(smallPng('icons'))
  const [base] = url.split('/images/')
  for (const network of Object.keys(networks)) {
    const address = `${base}/images/network-${network}.png`
    const answer = await fetch(address)
    const { headers, status } = answer
    assert.deepEqual([status, headers.get('content-type')], [200, 'image/png'], network)
    assert.equal(headers.get('cache-control'), 'public, max-age=2592000')
    assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin')
    const icon = Buffer.from(await answer.arrayBuffer())
    assert.deepEqual([icon.readUInt32BE(16), icon.readUInt32BE(20)], [64, 64])
    assert.ok(icon.length < 1_000)
    const again = await fetch(address, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
    assert.equal(again.status, 304)
  }
  for (const name of [
    'network-myspace.png',
    'network-x.gif',
    'network-.png',
    'network-__proto__.png',
  ]) {
    assert.equal((await fetch(`${base}/images/${name}`)).status, 404, name)
  }
})
