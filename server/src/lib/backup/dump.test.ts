import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { findDumpPrograms, libraryAddress, socketUrl } from './dump.ts'

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
  const majorFor = async (major: number) => (await findDumpPrograms(major, folders))?.major
  assert.deepEqual(await Promise.all([14, 15, 16, 17, 18, 19].map(majorFor)), [
    14,
    16,
    16,
    18,
    18,
    undefined,
  ])
})

test('a password is handed on beside the address, and an address of a socket stays whole', () => {
  assert.deepEqual(
    libraryAddress('postgres://crier:p%40ss@db.example:5433/crier?sslmode=require'),
    {
      url: 'postgres://crier@db.example:5433/crier?sslmode=require',
      env: { PGPASSWORD: 'p@ss' },
    },
  )
  const socket = 'postgres://crier@localhost/crier?host=/run/postgresql'
  assert.deepEqual(libraryAddress(socket), { url: socket, env: {} })
  assert.equal(
    socketUrl({ host: '/tmp/crier-x', user: 'crier', database: 'crier' }),
    'postgresql://crier@/crier?host=%2Ftmp%2Fcrier-x',
  )
})
