/**
 * server/migrations/hashes.txt: the hash of each migration, which a test compares with its file. A
 * new migration gets a line; the line of an existing one is never written again, so that an edited
 * file is found.
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { readMigrations } from 'crier-server/lib/db/migrate.ts'

export const migrationHashesPath = 'server/migrations/hashes.txt'

const heading = `# Hashes of the migrations, added by \`npm run generate\`. A migration that has landed is never edited,
# not even its comments. While yours has not landed, delete its line here and generate it again.
`

/** The hash of each migration by its name. */
export async function readMigrationHashes(): Promise<Map<string, string>> {
  const file = path.join(import.meta.dirname, '../..', migrationHashesPath)
  const text = await readFile(file, 'utf8').catch(() => '')
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const [hash = '', name = ''] = line.split('  ')
      return [name, hash]
    }),
  )
}

export async function migrationHashes(): Promise<string> {
  const recorded = await readMigrationHashes()
  const lines = readMigrations().map(
    ({ name, sha256 }) => `${recorded.get(name) ?? sha256}  ${name}\n`,
  )
  return heading + lines.join('')
}
