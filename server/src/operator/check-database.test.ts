import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { put } from '../../../tests/support/jobs/jobs.ts'
import { emptyDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import type { Finding } from '../checks/finding.ts'
import { readConfig } from '../config.ts'
import { sql } from '../lib/db/db.ts'
import { databaseFindings } from './check-database.ts'

type Connection = Awaited<ReturnType<typeof emptyDatabase>>['connection']

async function examined(databaseUrl: string | undefined, dataDir = '/'): Promise<Finding[]> {
  const findings: Finding[] = []
  const config = { ...readConfig({}), databaseUrl, dataDir }
  for await (const finding of databaseFindings(config)) findings.push(finding)
  return findings
}

const outcomeOf = (findings: Finding[], check: string) =>
  findings.find((finding) => finding.check === check)?.outcome

const urlOf = ({ host, user, database }: Connection) =>
  `postgres://${user}@localhost/${database}?host=${encodeURIComponent(String(host))}`

test('an up-to-date database passes the check, and one that runs without fsync does not', async () => {
  const { connection, drop } = await testDatabase()
  const findings = await examined(urlOf(connection))
  await drop()
  assert.equal(outcomeOf(findings, 'database'), 'ok')
  assert.equal(outcomeOf(findings, 'migrations'), 'ok')
  // The test server is fast because it gives up durability.
  const durability = findings.find(({ check }) => check === 'durability')
  assert.equal(durability?.outcome, 'fail')
  assert.match(durability.text, /fsync/)
})

test('dead jobs are reported with the command that releases them', async () => {
  const { connection, db, drop } = await testDatabase()
  const queue = async () =>
    (await examined(urlOf(connection))).find(({ check }) => check === 'queue')
  assert.equal((await queue())?.outcome, 'ok')
  await put(db, [{ kind: 'broken' }], new Date())
  await db.run(sql`update jobs set parked_at = now(), fault = 'poison' where kind = 'broken'`)
  const { outcome, text, mend } = (await queue()) ?? assert.fail()
  await drop()
  assert.deepEqual([outcome, text], ['warn', 'failed jobs: 1 of broken (poison)'])
  assert.match(mend ?? '', /crier jobs release/)
})

test('missing migrations are named and not applied', async () => {
  const { connection, drop } = await emptyDatabase()
  const url = urlOf(connection)
  const first = await examined(url)
  const second = await examined(url)
  await drop()
  assert.equal(outcomeOf(first, 'migrations'), 'warn')
  assert.match(first.at(-1)?.text ?? '', /0001_foundation\.sql/)
  assert.deepEqual(second, first)
})

test('an unreachable database server is reported without the password in its URL', async () => {
  const findings = await examined('postgres://ana:hunter2@127.0.0.1:1/crier')
  assert.deepEqual(
    findings.map(({ outcome }) => outcome),
    ['fail'],
  )
  assert.doesNotMatch(JSON.stringify(findings), /hunter2/)
})

test('an embedded database that was never made passes the check and is not made', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'crier-doctor-'))
  const findings = await examined(undefined, path.join(folder, 'data'))
  rmSync(folder, { recursive: true })
  assert.deepEqual(
    findings.map(({ outcome, text }) => [outcome, text]),
    [['ok', 'embedded, made on the first start']],
  )
})

test('tables of another program, a superuser and a server without backups are reported', async () => {
  const { connection, db, drop } = await testDatabase()
  const before = await examined(urlOf(connection))
  await db.run(sql`create table somebody_elses (id integer primary key)`)
  const after = await examined(urlOf(connection))
  await drop()
  assert.equal(outcomeOf(before, 'tables'), undefined, JSON.stringify(before))
  const { text } = after.find(({ check }) => check === 'tables') ?? assert.fail()
  assert.match(text, /^1 that Crier did not make: somebody_elses$/)
  assert.equal(outcomeOf(before, 'database role'), 'ok')
  assert.equal(outcomeOf(before, 'server backup'), 'warn')
})
