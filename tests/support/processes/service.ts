/**
 * The whole service in this process: with its own database from the template, its own
 * port on loopback, and mail in the built-in inbox. Tests use it over HTTP.
 */

import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type App, createApp } from 'crier-server/composition/app.ts'
import { type Config, readConfig } from 'crier-server/config.ts'
import type { Operation } from 'crier-server/core/operation.ts'
import { createVault, type Vault } from 'crier-server/lib/crypto/vault.ts'
import type { Database } from 'crier-server/lib/db/types.ts'
import type { Resolve } from 'crier-server/lib/http-client/outbound-guard.ts'
import { createLog, type Log } from 'crier-server/lib/process/log.ts'
import { type Clock, systemClock } from 'crier-server/lib/time/clock.ts'
import type { ClientConfig } from 'pg'
import { freePort } from '../network/port.ts'
import { testDatabase } from '../postgres/database.ts'

export interface ServiceOptions {
  /** Settings as environment variables. */
  settings?: Record<string, string>
  clock?: Clock
  log?: Log
  /** Operations in addition to the catalogue's. */
  operations?: readonly Operation[]
  /** The addresses of names; the default knows those of examples, and localhost. */
  resolve?: Resolve
  /** The root key, for commands of the operator beside the service. */
  rootKey?: string
  /** Does not start the worker, for tests that run jobs by hand. */
  idle?: boolean
}

export interface Service {
  url: string
  /** The tool-call endpoint. */
  endpoint: string
  db: Database
  /** For a connection beside the service's own. */
  connection: ClientConfig
  config: Config
  vault: Vault
  app: App
  close(): Promise<void>
}

export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const { db, connection, drop } = await testDatabase()
  const port = await freePort()
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'crier-data-'))
  const own = {
    PORT: String(port),
    LOG_LEVEL: 'silent',
    DATA_DIR: dataDir,
    // Programs may send to so many without approval: only tests of that rule have a limit of 0.
    DEFAULT_DEPLOY_LIMIT: '1000',
    // Nothing listens there, so tests use no DNS but their own.
    DNS_SERVERS: '127.0.0.1:1',
    // With a public BASE_URL, which does not lead here, tests still reach the app and gateway.
    ...(options.settings?.['BASE_URL'] && {
      APP_URL: `http://localhost:${port}`,
      GATEWAY_URL: `http://localhost:${port}`,
    }),
  }
  const config = readConfig({ ...own, ...options.settings })
  const vault = createVault(options.rootKey ?? randomBytes(32).toString('base64url'))
  const app = createApp({
    config,
    db,
    clock: options.clock ?? systemClock,
    log: options.log ?? createLog(config.logLevel),
    vault,
    resolve: options.resolve ?? testNames,
    ...(options.operations && { operations: options.operations }),
  })
  await app.server.listen({ port: config.port, host: '127.0.0.1' })
  if (!options.idle) await app.start()
  const url = config.appUrl
  return {
    url,
    endpoint: `${url}/api/functions/${config.slug}-mcp`,
    db,
    connection,
    config,
    vault,
    app,
    async close() {
      await app.stop()
      await drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Resolves names without the network, because failing lookups take seconds. */
const testNames: Resolve = async (hostname) => {
  if (hostname === 'localhost') return ['127.0.0.1']
  if (/(^|\.)example(\.com)?$/.test(hostname)) return ['93.184.216.34']
  throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
}
