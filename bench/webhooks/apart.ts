/** A webhook whose event and delivery are in two processes, beside one process that does both. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../server/src/config.ts'
import { openVault } from '../../server/src/core/installation/root-key.ts'
import { openDatabase, sql } from '../../server/src/lib/db/db.ts'
import type { Database } from '../../server/src/lib/db/types.ts'
import { openPostgres } from '../../server/src/lib/postgres/open.ts'
import { createLog } from '../../server/src/lib/process/log.ts'
import { migratedDataDir } from '../../tests/crash/support/data-dir.ts'
import { type ServiceProcess, startService } from '../../tests/crash/support/service-process.ts'
import { testbedAt } from '../../tests/operations/support/testbed.ts'
import type { ToolCaller } from '../../tests/support/clients/tool-caller.ts'
import { freePort } from '../../tests/support/network/port.ts'
import { newerPgbouncer, startPgbouncer } from '../../tests/support/postgres/pgbouncer.ts'
import { atMost, type Bench, median, number } from '../support/bench.ts'
import { sizes } from '../support/sizes.ts'

// Each of the polled ones waits for the worker's next look.
const { rounds, webhooks: webhooksOfRound, polledWebhooks, warmUp } = sizes.apart
/** So that each begins while the worker sleeps. */
const restMs = { least: 20, more: 80 }
const secret = 'a secret of the bench, which is thrown away'

export const apart: Bench = {
  name: 'apart',
  title: 'A webhook from one process to another',
  method: `From the call of \`contact.upsert\` over HTTP until the receiver has its \`contact.created\`, one after the other: with one process (role all), and with an api and a worker process on the same database, which is on this machine with fsync on. ${rounds} alternating rounds of ${webhooksOfRound}; the ratio is taken within each, and the medians are shown. Last ${polledWebhooks} with an api and a worker that does not listen, as behind a pooler in transaction mode.`,

  async run(tell) {
    const dataDir = await migratedDataDir()
    const log = createLog('silent')
    const postgres = await openPostgres({ dataDir: dataDir.path, databaseUrl: undefined, log })
    const db = openDatabase({ connection: postgres.connection })
    const receiver = await startReceiver()
    const { host, user, database } = postgres.connection
    const url = `postgres://${user}@localhost/${database}?host=${host}`
    const pooler = newerPgbouncer && (await startPgbouncer(postgres.connection, newerPgbouncer))
    const pooled = pooler ? { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: url } : {}
    const stage = { db, url, receiver, pooled }
    try {
      const all: { one: number; two: number }[] = []
      for (let round = 1; round <= rounds; round++) {
        const one = await measured(stage, ['all'])
        const two = await measured(stage, ['api', 'worker'])
        tell(`round ${round}: ${number(one)} ms in one process, ${number(two)} ms in two`)
        all.push({ one, two })
      }
      // Nothing answers there, so the worker does not hear.
      const deaf = { DATABASE_DIRECT_URL: 'postgres://nobody@127.0.0.1:1/none' }
      const polled = await measured(stage, ['api', 'worker'], { count: polledWebhooks, more: deaf })
      const ms = (name: 'one' | 'two') => number(median(all.map((round) => round[name])))
      const ratio = median(all.map(({ one, two }) => two / one))
      return [
        atMost('p50 in two processes, of one', ratio, 1.5, ' times'),
        { name: 'p50 in one process', value: `${ms('one')} ms` },
        { name: 'p50 in two processes', value: `${ms('two')} ms` },
        { name: 'p50 in two processes, polling', value: `${number(polled)} ms` },
      ]
    } finally {
      receiver.close()
      if (pooler) await pooler.stop()
      await db.end()
      await postgres.stop()
      await dataDir.remove()
    }
  },
}

interface Stage {
  db: Database
  url: string
  receiver: Receiver
  /** Settings where PGBOUNCER names a pooler to go through. */
  pooled: Record<string, string>
}

/** Median milliseconds until a webhook is there. */
async function measured(
  { db, url, receiver, pooled }: Stage,
  roles: readonly string[],
  { count = webhooksOfRound, more = {} }: { count?: number; more?: Record<string, string> } = {},
): Promise<number> {
  const folders: string[] = []
  const services: ServiceProcess[] = []
  const files = await mkdtemp(path.join(os.tmpdir(), 'crier-apart-'))
  const port = await freePort()
  const env = {
    DATABASE_URL: url,
    CRIER_SECRET: secret,
    STORAGE_URL: `file://${files}`,
    BASE_URL: `http://localhost:${port}`,
    OUTBOUND_ALLOW: '127.0.0.0/8:*',
    ...pooled,
    ...more,
  }
  try {
    for (const role of roles) {
      const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-apart-'))
      folders.push(folder)
      services.push(await startRole(role, { folder, port, env }))
    }
    const vault = await openVault(db, secret, new Date())
    const config = readConfig({ ...env, PORT: String(port) })
    const endpoint = `${config.baseUrl}/api/functions/${config.slug}-mcp`
    const { owner } = await testbedAt({ db, vault, config, endpoint }).someone('scale')
    await owner.get('webhook.save', { url: receiver.url, events: ['contact.created'] })
    await allShardsHeld(db)
    const times: number[] = []
    for (let i = -warmUp; i < count; i++) {
      await sleep(restMs.least + Math.random() * restMs.more)
      const time = await webhookTime(owner, receiver)
      if (i >= 0) times.push(time)
    }
    return median(times)
  } finally {
    for (const service of services) await service.stop()
    for (const folder of [...folders, files]) await rm(folder, { recursive: true, force: true })
  }
}

async function startRole(
  role: string,
  { folder, port, env }: { folder: string; port: number; env: Record<string, string> },
): Promise<ServiceProcess> {
  const own = role === 'worker' ? await freePort() : port
  return startService({
    dataDir: folder,
    port: own,
    env: { ...env, ...(role === 'worker' && { STATUS_PORT: String(own) }) },
    command: [process.execPath, 'cli/bin.mjs', 'serve', '--role', role],
  })
}

async function allShardsHeld(db: Database): Promise<void> {
  for (;;) {
    const { free } = await db.one<{ free: number }>(sql`
      select count(*)::int as free from shard_leases where worker is null
    `)
    if (free === 0) return
    await sleep(50)
  }
}

let people = 0

async function webhookTime(owner: ToolCaller, receiver: Receiver): Promise<number> {
  const email = `person-${++people}@example.com`
  const came = receiver.next(email)
  const began = performance.now()
  await owner.get('contact.upsert', { email })
  return (await came) - began
}

interface Receiver {
  url: string
  /** When (`performance.now`) the next event that names this address came. */
  next(email: string): Promise<number>
  close(): void
}

async function startReceiver(): Promise<Receiver> {
  const waiting = new Map<string, (at: number) => void>()
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      response.writeHead(204).end()
      const { data } = JSON.parse(body) as { data: { email?: string } }
      waiting.get(data.email ?? '')?.(performance.now())
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    next: (email) => new Promise((resolve) => waiting.set(email, resolve)),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
