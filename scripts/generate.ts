/**
 * Writes every file that is derived from another one. With --check it writes nothing, and exits
 * with 1 when a file differs from what it would write.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { interopPage, pagePath } from '../tests/interop/page.ts'
import { definitionFiles } from './generators/list.ts'
import { migrationHashes, migrationHashesPath } from './generators/migration-hashes.ts'
import { referenceFolder } from './generators/reference.ts'
import { settingsPage, settingsPagePath } from './generators/settings-page.ts'
import { schemaSql } from './schema-sql.ts'

interface Generator {
  /** Relative to the root of the repository. */
  path: string
  make(): Promise<string>
}

const generators: Generator[] = [
  { path: 'server/schema.sql', make: schemaSql },
  { path: migrationHashesPath, make: migrationHashes },
  ...definitionFiles,
  { path: pagePath, make: async () => interopPage() },
  { path: settingsPagePath, make: async () => settingsPage() },
]

const root = path.join(import.meta.dirname, '..')

async function generate(generator: Generator, check: boolean): Promise<boolean> {
  const file = path.join(root, generator.path)
  const [made, before] = await Promise.all([
    generator.make(),
    readFile(file, 'utf8').catch(() => ''),
  ])
  if (made === before) return true
  if (check) {
    console.error(`${generator.path} is not up to date; run npm run generate:`)
    console.error(difference(before, made))
    return false
  }
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, made)
  console.log(`wrote ${generator.path}`)
  return true
}

/** The lines that remain without the common beginning and end. */
function difference(before: string, after: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')]
  let start = 0
  while (start < old.length && old[start] === now[start]) start++
  let end = 0
  const shorter = Math.min(old.length, now.length) - start
  while (end < shorter && old.at(-1 - end) === now.at(-1 - end)) end++
  const lines = (all: string[], sign: string) =>
    all.slice(start, all.length - end).map((line) => `${sign} ${line}`)
  return [`from line ${start + 1}:`, ...lines(old, '-'), ...lines(now, '+')].join('\n')
}

/** Files of the reference that no generator writes any more. */
async function leftovers(check: boolean): Promise<boolean> {
  const written = new Set(generators.map(({ path }) => path))
  const found = await readdir(path.join(root, referenceFolder), {
    recursive: true,
    withFileTypes: true,
  })
  const extra = found
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .filter((file) => !written.has(file))
  for (const file of extra) {
    if (check) console.error(`${file} is written by nothing; run npm run generate.`)
    else await rm(path.join(root, file))
  }
  return extra.length === 0 || !check
}

const check = process.argv.includes('--check')
const fine = await Promise.all([
  ...generators.map((generator) => generate(generator, check)),
  leftovers(check),
])
if (fine.includes(false)) process.exitCode = 1
