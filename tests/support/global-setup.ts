/**
 * Once for each `npm test`: one PostgreSQL server and, on it, a template database
 * with every migration applied, which `testDatabase` copies in about 40 ms.
 */
import pg from 'pg'
import { sharedFolderVariable } from '../crash/support/data-dir.ts'
import { citusCluster, citusVariable, distributedTemplate } from './postgres/citus.ts'
import { templateDatabase, templateName } from './postgres/template.ts'
import { type ThrowawayServer, throwawayServer } from './postgres/throwaway-server.ts'

/** Test files run as separate processes, and find the server by this variable. */
export const serverVariable = 'TEST_POSTGRES'

let server: ThrowawayServer | undefined

export async function globalSetup(): Promise<void> {
  const citusUrl = process.env[citusVariable]
  if (citusUrl !== undefined) return setUpCitus(citusUrl)
  server = await throwawayServer()
  const admin = new pg.Client(server.connection)
  await admin.connect()
  const template = await templateDatabase(admin, server.connection)
  await admin.end()
  process.env[serverVariable] = JSON.stringify({ connection: server.connection, template })
  process.env[sharedFolderVariable] = server.folder
}

/** Where CITUS_URL names a cluster, each test database is a distributed one. */
async function setUpCitus(url: string): Promise<void> {
  const cluster = await citusCluster(url)
  const template = templateName()
  await distributedTemplate(cluster, template)
  process.env[serverVariable] = JSON.stringify({ connection: cluster.server, template })
}

export async function globalTeardown(): Promise<void> {
  await server?.stop()
}
