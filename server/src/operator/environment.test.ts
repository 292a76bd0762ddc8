import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { readConfig } from '../config.ts'
import { readEnvironment } from './environment.ts'

let folder: string

before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'crier-env-'))
})
after(() => rm(folder, { recursive: true }))

test('without a .env file only the environment is used', () => {
  assert.deepEqual(readEnvironment({ PORT: '1' }, folder), { PORT: '1' })
})

test('an environment variable takes precedence over the .env file', async () => {
  await writeFile(path.join(folder, '.env'), '# a comment\nPORT=9000\nHOST="0.0.0.0"\n')
  assert.deepEqual(readEnvironment({ PORT: '1' }, folder), { PORT: '1', HOST: '0.0.0.0' })
})

test("the client's own variables in the environment do not stop the service", () => {
  const ofTheClient = { CRIER_URL: 'http://x', CRIER_TOKEN: 'y', CRIER_API_KEY: 'z' }
  const env = readEnvironment({ ...ofTheClient, PORT: '1' }, folder)
  assert.equal(readConfig(env).port, 1)
})
