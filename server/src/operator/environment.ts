/** Settings as the operator gives them: the environment, and a `.env` file below it. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'

export type Env = Record<string, string | undefined>

/** Variables of the command line's client; they may stand in a shell that starts the service. */
const ofTheClient = new Set(['CRIER_URL', 'CRIER_TOKEN'])

/** What stands in the environment wins over the file, so that one run can differ. */
export function readEnvironment(
  env: Env = process.env,
  folder: string = process.cwd(),
): Record<string, string | undefined> {
  const all = { ...readFile(path.join(folder, '.env')), ...env }
  return Object.fromEntries(Object.entries(all).filter(([name]) => !ofTheClient.has(name)))
}

function readFile(file: string): Env {
  try {
    return parseEnv(readFileSync(file, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}
