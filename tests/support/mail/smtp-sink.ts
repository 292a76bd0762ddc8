/**
 * Postfix's `smtp-sink`: accepts mail and discards it, or fails as its flags say (`-f RCPT` refuses
 * permanently, `-r DATA` temporarily, `-q .` disconnects, `-Q MAIL` replies 421, `-w 2` waits
 * before it replies to DATA).
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { answersOn, freePort } from '../network/port.ts'
import { missingPrograms } from '../processes/debian-program.ts'

const program = '/usr/sbin/smtp-sink'

export const withoutSmtpSink = () => missingPrograms(program)

export interface SmtpSink {
  port: number
  url(parameters?: string): string
  /** The complete messages that it received; only with `keep`. */
  messages(): Promise<string[]>
  /** The Message-IDs of those, with repetitions: for more messages than fit into memory. */
  messageIds(): Promise<string[]>
  /** When each of those arrived, in milliseconds since 1970. */
  arrivals(): Promise<number[]>
  stop(): Promise<void>
}

export interface SinkOptions {
  /** Flags of smtp-sink, such as `['-f', 'RCPT']`. */
  flags?: readonly string[]
  /** Stores each message in its own file. */
  keep?: boolean
  port?: number
}

export async function startSmtpSink(options: SinkOptions = {}): Promise<SmtpSink> {
  const port = options.port ?? (await freePort())
  const folder = options.keep ? await mkdtemp(path.join(os.tmpdir(), 'crier-sink-')) : undefined
  const keeping = folder ? ['-d', `${folder}/`] : []
  const flags = [...(options.flags ?? []), ...keeping]
  // Without -u it refuses to run as root.
  if (process.getuid?.() === 0) flags.push('-u', 'root')
  const child = spawn(program, [...flags, `127.0.0.1:${port}`, '1000'], { stdio: 'ignore' })
  await answersOn(port, child)
  return {
    port,
    url: (parameters = '') => `smtp://127.0.0.1:${port}${parameters}`,
    async messages() {
      if (!folder) throw new Error('this sink keeps nothing')
      const files = await readdir(folder)
      return Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')))
    },
    async arrivals() {
      if (!folder) throw new Error('this sink keeps nothing')
      return Array.from(await readdir(folder), (file) => statSync(path.join(folder, file)).mtimeMs)
    },
    async messageIds() {
      if (!folder) throw new Error('this sink keeps nothing')
      const ids: string[] = []
      for (const file of await readdir(folder)) {
        const text = await readFile(path.join(folder, file), 'utf8')
        ids.push(/^Message-ID: <(.*)>$/im.exec(text)?.[1] ?? '')
      }
      return ids
    },
    async stop() {
      await killed(child)
      if (folder) await rm(folder, { recursive: true, force: true })
    },
  }
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
