/**
 * A Node process beside the bench: a server, a client or a sender. It resolves packages under the
 * same conditions as the bench. If it dies before its word, the bench ends with what it last wrote.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

const servers = path.join(import.meta.dirname, '../servers')
/** A helper on a busy machine starts within seconds; none needs longer for a word. */
const patienceMs = 120_000
const lastLines = 20

export interface HelperOptions {
  args?: readonly string[]
  /** Additional flags of Node. */
  flags?: readonly string[]
}

export interface Helper {
  readonly child: ChildProcess
  /** The next line that it prints. */
  line(): Promise<string>
  /** Writes a line to it, and returns the line that it answers. */
  ask(word: string): Promise<string>
  write(word: string): void
  /** All that it prints until it ends by itself. */
  output(): Promise<string>
  /** The result of the work, during which the helper must live. */
  during<T>(work: Promise<T>): Promise<T>
  /** Closes its input, which ends it. */
  end(): Promise<void>
}

/** The flags of this process that decide which files a package's name stands for. */
function conditions(): string[] {
  return process.execArgv.flatMap((flag, i, all) => {
    if (flag.startsWith('--conditions=')) return [flag]
    return flag === '--conditions' || flag === '-C' ? [`--conditions=${all[i + 1]}`] : []
  })
}

/** `script` is a file, by default of `bench/servers`. Its input ends with this process. */
export function startHelper(script: string, { args = [], flags = [] }: HelperOptions = {}): Helper {
  const file = path.resolve(servers, script)
  const child = spawn(process.execPath, [...conditions(), ...flags, file, ...args], {
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    serialization: 'advanced',
  })
  const { stdin, stdout, stderr } = child
  if (!stdin || !stdout || !stderr) throw new Error('a process without pipes')
  let written: string[] = []
  createInterface({ input: stderr }).on('line', (text) => {
    written = [...written, text].slice(-lastLines)
    process.stderr.write(`${text}\n`)
  })
  // A helper that has ended reads nothing more; its end is reported by `during`.
  stdin.on('error', () => undefined)
  const printed = createInterface({ input: stdout })[Symbol.asyncIterator]()
  const { promise: ended, resolve: end } = Promise.withResolvers<number | string>()
  child.once('close', (code, signal) => end(code ?? signal ?? 'no exit code'))

  const death = async (): Promise<never> => {
    const how = await ended
    const name = path.basename(file)
    throw new Error([`The helper ${name} ended with ${how}.`, ...written].join('\n'))
  }
  const late = async (): Promise<never> => {
    await sleep(patienceMs, undefined, { ref: false })
    throw new Error(`The helper ${path.basename(file)} was silent for ${patienceMs / 1000} s.`)
  }
  const line = async (): Promise<string> => {
    const next = await Promise.race([printed.next(), late()])
    return next.done ? death() : next.value
  }
  return {
    child,
    line,
    ask(word) {
      stdin.write(`${word}\n`)
      return line()
    },
    write: (word) => void stdin.write(`${word}\n`),
    async output() {
      stdin.end()
      const all: string[] = []
      for (let next = await printed.next(); !next.done; next = await printed.next()) {
        all.push(next.value)
      }
      return (await ended) === 0 ? all.join('\n') : death()
    },
    during: (work) => Promise.race([work, death()]),
    async end() {
      stdin.end()
      if (child.connected) child.disconnect()
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}
