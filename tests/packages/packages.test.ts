/**
 * The packages as a user gets them: npm installs them into an empty folder, from a running service
 * and from `npm pack`. Their dependencies come from npm's own registry.
 */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { createClient, signWebhook } from '@crier-mail/sdk/node'
import { packPackage } from 'crier-server/http/packages/pack.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { packageFiles, packagePath, sdkPackage } from 'crier-server/reference/packages.ts'
import { publint } from 'publint'
import { fencesOf } from '../docs/fences.ts'
import { newBusiness } from '../support/businesses/business.ts'
import { newApiKey } from '../support/clients/api-keys.ts'
import { newGrant, tokenMint } from '../support/clients/grants.ts'
import { missingPrograms } from '../support/processes/debian-program.ts'
import { npm, npmTools } from '../support/processes/npm-tools.ts'
import { type Service, startService } from '../support/processes/service.ts'
import { readReleases } from '../support/releases.ts'
import { eventually } from '../support/time/eventually.ts'

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

/** The oldest that each package claims, and the one between it and ours. */
const oldNodes = { sdk: '20.3.0', cli: '20.12.0', both: '22.12.0' } as const
const machine = `${process.platform}-${process.arch}`

/** A Node takes 150 MB. */
const tools = npmTools('packages', [
  '@arethetypeswrong/core@0.18.5',
  'oldest-typescript@npm:typescript@5.9.3',
  ...Object.entries(oldNodes).map(([name, version]) => `${name}@npm:node-${machine}@${version}`),
])

/** Runtimes beside Node that the SDK claims, 360 MB, where npm has them for this machine. */
const runtimes = path.join(
  await npmTools('runtimes', ['bun@1.4.5', 'deno@2.9.6', 'workerd@1.20261117.1']).catch(
    () => '/nowhere',
  ),
  'node_modules',
)
const bun = path.join(runtimes, 'bun/bin/bun.exe')
const deno = path.join(runtimes, 'deno/deno')
/** What Cloudflare Workers run on. */
const workerd = path.join(runtimes, '@cloudflare/workerd-linux-64/bin/workerd')

async function oldNode(name: keyof typeof oldNodes): Promise<string> {
  const node = path.join(await tools, 'node_modules', name, 'bin/node')
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
  await npm(project, ...installIn('sdk/README.md'))
  assert.deepEqual(await readdir(path.join(project, 'node_modules/@crier-mail')), ['sdk'])
  await useSdk(project)
})

test('the service serves its command line, with the SDK bundled', async () => {
  const project = await bareProject('cli')
  await npm(project, ...installIn('cli/README.md').filter((word) => word !== '--global'))
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

test('the packed command line listens for webhooks under the oldest Node that it claims', async () => {
  const project = await bareProject('listening')
  await npm(project, 'install', service.url + packageFiles.cli)
  // The events are put in order by a worker, which the other service does not have.
  const working = await startService()
  const { db } = working
  const { secret: key } = await newApiKey(db, { businessId: await newBusiness(db) })
  const env = {
    PATH: process.env['PATH'],
    XDG_CONFIG_HOME: project,
    CRIER_URL: working.url,
    CRIER_API_KEY: key,
  }
  const crier = path.join(project, 'node_modules/.bin/crier')
  const listener = spawn(await oldNode('cli'), [crier, 'webhooks', 'listen'], { env })
  let [lines, said] = ['', '']
  listener.stdout.on('data', (chunk: Buffer) => {
    lines += chunk.toString()
  })
  listener.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  const ended = once(listener, 'exit')
  try {
    await eventually(
      () => said,
      (text) => text.includes('Listening to'),
    )
    const client = createClient({ url: working.url, apiKey: key })
    await client.contact.upsert({ email: 'ana@example.com' })
    await eventually(
      () => lines,
      (text) => text.includes('\n') || listener.exitCode !== null,
    )
    assert.equal(JSON.parse(lines.split('\n')[0] ?? '').event.type, 'contact.created', said)
  } finally {
    listener.kill('SIGINT')
    await ended
    await working.close()
  }
  assert.deepEqual(await ended, [0, null], said)
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
  const project = await bareProject('strict')
  await writeFile(path.join(project, 'package.json'), '{}')
  await npm(project, 'install', service.url + packageFiles.sdk)
  const tsc = path.join(await tools, 'node_modules/oldest-typescript/bin/tsc')
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

/** A module of the entries that need nothing of Node, which tells what it was answered. */
const portableModule = `import { createClient, NotFoundError } from '${sdkPackage}'
import { nextHandler } from '${sdkPackage}/webhooks'

export async function tryOut({ url, apiKey, listened, body, headers }) {
  const client = createClient({ url, apiKey })
  const { contact_id } = await client.contact.upsert({ email: 'ana@example.com' })
  const found = []
  for await (const { email } of client.contact.list.all({ limit: 1 })) found.push(email)
  const missing = await client.contact
    .get({ contact_id: contact_id.replace(/.$/, (last) => (last === '0' ? '1' : '0')) })
    .catch((error) => error instanceof NotFoundError && error.status)
  const handler = nextHandler({ secret: 'whsec_of-a-test', onEvent: ({ id }) => found.push(id) })
  const send = (text) => handler(new Request(listened, { method: 'POST', body: text, headers }))
  const statuses = [(await send(body)).status, (await send(body + ' ')).status]
  return [found, missing, statuses]
}
`

/** A project with that module, what it is given, and what it is to tell. */
async function portableProject(name: string) {
  const project = await bareProject(name)
  await npm(project, 'install', service.url + packageFiles.sdk)
  await writeFile(path.join(project, 'portable.mjs'), portableModule)
  const { secret: apiKey } = await newApiKey(service.db, {
    businessId: await newBusiness(service.db),
  })
  const event = { id: 'evt_1', type: 'domain.verified', business_id: 'bus_1', data: {} }
  const body = JSON.stringify({ ...event, created_at: new Date().toISOString() })
  const headers = signWebhook({ body, secret: 'whsec_of-a-test', deliveryId: 'dlv_1' })
  const listened = 'https://receiver.example/webhooks'
  const input = JSON.stringify({
    url: service.config.gatewayUrl,
    apiKey,
    listened,
    body,
    headers,
  })
  return { project, input, expected: [['ana@example.com', 'evt_1'], 404, [204, 400]] }
}

for (const [name, program, words] of [
  ['Bun', bun, ['run']],
  ['Deno', deno, ['run', '--quiet', '--allow-net', '--allow-env', '--node-modules-dir=manual']],
] as const) {
  test(`the SDK calls and verifies under ${name}`, {
    skip: missingPrograms(program) ?? false,
  }, async () => {
    const { project, input, expected } = await portableProject(name)
    const main = path.join(project, 'main.mjs')
    await writeFile(
      main,
      `import { tryOut } from './portable.mjs'
console.log(JSON.stringify(await tryOut(JSON.parse(process.argv[2]))))`,
    )
    const { stdout } = await run(program, [...words, main, input], {
      cwd: project,
      env: { ...process.env, DENO_DIR: path.join(project, 'deno') },
    })
    assert.deepEqual(JSON.parse(stdout), expected)
  })
}

test('the SDK calls and verifies in a Worker', {
  skip: missingPrograms(workerd) ?? false,
}, async () => {
  const { project, input, expected } = await portableProject('worker')
  // Workers have no packages: a bundler gives each module its name, as is done here.
  const dist = path.join(project, 'node_modules', sdkPackage, 'dist')
  const files = await readdir(dist, { recursive: true })
  const sources = files.filter((file) => file.endsWith('.js') && !file.startsWith('cjs'))
  const worker = `import { tryOut } from 'portable.js'
export default { fetch: async (request) => Response.json(await tryOut(await request.json())) }`
  const entries = portableModule
    .replace(`'${sdkPackage}'`, "'sdk/index.js'")
    .replace(`'${sdkPackage}/webhooks'`, "'sdk/webhooks.js'")
  const modules = [
    `(name = "worker.js", esModule = ${JSON.stringify(worker)})`,
    `(name = "portable.js", esModule = ${JSON.stringify(entries)})`,
    ...sources.map((file) => {
      const source = path.relative(project, path.join(dist, file))
      return `(name = "sdk/${file}", esModule = embed ${JSON.stringify(source)})`
    }),
  ]
  await writeFile(
    path.join(project, 'worker.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [${modules.join(',\n')}],
      compatibilityDate = "2026-11-01",
      globalOutbound = "network",
    )),
    (name = "network", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);`,
  )
  await using running = await startWorker(project)
  const answer = await fetch(running.url, { method: 'POST', body: input })
  assert.deepEqual(await answer.json(), expected)
})

/** Starts the runtime of Workers, which tells its port on a descriptor of its own. */
async function startWorker(project: string) {
  const child = spawn(workerd, ['serve', 'worker.capnp', '--control-fd=3'], {
    cwd: project,
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  })
  const ended = once(child, 'exit')
  const [line] = await once(child.stdio[3] as Readable, 'data')
  const { port } = JSON.parse(String(line)) as { port: number }
  return {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      child.kill()
      await ended
    },
  }
}

test('nothing of Node is loaded by the entries for any runtime', async () => {
  const dist = path.join(root, 'sdk/dist')
  const reached = new Set(['index', 'react', 'session', 'webhooks'].map((name) => `${name}.js`))
  for (const file of reached) {
    const text = await readFile(path.join(dist, file), 'utf8')
    assert.doesNotMatch(text, /'node:|\bBuffer\.|\bprocess\.\w/, file)
    for (const [, source = ''] of text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)) {
      reached.add(path.join(path.dirname(file), source))
    }
  }
  assert.ok(reached.size > 20 && !reached.has('node.js'), String([...reached]))
})

/** The words of the command by which a page installs, with our service, and with versions that stay. */
function installIn(page: string, versions: readonly string[] = []): string[] {
  const [install] = fencesOf(page).filter(({ code }) => code.startsWith('npm install '))
  const words = install?.code.trim().split(' ').slice(1) ?? []
  return words.map((word) => {
    const fixed = versions.find((version) => version.startsWith(`${word}@`))
    return fixed ?? word.replace('http://localhost:8080', service.url)
  })
}

test('the guides to React Email and Handlebars work in a bare project', async () => {
  const project = await bareProject('rendering')
  const versions = ['react@19.3.1', '@react-email/render@2.3.1', 'handlebars@4.7.10']
  for (const page of ['react-email', 'handlebars']) {
    await npm(project, ...installIn(`docs/guides/${page}.md`, versions))
  }
  const { secret } = await newApiKey(service.db, { businessId: await newBusiness(service.db) })
  for (const page of ['react-email', 'handlebars']) {
    const [program] = fencesOf(`docs/guides/${page}.md`).filter(({ language }) => language === 'ts')
    const code = (program?.code ?? '').replaceAll('http://localhost:8080', service.url)
    await writeFile(path.join(project, `${page}.mts`), code)
    await run(process.execPath, [`${page}.mts`], {
      cwd: project,
      env: { ...process.env, CRIER_API_KEY: secret },
    })
  }
  const client = createClient({ url: service.url, apiKey: secret })
  const messages = await client.message.list.all().toArray({ max: 10 })
  const sent = messages.map(({ message_id }) => client.message.get({ message_id, content: true }))
  const pages = (await Promise.all(sent)).map(({ content }) => content?.html)
  assert.equal(pages.length, 2)
  assert.match(pages.join('\n'), /You paid (<!-- -->)?12 EUR/)
  assert.match(pages.join('\n'), /<li>Apple cake: 12 EUR<\/li>/)
})

test('npm would publish what the service serves, with its licence, readme and provenance', async () => {
  for (const name of ['sdk', 'cli'] as const) {
    const file = path.join(folder, `${name}.tgz`)
    const served = await fetch(service.url + packageFiles[name])
    await writeFile(file, await served.bytes())
    // Nobody is asked: a dry run tells what would be sent, and where.
    const nowhere = ['--registry=http://127.0.0.1:9', '--fetch-retries=0']
    const { stdout } = await npm(folder, 'publish', '--dry-run', '--json', ...nowhere, file)
    const [published] = Object.values(JSON.parse(stdout)) as [
      { name: string; version: string; files: { path: string }[] },
    ]
    assert.equal(published.name, `@crier-mail/${name}`)
    assert.equal(`/packages/${name}-${published.version}.tgz`, packagePath(name))
    const files = published.files.map((entry) => entry.path)
    for (const wanted of ['LICENSE', 'README.md', 'package.json']) assert.ok(files.includes(wanted))
    assert.deepEqual(
      files.filter((entry) => /\.test\.|(?<!\.d)\.ts$|\.env/.test(entry)),
      [],
    )
    const manifest = JSON.parse(await textIn(file, 'package.json'))
    assert.deepEqual(manifest.publishConfig, { access: 'public', provenance: true })
    assert.equal(manifest.license, 'MIT')
    assert.deepEqual(Object.keys(manifest.scripts ?? {}), [])
    const entries = [manifest.bin, manifest.main, manifest.types, manifest.exports]
    for (const [, entry = ''] of JSON.stringify(entries).matchAll(/"\.\/([^"]+)"/g)) {
      assert.ok(`./${entry}` in (manifest.exports ?? {}) || files.includes(entry), entry)
    }
    // A page of a registry has nothing beside it that a link could lead to.
    const readme = await textIn(file, 'README.md')
    assert.doesNotMatch(readme, /\]\((?!https?:|#)/)
    assert.match(readme, new RegExp(`^# @crier-mail/${name}\n`))
  }
})

test('what is published to npm names its repository, which provenance needs', async () => {
  const script = path.join(root, 'scripts/npm-packages.ts')
  const write = (...words: string[]) =>
    run(process.execPath, ['--conditions=crier-source', script, ...words])
  const out = path.join(folder, 'published')
  const url = 'https://git.example.com/crier/crier'
  const { stdout } = await write(url, out)
  const files = stdout.trim().split('\n')
  assert.equal(files.length, 2)
  for (const [index, name] of (['sdk', 'cli'] as const).entries()) {
    const file = files[index] ?? ''
    const nowhere = ['--registry=http://127.0.0.1:9', '--fetch-retries=0']
    const { stdout: dryRun } = await npm(out, 'publish', '--dry-run', '--json', ...nowhere, file)
    assert.ok(Object.keys(JSON.parse(dryRun)).join().includes(`@crier-mail/${name}`))
    const { repository, ...manifest } = JSON.parse(await textIn(file, 'package.json'))
    assert.deepEqual(repository, { type: 'git', url: `git+${url}`, directory: name })
    // In all else it is what the service serves.
    const served = path.join(folder, `served-${name}.tgz`)
    const answer = await fetch(service.url + packageFiles[name])
    await writeFile(served, await answer.bytes())
    assert.deepEqual(manifest, JSON.parse(await textIn(served, 'package.json')))
  }
  for (const words of [
    [],
    ['http://git.example.com/crier', out],
    ['https://git.example.com', out],
    [url],
  ]) {
    await assert.rejects(write(...words), { code: 2 })
  }
})

test('npm publishes the packages to a registry, and refuses where no job can prove their provenance', async () => {
  const out = path.join(folder, 'to-publish')
  const script = path.join(root, 'scripts/npm-packages.ts')
  const words = ['--conditions=crier-source', script, 'https://git.example.com/crier/crier', out]
  const { stdout } = await run(process.execPath, words)
  const published: { name: string; access: string; _attachments: object }[] = []
  const registry = createServer((request, response) => {
    void buffer(request).then((body) => {
      if (request.method === 'PUT') published.push(JSON.parse(body.toString()))
      const headers = { 'content-type': 'application/json' }
      response.writeHead(request.method === 'PUT' ? 201 : 404, headers).end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(registry, 'listening')
  const host = `//127.0.0.1:${(registry.address() as AddressInfo).port}/`
  const publish = (file: string, ...flags: string[]) =>
    npm(out, 'publish', file, `--registry=http:${host}`, `--${host}:_authToken=x`, ...flags)
  try {
    for (const file of stdout.trim().split('\n')) {
      const refused = await publish(file).catch((error: { stderr: string }) => error)
      assert.match(refused.stderr, /provenance/i, 'the packages ask for provenance')
      assert.equal(published.length, 0)
      await publish(file, '--provenance=false')
      const { name, access, _attachments } = published.pop() ?? assert.fail()
      assert.equal(access, 'public')
      assert.match(Object.keys(_attachments).join(), new RegExp(`^${name}-[\\d.]+\\.tgz$`))
    }
  } finally {
    registry.close()
  }
})

const textIn = async (archive: string, name: string) =>
  (await run('tar', ['-xzOf', archive, `package/${name}`], { maxBuffer: 10_000_000 })).stdout

/** The finds of "are the types wrong": each entry point by every way of resolving that TypeScript has. */
async function wrongTypes(archive: string): Promise<string[]> {
  const core = path.join(await tools, 'node_modules/@arethetypeswrong/core/dist/index.js')
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

test('a version that was released has one hash for ever: its packages are built as they were', async (t) => {
  const lines = (await readFile(path.join(root, 'docs/package-hashes.txt'), 'utf8')).split('\n')
  const listed = lines
    .filter((line) => /^\S+ [0-9a-f]{64}$/.test(line))
    .map((line) => line.split(' '))
  const hashes = new Map(listed.map(([file = '', hash = '']) => [file, hash]))
  assert.equal(hashes.size, listed.length, 'a file is listed twice')
  // Those before had other bytes after their release, which a service serves under a name of their own.
  const unlisted = readReleases().filter(({ version }) => !['v1.0.0', 'v1.1.0'].includes(version))
  for (const { version } of unlisted) {
    for (const name of ['sdk', 'cli']) {
      assert.ok(
        hashes.has(`${name}-${version.slice(1)}.tgz`),
        `docs/package-hashes.txt lacks ${version}`,
      )
    }
  }
  for (const name of ['sdk', 'cli'] as const) {
    const file = packagePath(name).slice('/packages/'.length)
    const hash = createHash('sha256')
      .update(await packPackage(name))
      .digest('hex')
    t.diagnostic(`${file} ${hash}`)
    assert.equal(
      hashes.get(file) ?? hash,
      hash,
      `${file} was released with other bytes: raise the version`,
    )
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
