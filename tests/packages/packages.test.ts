/**
 * The packages as a user gets them: npm installs them into an empty folder, from a running service
 * and from `npm pack`. Their dependencies come from npm's own registry.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { sql } from 'crier-server/lib/db/db.ts'
import { packageFiles, packagePath, sdkPackage } from 'crier-server/reference/packages.ts'
import { publint } from 'publint'
import { newBusiness } from '../support/businesses/business.ts'
import { newApiKey } from '../support/clients/api-keys.ts'
import { newGrant, tokenMint } from '../support/clients/grants.ts'
import { type Service, startService } from '../support/processes/service.ts'

const run = promisify(execFile)
const root = path.join(import.meta.dirname, '../..')

let service: Service
let folder: string
before(async () => {
  service = await startService({ idle: true })
  folder = await mkdtemp(path.join(os.tmpdir(), 'crier-packages-'))
})
after(async () => {
  await service.close()
  await rm(folder, { recursive: true })
})

/** A project with only a manifest. */
async function bareProject(name: string): Promise<string> {
  const project = path.join(folder, name)
  await mkdir(project)
  await writeFile(path.join(project, 'package.json'), '{"type":"module"}')
  return project
}

const npm = (cwd: string, ...args: string[]) =>
  run('npm', [...args, '--loglevel=error', '--no-audit', '--no-fund', '--prefer-offline'], { cwd })

/** The oldest that each package claims, and the one between it and ours. */
const oldNodes = { sdk: '20.3.0', cli: '20.12.0', both: '22.12.0' } as const
const tools = path.join(root, 'node_modules/.cache/crier-packages')

/** Kept between runs: a Node takes 150 MB. None is among the packages of the project, whose `node` it would replace. */
const toolsThere = (async () => {
  const stamp = JSON.stringify([oldNodes, '0.18.5', '5.9.3'])
  const there = path.join(tools, 'complete')
  if ((await readFile(there, 'utf8').catch(() => '')) === stamp) return
  await rm(tools, { recursive: true, force: true })
  await mkdir(tools, { recursive: true })
  await writeFile(path.join(tools, 'package.json'), '{"private":true}')
  const nodes = Object.entries(oldNodes).map(
    ([name, version]) => `${name}@npm:node-${process.platform}-${process.arch}@${version}`,
  )
  const others = ['@arethetypeswrong/core@0.18.5', 'oldest-typescript@npm:typescript@5.9.3']
  await npm(tools, 'install', '--no-bin-links', ...others, ...nodes)
  await writeFile(there, stamp)
})()

async function oldNode(name: keyof typeof oldNodes): Promise<string> {
  await toolsThere
  const node = path.join(tools, 'node_modules', name, 'bin/node')
  assert.equal((await run(node, ['--version'])).stdout.trim(), `v${oldNodes[name]}`)
  return node
}

/** Calls a service with the installed SDK, by `import` and by `require`. */
async function callWith(node: string, project: string): Promise<void> {
  const businessId = await newBusiness(service.db)
  const { secret: key } = await newApiKey(service.db, { businessId })
  const call = `const client = createClient({ url: '${service.config.gatewayUrl}', apiKey: '${key}' })
client.contact.upsert({ email: 'ana@example.com' })
  .then(({ contact_id }) => client.contact.get({ contact_id }))
  .then(({ email }) => console.log(email, typeof verifyWebhook, typeof sealedFile))
`
  const names = [
    ['createClient', ''],
    ['verifyWebhook', '/webhooks'],
    ['sealedFile', '/node'],
  ] as const
  const imports = names.map(([name, entry]) => `import { ${name} } from '${sdkPackage}${entry}'\n`)
  const requires = names.map(
    ([name, entry]) => `const { ${name} } = require('${sdkPackage}${entry}')\n`,
  )
  await writeFile(path.join(project, 'calls.mjs'), imports.join('') + call)
  await writeFile(path.join(project, 'calls.cjs'), requires.join('') + call)
  for (const program of ['calls.mjs', 'calls.cjs']) {
    const { stdout } = await run(node, [program], { cwd: project })
    assert.equal(stdout, 'ana@example.com function function\n', `${program} on ${node}`)
  }
}

/** Uses the SDK in JavaScript and in TypeScript, as far as no person is needed. */
async function useSdk(project: string): Promise<void> {
  const business = await newBusiness(service.db)
  const grant = await newGrant(service.db, { businesses: [business] })
  const token = await tokenMint(service)(grant)
  const program = `import { CrierError, createOAuth, memoryStore, signWebhook, verifyWebhook } from '${sdkPackage}/node'
const secret = 'whsec_of-a-test'
const body = JSON.stringify({
  id: 'evt_1',
  type: 'domain.verified',
  created_at: new Date().toISOString(),
  business_id: 'bus_1',
  data: {},
})
const headers = signWebhook({ body, secret, deliveryId: 'dlv_1' })
const event = verifyWebhook({ body, headers, secret })
const answer = await fetch('${service.config.gatewayUrl}/v1/businesses', {
  headers: { authorization: 'Bearer ${token}' },
})
const { businesses } = await answer.json()
console.log(JSON.stringify([event.id, typeof createOAuth, typeof memoryStore, new CrierError({ code: 'x', message: 'y' }).code, businesses.length]))
`
  await writeFile(path.join(project, 'program.mjs'), program)
  const { stdout } = await run(process.execPath, ['program.mjs'], { cwd: project })
  assert.deepEqual(JSON.parse(stdout), ['evt_1', 'function', 'function', 'x', 1])

  const typed = `import { type Client, createClient, memoryStore } from '${sdkPackage}'
export const client: Client = createClient({ url: '${service.url}', store: memoryStore() })
export const saved = client.contact.upsert({ email: 'ana@example.com' })
// @ts-expect-error: an address is a text
export const wrong = client.contact.upsert({ email: 1 })
`
  await writeFile(path.join(project, 'typed.ts'), typed)
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc')
  const flags = ['--ignoreConfig', '--noEmit', '--strict', '--module', 'nodenext']
  await run(process.execPath, [tsc, ...flags, '--target', 'es2022', 'typed.ts'], { cwd: project })
}

test('the service serves its SDK, which a bare project can install and use', async () => {
  const project = await bareProject('sdk')
  await npm(project, 'install', service.url + packageFiles.sdk)
  assert.deepEqual(await readdir(path.join(project, 'node_modules/@crier-mail')), ['sdk'])
  await useSdk(project)
})

test('the service serves its command line, with the SDK bundled', async () => {
  const project = await bareProject('cli')
  await npm(project, 'install', service.url + packageFiles.cli)
  const installed = await readdir(path.join(project, 'node_modules'))
  assert.ok(!installed.includes('crier-server'))
  assert.deepEqual(await readdir(path.join(project, 'node_modules/@crier-mail')), ['cli'])
  const lock = await readFile(path.join(project, 'package-lock.json'), 'utf8')
  assert.match(lock, /"inBundle": true/)
  const env = { ...process.env, XDG_CONFIG_HOME: project, CRIER_URL: service.url }
  const crier = (...args: string[]) =>
    run(path.join(project, 'node_modules/.bin/crier'), args, { env })
  assert.match((await crier('--help')).stdout, /Use a server:/)
  const refused = await crier('whoami').catch((error: { code: number; stderr: string }) => error)
  assert.equal(JSON.parse(refused.stderr).code, 'signed_out')
})

test('the npm packages of both workspaces can be installed together and work', async () => {
  const project = await bareProject('packed')
  for (const workspace of ['sdk', 'cli']) {
    await npm(path.join(root, workspace), 'pack', '--pack-destination', project)
  }
  const files = (await readdir(project)).filter((name) => name.endsWith('.tgz'))
  assert.equal(files.length, 2)
  const { messages } = await publint({ pkgDir: path.join(root, 'sdk'), strict: true })
  assert.deepEqual(messages, [])
  const sdk = files.find((name) => name.includes('sdk')) ?? ''
  await toolsThere
  assert.deepEqual(await wrongTypes(path.join(project, sdk)), [])
  await npm(project, 'install', ...files.map((name) => `./${name}`))
  await useSdk(project)
  await callWith(await oldNode('sdk'), project)
  await callWith(await oldNode('both'), project)
  const crier = path.join(project, 'node_modules/.bin/crier')
  const home = { PATH: process.env['PATH'], XDG_CONFIG_HOME: project, CRIER_URL: service.url }
  for (const name of ['cli', 'both'] as const) {
    const node = await oldNode(name)
    assert.match((await run(node, [crier, '--help'])).stdout, /Use a server:/)
    const businessId = await newBusiness(service.db)
    const { secret: key } = await newApiKey(service.db, { businessId })
    const env = { ...home, CRIER_API_KEY: key }
    const words = ['contact', 'upsert', '--email', 'ana@example.com']
    const { stdout } = await run(node, [crier, ...words], { env })
    assert.match(JSON.parse(stdout).contact_id, /^con_/)
  }
})

/** Ways in which a project compiles and loads packages; the last is only compiled, for a bundler. */
const strictProjects = {
  'as an ES module': { ending: 'mts', runs: 'mjs', options: { module: 'nodenext' } },
  'as CommonJS': { ending: 'cts', runs: 'cjs', options: { module: 'nodenext' } },
  'by the old resolution': {
    ending: 'ts',
    runs: 'js',
    options: { module: 'commonjs', moduleResolution: 'node10' },
  },
  'for a bundler': {
    ending: 'ts',
    runs: undefined,
    options: { module: 'esnext', moduleResolution: 'bundler' },
  },
} as const

/** Nothing in a project but the SDK: no types of Node, and every rule of the compiler. */
const strictest = {
  target: 'es2022',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  skipLibCheck: false,
  types: [],
}

const callingProgram = `import { createClient, NotFoundError } from '${sdkPackage}'
import { verifyWebhook } from '${sdkPackage}/webhooks'
declare const process: { argv: string[] }
declare const console: { log(...words: unknown[]): void }
const [, , url = '', apiKey = ''] = process.argv
const client = createClient({ url, apiKey })
client.contact
  .upsert({ email: 'ana@example.com' })
  .then(({ contact_id }) => client.contact.get({ contact_id }))
  .then(({ email }) => console.log(email, typeof verifyWebhook, typeof NotFoundError))
`

test('an empty strict project compiles and runs with the SDK in each way and under each Node', async () => {
  await toolsThere
  const project = await bareProject('strict')
  await writeFile(path.join(project, 'package.json'), '{}')
  await npm(project, 'install', service.url + packageFiles.sdk)
  const tsc = path.join(tools, 'node_modules/oldest-typescript/bin/tsc')
  const wrongCalls = await readFile(path.join(root, 'sdk/tests/wrong-calls.ts'), 'utf8')
  assert.ok(wrongCalls.split('@ts-expect-error').length > 60)
  const { secret } = await newApiKey(service.db, { businessId: await newBusiness(service.db) })
  const nodes = [await oldNode('sdk'), await oldNode('both'), process.execPath]
  for (const [way, { ending, runs, options }] of Object.entries(strictProjects)) {
    const folder = path.join(project, way.replaceAll(' ', '-'))
    await mkdir(folder)
    await writeFile(path.join(folder, `calls.${ending}`), callingProgram)
    const wrong = wrongCalls.replace('../src/index.ts', sdkPackage)
    await writeFile(path.join(folder, `wrong-calls.${ending}`), wrong)
    const config = { compilerOptions: { ...strictest, ...options }, include: ['*'] }
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(config))
    await run(process.execPath, [tsc, '-p', folder]).catch(({ stdout }) =>
      assert.fail(`${way}: ${stdout}`),
    )
    if (!runs) continue
    for (const node of nodes) {
      const words: string[] = [
        path.join(folder, `calls.${runs}`),
        service.config.gatewayUrl,
        secret,
      ]
      const { stdout }: { stdout: string } = await run(node, words)
      assert.equal(stdout, 'ana@example.com function function\n', `${way} on ${node}`)
    }
  }
})

/** The finds of "are the types wrong": each entry point by every way of resolving that TypeScript has. */
async function wrongTypes(archive: string): Promise<string[]> {
  const core = path.join(tools, 'node_modules/@arethetypeswrong/core/dist/index.js')
  const { checkPackage, createPackageFromTarballData } = await import(core)
  const bytes = new Uint8Array(await readFile(archive))
  const { types, entrypoints, problems } = await checkPackage(createPackageFromTarballData(bytes))
  assert.equal(types.kind, 'included')
  const entries = ['.', './node', './react', './session', './webhooks', './package.json']
  assert.deepEqual(Object.keys(entrypoints), entries)
  return problems.map((problem: { kind: string; entrypoint?: string }) =>
    [problem.kind, problem.entrypoint].join(' '),
  )
}

test('a lock file made against one version installs after the service serves the next one', async () => {
  const project = await bareProject('locked')
  await npm(project, 'install', service.url + packagePath('sdk'))
  const lock = await readFile(path.join(project, 'package-lock.json'), 'utf8')
  assert.match(lock, /packages\/sdk-\d+\.\d+\.\d+\.tgz/)
  // The next release of the same installation: the old version is not of its making.
  await service.db.run(sql`
    insert into package_files (file, sha256, bytes, created_at)
    select 'sdk-0.9.0.tgz', sha256, bytes, created_at from package_files
    where file = ${packagePath('sdk').slice('/packages/'.length)}
  `)
  await writeFile(
    path.join(project, 'package-lock.json'),
    lock.replace(/sdk-\d[\d.]+\.tgz/g, 'sdk-0.9.0.tgz'),
  )
  const manifest = await readFile(path.join(project, 'package.json'), 'utf8')
  await writeFile(
    path.join(project, 'package.json'),
    manifest.replace(/sdk-\d[\d.]+\.tgz/, 'sdk-0.9.0.tgz'),
  )
  await rm(path.join(project, 'node_modules'), { recursive: true })
  await npm(project, 'ci')
  await useSdk(project)
  const unknown = await fetch(`${service.url}/packages/sdk-9.9.9.tgz`)
  assert.equal(unknown.status, 404)
  // The same version with other bytes never takes the place of what was served before.
  const other = await startService({ idle: true })
  const first = packagePath('sdk').slice(10)
  await other.db.run(sql`
    insert into package_files (file, sha256, bytes, created_at)
    values (${first}, '\\x00', '\\x00', now())
  `)
  const led = await fetch(other.url + packageFiles.sdk)
  assert.match(led.url, /\/packages\/sdk-[\d.]+-[0-9a-f]{12}\.tgz$/)
  assert.ok((await led.arrayBuffer()).byteLength > 1_000)
  await other.close()
})

test('the package files are identical at every build and are cached by ETag', async () => {
  for (const file of Object.values(packageFiles)) {
    const answer = await fetch(service.url + file)
    assert.equal(answer.headers.get('content-type'), 'application/gzip')
    const etag = answer.headers.get('etag') ?? ''
    assert.ok((await answer.arrayBuffer()).byteLength < 350_000)
    const second = await startService({ idle: true })
    const other = await fetch(second.url + file)
    await second.close()
    assert.equal(other.headers.get('etag'), etag)
    const again = await fetch(service.url + file, { headers: { 'if-none-match': etag } })
    assert.equal(again.status, 304)
  }
})

test('the package names in the reference match the manifests', async () => {
  const manifest = await readFile(path.join(root, 'sdk/package.json'), 'utf8')
  assert.equal(JSON.parse(manifest).name, sdkPackage)
})

test('no page that a service serves tells a reader to run npx crier', async () => {
  const site = await fetch(`${service.url}/llms.txt`).then((answer) => answer.text())
  const pages = [...site.matchAll(/\((http[^)]+\.md)\)/g)].map(([, url = '']) => url)
  assert.ok(pages.length > 50)
  for (const page of pages) {
    const text = await (await fetch(page)).text()
    assert.doesNotMatch(text, /npx crier|crier-sdk/, page)
  }
  assert.doesNotMatch(site, /npx crier|crier-sdk/)
})
