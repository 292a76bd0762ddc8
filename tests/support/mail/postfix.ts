/**
 * A temporary Postfix in a folder of its own, without the system's configuration. `transports` says
 * in Postfix's syntax where mail for an address or a domain goes: `error:5.1.1 no such user`,
 * `retry:4.2.2 mailbox full`, `discard:`, `maildir` (of an address) to be read,
 * `smtp:[127.0.0.1]:2525` for a next hop. Its own failure notices go to the envelope's sender by
 * the same map. A queued message expires after five seconds.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { answersOn, freePort } from '../network/port.ts'
import { missingPrograms } from '../processes/debian-program.ts'
import { masterCf } from './postfix-services.ts'

const program = '/usr/sbin/postfix'
const run = promisify(execFile)

/** Why tests are skipped; Postfix accepts its folders only from root. */
export function withoutPostfix(): string | undefined {
  if (process.getuid?.() !== 0 && !process.env['CI']) return 'Postfix starts only as root'
  return missingPrograms(program)
}

export interface PostfixOptions {
  /** By address (`ana@x.test`) or domain (`x.test`, `*` for all others). */
  transports: Readonly<Record<string, string>>
  /** How long delivery of a message is retried, such as `5s`. */
  lifetime?: string
  /** Additional lines of main.cf. */
  settings?: Readonly<Record<string, string>>
}

export interface Postfix {
  port: number
  url(parameters?: string): string
  /** The complete mails in the maildir of an address. */
  mailbox(address: string): Promise<string[]>
  log(): Promise<string>
  stop(): Promise<void>
}

export async function startPostfix(options: PostfixOptions): Promise<Postfix> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-postfix-'))
  const port = await freePort()
  await makeFolders(folder)
  await writeFile(path.join(folder, 'main.cf'), await mainCf(folder, options))
  await writeFile(path.join(folder, 'master.cf'), masterCf(port))
  const child = spawn(program, ['-c', folder, 'start-fg'], { stdio: 'ignore', detached: true })
  const stop = async () => {
    const ended = child.exitCode === null ? once(child, 'exit') : undefined
    await run(program, ['-c', folder, 'stop']).catch(() => child.kill('SIGKILL'))
    await ended
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    await answersOn(port, child)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    port,
    url: (parameters = '') => `smtp://127.0.0.1:${port}${parameters}`,
    async mailbox(address) {
      const place = path.join(folder, 'mail', ...address.split('@').toReversed(), 'new')
      const files = await readdir(place).catch(() => [])
      return Promise.all(files.map((file) => readFile(path.join(place, file), 'utf8')))
    },
    log: () => readFile(path.join(folder, 'log'), 'utf8'),
    stop,
  }
}

async function makeFolders(folder: string): Promise<void> {
  // Postfix's daemons pass through this folder to the spool.
  await chmod(folder, 0o755)
  for (const name of ['spool', 'data', 'mail']) await mkdir(path.join(folder, name))
  await run('/bin/chown', ['postfix', path.join(folder, 'data')])
  await run('/bin/chown', ['nobody', path.join(folder, 'mail')])
}

async function mainCf(folder: string, { transports, lifetime, settings }: PostfixOptions) {
  const nobody = (await run('/usr/bin/id', ['-u', 'nobody'])).stdout.trim()
  const group = (await run('/usr/bin/id', ['-g', 'nobody'])).stdout.trim()
  const map = Object.entries(transports).map(([to, transport]) => {
    return `{ ${to} = ${transport === 'maildir' ? 'virtual:' : transport} }`
  })
  const boxes = Object.entries(transports)
    .filter(([, transport]) => transport === 'maildir')
    .map(([to]) => `{ ${to} = ${to.split('@').toReversed().join('/')}/ }`)
  // An empty inline map is an error.
  if (boxes.length === 0) boxes.push('{ nobody@nowhere.test = nowhere.test/nobody/ }')
  const age = lifetime ?? '5s'
  const all: Record<string, string> = {
    compatibility_level: '3.6',
    queue_directory: path.join(folder, 'spool'),
    data_directory: path.join(folder, 'data'),
    maillog_file: path.join(folder, 'log'),
    maillog_file_prefixes: os.tmpdir(),
    mail_owner: 'postfix',
    setgid_group: 'postdrop',
    myhostname: 'relay.test',
    mydestination: '',
    mynetworks: '127.0.0.0/8',
    inet_interfaces: '127.0.0.1',
    inet_protocols: 'ipv4',
    smtpd_relay_restrictions: 'permit_mynetworks, reject',
    smtpd_peername_lookup: 'no',
    // Mail that will fail is accepted first, and bounces later. `yes` refuses it at RCPT.
    smtpd_reject_unlisted_recipient: 'no',
    smtputf8_enable: 'yes',
    alias_maps: '',
    alias_database: '',
    transport_maps: `inline:{ ${map.join(', ')} }`,
    virtual_mailbox_base: path.join(folder, 'mail'),
    virtual_mailbox_maps: `inline:{ ${boxes.join(', ')} }`,
    virtual_uid_maps: `static:${nobody}`,
    virtual_gid_maps: `static:${group}`,
    virtual_minimum_uid: '1',
    smtp_dns_support_level: 'disabled',
    smtp_host_lookup: 'native',
    notify_classes: '',
    maximal_queue_lifetime: age,
    // A failure notice that a busy machine delays is tried again, and not given up as well.
    bounce_queue_lifetime: '60s',
    minimal_backoff_time: '1s',
    maximal_backoff_time: '1s',
    queue_run_delay: '1s',
    ...settings,
  }
  return Object.entries(all)
    .map(([name, value]) => `${name} = ${value}\n`)
    .join('')
}
