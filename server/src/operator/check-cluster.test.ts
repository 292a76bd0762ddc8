import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { citusVariable } from '../../../tests/support/postgres/citus.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import type { Finding } from '../checks/finding.ts'
import { clusterFindings } from './check-cluster.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

test('one PostgreSQL has no findings of a cluster, and a whole cluster has no faults', async () => {
  const findings: Finding[] = []
  for await (const finding of clusterFindings(database.db)) findings.push(finding)
  assert.deepEqual(
    findings.filter(({ outcome }) => outcome !== 'ok'),
    [],
  )
  assert.equal(findings.length > 0, process.env[citusVariable] !== undefined)
})
