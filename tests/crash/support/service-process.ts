/** The service as an operator starts it: a separate process, known by its pid and port. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const root = path.join(import.meta.dirname, '../../..')

export interface ServiceOptions {
  dataDir: string
  port: number
  /** Additional settings. */
  env?: Record<string, string>
  /** The command to start; by default the program of `npm start`. */
  command?: readonly string[]
  /** The path that answers 200 once the service is ready. */
  readyPath?: string
  /** The most milliseconds until the service is ready. */
  readyWithin?: number
}

export interface ServiceProcess {
  readonly origin: string
  readonly port: number
  readonly pid: number
  /** Milliseconds from the start of the process until it was ready. */
  readonly readyAfter: number
  /** The end of its output. */
  printed(): string
  /** Kills with SIGKILL; the process is gone when this resolves. */
  kill(): Promise<void>
  /** Stops the service and waits for its end; its database ends with it. */
  stop(): Promise<void>
}

/** The most milliseconds from a signal until the service has ended. */
const stopWithinMs = 120_000

export async function startService(options: ServiceOptions): Promise<ServiceProcess> {
  const { port, command = startCommand().command } = options
  const started = performance.now()
  const [program = '', ...args] = command
  const child = spawn(program, args, {
    cwd: root,
    env: serviceEnv(options),
    stdio: ['ignore', 'pipe', 'pipe'],
    // In our own group Ctrl-C reaches it too; npm and its children get signals as one group.
    detached: options.command !== undefined,
  })
  const printed = keepTail(child)
  const pid = child.pid
  if (pid === undefined) throw new Error(`${command.join(' ')} did not start`)
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    const group = options.command === undefined ? pid : -pid
    process.kill(group, signal)
    const inTime = await Promise.race([exit, sleep(stopWithinMs, null, { ref: false })])
    if (inTime !== null) return
    process.kill(group, 'SIGKILL')
    await exit
    throw new Error(`The service did not end within ${stopWithinMs / 1000} s:\n${printed()}`)
  }
  const origin = `http://localhost:${port}`
  try {
    await answers(
      `${origin}${options.readyPath ?? '/readyz'}`,
      child,
      options.readyWithin ?? 120_000,
    )
  } catch (error) {
    await end('SIGKILL')
    throw new Error(`${(error as Error).message}\n${printed()}`)
  }
  return {
    origin,
    port,
    pid,
    readyAfter: performance.now() - started,
    printed,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}

/** The start command of package.json without npm, so that the pid is the service's own. */
function startCommand(): { command: string[]; env: Record<string, string> } {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const [settings = '', program = ''] = String(scripts.start).split('exec ')
  const [node, ...args] = program.split(' ')
  if (node !== 'node') throw new Error(`npm start runs ${scripts.start}`)
  const pairs = settings.split(' ').filter(Boolean)
  return {
    command: [process.execPath, ...args],
    env: Object.fromEntries(pairs.map((pair) => pair.split('='))),
  }
}

function serviceEnv({ dataDir, port, env, command }: ServiceOptions): Record<string, string> {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'USER'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  const own = command ? {} : startCommand().env
  // Programs may send to so many without approval: only tests of that rule have a limit of 0.
  // Several run at once on one machine.
  const limit = { DEFAULT_DEPLOY_LIMIT: '1000', DATABASE_MEMORY: '128' }
  return {
    ...Object.fromEntries(kept),
    ...own,
    ...limit,
    DATA_DIR: dataDir,
    PORT: String(port),
    ...env,
  }
}

const tail = 8_000

function keepTail(child: ChildProcess): () => string {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (more: string) => {
      text = (text + more).slice(-tail)
    })
  }
  return () => text
}

/** Waits until a GET returns 200, or rejects with the reason why it never will. */
async function answers(url: string, child: ChildProcess, within: number): Promise<void> {
  for (const until = performance.now() + within; performance.now() < until; ) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`The service ended with ${child.exitCode ?? child.signalCode}.`)
    }
    if (await answersNow(url)) return
    await sleep(10)
  }
  throw new Error(`${url} did not answer 200 within ${within / 1000} s.`)
}

export async function answersNow(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) })
    await response.arrayBuffer()
    return response.status === 200
  } catch {
    return false
  }
}
