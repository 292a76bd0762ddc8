/** `crier doctor` on set-ups that are broken in one way each: it says which, and how to mend it. */
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { migrate } from 'crier-server/lib/db/migrate.ts'
import { findings } from 'crier-server/operator/doctor.ts'
import pg from 'pg'
import { freePort } from '../support/network/port.ts'
import { emptyDatabase } from '../support/postgres/database.ts'

type Env = Record<string, string>

const secret = 'a secret of the tests, which is thrown away'
let folder: string
let database: Awaited<ReturnType<typeof emptyDatabase>>
let foreign: Awaited<ReturnType<typeof emptyDatabase>>
before(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'crier-broken-'))
  database = await emptyDatabase()
  foreign = await emptyDatabase()
  await migrate(database.connection)
  const client = new pg.Client(foreign.connection)
  await client.connect()
  await client.query('create table wp_posts (id int)')
  await client.end()
})
after(async () => {
  await database.drop()
  await foreign.drop()
  rmSync(folder, { recursive: true, force: true })
})

const urlOf = ({ host, user, database: name }: pg.ClientConfig) =>
  `postgres://${user}@localhost/${name}?host=${host}`

/** A set-up in which nothing that is asked of a machine alone is wrong. */
async function sound(name: string): Promise<Env> {
  const dataDir = path.join(folder, name)
  mkdirSync(dataDir, { mode: 0o700 })
  return {
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    DATABASE_URL: urlOf(database.connection),
    CRIER_SECRET: secret,
    BASE_URL: 'https://crier.example',
    TRUST_PROXY: '1',
    SMTP_URL: 'smtp://127.0.0.1:9',
    DNS_SERVERS: '127.0.0.1:9',
    BOUNCE_PORT: String(await freePort()),
  }
}

/** The findings that are not fine, as `outcome check: text | mend`. */
async function faults(env: Env): Promise<string[]> {
  const lines: string[] = []
  for await (const { outcome, check, text, mend = '' } of findings(env)) {
    if (outcome !== 'ok') lines.push(`${outcome} ${check}: ${text} | ${mend}`)
  }
  return lines
}

interface Broken {
  name: string
  change(env: Env): Env | Promise<Env>
  says: RegExp
}

const without = (env: Env, name: string): Env =>
  Object.fromEntries(Object.entries(env).filter(([setting]) => setting !== name))

const withPortInUse = async (env: Env): Promise<Env> => {
  const server = createServer().listen(Number(env['PORT']), '127.0.0.1')
  server.unref()
  await new Promise((resolve) => server.once('listening', resolve))
  return env
}

const setups: readonly Broken[] = [
  {
    name: 'an open inbox',
    change: (env) => ({ ...env, ALLOW_INBOX: 'yes' }),
    says: /^fail exposure: ALLOW_INBOX shows everybody .* \| Remove ALLOW_INBOX/,
  },
  {
    name: 'an open sign-up',
    change: (env) => ({ ...env, SIGNUP: 'open' }),
    says: /^warn exposure: SIGNUP=open .* \| Set SIGNUP=invite/,
  },
  {
    name: 'senders that nobody checks',
    change: (env) => ({ ...env, SENDER_GATE: 'off', SMTP_URL: 'smtp://relay.example:587' }),
    says: /^warn exposure: SENDER_GATE=off .* \| Remove SENDER_GATE/,
  },
  {
    name: 'no bounces',
    change: (env) => ({ ...without(env, 'BOUNCE_PORT'), SMTP_URL: 'smtp://relay.example:587' }),
    says: /^warn exposure: no bounces and complaints are received/,
  },
  {
    name: 'no relay',
    change: (env) => without(env, 'SMTP_URL'),
    says: /^fail mail: .*no mail would be sent \| Set SMTP_URL/,
  },
  {
    name: 'an address without TLS',
    change: (env) => ({ ...env, BASE_URL: 'http://crier.example' }),
    says: /^(?:fail|warn) .*https/,
  },
  {
    name: 'a port that another program has',
    change: withPortInUse,
    says: /^fail .*port.* \| .*PORT/i,
  },
  {
    name: 'a database that is away',
    change: (env) => ({ ...env, DATABASE_URL: 'postgres://crier:hunter2@127.0.0.1:9/crier' }),
    says: /^fail database: .*nothing listens there/,
  },
  {
    name: 'a database of another program',
    change: (env) => ({ ...env, DATABASE_URL: urlOf(foreign.connection) }),
    says: /^(?:fail|warn) .*(?:another program|other tables|wp_posts)/,
  },
  {
    name: 'no backup of an own server',
    change: (env) => ({ ...env, LEDGER_TO: path.join(folder, 'ledger.jsonl') }),
    says: /^warn backup: .* \| Set BACKUP_TO on the workers/,
  },
  {
    name: 'a data folder that everybody may enter',
    change: (env) => {
      chmodSync(env['DATA_DIR'] ?? '', 0o777)
      return env
    },
    says: /^(?:fail|warn) data folder: .*others/i,
  },
  {
    name: 'a secret that others can read',
    change: (env) => {
      const file = path.join(env['DATA_DIR'] ?? '', 'secret')
      writeFileSync(file, `${secret}\n`)
      chmodSync(file, 0o644)
      return without(env, 'CRIER_SECRET')
    },
    says: /^(?:fail|warn) secret: .*\| .*chmod/i,
  },
  {
    name: 'a setting that is none',
    change: (env) => ({ ...env, TRUST_PROXY: 'perhaps' }),
    says: /^fail settings: .*TRUST_PROXY/,
  },
]

for (const [n, { name, change, says }] of setups.entries()) {
  test(`the check finds ${name}, and says how to mend it`, async () => {
    const env = await sound(`data-${n}`)
    const before = await faults(env)
    assert.ok(!before.some((line) => says.test(line)), `sound: ${before.join('\n')}`)
    const lines = await faults(await change(env))
    assert.ok(
      lines.some((line) => says.test(line)),
      lines.join('\n'),
    )
    assert.doesNotMatch(lines.join('\n'), /hunter2|a secret of the tests/)
    for (const line of lines) assert.match(line, / \| \S/, `says what to do: ${line}`)
  })
}
