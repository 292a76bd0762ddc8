/**
 * A third party's program, run as its user would run it: as a separate process, with its own home
 * folder and a browser opener that does nothing (the test follows the printed address instead).
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Home {
  dir: string
  env: Record<string, string>
  remove(): Promise<void>
}

export async function newHome(): Promise<Home> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'crier-client-'))
  const opener = '#!/bin/sh\nexit 0\n'
  for (const name of ['browser', 'xdg-open']) {
    await writeFile(path.join(dir, name), opener, { mode: 0o755 })
  }
  return {
    dir,
    env: {
      HOME: dir,
      USERPROFILE: dir,
      XDG_CONFIG_HOME: dir,
      TMPDIR: dir,
      PATH: [dir, path.dirname(process.execPath), '/usr/bin', '/bin'].join(path.delimiter),
      BROWSER: path.join(dir, 'browser'),
      NO_COLOR: '1',
    },
    remove: () => rm(dir, { recursive: true, force: true }),
  }
}

/** The executable file of a package, such as `binOf('mcp-remote', 'mcp-remote')`. */
export async function binOf(packageName: string, bin: string): Promise<string> {
  const root = packageRoot(packageName)
  const manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
    bin: Record<string, string>
  }
  const file = manifest.bin[bin]
  if (!file) throw new Error(`${packageName} has no program ${bin}.`)
  return path.join(root, file)
}

export function packageRoot(packageName: string): string {
  return fileURLToPath(new URL(`../../../node_modules/${packageName}/`, import.meta.url))
}

export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

export interface Program {
  readonly stdin: ChildProcessWithoutNullStreams['stdin']
  readonly done: Promise<Finished>
  /** Waits until the program's output, on either stream, matches. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  stop(): Promise<void>
}

/** Starts a Node program, which `stop` kills. */
export function startProgram(file: string, args: string[], home: Home): Program {
  const child = spawn(process.execPath, [file, ...args], { env: home.env, cwd: home.dir })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    child.emit('printed')
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    child.emit('printed')
  })
  const done = once(child, 'close').then(([code]): Finished => ({ code, stdout, stderr }))
  return {
    stdin: child.stdin,
    done,
    async printed(pattern) {
      for (;;) {
        const found = pattern.exec(stdout) ?? pattern.exec(stderr)
        if (found) return found
        const ended = await Promise.race([done, once(child, 'printed')])
        if (!Array.isArray(ended)) {
          const last = pattern.exec(stdout) ?? pattern.exec(stderr)
          if (last) return last
          throw new Error(`Ended with ${ended.code} before ${pattern}:\n${stdout}\n${stderr}`)
        }
      }
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill()
      await done
    },
  }
}
