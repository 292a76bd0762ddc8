/**
 * The service in a terminal: however it is ended there, no process of it remains, and each
 * acknowledged write is in the database.
 */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from 'crier-server/config.ts'
import type { Id } from 'crier-server/core/ids.ts'
import { openVault } from 'crier-server/core/installation/root-key.ts'
import { installationSecret } from 'crier-server/lib/crypto/vault.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Database } from 'crier-server/lib/db/types.ts'
import { openPostgres } from 'crier-server/lib/postgres/open.ts'
import { oneSignalMs } from 'crier-server/lib/process/stop-signals.ts'
import { newDataDir } from '../crash/support/data-dir.ts'
import { childrenOf } from '../crash/support/process-tree.ts'
import { answersNow } from '../crash/support/service-process.ts'
import { newBusiness } from '../support/businesses/business.ts'
import { newGrant, tokenMint } from '../support/clients/grants.ts'
import { toolCaller } from '../support/clients/tool-caller.ts'
import { freePort } from '../support/network/port.ts'
import { missingPrograms } from '../support/processes/debian-program.ts'
import { openTerminal, python, type Terminal } from '../support/processes/terminal.ts'
import { silentLog } from '../support/silent-log.ts'
import { eventually } from '../support/time/eventually.ts'

const cwd = path.join(import.meta.dirname, '../..')
const skip = missingPrograms(python)
const dataDir = await newDataDir()
after(() => dataDir.remove())

const throughNpm = ['npm', 'start']
const direct = ['node', 'cli/bin.mjs', 'serve']

const endings: {
  how: string
  commands: string[][]
  /** Whether a request that does not end delays the stop. */
  held?: boolean
  /** The program's exit codes; unknown for a terminal that was closed. */
  codes?: number[]
  /** `release` ends the request that delays the stop. */
  end: (terminal: Terminal, release: () => void) => Promise<void>
}[] = [
  {
    how: 'Ctrl-C',
    commands: [throughNpm, direct],
    codes: [0],
    end: async (terminal) => terminal.pressCtrlC(),
  },
  {
    how: 'Ctrl-C twice in quick succession',
    commands: [direct],
    // The stop lasts until the second signal has arrived; then its request ends.
    held: true,
    codes: [0],
    async end(terminal, release) {
      terminal.pressCtrlC()
      await sleep(100)
      terminal.pressCtrlC()
      await eventually(
        () => terminal.shown().split('^C').length - 1,
        (pressed) => pressed === 2,
      )
      release()
    },
  },
  {
    how: 'a deliberate second Ctrl-C',
    commands: [throughNpm, direct],
    held: true,
    codes: [130],
    async end(terminal) {
      terminal.pressCtrlC()
      await eventually(
        () => terminal.shown(),
        (text) => text.includes('Stopping.'),
      )
      // The service counts from the time when it saw the first signal, which is no later.
      await sleep(oneSignalMs + 50)
      const before = performance.now()
      terminal.pressCtrlC()
      await terminal.ended
      // A stop that waits for the request would take seven seconds.
      assert.ok(performance.now() - before < 5_000, 'it ended at once')
    },
  },
  {
    how: 'closing the terminal',
    commands: [throughNpm, direct],
    end: async (terminal) => terminal.close(),
  },
  {
    how: 'SIGTERM to the process group',
    commands: [throughNpm, direct],
    codes: [0, 143],
    end: async (terminal) => void process.kill(-(await terminal.program()), 'SIGTERM'),
  },
]

for (const { how, commands, held, codes, end } of endings) {
  for (const command of commands) {
    test(`${how} ends all processes of \`${command.join(' ')}\``, { skip }, async () => {
      const port = await freePort()
      const env = { ...process.env, DATA_DIR: dataDir.path, PORT: String(port) }
      const terminal = await openTerminal(command, { cwd, env })
      try {
        const ready = () => answersNow(`http://localhost:${port}/readyz`)
        assert.ok(await eventually(ready, (is) => is, 120_000), terminal.shown())
        const processes = await processesOf(terminal)
        const writer = await startWriting(port)
        const holder = held ? await openRequest(port) : undefined
        await eventually(
          () => writer.acknowledged(),
          (count) => count >= 20,
        )
        await end(terminal, () => holder?.destroy())
        const code = await terminal.ended
        if (codes) assert.ok(codes.includes(code ?? -1), `${code}: ${terminal.shown()}`)
        const left = await eventually(
          () => processes.filter(isAlive),
          ({ length }) => !length,
        )
        assert.deepEqual(left, [])
        holder?.destroy()
        await writer.end()
        await assertKept(writer)
      } finally {
        terminal.close()
      }
    })
  }
}

test('Ctrl-C while the database starts leaves no process behind', { skip }, async () => {
  const port = await freePort()
  const env = { ...process.env, DATA_DIR: dataDir.path, PORT: String(port) }
  const terminal = await openTerminal(direct, { cwd, env })
  const postmaster = await eventually(
    () => dataDir.postmaster().catch(() => 0),
    (pid) => pid > 0,
  )
  terminal.pressCtrlC()
  assert.equal(await terminal.ended, 0, terminal.shown())
  assert.equal(
    await eventually(
      () => isAlive(postmaster),
      (alive) => !alive,
    ),
    false,
  )
})

/** The program, its children, and the database, which is in its own process group. */
async function processesOf(terminal: Terminal): Promise<number[]> {
  const program = await terminal.program()
  const postmaster = await dataDir.postmaster()
  const found = [program, postmaster]
  for (const pid of found) {
    found.push(...(await childrenOf(pid)).filter((child) => !found.includes(child)))
  }
  return found
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

interface Writer {
  business: Id<'business'>
  emails: string[]
  acknowledged(): number
  /** Resolves when the writer notices that nobody answers. */
  end(): Promise<void>
}

async function startWriting(port: number): Promise<Writer> {
  const db = await dataDir.open(2)
  let call: ReturnType<typeof toolCaller>
  let business: Id<'business'>
  try {
    business = await newBusiness(db)
    const grant = await newGrant(db, { businesses: [business] })
    const config = readConfig({ PORT: String(port), DATA_DIR: dataDir.path })
    const vault = await openVault(db, installationSecret(dataDir.path), new Date())
    const tokens = [await tokenMint({ db, config, vault })(grant)]
    call = toolCaller(`http://localhost:${port}/api/functions/svc-mcp`, async () => tokens[0] ?? '')
  } finally {
    await db.end()
  }
  const emails: string[] = []
  const writing = Promise.all(
    ['a', 'b', 'c', 'd'].map(async (name) => {
      // Few enough for the rate of one token; the pauses make them last until the end.
      for (let n = 0; n < 120; n++) {
        const email = `${name}${n}@example.com`
        const answer = await call.call('contact.upsert', { email }).catch(() => undefined)
        if (answer?.kind !== 'answer') return
        emails.push(email)
        await sleep(20)
      }
    }),
  )
  return {
    business,
    emails,
    acknowledged: () => emails.length,
    end: async () => void (await writing),
  }
}

/** A request whose body never ends. */
async function openRequest(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  await once(socket, 'connect')
  const head = [
    'POST /oauth/register HTTP/1.1',
    'host: localhost',
    'content-type: application/json',
  ]
  socket.write(`${[...head, 'content-length: 1000'].join('\r\n')}\r\n\r\n{`)
  return socket
}

async function assertKept({ business, emails }: Writer): Promise<void> {
  const options = { dataDir: dataDir.path, databaseUrl: undefined, log: silentLog }
  const postgres = await openPostgres(options)
  try {
    const db: Database = await dataDir.open(1)
    const rows = await db.all<{ email: string }>(
      sql`select email from contacts where business_id = ${business}`,
    )
    await db.end()
    const kept = new Set(rows.map(({ email }) => email))
    assert.deepEqual(
      emails.filter((email) => !kept.has(email)),
      [],
    )
  } finally {
    await postgres.stop()
  }
}
