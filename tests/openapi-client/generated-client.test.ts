import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { newBusiness } from '../support/businesses/business.ts'
import { newGrant, tokenMint } from '../support/clients/grants.ts'
import { type Service, startService } from '../support/processes/service.ts'

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

/** Two generators that nobody here wrote, each with a program over what it makes. */
const generators = [
  {
    name: 'openapi-typescript',
    cli: 'bin/cli.js',
    words: (made: string) => ['--output', made],
    makes: 'api.d.ts',
    flow: 'flow.ts',
    exact: true,
  },
  {
    name: 'oazapfts',
    cli: 'dist/cli.js',
    // Answers other than success are thrown.
    words: (made: string) => [made, '--optimistic'],
    makes: 'functions.ts',
    flow: 'flow-functions.ts',
    // What it makes of optional parameters is not exact.
    exact: false,
  },
]

for (const { name, cli, words, makes, flow, exact } of generators) {
  test(`a client that ${name} makes compiles, and completes the flow`, async () => {
    const project = path.join(folder, name)
    await mkdir(project)
    const made = path.join(project, makes)
    await run(process.execPath, [
      programOf(name, cli),
      `${service.url}/openapi.json`,
      ...words(made),
    ])
    await copyFile(path.join(import.meta.dirname, flow), path.join(project, flow))
    await symlink(path.join(root, 'node_modules'), path.join(project, 'node_modules'))
    await writeFile(path.join(project, 'package.json'), '{"type":"module"}')
    await writeFile(path.join(project, 'tsconfig.json'), JSON.stringify(strict(exact)))
    await run(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), '-p', project])
    await completes(path.join(project, flow))
  })
}

/** Where npm put the generator: beside this workspace's own packages, or among all. */
function programOf(name: string, cli: string): string {
  const folders = [import.meta.dirname, root].map((folder) => path.join(folder, 'node_modules'))
  const found = folders.map((folder) => path.join(folder, name, cli)).find(existsSync)
  assert.ok(found, `${name} is not installed`)
  return found
}

async function completes(flow: string): Promise<void> {
  const business = await newBusiness(service.db)
  const grant = await newGrant(service.db, { businesses: [business] })
  const token = await tokenMint(service)(grant)
  const { stdout } = await run(process.execPath, [flow, service.config.gatewayUrl, token])
  const said = JSON.parse(stdout) as Record<string, unknown[]>
  const { contactIds, counted, secrets, webhooks, failed, refusal } = said
  assert.equal(new Set(contactIds).size, 1)
  assert.equal(counted, 1)
  assert.match(String(secrets?.[0]), /^whsec_/)
  assert.equal(new Set(secrets).size, 2)
  assert.deepEqual(webhooks, ['https://1.1.1.1/generated'])
  assert.deepEqual(failed, [])
  assert.deepEqual(refusal, [404, 'not_found', 'form_id'])
}

const strict = (exact: boolean) => ({
  compilerOptions: {
    target: 'es2024',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: exact,
    noUncheckedIndexedAccess: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: ['node'],
  },
})
