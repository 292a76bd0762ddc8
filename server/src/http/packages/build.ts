/**
 * Builds the SDK and the command line as npm packages from the sources beside the server. The
 * command line contains the SDK (`bundleDependencies`), so that installing it needs no registry
 * for it.
 */
import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { create } from 'tar'

const run = promisify(execFile)
const root = path.join(import.meta.dirname, '../../../..')

/** A compiler run that takes longer has hung; it normally takes half a second. */
const patience = 60_000

export type PackageName = 'sdk' | 'cli'
type Manifest = Record<string, unknown> & { name: string; files: string[] }
type Files = Map<string, string>

/** The package as an image holds it, which has no compiler, or else as it is built now. */
export async function packageBytes(name: PackageName): Promise<Uint8Array> {
  try {
    return await readFile(path.join(root, 'packages', `${name}.tgz`))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return buildPackage(name)
  }
}

/** The gzipped tar archive that `npm install` accepts. The same sources give the same bytes. */
export async function buildPackage(name: PackageName): Promise<Uint8Array> {
  const sdk = await sdkFiles()
  return archive(name === 'sdk' ? sdk : await cliFiles(sdk))
}

async function sdkFiles(): Promise<Files> {
  const manifest = await readManifest('sdk')
  return new Map([
    ['package.json', print(published(manifest))],
    ['README.md', await readFile(path.join(root, 'sdk/README.md'), 'utf8')],
    ['LICENSE', await readFile(path.join(root, 'LICENSE'), 'utf8')],
    ...(await compiled('sdk')),
  ])
}

async function cliFiles(sdk: Files): Promise<Files> {
  const manifest = await readManifest('cli')
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

/** The manifest without what concerns only the repository: scripts, the server, sources. */
function published(manifest: Manifest): Record<string, unknown> {
  const text = JSON.stringify(manifest, (key, value) => (ofRepository.has(key) ? undefined : value))
  return JSON.parse(text) as Record<string, unknown>
}

/** The output of the workspace's own build: JavaScript, and declarations where it has them. */
async function compiled(workspace: PackageName): Promise<Files> {
  const folder = await mkdtemp(path.join(os.tmpdir(), `crier-${workspace}-`))
  try {
    const project = path.join(root, workspace, 'tsconfig.build.json')
    await run(process.execPath, [compiler(), '-p', project, '--outDir', folder], {
      timeout: patience,
    })
    const names = await readdir(folder, { recursive: true, withFileTypes: true })
    const files = names.filter((entry) => entry.isFile())
    const paths = files.map((entry) => path.join(entry.parentPath, entry.name)).sort()
    const texts = await Promise.all(paths.map((file) => readFile(file, 'utf8')))
    const places = paths.map((file) => path.posix.join('dist', path.relative(folder, file)))
    return new Map(places.map((place, i) => [place, texts[i] ?? '']))
  } finally {
    await rm(folder, { recursive: true })
  }
}

function compiler(): string {
  const manifest = createRequire(import.meta.url).resolve('typescript/package.json')
  return path.join(path.dirname(manifest), 'bin/tsc')
}

function print(manifest: Record<string, unknown>): string {
  return `${JSON.stringify(manifest, null, 2)}\n`
}

/**
 * npm expects every file below `package/`. Times, owners and modes are constant, so that equal files
 * give equal bytes.
 */
async function archive(files: Files): Promise<Uint8Array> {
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
