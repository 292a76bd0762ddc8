/** A server for comparison, as a separate process that prints the port it listens on. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

export interface Rival {
  port: number
  stop(): Promise<void>
}

export async function startRival(file: string, args: string[] = []): Promise<Rival> {
  const script = path.join(import.meta.dirname, '../servers', file)
  // The child ends when its stdin closes, so it ends with this process however that ends.
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
