import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { type BucketServer, bucketServer } from '../../../tests/support/network/bucket-server.ts'
import { FileMissing, type Files } from './files.ts'
import { openFiles } from './open.ts'

let folder: string
let server: BucketServer

before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'crier-files-'))
  server = await bucketServer()
})
after(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

interface Place {
  files: Files
  /** The number of files, complete or in progress. */
  count(): Promise<number>
}

const places: Record<string, () => Place> = {
  'this machine’s disk': () => ({
    files: openFiles({ storage: { kind: 'folder', folder }, dataDir: '/dev/null' }),
    count: async () => (await readdir(path.join(folder, 'imports')).catch(() => [])).length,
  }),
  'a bucket': () => ({
    files: openFiles({
      storage: { kind: 'bucket', bucket: server, prefix: 'crier/' },
      dataDir: '/dev/null',
    }),
    count: async () => server.objects.size + server.uploads.size,
  }),
}

async function* pieces(whole: Uint8Array) {
  for (let at = 0; at < whole.length; at += 70_000) yield whole.subarray(at, at + 70_000)
}

for (const [place, open] of Object.entries(places)) {
  test(`a file on ${place} can be read from any byte until it is removed`, async () => {
    const { files, count } = open()
    const whole = randomBytes(500_000)
    await files.write('imports/one-1', pieces(whole))
    const read = async (from?: number) =>
      Buffer.concat(await Array.fromAsync(files.read('imports/one-1', from)))
    assert.deepEqual(await read(), whole)
    assert.deepEqual(await read(123_456), whole.subarray(123_456))
    await files.write('imports/one-1', pieces(whole.subarray(1)))
    assert.deepEqual(await read(), whole.subarray(1))
    const expected = createHash('sha256').update(whole.subarray(1)).digest()
    assert.deepEqual(await files.sha256('imports/one-1'), expected)
    await files.remove('imports/one-1')
    await files.remove('imports/one-1')
    await assert.rejects(read(), FileMissing)
    await assert.rejects(files.sha256('imports/one-1'), FileMissing)
    assert.equal(await count(), 0)
  })

  test(`a file whose source fails leaves no data on ${place}`, async () => {
    const { files, count } = open()
    async function* failing() {
      yield randomBytes(100_000)
      throw new Error('cut off')
    }
    await assert.rejects(files.write('imports/two-1', failing()), /cut off/)
    assert.equal(await count(), 0)
  })
}
