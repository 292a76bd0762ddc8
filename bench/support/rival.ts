/** A server to compare with, as a process of its own that prints the port it listens on. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

export interface Rival {
  port: number
  stop(): Promise<void>
}

export async function startRival(file: string, args: string[] = []): Promise<Rival> {
  const script = path.join(import.meta.dirname, '../servers', file)
  // Its stdin is our leash: it ends when we do, however we end.
  const child = spawn(process.execPath, [script, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [line] = (await once(child.stdout, 'data', { signal: AbortSignal.timeout(20_000) })) as [
    Buffer,
  ]
  return {
    port: Number(line.toString()),
    async stop() {
      child.stdin.end()
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}
