/** The same work by psql: COPY to a temporary table, and one statement from it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { runTool } from './debian-tools.ts'
import type { Place } from './place.ts'

export interface Copying {
  /** The statement that creates the temporary table `incoming`. */
  incoming: string
  /** The columns of the files. */
  columns: string
  /** The statement that moves rows from the temporary table to their destination. */
  insert: string
  rowsPerCall: number
  /** CSV files, one per transaction. */
  files: readonly string[]
}

/** Rows per second. */
export async function copyRate(
  place: Place,
  { incoming, columns, insert, rowsPerCall, files }: Copying,
): Promise<number> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-copy-'))
  try {
    const steps: string[] = []
    for (const [i, text] of files.entries()) {
      const file = path.join(folder, `${i}.csv`)
      await writeFile(file, text)
      steps.push(`
begin;
\\copy incoming (${columns}) from '${file}' with (format csv)
${insert.trim()};
commit;
`)
    }
    const script = [incoming, '\\timing on', ...steps].join('\n')
    const flags = ['--no-psqlrc', '--quiet', '--set', 'ON_ERROR_STOP=1', '--file', '-']
    const where = ['--host', place.host, '--username', place.user, place.database]
    const said = await runTool('psql', [...flags, ...where], script)
    const times = [...said.matchAll(/^Time: ([\d.]+) ms/gm)].map(([, ms]) => Number(ms))
    // begin, copy, insert and commit each print their time.
    if (times.length !== files.length * 4) throw new Error(`psql told other times: ${said}`)
    return (files.length * rowsPerCall * 1000) / times.reduce((sum, ms) => sum + ms, 0)
  } finally {
    await rm(folder, { recursive: true })
  }
}
