import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, test } from 'node:test'
import { type BucketServer, bucketServer } from '../../../../tests/support/network/bucket-server.ts'
import { type BucketClient, createBucketClient } from './bucket-client.ts'
import { BucketError } from './request.ts'

let server: BucketServer
let client: BucketClient

beforeEach(async () => {
  server = await bucketServer()
  client = createBucketClient(server, { partBytes: 64 * 1024 })
})
afterEach(() => server.close())

async function* pieces(whole: Buffer, size = 10_000) {
  for (let at = 0; at < whole.length; at += size) yield whole.subarray(at, at + size)
}

async function bytesOf(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(source))
}

const isCode = (code: string) => (error: unknown) => {
  assert.ok(error instanceof BucketError)
  assert.equal(error.code, code)
  return true
}

for (const bytes of [0, 1, 64 * 1024 - 1, 64 * 1024, 64 * 1024 + 1, 200_001]) {
  test(`an object of ${bytes} bytes is read back unchanged, also from an offset`, async () => {
    const whole = randomBytes(bytes)
    await client.write('a/b (1).csv', pieces(whole))
    assert.deepEqual(await bytesOf(client.read('a/b (1).csv')), whole)
    const from = Math.floor(bytes / 2)
    assert.deepEqual(await bytesOf(client.read('a/b (1).csv', from)), whole.subarray(from))
    assert.equal(server.uploads.size, 0)
  })
}

test('a large object is read in several responses, and reading stops if it was replaced', async () => {
  const whole = randomBytes(5 * 1024 * 1024)
  server.objects.set('large', whole)
  assert.deepEqual(await bytesOf(client.read('large')), whole)
  const reading = client.read('large')
  await reading.next()
  server.objects.set('large', randomBytes(5 * 1024 * 1024))
  await assert.rejects(reading.next(), isCode('PreconditionFailed'))
})

test('a write whose source fails leaves no object and no upload behind', async () => {
  async function* failing() {
    yield randomBytes(150_000)
    throw new Error('the upload was cut off')
  }
  await assert.rejects(client.write('cut', failing()), /cut off/)
  assert.equal(server.objects.size, 0)
  assert.equal(server.uploads.size, 0)
})

test('a part that was temporarily refused is sent again, and no other part is', async () => {
  let failures = 2
  server.refuse = (asked) =>
    asked.includes('partNumber=2') && failures-- > 0 ? { status: 503, code: 'SlowDown' } : undefined
  const whole = randomBytes(150_000)
  await client.write('slow', pieces(whole))
  assert.deepEqual(server.objects.get('slow'), whole)
  const parts = server.asked.flatMap((asked) => /partNumber=(\d)/.exec(asked)?.[1] ?? [])
  assert.deepEqual(parts, ['1', '2', '2', '2', '3'])
})

test('a completed upload that fails after its 200 status counts as failed', async () => {
  const small = createBucketClient(server, { partBytes: 1_000 })
  await assert.rejects(small.write('small', pieces(randomBytes(5_000))), isCode('EntityTooSmall'))
  assert.equal(server.objects.size, 0)
  assert.equal(server.uploads.size, 0)
})

test('a wrong secret and a missing object are reported with their codes and not retried', async () => {
  const credentials = { ...server.credentials, secret: 'another' }
  const wrong = createBucketClient({ ...server, credentials })
  await assert.rejects(wrong.write('x', pieces(Buffer.from('x'))), isCode('SignatureDoesNotMatch'))
  await assert.rejects(client.read('missing').next(), isCode('NoSuchKey'))
  assert.equal(server.asked.length, 2)
})

test('removing a key deletes the unfinished uploads of a killed process, but not those of a longer key', async () => {
  server.objects.set('a/1', Buffer.from('x'))
  server.uploads.set('left', { key: 'a/1', parts: new Map() })
  server.uploads.set('other', { key: 'a/12', parts: new Map() })
  await client.remove('a/1')
  await client.remove('a/1')
  assert.equal(server.objects.size, 0)
  assert.deepEqual([...server.uploads.keys()], ['other'])
})

test('a listing continues over all its pages', async () => {
  for (const key of ['p/a&b', 'p/b', 'p/c', 'q/d']) server.objects.set(key, Buffer.from(key))
  const found = await Array.fromAsync(client.list('p/'))
  assert.deepEqual(found, [
    { key: 'p/a&b', bytes: 5 },
    { key: 'p/b', bytes: 3 },
    { key: 'p/c', bytes: 3 },
  ])
})
