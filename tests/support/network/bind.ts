/** A real DNS server, Debian's BIND, whose records a test changes as their owner would. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import readline from 'node:readline'
import type { DnsServer } from 'crier-server/lib/dns/exchange.ts'
import { missingPrograms } from '../processes/debian-program.ts'
import { freePort } from './port.ts'

export interface Bind {
  server: DnsServer
  /**
   * Changes records by commands of `nsupdate`: `add shop.test 300 TXT "v=spf1 -all"`, `delete
   * t.shop.test CNAME`. If one is refused, none is applied.
   */
  update(...changes: string[]): Promise<void>
  stop(): Promise<void>
}

const named = '/usr/sbin/named'

/** Why tests that need BIND are skipped; undefined if it is installed. */
export const withoutBind = (): string | undefined => missingPrograms(named, '/usr/bin/nsupdate')

/** Serves these zones, with only SOA and NS records, and follows aliases between them. */
export async function startBind(zones: readonly string[]): Promise<Bind> {
  const folder = await mkdtemp(path.join(tmpdir(), 'crier-bind-'))
  const port = await freePort()
  await writeFile(path.join(folder, 'named.conf'), configuration(folder, port, zones))
  for (const zone of ['', ...zones]) await writeFile(path.join(folder, fileOf(zone)), emptyZone)
  const child = spawn(named, ['-g', '-c', path.join(folder, 'named.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(child, 'exit')
  const said: string[] = []
  const log = readline.createInterface({ input: child.stderr })
  log.on('line', (line) => said.push(line))
  const started = new Promise<boolean>((resolve) => {
    log.on('line', (line) => line.endsWith(' running') && resolve(true))
    void exited.then(() => resolve(false))
  })
  if (!(await started)) throw new Error(`named ended:\n${said.slice(-20).join('\n')}`)
  return {
    server: { address: '127.0.0.1', port },
    update: (...changes) => nsupdate(port, zones, changes),
    async stop() {
      child.kill('SIGTERM')
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const fileOf = (zone: string) => `${zone || 'root'}.zone`

// One second of negative caching. Records that a test adds are visible at once all the same, since
// BIND is authoritative for the zones.
const emptyZone = '$TTL 300\n@ SOA ns.test. root.test. 1 60 60 600 1\n@ NS ns.test.\n'

/**
 * It resolves for us (`recursion`), but queries no other server: the root is a zone of its own. The
 * working folder contains journals, so each server has its own folder.
 */
function configuration(folder: string, port: number, zones: readonly string[]): string {
  const zone = (name: string) => `zone "${name || '.'}" {
  type primary; file "${fileOf(name)}"; allow-update { 127.0.0.1; };
};`
  return `options {
  directory "${folder}"; pid-file none; session-keyfile none;
  listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };
  recursion yes; allow-recursion { 127.0.0.1; }; dnssec-validation no;
  empty-zones-enable no; notify no; minimal-responses no; check-integrity no;
};
controls { };
${['', ...zones].map(zone).join('\n')}
`
}

async function nsupdate(port: number, zones: readonly string[], changes: string[]): Promise<void> {
  // One message changes one zone.
  const byZone = Map.groupBy(changes, (change) => {
    const name = (change.split(' ')[1] ?? '').replace(/\.$/, '')
    const fitting = zones.filter((zone) => name === zone || name.endsWith(`.${zone}`))
    return fitting.toSorted((a, b) => b.length - a.length)[0] ?? '.'
  })
  const script = [...byZone].flatMap(([zone, some]) => [
    `server 127.0.0.1 ${port}`,
    `zone ${zone}`,
    ...some.map((change) => `update ${change}`),
    'send',
  ])
  const child = spawn('nsupdate', ['-t', '20'], { stdio: ['pipe', 'ignore', 'pipe'] })
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text
  })
  child.stdin.end(`${script.join('\n')}\n`)
  const [code] = await once(child, 'close')
  if (code !== 0 || complaints) throw new Error(`nsupdate: ${complaints}\n${script.join('\n')}`)
}
