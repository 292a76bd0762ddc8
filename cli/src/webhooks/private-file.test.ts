import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { readOrMake, readText, writeText } from './private-file.ts'

const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-private-'))
after(() => rm(folder, { recursive: true }))
const fileOf = (name: string) => path.join(folder, 'deep', name)

test('a missing private file reads as undefined, and a written one is readable by its owner only', async () => {
  assert.equal(await readText(fileOf('a')), undefined)
  await writeText(fileOf('a'), 'one')
  await writeText(fileOf('a'), 'two')
  assert.equal(await readText(fileOf('a')), 'two')
  for (const place of [fileOf('a'), path.dirname(fileOf('a'))]) {
    assert.equal((await stat(place)).mode & 0o077, 0)
  }
})

test('when many callers create a file at once, all read the same content and no temporary file is left', async () => {
  const made = await Promise.all(
    Array.from({ length: 20 }, (_, i) => readOrMake(fileOf('secret'), () => `${i}`)),
  )
  assert.equal(new Set(made).size, 1)
  assert.equal(await readOrMake(fileOf('secret'), () => 'late'), made[0])
  assert.deepEqual((await readdir(path.dirname(fileOf('a')))).sort(), ['a', 'secret'])
})
