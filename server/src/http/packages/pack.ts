/**
 * Packs the SDK and the command line, compiled beside the server, as npm packages. The command line
 * contains the SDK (`bundleDependencies`), so that installing it needs no registry for it.
 */
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { create } from 'tar'

const root = path.join(import.meta.dirname, '../../../..')

export type PackageName = 'sdk' | 'cli'
type Manifest = Record<string, unknown> & { name: string; files: string[] }
type Files = Map<string, string>

/** Where the sources are, which npm compares with where a package was built. */
export interface Repository {
  type: 'git'
  url: string
  directory: PackageName
}

/**
 * The gzipped tar archive that `npm install` accepts. The same files give the same bytes. What a service
 * serves names no repository; what is published does (scripts/npm-packages.ts).
 */
export async function packPackage(name: PackageName, repository?: Repository): Promise<Buffer> {
  const sdk = await sdkFiles(name === 'sdk' ? repository : undefined)
  return archive(name === 'sdk' ? sdk : await cliFiles(sdk, repository))
}

async function sdkFiles(repository: Repository | undefined): Promise<Files> {
  const manifest = { ...(await readManifest('sdk')), ...(repository && { repository }) }
  return new Map([
    ['package.json', print({ ...published(manifest), ...renderer })],
    ['README.md', await readFile(path.join(root, 'sdk/README.md'), 'utf8')],
    ['LICENSE', await readFile(path.join(root, 'LICENSE'), 'utf8')],
    ...(await compiled('sdk')),
  ])
}

async function cliFiles(sdk: Files, repository: Repository | undefined): Promise<Files> {
  const manifest: Manifest = { ...(await readManifest('cli')), ...(repository && { repository }) }
  const { name, version } = await readManifest('sdk')
  const dependencies = { ...(manifest['dependencies'] as object), [name]: version }
  const own = published({ ...manifest, dependencies, bundleDependencies: [name] })
  return new Map([
    ['package.json', print(own)],
    ['README.md', await readFile(path.join(root, 'cli/README.md'), 'utf8')],
    ['LICENSE', await readFile(path.join(root, 'LICENSE'), 'utf8')],
    ['bin.mjs', await readFile(path.join(root, 'cli/bin.mjs'), 'utf8')],
    ...(await compiled('cli')),
    ...[...sdk].map(([file, text]) => [`node_modules/${name}/${file}`, text] as const),
  ])
}

async function readManifest(workspace: PackageName): Promise<Manifest> {
  const text = await readFile(path.join(root, workspace, 'package.json'), 'utf8')
  return JSON.parse(text) as Manifest
}

const ofRepository = new Set([
  'scripts',
  'peerDependencies',
  'peerDependenciesMeta',
  'crier-source',
])

/**
 * What a program may bring for `/react`. The workspace's manifest does not say so, or npm would
 * install it with every service.
 */
const renderer = {
  peerDependencies: { '@react-email/render': '>=1' },
  peerDependenciesMeta: { '@react-email/render': { optional: true } },
}

/** The manifest without what concerns only the repository: scripts, the server, sources. */
function published(manifest: Manifest): Record<string, unknown> {
  const text = JSON.stringify(manifest, (key, value) => (ofRepository.has(key) ? undefined : value))
  return JSON.parse(text) as Record<string, unknown>
}

/** What `scripts/setup.mjs` or the image has compiled: JavaScript, and declarations. */
async function compiled(workspace: PackageName): Promise<Files> {
  const folder = path.join(root, workspace, 'dist')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const paths = files.map((entry) => path.join(entry.parentPath, entry.name)).sort()
  const texts = await Promise.all(paths.map((file) => readFile(file, 'utf8')))
  const names = paths.map((file) => path.posix.join('dist', path.relative(folder, file)))
  return new Map(names.map((name, i) => [name, texts[i] ?? '']))
}

function print(manifest: Record<string, unknown>): string {
  return `${JSON.stringify(manifest, null, 2)}\n`
}

/**
 * npm expects every file below `package/`. Times, owners and modes are constant, so that equal files
 * give equal bytes.
 */
async function archive(files: Files): Promise<Buffer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-archive-'))
  try {
    const names = [...files.keys()].map((name) => path.posix.join('package', name))
    for (const [name, text] of files) {
      const file = path.join(folder, 'package', name)
      await mkdir(path.dirname(file), { recursive: true })
      await writeFile(file, text)
      await chmod(file, name === 'bin.mjs' ? 0o755 : 0o644)
    }
    const options = { cwd: folder, gzip: true, portable: true, mtime: new Date(0) }
    return await buffer(create(options, names))
  } finally {
    await rm(folder, { recursive: true })
  }
}
