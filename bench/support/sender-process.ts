/** A process that sends queued messages, controlled from outside. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'

export interface SenderProcess {
  /** Stops it from claiming more until `go`. */
  hold(): Promise<void>
  go(): void
  /** Usage since the start of the process. */
  used(): Promise<{ cpuSeconds: number; megabytes: number }>
  end(): Promise<void>
}

/** `script` is a file of `bench/servers`, which receives its options as JSON. */
export async function startSender(script: string, options: object): Promise<SenderProcess> {
  const file = path.join(import.meta.dirname, '../servers', script)
  const child: ChildProcess = spawn(process.execPath, [file, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  if (!child.stdout || !child.stdin) throw new Error('a process without pipes')
  const { stdin } = child
  const lines = createInterface({ input: child.stdout })
  await once(lines, 'line')
  const ask = async (word: string): Promise<string> => {
    const said = once(lines, 'line')
    stdin.write(`${word}\n`)
    return ((await said) as [string])[0]
  }
  return {
    async hold() {
      await ask('hold')
    },
    go: () => void stdin.write('go\n'),
    async used() {
      return JSON.parse(await ask('used'))
    },
    async end() {
      const gone = once(child, 'exit')
      stdin.end()
      await gone
    },
  }
}
