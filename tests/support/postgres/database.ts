/** A separate database for each test file, copied from the template. */

import { randomBytes } from 'node:crypto'
import { openDatabase } from 'crier-server/lib/db/db.ts'
import type { Database } from 'crier-server/lib/db/types.ts'
import pg from 'pg'
import { citusCluster, citusVariable } from './citus.ts'
import { testRole } from './template.ts'

export interface TestDatabase {
  db: Database
  /** For a second pool, or for another process. */
  connection: pg.ClientConfig
  /** Ends the pool and removes the database, even if other clients are still connected. */
  drop: () => Promise<void>
}

export async function testDatabase(): Promise<TestDatabase> {
  const citusUrl = process.env[citusVariable]
  if (citusUrl !== undefined) return distributedDatabase(citusUrl)
  const { server, template } = testServer()
  const name = `test_${randomBytes(8).toString('hex')}`
  await asAdmin(`create database ${name} template ${template} strategy file_copy owner ${testRole}`)
  const connection = { ...server, user: testRole, database: name }
  const db = openDatabase({ connection })
  return {
    db,
    connection,
    async drop() {
      await db.end()
      await asAdmin(`drop database ${name} with (force)`)
    },
  }
}

async function distributedDatabase(url: string): Promise<TestDatabase> {
  const cluster = await citusCluster(url)
  const { server, template } = testServer()
  const name = `test_${randomBytes(8).toString('hex')}`
  await cluster.create(name, template)
  const connection = { ...server, user: testRole, database: name }
  const db = openDatabase({ connection })
  await db.findNodes()
  return {
    db,
    connection,
    async drop() {
      await db.end()
      await cluster.drop(name)
    },
  }
}

/** A database without any table, for tests of the code that creates tables. */
export async function emptyDatabase(): Promise<Omit<TestDatabase, 'db'>> {
  const { server } = testServer()
  const name = `test_${randomBytes(8).toString('hex')}`
  await asAdmin(`create database ${name} owner ${testRole}`)
  return {
    connection: { ...server, user: testRole, database: name },
    drop: () => asAdmin(`drop database ${name} with (force)`),
  }
}

interface TestServer {
  server: pg.ClientConfig
  template: string
}

function testServer(): TestServer {
  const text = process.env['TEST_POSTGRES']
  if (!text) {
    throw new Error(
      'No test server: run npm test, or node --conditions=crier-source --test --test-global-setup=tests/support/global-setup.ts FILE',
    )
  }
  const { connection, template } = JSON.parse(text)
  return { server: connection, template }
}

async function asAdmin(statement: string): Promise<void> {
  const admin = new pg.Client(testServer().server)
  await admin.connect()
  try {
    await admin.query(statement)
  } finally {
    await admin.end()
  }
}
