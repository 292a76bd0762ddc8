/** The real program, run as a person or a script runs it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const bin = fileURLToPath(new URL('../bin.mjs', import.meta.url))
const node20 = new URL('./node20.mjs', import.meta.url).href

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

export interface RunningCrier {
  ended: Promise<Ended>
  /** Resolves with the first match in its output, or rejects when it ends without a match. */
  says(pattern: RegExp): Promise<RegExpExecArray>
  signal(name: NodeJS.Signals): void
}

/** A separate home, so that no test sees another's connections, or those of the developer. */
export class Home {
  readonly folder: string
  readonly env: Record<string, string>

  private constructor(folder: string) {
    this.folder = folder
    this.env = { PATH: process.env['PATH'] ?? '', HOME: folder, XDG_CONFIG_HOME: folder }
  }

  /** `onNode20`: for commands that need no server here, which find no more than Node 20 has. */
  static async make({ onNode20 = false } = {}): Promise<Home> {
    const home = new Home(await mkdtemp(path.join(os.tmpdir(), 'crier-home-')))
    if (onNode20) home.env['NODE_OPTIONS'] = `--import=${node20}`
    return home
  }

  start(args: string[], input = ''): RunningCrier {
    const { env, folder: cwd } = this
    const child = spawn(process.execPath, [bin, ...args], { env, cwd })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString()
    })
    child.stdin.end(input)
    const ended = once(child, 'close').then(([code]) => ({ code, stdout, stderr }))
    return {
      ended,
      signal: (name) => void child.kill(name),
      says: (pattern) =>
        new Promise((resolve, reject) => {
          const look = (): void => {
            const found = pattern.exec(stdout) ?? pattern.exec(stderr)
            if (found) resolve(found)
          }
          child.stdout.on('data', look)
          child.stderr.on('data', look)
          child.on('close', () => reject(new Error(`never said ${pattern}: ${stderr}`)))
          look()
        }),
    }
  }

  run(args: string[], input?: string): Promise<Ended> {
    return this.start(args, input).ended
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true })
  }
}

/** The error that a failed command wrote for programs. */
export function errorOf({ stderr }: Ended): Record<string, unknown> {
  return JSON.parse(stderr.trim().split('\n').at(-1) ?? '')
}
