import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { missingPrograms } from '../../../../tests/support/processes/debian-program.ts'
import { eventually } from '../../../../tests/support/time/eventually.ts'
import { dumpDatabase, findDumpPrograms, libraryAddress, restoreDump, socketUrl } from './dump.ts'

test('the programs of the server’s version are taken, else the oldest newer ones, and no older ones', async (t) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'crier-dump-programs-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const folderOf = (major: number, names = ['pg_dump', 'pg_restore']) => {
    const at = path.join(folder, String(major))
    mkdirSync(at)
    for (const name of names) {
      writeFileSync(path.join(at, name), `#!/bin/sh\necho "${name} (PostgreSQL) ${major}.4"\n`)
      chmodSync(path.join(at, name), 0o755)
    }
    return at
  }
  const folders = [folderOf(14), folderOf(18), folderOf(16), folderOf(15, ['pg_dump'])]
  const majorFor = async (oldest: number) => (await findDumpPrograms({ oldest }, folders))?.major
  assert.deepEqual(await Promise.all([14, 15, 16, 17, 18, 19].map(majorFor)), [
    14,
    16,
    16,
    18,
    18,
    undefined,
  ])
  const between = async (oldest: number, newest: number) =>
    (await findDumpPrograms({ oldest, newest }, folders))?.major
  assert.deepEqual([await between(15, 16), await between(17, 17)], [16, undefined])
})

const addressOf = (url: string, major = 18) => libraryAddress(url, major)
const server = "host='db.example' port='5432' user='crier' dbname='crier'"
const at = (more: string) => `postgres://crier@db.example/crier?${more}`

test('a password is handed on beside the address, and an address of a socket stays one', () => {
  assert.deepEqual(addressOf("postgres://crier:p%40ss'@db.example:5433/crier"), {
    address: "host='db.example' port='5433' user='crier' dbname='crier'",
    env: { PGPASSWORD: "p@ss'" },
  })
  const onSocket = "host='/run/postgresql' port='5432' user='crier' dbname='crier'"
  for (const url of [
    'postgres://crier@localhost/crier?host=/run/postgresql',
    socketUrl({ host: '/run/postgresql', user: 'crier', database: 'crier' }),
  ]) {
    assert.deepEqual(addressOf(url, 15), { address: onSocket, env: {} })
  }
  assert.deepEqual(addressOf('postgres://crier:pw@/crier?host=/run/postgresql', 15), {
    address: onSocket,
    env: { PGPASSWORD: 'pw' },
  })
  assert.match(addressOf(`postgres://o'hara@[::1]/a%20b`).address, /host='::1' .*user='o\\'hara' /)
})

/** The arguments of this process's children that run this program, as every user of the machine may read them. */
function argumentsOf(program: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    try {
      const parent = /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      return parent === String(process.pid) && words.includes(program) ? [words] : []
    } catch {
      // It has ended.
      return []
    }
  })
}

test('no password of an address, wherever it stands there, is among the arguments of a program', {
  skip: missingPrograms('/usr/lib/postgresql/15/bin/pg_dump') ?? false,
}, async (t) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'crier-dump-words-'))
  t.after(() => rmSync(folder, { recursive: true }))
  // A server that never answers keeps the programs alive until they were looked at.
  const sockets: net.Socket[] = []
  const silent = net.createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.after(() => silent.close())
  const { port } = silent.address() as net.AddressInfo
  const programs = { folder: '/usr/lib/postgresql/15/bin', major: 15 }
  const runs: [program: string, run: (url: string, seen: Promise<void>) => Promise<unknown>][] = [
    [
      'pg_dump',
      async (url, seen) => {
        const file = path.join(folder, String(url.length))
        const dumping = dumpDatabase(programs, url, { file, onProgress() {} })
        dumping.catch(() => undefined)
        await seen
        for (const socket of sockets.splice(0)) socket.destroy()
        return dumping
      },
    ],
    [
      'pg_restore',
      (url, seen) => {
        // It reads the beginning of the dump before it connects.
        const late = async function* () {
          await seen
          yield Buffer.from('no dump')
        }
        return restoreDump(programs, url, late())
      },
    ],
  ]
  for (const url of [
    `postgres://crier:in-the-name@127.0.0.1:${port}/crier?sslmode=disable`,
    `postgres://crier@127.0.0.1:${port}/crier?sslmode=disable&password=in-the-query`,
  ]) {
    assert.deepEqual(Object.keys(libraryAddress(url, 15).env), ['PGPASSWORD'])
    for (const [program, run] of runs) {
      const seen = Promise.withResolvers<void>()
      const ended = assert.rejects(run(url, seen.promise), new RegExp(`${program} failed`))
      const words = await eventually(
        () => argumentsOf(program),
        (found) => found.length > 0 && (program === 'pg_restore' || sockets.length > 0),
      )
      seen.resolve()
      assert.match(words.join(' '), /user='crier'/, `${program} runs`)
      assert.doesNotMatch(words.join(' '), /in-the-/)
      await ended
    }
  }
})

test('the driver’s words for TLS become those of PostgreSQL’s library, and its others are left out', (t) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'crier-roots-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const roots = path.join(folder, 'roots.pem')
  writeFileSync(roots, 'certificates')
  const full = "sslmode='verify-full' sslrootcert='system'"
  const by = (mode: string) => `sslmode='${mode}' sslrootcert='${roots}'`
  const table: [more: string, words: string][] = [
    ['', ''],
    ['ssl=0', ''],
    ['sslmode=disable', "sslmode='disable'"],
    ['sslmode=require', full],
    ['sslmode=prefer', full],
    ['sslmode=verify-ca', full],
    ['sslmode=verify-full', full],
    ['ssl=true', full],
    ['sslmode=no-verify', "sslmode='require'"],
    ['ssl=no-verify', "sslmode='require'"],
    [`sslmode=no-verify&sslrootcert=${roots}`, "sslmode='require'"],
    [`sslmode=require&sslrootcert=${roots}`, by('verify-full')],
    [`sslrootcert=${roots}`, by('verify-full')],
    ['uselibpqcompat=true&sslmode=require', "sslmode='require'"],
    ['uselibpqcompat=true&sslmode=verify-full', full],
    [`uselibpqcompat=true&sslmode=verify-ca&sslrootcert=${roots}`, by('verify-ca')],
    ['sslnegotiation=direct', `${full} sslnegotiation='direct'`],
    ['pgbouncer=true&statement_timeout=5000&max=3', ''],
    ['options=-c%20geqo%3Doff&application_name=a', "application_name='a' options='-c geqo=off'"],
  ]
  for (const [more, words] of table) {
    const { address, env } = addressOf(at(more))
    assert.equal(address, words === '' ? server : `${server} ${words}`, more)
    assert.deepEqual(env, {})
  }
  assert.equal(addressOf(at('sslnegotiation=direct'), 16).address, `${server} ${full}`)
  assert.equal(addressOf(at(`sslrootcert=${roots}`), 15).address, `${server} ${by('verify-full')}`)
  for (const more of ['sslmode=require', 'ssl=true', 'sslmode=verify-full']) {
    assert.throws(() => addressOf(at(more), 15), /Add sslrootcert=FILE/)
  }
})

test('pg_dump itself understands the address', {
  skip: missingPrograms('/usr/bin/pg_dump') ?? false,
}, async () => {
  const major = 15
  // Nothing listens there: what it says is about the server, and not about a parameter.
  const { address } = addressOf(
    'postgres://crier@127.0.0.1:1/crier?uselibpqcompat=true&sslmode=require&max=3&options=-c%20geqo%3Doff',
    major,
  )
  const ran = spawnSync('/usr/bin/pg_dump', ['--no-password', `--dbname=${address}`])
  assert.match(String(ran.stderr), /Connection refused/)
})
