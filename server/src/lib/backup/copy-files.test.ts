import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { openCopyFiles, tarName } from './copy-files.ts'

const packet = Buffer.alloc(64 * 1024, 'a tar file ')

async function newFiles(t: TestContext) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-copy-'))
  t.after(() => rm(folder, { recursive: true }))
  return { folder, files: openCopyFiles(folder) }
}

/** Writes until the file asks the sender to wait. Returns the bytes that it took. */
function fill(files: ReturnType<typeof openCopyFiles>): number {
  for (let bytes = packet.length; ; bytes += packet.length) {
    if (!files.write(packet)) return bytes
    assert.ok(bytes < 100_000_000, 'the file never asks the sender to wait')
  }
}

test('a full file asks its sender to wait, and tells once when it takes more', async (t) => {
  const { folder, files } = await newFiles(t)
  files.begin('tar')
  const bytes = fill(files)
  let told = 0
  await new Promise<void>((resolve) => {
    files.onDrain(() => {
      told++
      resolve()
    })
  })
  files.write(packet)
  await files.end()
  assert.equal(told, 1)
  const whole = await promisify(zstdDecompress)(await readFile(path.join(folder, tarName)))
  assert.equal(whole.length, bytes + packet.length)
})

// The server sends the manifest right after the tar file, in the same packet of the network.
test('a file that ends while it is full lets its sender go on with the next one', async (t) => {
  const { folder, files } = await newFiles(t)
  files.begin('tar')
  const bytes = fill(files)
  let told = 0
  const drained = new Promise<void>((resolve) => {
    files.onDrain(() => {
      told++
      resolve()
    })
  })
  files.begin('manifest')
  files.write(Buffer.from('{}'))
  await drained
  await files.end()
  assert.equal(told, 1)
  const whole = await promisify(zstdDecompress)(await readFile(path.join(folder, tarName)))
  assert.equal(whole.length, bytes)
  assert.equal(await readFile(path.join(folder, 'backup_manifest'), 'utf8'), '{}')
})

test('a file that cannot be written is told', async () => {
  const files = openCopyFiles('/nowhere')
  files.begin('tar')
  await assert.rejects(files.failed, { code: 'ENOENT' })
})
