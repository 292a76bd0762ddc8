/** Reads the operator's settings from the environment and from a `.env` file. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'

export type Env = Record<string, string | undefined>

/** Variables of the command-line client, which may be set in the shell that starts the service. */
const ofTheClient = new Set(['CRIER_URL', 'CRIER_TOKEN', 'CRIER_API_KEY'])

/** The environment overrides the file, so that a single run can differ. */
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
