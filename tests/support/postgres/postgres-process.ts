/** Starts and ends processes that each open the same database. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import readline from 'node:readline'
import type pg from 'pg'

export interface PostgresProcess {
  connection: pg.ClientConfig
  /** Exits normally, and returns the exit code. */
  leave: () => Promise<number | null>
  /** kill -9. */
  kill: () => Promise<void>
}

const script = path.join(import.meta.dirname, 'postgres-child.ts')

const running = new Set<() => Promise<void>>()

/** For the end of a test file: kills the processes that a failed test has left. */
export async function killPostgresProcesses(): Promise<void> {
  await Promise.all([...running].map((kill) => kill()))
}

/** Rejects with what it wrote to stderr when it cannot open the database. */
export async function postgresProcess(
  dataDir: string,
  as: { uid?: number; gid?: number } = {},
): Promise<PostgresProcess> {
  const child = spawn(process.execPath, ['--conditions=crier-source', script, dataDir], {
    ...as,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  running.add(kill)
  const connection = JSON.parse(await firstLine(child))
  return {
    connection,
    async leave() {
      child.stdin?.end()
      const [code] = await ended
      return code
    },
    kill,
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  let complaints = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaints += text
  })
  if (!child.stdout) throw new Error('no pipe')
  for await (const line of readline.createInterface({ input: child.stdout })) return line
  throw new Error(complaints)
}
