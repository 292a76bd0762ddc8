/** The files with which an operator starts Crier: they parse, and their variables are explained. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { settings } from 'crier-server/config/settings.ts'
import { limits, readConfig } from 'crier-server/config.ts'
import { parse, parseAllDocuments } from 'yaml'

const root = path.join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const names = new Set(settings.map(({ name }) => name))
const explained = read('docs/operate/settings.md')

interface Service {
  image: string
  build?: string | { context: string; args: Record<string, string> }
  command?: string[]
  environment?: Record<string, string>
  volumes?: string[]
  stop_grace_period?: string
  env_file?: { path: string; required: boolean }[]
}

interface Compose {
  services: Record<string, Service>
  volumes: Record<string, unknown>
}

/** Whether it is a node of Crier. */
const isNode = ({ image }: Pick<Service, 'image'>) =>
  image === 'crier' || image === 'crier-external'

const compose = (file: string) => parse(read(file), { merge: true }) as Compose

/** The variables that Compose substitutes, each with its default. */
function replaced(text: string): Map<string, string> {
  const found = text.matchAll(/\$\{([A-Z_]+)(?::-([^}]*)|:\?[^}]*)?\}/g)
  return new Map([...found].map(([, name = '', otherwise = '']) => [name, otherwise]))
}

function assertSettings(variables: Iterable<string>, file: string): void {
  for (const name of variables) {
    assert.ok(names.has(name), `${file} sets ${name}, which is no setting of Crier`)
    assert.ok(explained.includes(`\`${name}\``), `${name} is not explained in settings.md`)
  }
}

test('the compose files use only settings of Crier, each of them explained', () => {
  for (const file of ['compose.yaml', 'compose.small.yaml']) {
    const { services, volumes } = compose(file)
    const ours = Object.values(services).filter(isNode)
    assert.equal(ours.length, file === 'compose.yaml' ? 4 : 1)
    for (const service of ours) assertSettings(Object.keys(service.environment ?? {}), file)
    const mounted = Object.values(services).flatMap((service) => service.volumes ?? [])
    const named = mounted
      .map((mount) => mount.split(':')[0] ?? '')
      .filter((text) => !/[./]/.test(text))
    assert.deepEqual(new Set(named), new Set(Object.keys(volumes)))
  }
})

test('nodes that have a server of their own get the image without a database, under its own name', () => {
  for (const file of ['compose.yaml', 'compose.small.yaml']) {
    for (const [name, service] of Object.entries(compose(file).services)) {
      if (!isNode(service)) continue
      const own = service.environment?.['DATABASE_URL'] !== undefined
      const wanted = own ? { context: '.', args: { DATABASE: 'external' } } : '.'
      assert.deepEqual(service.build, wanted, `${file}: ${name}`)
      assert.equal(service.image, own ? 'crier-external' : 'crier')
    }
  }
})

test('settings without a line in the compose files reach every node from crier.env', () => {
  for (const file of ['compose.yaml', 'compose.small.yaml']) {
    for (const [name, { image, env_file }] of Object.entries(compose(file).services)) {
      const wanted = isNode({ image }) ? [{ path: 'crier.env', required: false }] : undefined
      assert.deepEqual(env_file, wanted, `${file}: ${name}`)
    }
  }
})

test('variables that the compose files take from .env are in its example and in the guide', () => {
  const wanted = replaced(read('compose.yaml'))
  const example = new Set(
    [...read('deploy/compose.env.example').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name),
  )
  assert.deepEqual(new Set(wanted.keys()), example)
  const guide = read('docs/operate/server.md')
  for (const name of wanted.keys()) assert.ok(guide.includes(`\`${name}\``), name)
  assertSettings(replaced(read('compose.small.yaml')).keys(), 'compose.small.yaml')
})

test('each container of the compose files starts with its settings', () => {
  const env = Object.fromEntries(
    [...read('deploy/compose.env.example').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  )
  const filled = { ...env, CRIER_SECRET: 'x'.repeat(44), POSTGRES_PASSWORD: 'y'.repeat(48) }
  const inForce = (text: string, values: Record<string, string>) =>
    text.replace(/\$\{([A-Z_]+)(?::-([^}]*)|:\?[^}]*)?\}/g, (_, name, otherwise = '') =>
      values[name] ? values[name] : otherwise,
    )
  for (const [file, values] of [
    ['compose.yaml', filled],
    ['compose.small.yaml', {}],
  ] as const) {
    for (const { image, environment } of Object.values(compose(file).services)) {
      if (!isNode({ image })) continue
      const settled = Object.entries(environment ?? {}).map(([key, value]) => [
        key,
        inForce(value, values),
      ])
      const config = readConfig(Object.fromEntries(settled))
      assert.equal(config.allowInbox, false, `${file} shows all mail to everybody`)
    }
  }
})

test('the compose file’s workers have separate journals, shared uploads and a status port', () => {
  const { services } = compose('compose.yaml')
  const own = new Set<string>()
  for (const name of ['worker1', 'worker2']) {
    const { volumes = [], environment = {} } = services[name] ?? assert.fail(name)
    assert.ok(volumes.includes('files:/data/files'))
    assert.ok(environment['STATUS_PORT'] && environment['LEDGER_TO'])
    own.add(volumes.find((mount) => mount.endsWith(':/data')) ?? assert.fail(name))
  }
  assert.equal(own.size, 2)
})

/** What a stop may take beside the drain: closing, and once more as long for what is late. */
const stopSeconds = (2 * limits.stopMs) / 1000

test('a node has the time to drain and to stop before it is killed, and api nodes drain', () => {
  for (const [name, { image, environment, stop_grace_period }] of Object.entries(
    compose('compose.yaml').services,
  )) {
    if (!isNode({ image })) continue
    const drain = Number(environment?.['DRAIN_SECONDS'] ?? 0)
    assert.equal(drain > 0, name.startsWith('api'), name)
    assert.ok(Number.parseInt(stop_grace_period ?? '', 10) >= drain + stopSeconds, name)
  }
  for (const document of parseAllDocuments(read('deploy/kubernetes.yaml'))) {
    const { kind, spec } = document.toJS() as Manifest
    if (kind !== 'Deployment' && kind !== 'StatefulSet') continue
    const { containers = [], terminationGracePeriodSeconds = 0 } = spec?.template?.spec ?? {}
    const env = containers[0]?.env ?? []
    const drain = Number(env.find(({ name }) => name === 'DRAIN_SECONDS')?.value ?? 0)
    assert.equal(drain > 0, kind === 'Deployment')
    assert.ok(terminationGracePeriodSeconds >= drain + stopSeconds, kind)
  }
  const [, systemd] = /^TimeoutStopSec=(\d+)$/m.exec(read('deploy/crier.service')) ?? []
  assert.ok(Number(systemd) >= 30 + stopSeconds)
})

interface Manifest {
  kind: string
  data?: Record<string, string>
  stringData?: Record<string, string>
  spec?: {
    template?: { spec: { containers: Container[]; terminationGracePeriodSeconds?: number } }
  }
}

interface Container {
  args: string[]
  env?: { name: string; value: string }[]
  readinessProbe?: { httpGet: { path: string } }
}

test('the Kubernetes files use only settings of Crier that let it start, and they probe /readyz', () => {
  const manifests = parseAllDocuments(read('deploy/kubernetes.yaml')).map((document) => {
    assert.deepEqual(document.errors, [])
    return document.toJS() as Manifest
  })
  const shared = Object.assign(
    {},
    ...manifests.flatMap(({ data, stringData }) => [data ?? {}, stringData ?? {}]),
  ) as Record<string, string>
  const containers = manifests.flatMap(({ spec }) => spec?.template?.spec.containers ?? [])
  assert.deepEqual(
    containers.map(({ args }) => args.join(' ')),
    ['migrate', 'serve --role api', 'serve --role worker'],
  )
  for (const { env = [], args, readinessProbe } of containers) {
    const own = Object.fromEntries(env.map(({ name, value }) => [name, value]))
    assertSettings(Object.keys({ ...shared, ...own }), 'kubernetes.yaml')
    assert.doesNotThrow(() => readConfig({ ...shared, ...own }))
    if (args[0] === 'serve') assert.equal(readinessProbe?.httpGet.path, '/readyz')
  }
})

test('the image runs as an ordinary user with a volume and checks /readyz', () => {
  const text = read('Dockerfile')
  assert.match(text, /^USER 10001:10001$/m)
  assert.match(text, /^VOLUME \/data$/m)
  assert.match(text, /^HEALTHCHECK [\s\S]*\/readyz/m)
  const start = JSON.parse(read('package.json')).scripts.start as string
  const flags = start.slice(start.indexOf('node ') + 5, start.indexOf('cli/bin.mjs')).trim()
  const entry = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(text)?.[1] ?? '[]') as string[]
  assert.deepEqual(entry, ['tini', '--', 'node', ...flags.split(' '), '/crier/cli/bin.mjs'])
  assert.ok(text.includes(`node ${flags} scripts/compile.mjs`), 'compiled under the same flags')
  assert.ok(read('deploy/crier.service').includes(`${flags} cli/bin.mjs serve`))
  const variables = /^ENV ([\s\S]*?)\nUSER/m.exec(text)?.[1] ?? ''
  const set = [...variables.matchAll(/([A-Z_]+)=/g)].map(([, name = '']) => name)
  assertSettings(
    set.filter((name) => !['NODE_ENV', 'MALLOC_ARENA_MAX'].includes(name)),
    'Dockerfile',
  )
})
