/**
 * The packages that `npm start` and `npm test` install, on a copy of the project with tiny
 * packages: the real scripts/setup.mjs, this machine's npm, and no network.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)
const project = mkdtempSync(path.join(os.tmpdir(), 'crier-packages-'))
after(() => rmSync(project, { recursive: true, force: true }))

const inProject = (...names: string[]) => path.join(project, ...names)
const isThere = (...names: string[]) => existsSync(inProject('node_modules', ...names))
const stamp = () => readFileSync(inProject('node_modules/.crier-packages'), 'utf8').trim()

/** npm uses no network, and nothing that other projects on this machine have left. */
const env = {
  ...process.env,
  npm_config_offline: 'true',
  npm_config_cache: inProject('cache'),
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_ignore_scripts: 'false',
}

function write(name: string, text: string | object): void {
  mkdirSync(path.dirname(inProject(name)), { recursive: true })
  writeFileSync(inProject(name), typeof text === 'string' ? text : JSON.stringify(text))
}

/** Makes a package whose install script writes a file; returns the path of its archive. */
async function pack(name: string, script: string): Promise<string> {
  write(`packs/${name}/package/package.json`, {
    name,
    version: '1.0.0',
    scripts: { install: 'node install.js' },
  })
  write(`packs/${name}/package/install.js`, script)
  const archive = `packs/${name}.tgz`
  await run('tar', ['-czf', inProject(archive), '-C', inProject('packs', name), 'package'])
  return `file:${archive}`
}

const leavesFile = `require('node:fs').writeFileSync('ran', '')`
/** A stand-in for Node itself, which its package's script downloads. */
const leavesNode = `const fs = require('node:fs')
fs.mkdirSync('bin', { recursive: true })
fs.writeFileSync('bin/node', '#!/bin/sh\\necho v1.0.0\\n', { mode: 0o755 })
fs.appendFileSync('../../fetched', 'x')`

before(async () => {
  cpSync(path.join(import.meta.dirname, '../scripts/setup.mjs'), inProject('scripts/setup.mjs'))
  // This test does not check compilation.
  write('scripts/compile.mjs', '')
  for (const folder of ['server/src', 'cli', 'sdk/src']) write(`${folder}/nothing.ts`, '')
  write('package.json', {
    name: 'small',
    version: '1.0.0',
    private: true,
    scripts: { start: 'exec node cli/bin.mjs serve' },
    dependencies: {
      node: await pack('node', leavesNode),
      served: await pack('served', leavesFile),
    },
    devDependencies: { tested: await pack('tested', leavesFile) },
    allowScripts: { node: true, served: false },
  })
  write('server/package.json', { peerDependencies: { traced: await pack('traced', leavesFile) } })
  await run('npm', ['install', '--package-lock-only'], { cwd: project, env })
})

const setup = async (set: 'service' | 'all'): Promise<string> => {
  const { stdout } = await run(process.execPath, ['scripts/setup.mjs', set], { cwd: project, env })
  return stdout
}
const clone = () => rmSync(inProject('node_modules'), { recursive: true, force: true })
const lockIsNewer = () => {
  const later = new Date(Date.now() + 5_000)
  utimesSync(inProject('package-lock.json'), later, later)
}
const lockIsOlder = () => utimesSync(inProject('package-lock.json'), new Date(0), new Date(0))

test('starting a fresh clone installs only what the service needs', async () => {
  assert.match(await setup('service'), /Installing what the service needs/)
  assert.deepEqual([isThere('served'), isThere('tested'), stamp()], [true, false, 'service'])
})

test('the install scripts of allowed packages run, and no others', () => {
  assert.ok(isThere('node/bin/node'))
  assert.ok(!isThere('served/ran'))
})

test('a second start installs nothing', async () => {
  assert.equal(await setup('service'), '')
})

test('an upgrade keeps the packages of traces where an operator has installed them', async () => {
  lockIsNewer()
  await setup('service')
  assert.ok(!isThere('traced'))
  const named = ['--no-save', '--omit=dev', '--ignore-scripts', 'traced@file:packs/traced.tgz']
  await run('npm', ['install', ...named], { cwd: project, env })
  lockIsNewer()
  assert.match(await setup('service'), /Installing what the service needs/)
  assert.deepEqual([isThere('traced'), isThere('served'), isThere('tested')], [true, true, false])
  lockIsOlder()
})

test('the tests install the packages they need and run no scripts beyond the allowed ones', async () => {
  assert.match(await setup('all'), /Installing all packages/)
  assert.deepEqual([isThere('served'), isThere('tested'), stamp()], [true, true, 'all'])
  assert.deepEqual([isThere('served/ran'), isThere('tested/ran')], [false, false])
  // Node itself was installed; downloading it takes most of a minute.
  assert.equal(readFileSync(inProject('fetched'), 'utf8'), 'x')
})

test('a start after tests keeps the test packages, even with a newer lock file', async () => {
  assert.equal(await setup('service'), '')
  lockIsNewer()
  assert.match(await setup('service'), /Installing all packages/)
  assert.deepEqual([isThere('tested'), stamp()], [true, 'all'])
  lockIsOlder()
})

test('after a manual npm install, setup recognises which set of packages is installed', async () => {
  rmSync(inProject('node_modules/.crier-packages'))
  assert.equal(await setup('all'), '')
  await run('npm', ['install', '--omit=dev', '--ignore-scripts'], { cwd: project, env })
  const later = new Date(Date.now() + 5_000)
  utimesSync(inProject('node_modules/.package-lock.json'), later, later)
  assert.ok(!isThere('tested'))
  assert.match(await setup('all'), /Installing all packages/)
  assert.ok(isThere('tested'))
})

test('testing a fresh clone installs all packages at once', async () => {
  clone()
  assert.match(await setup('all'), /Installing all packages/)
  assert.deepEqual([isThere('served'), isThere('tested'), stamp()], [true, true, 'all'])
  assert.ok(isThere('node/bin/node'))
})

/** What each may be shipped under without further conditions than naming it. */
const permissive = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
])
/** libvips (LGPL) and lightningcss (MPL), in packages of their own, unchanged; and one that names MIT in its README. */
const examined = /^(?:@img\/sharp-|lightningcss|slick$)/

interface Component {
  name: string
  version: string
  licenses?: { license?: { id?: string; name?: string }; expression?: string }[]
}

test('the bill of materials names every shipped package with a licence that may be shipped', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/sbom.mjs'], {
    cwd: path.join(import.meta.dirname, '..'),
    maxBuffer: 50_000_000,
  })
  const { bomFormat, components } = JSON.parse(stdout) as {
    bomFormat: string
    components: Component[]
  }
  assert.equal(bomFormat, 'CycloneDX')
  for (const name of ['fastify', 'pg', 'sharp']) {
    assert.ok(
      components.some((component) => component.name === name),
      name,
    )
  }
  assert.ok(!components.some(({ name }) => name === 'playwright-core'), 'nothing of the tests')
  const others = components.filter(({ name, licenses = [] }) => {
    const words = licenses.flatMap(({ license, expression }) =>
      (license?.id ?? license?.name ?? expression ?? '').split(' AND '),
    )
    return (
      !examined.test(name) && !(words.length > 0 && words.every((word) => permissive.has(word)))
    )
  })
  assert.deepEqual(
    others.map(({ name, version, licenses }) => [name, version, JSON.stringify(licenses)]),
    [],
  )
})
