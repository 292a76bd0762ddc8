/** The import rules of docs/architecture.md, checked against the import statements. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  filesBelow,
  importsOf,
  isTest,
  moduleOf,
  serverFiles,
  serverImports,
  textOf,
} from './sources.ts'

const shared = ['accounts', 'events', 'usage']
const domains: Record<string, string[]> = {
  accounts: ['events'],
  events: [],
  usage: ['accounts', 'events'],
  oauth: shared,
  contacts: shared,
  forms: [...shared, 'contacts', 'messages'],
  files: [],
  images: [...shared, 'files', 'sender-domains'],
  brand: [...shared, 'images', 'sender-domains', 'templates'],
  imports: [...shared, 'contacts', 'files'],
  exports: [
    ...shared,
    'assistants',
    'contacts',
    'forms',
    'campaigns',
    'imports',
    'messages',
    'inbound-sms',
    'sequences',
  ],
  'sender-domains': shared,
  templates: [...shared, 'contacts'],
  messages: [...shared, 'contacts', 'sender-domains', 'templates'],
  campaigns: [...shared, 'contacts', 'sender-domains', 'messages', 'templates'],
  sequences: [...shared, 'contacts', 'campaigns', 'sender-domains', 'messages', 'templates'],
  feeds: [...shared, 'contacts', 'campaigns', 'sender-domains', 'templates'],
  assistants: [
    ...shared,
    'campaigns',
    'contacts',
    'feeds',
    'messages',
    'oauth',
    'sender-domains',
    'sequences',
  ],
  closings: [...shared, 'assistants', 'files', 'images', 'retention'],
  moves: [...shared, 'files', 'images', 'retention', 'sender-domains', 'tracking', 'webhooks'],
  reports: [...shared, 'contacts', 'campaigns', 'imports', 'messages'],
  bounces: [...shared, 'contacts', 'sender-domains', 'messages'],
  tracking: [...shared, 'bounces'],
  subscriptions: [...shared, 'bounces', 'contacts', 'messages', 'tracking'],
  'inbound-sms': [...shared, 'contacts', 'messages'],
  webhooks: shared,
  backups: [...shared, 'contacts', 'campaigns', 'feeds', 'sequences'],
  rendering: [...shared, 'messages', 'templates', 'tracking'],
  retention: [...shared, 'assistants', 'campaigns', 'contacts', 'forms', 'messages'],
  checks: ['backups'],
  status: [...shared, 'checks', 'messages', 'sender-domains'],
  traces: [],
}
const everyDomain = Object.keys(domains)

const mayImport: Record<string, string[]> = {
  lib: [],
  core: ['lib'],
  version: [],
  config: ['core', 'lib'],
  ...Object.fromEntries(
    everyDomain.map((domain) => [domain, ['lib', 'core', 'config', ...(domains[domain] ?? [])]]),
  ),
  operations: ['lib', 'core', 'config', 'version', ...everyDomain],
  reference: ['lib', 'core', 'config', 'version', 'operations', ...everyDomain],
  http: ['lib', 'core', 'config', 'version', 'operations', 'reference', ...everyDomain],
  submission: ['lib', 'core', 'config', ...everyDomain],
  worker: ['lib', 'core', 'config', ...everyDomain],
  composition: [
    'lib',
    'core',
    'config',
    'version',
    'operations',
    'reference',
    'http',
    'submission',
    'worker',
    ...everyDomain,
  ],
  main: ['lib', 'core', 'config', 'version', 'composition', ...everyDomain],
  demo: ['lib', 'core', 'config', 'operations', 'composition', ...everyDomain],
  operator: ['lib', 'core', 'config', 'version', 'main', 'demo', ...everyDomain],
}

test('the modules of the server import only downwards', () => {
  assert.ok(serverFiles.length > 40, `only ${serverFiles.length} files were seen`)
  assert.ok(serverImports.length > 100, `only ${serverImports.length} imports were seen`)
  for (const { from, to } of serverImports) {
    if (!to.startsWith('server/src/')) continue
    const [module, other] = [moduleOf(from), moduleOf(to)]
    if (module === other) continue
    const allowed = mayImport[module]
    assert.ok(allowed, `${from} lies in a module that docs/architecture.md does not know`)
    assert.ok(allowed.includes(other), `${from} imports ${to}: ${module} may not know ${other}`)
  }
})

test('no import cycle exists between files, not even of types', () => {
  const graph = Map.groupBy(serverImports, ({ from }) => from)
  assert.deepEqual(
    cyclesOf(serverFiles, (file) => (graph.get(file) ?? []).map(({ to }) => to)),
    [],
  )
})

/** Their folders are nouns that know each other: a segment names topics, a topic its segments. */
const domainsOfNouns = ['contacts']

test('the folders of a domain import each other in one direction only', () => {
  for (const domain of [...everyDomain, 'core', 'lib']) {
    if (domainsOfNouns.includes(domain)) continue
    const start = `server/src/${domain}/`
    // A file beside the folders is its own node.
    const nodeOf = (file: string) => file.slice(start.length).split('/')[0] ?? ''
    const edges = serverImports
      .filter(({ from, to }) => from.startsWith(start) && to.startsWith(start))
      .map(({ from, to }) => ({ from: nodeOf(from), to: nodeOf(to) }))
      .filter(({ from, to }) => from !== to)
    const graph = Map.groupBy(edges, ({ from }) => from)
    const nodes = [...new Set(edges.map(({ from }) => from))]
    const cycles = cyclesOf(nodes, (node) => (graph.get(node) ?? []).map(({ to }) => to))
    assert.deepEqual(cycles, [], domain)
  }
})

test('no file reaches outside its workspace by a relative path', () => {
  for (const workspace of ['server', 'sdk', 'cli', 'web']) {
    for (const { from, to } of filesBelow(workspace)
      .filter((file) => !isTest(file))
      .flatMap(importsOf)) {
      const relative = /^(server|sdk|cli|web|tests|bench|scripts)\//.test(to)
      assert.ok(!relative || to.startsWith(`${workspace}/`), `${from} imports ${to}`)
    }
  }
})

test('the sdk imports only Node, and the cli reaches the server through a single import()', () => {
  for (const { from, to } of filesBelow('sdk/src')
    .filter((file) => !isTest(file))
    .flatMap(importsOf)) {
    // The renderer of React mail is the program's own, and is loaded only where it sends such mail.
    const isRenderer = from === 'sdk/src/react.ts' && to === '@react-email/render'
    assert.ok(
      isRenderer || to.startsWith('sdk/') || to.startsWith('node:'),
      `${from} imports ${to}`,
    )
  }
  const reaches = filesBelow('cli')
    .filter((file) => !isTest(file))
    .flatMap(importsOf)
    .filter(({ to }) => to.startsWith('crier-server'))
  assert.ok(reaches.length <= 1, reaches.map(({ from, to }) => `${from}: ${to}`).join('\n'))
})

test('the app uses the service only through the sdk, and imports downwards from pages to ui', () => {
  const layers = ['ui', 'words', 'generated', 'api', 'shell', 'parts', 'pages']
  const layerOf = (file: string) => layers.indexOf(file.split('/')[2] ?? '')
  const imports = filesBelow('web/src').flatMap(importsOf)
  assert.ok(imports.length > 100, `only ${imports.length} imports were seen`)
  for (const { from, to } of imports) {
    // Words that pages of the server show as well.
    if (to.startsWith('crier-server/campaigns/preflight/words/')) continue
    assert.ok(!/^(crier-|@crier-mail\/(?!sdk\/session$))/.test(to), `${from} imports ${to}`)
    if (!to.startsWith('web/src/') || layerOf(from) < 0 || layerOf(to) < 0) continue
    const wordsAreEverywhere = to.startsWith('web/src/words/')
    const isBelow = layerOf(from) >= layerOf(to)
    assert.ok(isBelow || wordsAreEverywhere, `${from} imports ${to}`)
  }
})

test('the statements of a domain that its files share are imported by that domain only', () => {
  for (const { from, to } of serverImports) {
    if (!/(?:queries|\/rows)\.ts$/.test(to) || moduleOf(to) === 'lib') continue
    const inbox = to.startsWith('server/src/core/inbox/')
    assert.ok(inbox || moduleOf(from) === moduleOf(to), `${from} imports ${to}`)
  }
})

test('only lib/schema/schema.ts imports typebox', () => {
  const others = serverImports.filter(({ from, to }) => {
    return to === 'typebox' && from !== 'server/src/lib/schema/schema.ts'
  })
  assert.deepEqual(others, [], "import Type from lib/schema/schema.ts: TypeBox's package is heavy")
})

test('the caller’s address is determined in one file only', () => {
  const files = serverFiles.filter((file) => file.startsWith('server/src/http/'))
  // Fastify's own properties of a request, read by name or by destructuring.
  const fastifys = /\b(request|req)\.ips?\b|[{,]\s*ips?\s*[,}][^)]*=\s*req|['"]x-forwarded-/i
  const reading = files.filter((file) => fastifys.test(textOf(file)))
  assert.deepEqual(reading, ['server/src/http/caller-address.ts'], 'use request.callerAddress')
})

/** The sets of nodes that can all reach each other (Tarjan's strongly connected components). */
function cyclesOf(nodes: readonly string[], next: (node: string) => string[]): string[][] {
  const [index, low] = [new Map<string, number>(), new Map<string, number>()]
  const stack: string[] = []
  const found: string[][] = []
  const visit = (node: string): void => {
    index.set(node, index.size)
    low.set(node, index.size - 1)
    stack.push(node)
    for (const other of next(node)) {
      if (!index.has(other)) visit(other)
      if (stack.includes(other)) low.set(node, Math.min(low.get(node) ?? 0, low.get(other) ?? 0))
    }
    if (low.get(node) !== index.get(node)) return
    const members = stack.splice(stack.indexOf(node))
    if (members.length > 1) found.push(members)
  }
  for (const node of nodes) if (!index.has(node)) visit(node)
  return found
}
