/**
 * Runs the examples of the docs: a service, a person who signs in, and for each page a folder that
 * looks like a checkout. Addresses of this machine in an example are replaced by those of the test.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type Client, createClient, sealedFile } from '@crier-mail/sdk/node'
import type { Id } from 'crier-server/core/ids.ts'
import { newBusiness } from '../support/businesses/business.ts'
import { newApiKey } from '../support/clients/api-keys.ts'
import { newGrant, tokenMint } from '../support/clients/grants.ts'
import { approveAndReturn, everything, newPerson } from '../support/clients/sign-in.ts'
import { freePort } from '../support/network/port.ts'
import { type Service, startService } from '../support/processes/service.ts'
import { root } from './fences.ts'

const patience = 200_000
const certificates = process.env['NODE_EXTRA_CA_CERTS']
const bin = path.join(root, 'node_modules', '.bin')

export interface Workshop {
  service: Service
  /** The port that replaces an example's port 3000; nothing listens on it yet. */
  port: number
  /** An API key of a business of its own. */
  key: string
  /** A signed-in client, which the TypeScript of the docs assumes. */
  client: Client
  /** Gives programs, in place of the client's token, one with no requests counted yet. */
  renewToken(businessId: Id<'business'>): Promise<void>
  /** Runs a shell script; on failure it rejects with the output. */
  bash(script: string): Promise<string>
  /**
   * Runs shell scripts that call `crier`, all of these calls in one process after the last script;
   * rejects with the output of those that fail.
   */
  commands(...scripts: string[]): Promise<string>
  /** Runs SDK modules one after the other in one process; rejects with each failure's output. */
  typescript(...modules: string[]): Promise<string>
  /** Runs programs in Python, or in PHP, one after the other in one process. */
  python(...programs: string[]): Promise<string>
  php(...programs: string[]): Promise<string>
  /** Starts a shell script that runs until the end; resolves at its first output. */
  background(script: string): Promise<void>
  close(): Promise<void>
}

/** A small grey picture. */
const jpeg =
  '/9j/2wBDAFBQUFBVUFpkZFp9h3iHfbmqm5uquf/I18jXyP//////////////////////////////////////' +
  '////////////2wBDAVBQUFBVUFpkZFp9h3iHfbmqm5uquf/I18jXyP//////////////////////////////' +
  '////////////////////wgARCAAIAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAH/xAAUAQEA' +
  'AAAAAAAAAAAAAAAAAAAA/9oADAMBAAIQAxAAAACg/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPwB/' +
  '/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAgBAgEBPwB//8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAgBAwEB' +
  'PwB//9k='

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
  // What the examples upload.
  await writeFile(path.join(folder, 'people.csv'), 'email,name\nana@example.com,Ana\n')
  await writeFile(path.join(folder, 'cake.jpg'), Buffer.from(jpeg, 'base64'))
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
    open: (page) => void approveAndReturn(page, { email: person, choose: everything }),
  })
  await client.contact.upsert({ email: 'ana@example.com' })
  const { campaign_id } = await client.campaign.generate({
    channel: 'email',
    name: 'Spring menu',
    content: { subject: 'The spring menu is here', text: 'Come and try it.' },
  })
  let token = (await store.read())?.accessToken.reveal() ?? ''

  const env = {
    PATH: [path.dirname(process.execPath), bin, process.env['PATH']].join(path.delimiter),
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    CRIER_URL: url,
    BROWSER: browser,
    PERSON: person,
    PORT: String(port),
    npm_config_offline: 'true',
    // npm's notice of a new version is not part of the command's output.
    npm_config_update_notifier: 'false',
    // The certificates of this machine's network, without which npm reaches no registry.
    ...(certificates && { NODE_EXTRA_CA_CERTS: certificates }),
  }
  const here = (text: string): string =>
    text
      .replaceAll('http://localhost:8080', url)
      .replaceAll('localhost:3000', `127.0.0.1:${port}`)
      .replaceAll('cmp_…', campaign_id)
      // Tests use no name server, so an address replaces the host.
      .replaceAll('https://example.com/hooks', 'https://1.1.1.1')

  // Programs have it, and the command line does not, because it would take the place of the sign-in.
  const { secret } = await newApiKey(service.db, { businessId: await newBusiness(service.db) })
  const envOf = (program: string) => {
    const signedIn = { ...env, CRIER_TOKEN: token }
    return program === 'bash' ? signedIn : { ...signedIn, CRIER_API_KEY: secret }
  }
  const mint = tokenMint(service)

  const start = (program: string, args: string[]) => {
    // With a socket as stdin, bash would assume a remote shell and read its settings.
    const stdio = ['ignore', 'pipe', 'pipe'] as const
    const child = spawn(program, args, {
      env: envOf(program),
      cwd: folder,
      detached: true,
      stdio: [...stdio],
    })
    let said = ''
    const hear = (chunk: Buffer): void => {
      said += chunk.toString()
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    // A separate process group, because a shell does not forward signals to its children.
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
  const filesOf = async (ending: string, texts: readonly string[]): Promise<string[]> => {
    const files = texts.map(() => path.join(folder, `example-${++written}.${ending}`))
    await Promise.all(files.map((file, i) => writeFile(file, here(texts[i] ?? ''))))
    return files
  }
  return {
    service,
    port,
    key: secret,
    client,
    async renewToken(businessId) {
      token = await mint(await newGrant(service.db, { businesses: [businessId] }))
    },
    bash: (script) => run('bash', ['-euo', 'pipefail', '-c', here(script)]),
    commands(...scripts) {
      const calls = path.join(folder, `calls-${++written}`)
      // Bash splits and quotes the words; their number stands before those of each call.
      const noting = `crier() { printf '%s\\0' "$#" "$@" >>'${calls}'; }`
      const runner = path.join(import.meta.dirname, 'run-commands.ts')
      const running = `node --conditions=crier-source '${runner}' '${calls}'`
      return run('bash', ['-euo', 'pipefail', '-c', here([noting, ...scripts, running].join('\n'))])
    },
    async typescript(...modules) {
      const files = await filesOf('ts', modules)
      const all = path.join(folder, 'all.ts')
      await writeFile(
        all,
        `for (const file of ${JSON.stringify(files)}) {
  await import(file).catch((error) => {
    console.error(file, error)
    process.exitCode = 1
  })
}
`,
      )
      return run(process.execPath, ['--conditions=crier-source', all])
    },
    async python(...programs) {
      const files = await filesOf('py', programs)
      const all = `import json, runpy, sys\nfor file in json.loads(sys.argv[1]): runpy.run_path(file)`
      return run('python3', ['-c', all, JSON.stringify(files)])
    },
    async php(...programs) {
      const files = await filesOf('php', programs)
      const all = 'foreach (json_decode($argv[1]) as $file) { include $file; }'
      return run('php', ['-r', all, JSON.stringify(files)])
    },
    async background(script) {
      const started = start('bash', ['-euo', 'pipefail', '-c', here(script)])
      const { child } = started
      running.push(started)
      const ended = once(child, 'close').then(() => {
        throw new Error(`it ended:\n${started.said()}`)
      })
      await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), ended])
      // From here on it ends when the test stops it.
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
