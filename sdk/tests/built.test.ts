import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { fakeServer } from './fake-server.ts'

const run = promisify(execFile)
const sdk = fileURLToPath(new URL('..', import.meta.url))
const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-built-'))
after(() => rm(folder, { recursive: true }))

// TEST_NODE can name a Node 20 or 22, to test the package there as well.
const node = process.env['TEST_NODE'] ?? process.execPath

const out = path.join(folder, 'dist')
const tsc = path.join(
  path.dirname(fileURLToPath(import.meta.resolve('typescript/package.json'))),
  'bin',
  'tsc',
)

before(async () => {
  await run(process.execPath, [path.join(sdk, 'build.mjs'), out])
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}')
})

test('the built package contains no tests, no TypeScript and no dependency', async () => {
  const files = await readdir(out, { recursive: true })
  assert.ok(files.includes('index.js') && files.includes('index.d.ts'))
  assert.deepEqual(
    files.filter((file) => file.includes('.test.')),
    [],
  )
  for (const file of files.filter((name) => name.endsWith('.js') && !name.startsWith('cjs/'))) {
    const text = await readFile(path.join(out, file), 'utf8')
    for (const [, source = ''] of text.matchAll(/from '([^']+)'/g)) {
      assert.match(source, /^(\.{1,2}\/[a-z/-]+\.js|node:[a-z/]+)$/, `${file} imports ${source}`)
    }
  }
})

test('a plain JavaScript program signs in, calls and signs out with the built package', async () => {
  const server = await fakeServer()
  const program = path.join(sdk, 'tests', 'built-program.mjs')
  const entry = pathToFileURL(path.join(out, 'node.js')).href
  const file = path.join(folder, 'store', 'connection')
  const { stdout } = await run(node, [program, entry, server.url, file])
  await server.close()
  assert.deepEqual(JSON.parse(stdout), { businesses: 1, revoked: true })
})

test('a TypeScript program compiles against the types of the built package', async () => {
  const program = path.join(folder, 'program.ts')
  await writeFile(
    program,
    `import { createClient, CrierError, memoryStore } from './dist/index.js'
     const client = createClient({ url: 'http://localhost:8080', store: memoryStore() })
     const { businesses } = await client.call<{ businesses: string[] }>('business.list')
     export const first: string | undefined = businesses[0]
     // @ts-expect-error: a store is needed
     createClient({ url: 'http://localhost:8080' })
     export const code: string = new CrierError({ code: 'x', message: 'y' }).code`,
  )
  const flags = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
  ]
  await run(process.execPath, [tsc, ...flags, program], { cwd: folder })
})
