import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../../../tests/support/postgres/database.ts'
import { pgbouncer, startPgbouncer } from '../../../../tests/support/postgres/pgbouncer.ts'
import { missingPrograms } from '../../../../tests/support/processes/debian-program.ts'
import { silentLog } from '../../../../tests/support/silent-log.ts'
import { clockWords, connectionOf, refuseClock } from './url.ts'

test('a pooler that mixes up prepared statements stops the start, and the error names the remedy', {
  skip: missingPrograms(pgbouncer),
}, async () => {
  const { connection, drop } = await testDatabase()
  const pooler = await startPgbouncer(connection)
  try {
    await assert.rejects(connectionOf(pooler.url, silentLog), {
      name: 'StartError',
      message: /PgBouncer 1\.21 or newer with max_prepared_statements/,
    })
  } finally {
    await pooler.stop()
    await drop()
  }
})

test('a clock a minute or more off the database’s clock stops the start, and a smaller difference does not', () => {
  for (const aheadMs of [0, 59_999, -59_999]) refuseClock(aheadMs)
  assert.throws(() => refuseClock(600_000), {
    name: 'StartError',
    message: /is 600 s ahead of that of the database.*NTP/,
  })
  assert.throws(() => refuseClock(-60_000), /is 60 s behind that of the database/)
  assert.equal(clockWords(-2_400), '2 s behind')
})
