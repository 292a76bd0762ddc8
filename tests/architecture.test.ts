/**
 * The walls of the house (docs/architecture.md): who may import whom, how large a
 * file may grow, and that every operation of the catalogue has its file and test.
 * Read from the import statements themselves; that files were seen is asserted too.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const root = path.join(import.meta.dirname, '..')

function filesBelow(folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .filter((file) => !/(^|\/)(node_modules|dist|generated)\//.test(file))
}

interface Import {
  from: string
  /** A path within the repository, or the bare name of a package. */
  to: string
}

// `import x from`, `export { x } from`, `import 'x'`, `import('x')`: whole statements, so
// that no word of a comment or a text counts.
const statement =
  /^(?:import|export)\s+(?:type\s+)?(?:\{[^}]*\}|\*(?:\s+as\s+\w+)?|\w+(?:\s*,\s*\{[^}]*\})?)\s+from\s+['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm

function importsOf(file: string): Import[] {
  const text = readFileSync(path.join(root, file), 'utf8')
  return [...text.matchAll(statement)].map((match) => {
    const target = match[1] ?? match[2] ?? match[3] ?? ''
    const to = target.startsWith('.') ? path.join(path.dirname(file), target) : target
    return { from: file, to }
  })
}

const isTest = (file: string) => file.endsWith('.test.ts')
const serverFiles = filesBelow('server/src').filter((file) => !isTest(file))
const serverImports = serverFiles.flatMap(importsOf)

/** `server/src/oauth/codes.ts` lies in the room `oauth`; a file beside the rooms is its own. */
function roomOf(file: string): string {
  const [, , room = '', more] = file.split('/')
  return more === undefined ? room.replace(/\.ts$/, '') : room
}

const ground = ['businesses', 'events', 'usage']
const domains: Record<string, string[]> = {
  businesses: ['events'],
  events: [],
  usage: ['businesses', 'events'],
  people: ground,
  oauth: [...ground, 'people'],
  contacts: ground,
  forms: [...ground, 'contacts', 'messages'],
  domains: ground,
  templates: ground,
  messages: [...ground, 'contacts', 'domains', 'templates'],
  campaigns: [...ground, 'contacts', 'domains', 'messages', 'templates'],
  feedback: [...ground, 'contacts', 'domains', 'messages'],
  replies: [...ground, 'contacts', 'messages'],
  webhooks: ground,
  building: [...ground, 'feedback', 'messages', 'templates'],
}
const everyDomain = Object.keys(domains)

const mayImport: Record<string, string[]> = {
  platform: [],
  version: [],
  config: ['platform'],
  ...Object.fromEntries(
    everyDomain.map((domain) => [domain, ['platform', 'config', ...(domains[domain] ?? [])]]),
  ),
  operations: ['platform', 'config', 'version', ...everyDomain],
  reference: ['platform', 'config', 'version', 'operations', ...everyDomain],
  http: ['platform', 'config', 'version', 'operations', 'reference', ...everyDomain],
  bounce: ['platform', 'config', 'feedback'],
  worker: ['platform', 'config', ...everyDomain],
  app: ['platform', 'config', 'version', 'operations', 'http', 'bounce', 'worker', ...everyDomain],
  main: ['platform', 'config', 'version', 'app', ...everyDomain],
  operator: ['platform', 'config', 'version', 'main', ...everyDomain],
}

test('the rooms of the server import only downwards', () => {
  assert.ok(serverFiles.length > 40, `only ${serverFiles.length} files were seen`)
  assert.ok(serverImports.length > 100, `only ${serverImports.length} imports were seen`)
  for (const { from, to } of serverImports) {
    if (!to.startsWith('server/src/')) continue
    const [room, other] = [roomOf(from), roomOf(to)]
    if (room === other) continue
    const allowed = mayImport[room]
    assert.ok(allowed, `${from} lies in a room that docs/architecture.md does not know`)
    assert.ok(allowed.includes(other), `${from} imports ${to}: ${room} may not know ${other}`)
  }
})

test('no file reaches outside its workspace by a relative path', () => {
  for (const workspace of ['server', 'sdk', 'cli', 'web']) {
    for (const { from, to } of filesBelow(workspace)
      .filter((f) => !isTest(f))
      .flatMap(importsOf)) {
      const relative = /^(server|sdk|cli|web|tests|bench|scripts)\//.test(to)
      assert.ok(!relative || to.startsWith(`${workspace}/`), `${from} imports ${to}`)
    }
  }
})

test('the sdk imports nothing but Node; the cli reaches the server by one import() alone', () => {
  for (const { from, to } of filesBelow('sdk/src')
    .filter((f) => !isTest(f))
    .flatMap(importsOf)) {
    assert.ok(to.startsWith('sdk/') || to.startsWith('node:'), `${from} imports ${to}`)
  }
  const reaches = filesBelow('cli')
    .filter((file) => !isTest(file))
    .flatMap(importsOf)
    .filter(({ to }) => to.startsWith('crier-server'))
  assert.ok(reaches.length <= 1, reaches.map(({ from, to }) => `${from}: ${to}`).join('\n'))
})

test('statements of a domain are imported by that domain alone', () => {
  for (const { from, to } of serverImports) {
    if (!to.endsWith('queries.ts') || roomOf(to) === 'platform') continue
    assert.equal(roomOf(from), roomOf(to), `${from} imports ${to}`)
  }
})

test('schemas are written by platform/schema.ts', () => {
  const others = serverImports.filter(({ from, to }) => {
    return to === 'typebox' && from !== 'server/src/platform/schema.ts'
  })
  assert.deepEqual(others, [], "import Type from platform/schema.ts: TypeBox's package is heavy")
})

test('callers have one address: what a proxy says is read in one place', () => {
  const files = serverFiles.filter((file) => file.startsWith('server/src/http/'))
  // Fastify's own properties of a request, asked for by name or taken apart.
  const fastifys = /\b(request|req)\.ips?\b|[{,]\s*ips?\s*[,}][^)]*=\s*req|['"]x-forwarded-/i
  const reading = files.filter((file) => fastifys.test(readFileSync(path.join(root, file), 'utf8')))
  assert.deepEqual(reading, ['server/src/http/caller-address.ts'], 'use request.callerAddress')
})

test('no file is longer than 300 lines, and the median is at most 100', () => {
  const files = ['server', 'sdk', 'cli', 'web', 'tests', 'bench', 'scripts', 'examples'].flatMap(
    filesBelow,
  )
  const lengths = files.map((file) => ({
    file,
    lines: readFileSync(path.join(root, file), 'utf8').split('\n').length - 1,
  }))
  const long = lengths.filter(({ lines }) => lines > 300)
  assert.deepEqual(long, [])
  const code = lengths
    .filter(({ file }) => !isTest(file) && !file.startsWith('tests/'))
    .map(({ lines }) => lines)
    .sort((a, b) => a - b)
  const median = code[code.length >> 1] ?? 0
  assert.ok(median <= 100, `the median file has ${median} lines`)
})
