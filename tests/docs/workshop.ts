/**
 * Runs the examples of the docs: a service, a person who signs in, and for each page a folder that
 * looks like a checkout. Addresses of this machine in an example are replaced by those of the test.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type Client, createClient, sealedFile } from '@crier-mail/sdk/node'
import type { Id } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { ClientConfig } from 'pg'
import { newBusiness } from '../support/businesses/business.ts'
import { newApiKey } from '../support/clients/api-keys.ts'
import { newGrant, tokenMint } from '../support/clients/grants.ts'
import { approveAndReturn, everything, newPerson } from '../support/clients/sign-in.ts'
import { freePort } from '../support/network/port.ts'
import { emptyDatabase } from '../support/postgres/database.ts'
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
  /** Runs a shell script whose commands a person confirms. */
  confirmed(script: string): Promise<string>
  /** Runs a shell script whose campaign was scheduled before. */
  scheduled(script: string): Promise<string>
  /** Runs each line of a shell script as the operator, on the machine of the service or on a new one. */
  operator(script: string): Promise<void>
  /** Runs a part of a program that drives a browser, for whose person a mail to confirm waits. */
  browser(part: string): Promise<string>
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

const urlOf = ({ host, user, database }: ClientConfig) =>
  `postgres://${user}@localhost/${database}?host=${host}`

/** What other services export, as the guides name the files. */
const exportedFiles: Record<string, string> = {
  'bounces.csv': 'Address,Date\nbo@example.com,2024-05-01\n',
  'brevo.csv': 'EMAIL,FIRSTNAME,EMAIL_BLOCKLISTED\nana@example.com,Ana,false\n',
  'cleaned_members_export.csv':
    'Email Address,LEID,EUID,CLEAN_TIME\ncy@example.com,2,a2,2024-06-01 08:00:00\n',
  'newsletter.csv': 'uuid,email,name,attributes,status\nu1,ana@example.com,Ana,{},enabled\n',
  'subscribed_members_export.csv':
    'Email Address,OPTIN_TIME\nana@example.com,2024-03-05 10:20:30\n',
  'unsubscribed.csv': 'email\ndi@example.com\n',
  'unsubscribed_members_export.csv':
    'Email Address,LEID,EUID,UNSUB_TIME\nbo@example.com,1,a1,2024-05-01 08:00:00\n',
}

export async function openWorkshop(): Promise<Workshop> {
  const rootKey = randomBytes(32).toString('base64url')
  const service = await startService({ rootKey, settings: { OUTBOUND_ALLOW: '127.0.0.0/8:*' } })
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
  for (const [name, text] of Object.entries(exportedFiles)) {
    await writeFile(path.join(folder, name), text)
  }
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
  const { businesses } = await client.business.list()
  const { business_id } = businesses[0] ?? assert.fail()
  const { form_id } = await client.form.save({
    name: 'Newsletter',
    status: 'published',
    fields: [{ key: 'email', label: 'Email', type: 'email', required: true }],
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
      .replaceAll('bus_…', business_id)
      .replaceAll('https://app.example/f/frm_…', `${url}/f/${form_id}`)
      // Tests use no name server, so an address replaces the host.
      .replaceAll('https://example.com/hooks', 'https://1.1.1.1')

  // Programs have it, and the command line does not, because it would take the place of the sign-in.
  const { secret } = await newApiKey(service.db, { businessId: await newBusiness(service.db) })
  const envOf = (program: string) => {
    const signedIn = { ...env, CRIER_TOKEN: token }
    return program === 'bash' ? signedIn : { ...signedIn, CRIER_API_KEY: secret }
  }
  const mint = tokenMint(service)

  const start = (program: string, args: string[], own: Record<string, string> = envOf(program)) => {
    // With a socket as stdin, bash would assume a remote shell and read its settings.
    const stdio = ['ignore', 'pipe', 'pipe'] as const
    const child = spawn(program, args, {
      env: own,
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

  const run = async (
    program: string,
    args: string[],
    own?: Record<string, string>,
  ): Promise<string> => {
    const { child, kill, said } = start(program, args, own)
    const timer = setTimeout(kill, patience)
    const [code] = await once(child, 'close')
    clearTimeout(timer)
    if (code !== 0) throw new Error(`it ended with ${code}:\n${said()}`)
    return said()
  }

  /** The sender domain that a script names. */
  const addDomain = async (script: string) => {
    if (script.includes(' shop.example')) await client.domain.add({ domain: 'shop.example' })
  }

  /** Its owner states what the domain sent before, which an operator answers. */
  const stateVolume = async () => {
    // Here no DNS answers, by which the domain would be verified.
    await service.db.run(sql`update domains set status = 'verified' where name = 'shop.example'`)
    await service.db.run(sql`
      insert into domain_claims (name, domain_id, degraded, claimed_at)
      select name, id, false, now() from domains where name = 'shop.example'
      on conflict (name) do nothing
    `)
    await client.domain.state_volume({ domain: 'shop.example', emails_per_day: 9_000 })
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
    async bash(script) {
      await addDomain(script)
      return run('bash', ['-euo', 'pipefail', '-c', here(script)])
    },
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
    confirmed: (script) =>
      run('bash', [
        '-euo',
        'pipefail',
        '-c',
        `crier() { command crier "$@" --yes; }\n${here(script)}`,
      ]),
    async scheduled(script) {
      const send_at = new Date(Date.now() + 86_400_000).toISOString()
      await client.business.save({ postal_address: '1 Example Street' })
      const consent = { email: { status: 'subscribed', source: 'sign-up page' } } as const
      await client.contact.upsert({ email: 'ana@example.com', consent })
      await client.campaign.deploy({ campaign_id, send_at })
      return run('bash', ['-euo', 'pipefail', '-c', here(script)])
    },
    async operator(script) {
      await addDomain(script)
      const other = await emptyDatabase()
      const own = {
        ...env,
        DATABASE_URL: urlOf(service.connection),
        DATA_DIR: service.config.dataDir,
        CRIER_SECRET: rootKey,
      }
      const another = {
        ...own,
        DATABASE_URL: urlOf(other.connection),
        DATA_DIR: path.join(folder, 'another'),
        CRIER_SECRET: randomBytes(32).toString('base64url'),
      }
      const onEach = async (line: string) => {
        if (/ volume (approve|refuse) /.test(line)) await stateVolume()
        const machine = line.includes('# on the new one') ? another : own
        const isDoctor = line.startsWith('crier doctor')
        const said = await run(
          'bash',
          ['-euo', 'pipefail', '-c', isDoctor ? `${line.split('#')[0]} || true` : line],
          machine,
        )
        if (!isDoctor) return
        const { findings } = JSON.parse(said) as { findings: { check: string; outcome: string }[] }
        const failed = findings.filter(({ outcome }) => outcome === 'fail')
        // The server of tests writes nothing through to the disk.
        assert.deepEqual(
          failed.map(({ check }) => check),
          ['durability'],
          said,
        )
      }
      try {
        if (script.includes('# on the new one')) await onEach('crier migrate  # on the new one')
        for (const line of here(script).split('\n')) await onEach(line)
      } finally {
        await other.drop()
      }
    },
    async browser(part) {
      const email = 'ana@example.com'
      await client.contact.upsert({
        email,
        consent: { email: { status: 'pending', source: 'test' } },
      })
      const [file = ''] = await filesOf('ts', [
        `import { createClient, sealedFile } from '@crier-mail/sdk/node'
import { launch, person } from '${path.join(root, 'tests/e2e/browser.ts')}'
const client = createClient({ url: '${url}', store: sealedFile({ file: '.crier/connection' }) })
const browser = await launch()
const { page } = await person(browser, { script: true, width: 1280 })
${part.replace('await page.goto(link)', "await page.goto(link ?? 'nowhere')")}
console.log(await page.title())
await browser.close()
`,
      ])
      return run(process.execPath, ['--conditions=crier-source', file])
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
