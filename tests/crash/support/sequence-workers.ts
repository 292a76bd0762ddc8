/** The processes that fan out and run sequences, which a loop kills and starts again. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

export interface Workers {
  start(): Promise<void>
  /** Kills with SIGKILL; all are gone when this resolves. */
  kill(): Promise<void>
}

const script = path.join(import.meta.dirname, 'sequence-process.ts')
const count = 2

/** @param aheadFile The milliseconds by which their clock is ahead. */
export function workersOf(connection: object, aheadFile: string): Workers {
  let running: ChildProcess[] = []
  return {
    async start() {
      running = await Promise.all(
        Array.from({ length: count }, () => startWorker(connection, aheadFile)),
      )
    },
    async kill() {
      await Promise.all(running.map(killed))
    },
  }
}

async function startWorker(connection: object, aheadFile: string): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    ['--conditions=crier-source', script, JSON.stringify(connection), aheadFile],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  if (child.exitCode !== null) throw new Error('a worker ended by itself')
  return child
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
