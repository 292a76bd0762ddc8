/**
 * Four processes on one PostgreSQL behind a proxy: people submit a form and get mail, a receiver
 * hears of it, while workers are killed and api nodes are restarted one by one. NODES_KILLS sets how
 * often, for `npm run soak -- --only nodes`, and PGBOUNCER names a PgBouncer to put in between.
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from 'crier-server/config.ts'
import { openVault } from 'crier-server/core/installation/root-key.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Database } from 'crier-server/lib/db/types.ts'
import { type ServiceProcess, startService } from '../crash/support/service-process.ts'
import { testbedAt } from '../operations/support/testbed.ts'
import type { ToolCaller } from '../support/clients/tool-caller.ts'
import { startFakeRelay } from '../support/mail/fake-relay.ts'
import { type Balancer, startBalancer } from '../support/network/balancer.ts'
import { freePort } from '../support/network/port.ts'
import { webhookReceiver } from '../support/network/webhook-receiver.ts'
import { testDatabase } from '../support/postgres/database.ts'
import { newerPgbouncer, startPgbouncer } from '../support/postgres/pgbouncer.ts'
import { eventually, until } from '../support/time/eventually.ts'

const kills = Number(process.env['NODES_KILLS'] ?? 1)
const killEveryMs = 4_000
const clients = 3
const secret = 'a secret of the tests, which is thrown away'
/** A lease of a worker that died ends within 17 s. */
const patienceMs = 60_000

interface Node {
  running: ServiceProcess
  /** Starts it again with the folder and the port that it had. */
  again(): Promise<void>
}

async function startNode(role: 'api' | 'worker', env: Record<string, string>): Promise<Node> {
  const port = await freePort()
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'crier-node-'))
  const own = role === 'worker' && { STATUS_PORT: String(port) }
  const start = () =>
    startService({
      dataDir,
      port,
      env: { ...env, ...own },
      command: [process.execPath, 'cli/bin.mjs', 'serve', '--role', role],
    })
  const node: Node = {
    running: await start(),
    async again() {
      node.running = await start()
    },
  }
  return node
}

/** What clients asked for, and what came of it. */
interface Load {
  submitted: string[]
  mailed: string[]
  refused: string[]
}

async function submitAndMail(owner: ToolCaller, formId: string, n: number, load: Load) {
  const email = `person-${n}@example.com`
  const calls = [
    ['form.submit', { form_id: formId, fields: { email } }, load.submitted],
    ['email.send', { to: email, subject: 'Thank you', text: 'We have it.' }, load.mailed],
  ] as const
  for (const [operation, input, done] of calls) {
    const answer = await owner.call(operation, input).catch((error: Error) => error)
    if (answer instanceof Error) load.refused.push(`${operation}: ${answer.message}`)
    else if (answer.kind !== 'answer') load.refused.push(`${operation}: ${answer.text}`)
    else done.push(email)
  }
}

async function killWorkers(workers: readonly Node[]): Promise<void> {
  for (let i = 0; i < kills; i++) {
    await sleep(i === 0 ? 1_000 : killEveryMs)
    const worker = workers[i % workers.length]
    await worker?.running.kill()
    await worker?.again()
  }
}

async function roll(nodes: readonly Node[], balancer: Balancer): Promise<void> {
  for (const [place, node] of nodes.entries()) {
    await node.running.stop()
    await node.again()
    await until(() => balancer.isReady(place), 'the proxy sees it again')
  }
}

async function shared(db: Database): Promise<void> {
  await until(async () => {
    const { n } = await db.one<{ n: number }>(sql`
      select count(distinct worker)::int as n from shard_leases
    `)
    return n === 2
  }, 'both workers have shards')
}

test('workers are killed and api nodes restarted under load, and no request or message is lost', async (t) => {
  const { db, connection, drop } = await testDatabase()
  t.after(drop)
  const relay = await startFakeRelay()
  t.after(() => relay.stop())
  let signingSecret = ''
  const receiver = await webhookReceiver(() => signingSecret)
  t.after(() => receiver.close())
  const files = await mkdtemp(path.join(os.tmpdir(), 'crier-files-'))
  t.after(() => rm(files, { recursive: true, force: true }))
  const { host, user, database } = connection
  const direct = `postgres://${user}@localhost/${database}?host=${host}`
  const pooler = newerPgbouncer && (await startPgbouncer(connection, newerPgbouncer))
  if (pooler) t.after(() => pooler.stop())
  const env = {
    DATABASE_URL: pooler ? pooler.url : direct,
    ...(pooler && { DATABASE_DIRECT_URL: direct }),
    CRIER_SECRET: secret,
    STORAGE_URL: `file://${files}`,
    BASE_URL: 'http://localhost:8080',
    SMTP_URL: relay.url(),
    SENDER_GATE: 'off',
    MAIL_FROM: 'hello@shop.example',
    OUTBOUND_ALLOW: '127.0.0.0/8:*',
    REQUESTS_PER_CONNECTION: '30000',
    // Longer than a busy machine takes until the proxy has asked again.
    DRAIN_SECONDS: '2',
  }
  const [first, second, ...workers] = await Promise.all([
    startNode('api', env),
    startNode('api', env),
    startNode('worker', env),
    startNode('worker', env),
  ])
  const nodes = [first, second]
  t.after(() => Promise.all([...nodes, ...workers].map(({ running }) => running.stop())))
  const balancer = await startBalancer(nodes.map(({ running }) => running.port))
  t.after(() => balancer.close())
  await shared(db)

  const vault = await openVault(db, secret, new Date())
  const endpoint = `http://127.0.0.1:${balancer.port}/api/functions/svc-mcp`
  const bed = testbedAt({ db, vault, config: readConfig(env), endpoint })
  const { owner } = await bed.someone('scale')
  const field = { key: 'email', label: 'Email', type: 'email', required: true }
  const form = { name: 'Sign up', status: 'published', fields: [field] }
  const { form_id } = await owner.get<{ form_id: string }>('form.save', form)
  const hook = { url: receiver.url, events: ['form.submitted'] }
  const made = await owner.get<{ signing_secret: string }>('webhook.save', hook)
  signingSecret = made.signing_secret

  const load: Load = { submitted: [], mailed: [], refused: [] }
  let isOver = false
  let n = 0
  const client = async () => {
    while (!isOver) {
      await submitAndMail(owner, form_id, ++n, load)
      await sleep(50)
    }
  }
  const loading = Promise.all(Array.from({ length: clients }, client))
  const rolling = async () => {
    do await roll(nodes, balancer)
    while (!killed)
  }
  let killed = false
  const killing = killWorkers(workers).finally(() => {
    killed = true
  })
  try {
    await Promise.all([killing, rolling()])
  } finally {
    // Clients that went on would keep the process.
    isOver = true
  }
  await loading

  assert.deepEqual(load.refused, [])
  assert.deepEqual(balancer.failed, [])
  assert.ok(Math.min(...balancer.answers) > 10, `answers of each node: ${balancer.answers.join()}`)
  const heard = () => receiver.received.map(({ event }) => submitterOf(event.data))
  await allArrive(load.submitted, heard, 'webhooks')
  await allArrive(load.mailed, () => relay.taken.map(({ to }) => to), 'mails')
  t.diagnostic(
    `${load.submitted.length} submissions and ${load.mailed.length} mails over ${kills} kills of a worker and restarts of both api nodes: no request failed, every webhook and mail arrived (${receiver.received.length} and ${relay.taken.length})`,
  )
})

/** Looks rarely, because what arrives is received in this process as well. */
async function allArrive(sent: readonly string[], arrived: () => unknown[], what: string) {
  const missing = await eventually(
    () => {
      const there = new Set(arrived())
      return sent.filter((email) => !there.has(email))
    },
    (left) => left.length === 0,
    patienceMs,
  )
  assert.deepEqual(missing, [], `${what} that did not arrive, of ${sent.length}`)
}

function submitterOf(data: unknown): unknown {
  return (data as { fields?: Record<string, unknown> }).fields?.['email']
}
