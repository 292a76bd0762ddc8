/** The receivers in other languages, run as programs with a time that the test sets. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'

/** Debian's own interpreters, without additional packages. */
export const languages = [
  { name: 'Python', program: '/usr/bin/python3', file: 'receiver.py' },
  { name: 'Perl', program: '/usr/bin/perl', file: 'receiver.pl' },
  { name: 'Ruby', program: '/usr/bin/ruby', file: 'receiver.rb' },
] as const

export type Language = (typeof languages)[number]

/** The contents of a delivery as the receiver read it, or one word for its fault. */
export interface Verdict {
  refused?: string
  id?: string
  delivery?: string
  /** The number of `v1=` in the header. */
  signatures?: number
}

export interface ReceiverProcess {
  url: string
  /** Sets the receiver's clock, and its status for a valid delivery. */
  set(world: { now: Date; status?: number }): Promise<void>
  /** The verdict on the next request, in the order of the requests. */
  verdict(): Promise<Verdict>
  stop(): Promise<void>
}

/** Why the tests are skipped; the machine that decides must have the interpreter. */
export function whyMissing({ name, program }: Language): string | false {
  if (existsSync(program)) return false
  if (process.env['CI']) throw new Error(`${program} is missing: .ci/run should have installed it`)
  return `SKIPPED: ${program} is not installed, so no receiver in ${name} was tried`
}

export async function startReceiver(language: Language, secret: string): Promise<ReceiverProcess> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-receiver-'))
  const world = path.join(folder, 'world.json')
  const child = spawn(language.program, [path.join(import.meta.dirname, language.file)], {
    env: { WEBHOOK_SECRET: secret, WORLD: world },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async (): Promise<string> => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`the receiver in ${language.name} ended`)
    return value
  }
  const port = await next()
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    set: ({ now, status = 200 }) =>
      writeFile(world, JSON.stringify({ now: Math.floor(now.getTime() / 1000), status })),
    verdict: async () => JSON.parse(await next()) as Verdict,
    async stop() {
      await ended(child)
      await rm(folder, { recursive: true })
    },
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill()
  await once(child, 'exit')
}
