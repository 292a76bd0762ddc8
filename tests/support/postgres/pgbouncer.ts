/** PgBouncer in transaction mode in front of the test server: Debian's, or a newer one. */
import { spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseAccount } from 'crier-server/lib/postgres/account.ts'
import type pg from 'pg'
import { freePort } from '../network/port.ts'

export const pgbouncer = '/usr/sbin/pgbouncer'

export interface Pooler {
  /** In the form of DATABASE_URL. */
  url: string
  stop(): Promise<void>
}

/** The path of PgBouncer 1.21 or newer, which Debian does not have. */
export const newerPgbouncer = process.env['PGBOUNCER']

/** @param program One that keeps prepared statements apart gets the setting of several-nodes.md. */
export async function startPgbouncer(
  { host, user, database }: pg.ClientConfig,
  program = pgbouncer,
): Promise<Pooler> {
  const folder = mkdtempSync(path.join(tmpdir(), 'crier-pgbouncer-'))
  const port = await freePort()
  const file = path.join(folder, 'pgbouncer.ini')
  // PgBouncer does not run as root, and the database's user may enter the socket's folder.
  const account = await databaseAccount(String(host))
  writeFileSync(
    file,
    `[databases]
${database} = host=${host} dbname=${database} user=${user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
ignore_startup_parameters = extra_float_digits
${program === pgbouncer ? '' : 'max_prepared_statements = 500\ndefault_pool_size = 60\n'}`,
  )
  chmodSync(folder, 0o755)
  if (account) chownSync(folder, account.uid, account.gid)
  const child = spawn(program, [file], { ...account, stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  for (let tries = 0; !(await listens(port)); tries++) {
    if (child.exitCode !== null || tries > 200) throw new Error('pgbouncer does not start')
    await sleep(25)
  }
  return {
    url: `postgres://${user}@127.0.0.1:${port}/${database}`,
    async stop() {
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
