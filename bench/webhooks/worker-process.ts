/** A process that fans out and delivers, controlled from outside. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Place } from '../writes/support/place.ts'

export interface WorkerProcess {
  go(): Promise<void>
  /** Megabytes. */
  memory(): Promise<number>
  end(): Promise<void>
}

export async function startWebhookWorker(place: Place): Promise<WorkerProcess> {
  const script = path.join(import.meta.dirname, '../servers/webhook-worker.ts')
  const child = spawn(
    process.execPath,
    ['--max-semi-space-size=8', '--conditions=crier-source', script, JSON.stringify(place)],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  const lines = createInterface({ input: child.stdout })
  await once(lines, 'line')
  const ask = async (word: string): Promise<string> => {
    const said = once(lines, 'line')
    child.stdin.write(`${word}\n`)
    return ((await said) as [string])[0]
  }
  return {
    go: async () => void (await ask('go')),
    memory: async () => Number(await ask('memory')),
    async end() {
      const gone = once(child, 'exit')
      child.stdin.end()
      await gone
    },
  }
}
