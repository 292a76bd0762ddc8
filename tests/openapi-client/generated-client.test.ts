import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { newBusiness } from '../support/business.ts'
import { newGrant, tokenMint } from '../support/grants.ts'
import { type Service, startService } from '../support/service.ts'

const run = promisify(execFile)
const root = path.join(import.meta.dirname, '../..')

let service: Service
let folder: string
before(async () => {
  service = await startService()
  folder = await mkdtemp(path.join(tmpdir(), 'crier-client-'))
})
after(async () => {
  await service.close()
  await rm(folder, { recursive: true })
})

test('a client that a public generator makes compiles, and completes the flow', async () => {
  const api = path.join(folder, 'api.d.ts')
  const generator = path.join(import.meta.dirname, 'node_modules/openapi-typescript/bin/cli.js')
  await run(process.execPath, [generator, `${service.url}/openapi.json`, '--output', api])
  await copyFile(path.join(import.meta.dirname, 'flow.ts'), path.join(folder, 'flow.ts'))
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(strict))
  await run(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), '-p', folder])

  const business = await newBusiness(service.db)
  const grant = await newGrant(service.db, { businesses: [business] })
  const token = await tokenMint(service)(grant)
  const flow = [path.join(folder, 'flow.ts'), service.config.gatewayUrl, token]
  const { stdout } = await run(process.execPath, flow)
  const said = JSON.parse(stdout) as Record<string, unknown[]>
  const { contactIds, counted, secrets, webhooks, failed, refusal } = said
  assert.equal(new Set(contactIds).size, 1)
  assert.equal(counted, 1)
  assert.match(String(secrets?.[0]), /^whsec_/)
  assert.equal(new Set(secrets).size, 2)
  assert.deepEqual(webhooks, ['https://1.1.1.1/generated'])
  assert.deepEqual(failed, [])
  assert.deepEqual(refusal, [404, 'not_found', 'form_id'])
})

const strict = {
  compilerOptions: {
    target: 'es2024',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: ['node'],
  },
}
