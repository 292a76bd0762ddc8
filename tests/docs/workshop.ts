/**
 * Where the examples of the docs are run: a service, a person who signs in, and a folder
 * for each page that looks like a checkout. Addresses of this machine in an example become
 * those of the test.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type Client, createClient, sealedFile } from '@crier-mail/sdk'
import { approveAndReturn, newPerson } from '../support/clients/sign-in.ts'
import { freePort } from '../support/network/port.ts'
import { type Service, startService } from '../support/processes/service.ts'
import { root } from './fences.ts'

const patience = 60_000
const certificates = process.env['NODE_EXTRA_CA_CERTS']
const bin = path.join(root, 'node_modules', '.bin')

export interface Workshop {
  service: Service
  /** What port 3000 of an example is here; nobody listens on it yet. */
  port: number
  /** Signed in, as the TypeScript of the docs is. */
  client: Client
  /** Runs a shell script; rejects with what it said where it fails. */
  bash(script: string): Promise<string>
  /** Runs modules with the SDK, one after the other in one process; rejects at the first that fails. */
  typescript(...modules: string[]): Promise<string>
  /** Starts a shell script that goes on until the end; resolves when it has said something. */
  background(script: string): Promise<void>
  close(): Promise<void>
}

export async function openWorkshop(): Promise<Workshop> {
  const service = await startService({ settings: { OUTBOUND_ALLOW: '127.0.0.0/8:*' } })
  const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-docs-'))
  const person = newPerson()
  const url = service.url
  const port = await freePort()
  for (const name of ['node_modules', 'examples']) {
    await symlink(path.join(root, name), path.join(folder, name))
  }
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}')
  const browser = path.join(folder, 'browser')
  const agree = path.join(import.meta.dirname, 'agreeing-person.ts')
  await writeFile(
    browser,
    `#!/bin/sh\nexec "${process.execPath}" --conditions=crier-source "${agree}" "$1"\n`,
    { mode: 0o755 },
  )
  await mkdir(path.join(folder, '.crier'))
  const store = sealedFile({ file: path.join(folder, '.crier', 'connection') })
  const client = createClient({ url, store })
  await client.signIn({
    scopes: 'all',
    open: (page) => void approveAndReturn(page, { email: person }),
  })
  const token = (await store.read())?.accessToken.reveal() ?? ''

  const env = {
    PATH: [path.dirname(process.execPath), bin, process.env['PATH']].join(path.delimiter),
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    CRIER_URL: url,
    CRIER_TOKEN: token,
    BROWSER: browser,
    PERSON: person,
    PORT: String(port),
    npm_config_offline: 'true',
    // What npm says of its next version is no answer of the command that it runs.
    npm_config_update_notifier: 'false',
    // Certificates of the network that this machine is in, without which npm reaches no registry.
    ...(certificates && { NODE_EXTRA_CA_CERTS: certificates }),
  }
  const here = (text: string): string =>
    text
      .replaceAll('http://localhost:8080', url)
      .replaceAll('localhost:3000', `127.0.0.1:${port}`)
      // No name server is asked in tests.
      .replaceAll('https://example.com/hooks', 'https://1.1.1.1')

  const start = (program: string, args: string[]) => {
    // No socket as stdin: bash would take it for a remote shell and read its settings.
    const stdio = ['ignore', 'pipe', 'pipe'] as const
    const child = spawn(program, args, { env, cwd: folder, detached: true, stdio: [...stdio] })
    let said = ''
    const hear = (chunk: Buffer): void => {
      said += chunk.toString()
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    // A group of its own: a shell passes no signal on to what it runs.
    const kill = () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL')
    return { child, kill, said: () => said }
  }

  const run = async (program: string, args: string[]): Promise<string> => {
    const { child, kill, said } = start(program, args)
    const timer = setTimeout(kill, patience)
    const [code] = await once(child, 'close')
    clearTimeout(timer)
    if (code !== 0) throw new Error(`it ended with ${code}:\n${said()}`)
    return said()
  }

  const running: ReturnType<typeof start>[] = []
  let written = 0
  return {
    service,
    port,
    client,
    bash: (script) => run('bash', ['-euo', 'pipefail', '-c', here(script)]),
    async typescript(...modules) {
      const files = modules.map(() => path.join(folder, `example-${++written}.ts`))
      await Promise.all(files.map((file, i) => writeFile(file, here(modules[i] ?? ''))))
      const all = path.join(folder, 'all.ts')
      await writeFile(all, `for (const file of ${JSON.stringify(files)}) await import(file)\n`)
      return run(process.execPath, ['--conditions=crier-source', all])
    },
    async background(script) {
      const started = start('bash', ['-euo', 'pipefail', '-c', here(script)])
      const { child } = started
      running.push(started)
      const ended = once(child, 'close').then(() => {
        throw new Error(`it ended:\n${started.said()}`)
      })
      await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), ended])
      // From here on it ends when it is told to.
      ended.catch(() => undefined)
    },
    async close() {
      for (const { child, kill } of running) {
        if (child.exitCode === null) kill()
      }
      await service.close()
      await rm(folder, { recursive: true })
    },
  }
}
