/**
 * Once for each `npm test`: one PostgreSQL server and, on it, a template database
 * with every migration applied, which `testDatabase` copies in about 40 ms.
 */
import pg from 'pg'
import { sharedFolderVariable } from '../crash/support/data-dir.ts'
import { templateDatabase } from './postgres/template.ts'
import { type ThrowawayServer, throwawayServer } from './postgres/throwaway-server.ts'

/** Test files run as separate processes, and find the server by this variable. */
export const serverVariable = 'TEST_POSTGRES'

let server: ThrowawayServer | undefined

export async function globalSetup(): Promise<void> {
  server = await throwawayServer()
  const admin = new pg.Client(server.connection)
  await admin.connect()
  const template = await templateDatabase(admin, server.connection)
  await admin.end()
  process.env[serverVariable] = JSON.stringify({ connection: server.connection, template })
  process.env[sharedFolderVariable] = server.folder
}

export async function globalTeardown(): Promise<void> {
  await server?.stop()
}
