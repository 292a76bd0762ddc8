/** The main process: reads the settings, opens the database, listens and handles signals. */

import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { setupLink } from './accounts/sign-in/setup.ts'
import { archiveOf } from './backups/archiving/archive.ts'
import { type App, createApp } from './composition/app.ts'
import { refuseSecretOfOneMachine, secretOf } from './config/installation-secret.ts'
import { listensOn } from './config/operating.ts'
import { refuseFilesOfOneMachine } from './config/storage.ts'
import {
  type Config,
  ConfigError,
  isLoopbackUrl,
  limits,
  mayShowInbox,
  readConfig,
} from './config.ts'
import { recordAddresses } from './core/installation/addresses.ts'
import { openVault } from './core/installation/root-key.ts'
import { distributeNew, refuseInterrupted } from './lib/citus/distribute.ts'
import type { Vault } from './lib/crypto/vault.ts'
import { openDatabase } from './lib/db/db.ts'
import { migrate, pendingMigrations } from './lib/db/migrate.ts'
import { outageOf, outageWords } from './lib/db/outage.ts'
import { StartError } from './lib/db/start-error.ts'
import { keepCounting } from './lib/db/statistics.ts'
import { complaintAddress } from './lib/email/complaint-address.ts'
import { openPostgres } from './lib/postgres/open.ts'
import { tryListening } from './lib/process/listening.ts'
import { createLog, type Log } from './lib/process/log.ts'
import { listenForStop, type Running, stoppable } from './lib/process/stop-signals.ts'
import { systemClock } from './lib/time/clock.ts'

/** Prints a line for the person at the terminal. Logs do not go there. */
export type Say = (line: string) => void

/**
 * Starts the service. Resolves once it answers, or once it has stopped because a signal came before
 * that. A ConfigError or StartError says in one line what to do. Any other error is a bug.
 */
export async function serve(env: Record<string, string | undefined>, say: Say): Promise<Running> {
  const config = readConfig(env)
  refuseSilentMail(config)
  refuseSecretOfOneMachine(config)
  refuseFilesOfOneMachine(config)
  // Checked first, so that no database is created and started in vain.
  if (config.role !== 'worker') await tryListening(config)
  // Standard output is for the person who started the service, so logs are written to stderr.
  const source = { role: config.role, node: os.hostname(), pid: process.pid }
  const log = createLog(config.logLevel, process.stderr, source)
  // In a terminal SIGHUP means that it was closed, and stops the service.
  const rereads = config.relaysFile !== undefined && !process.stdin.isTTY && !process.stdout.isTTY
  const signals = listenForStop(undefined, undefined, { exceptHangup: rereads })
  const { stopSignal } = signals
  stopSignal.addEventListener('abort', () => sayStopping(stopSignal.reason, say), { once: true })
  await using opened = new AsyncDisposableStack()
  let reread = async () => {}
  if (rereads) {
    const onHangup = () => void reread().catch((err) => log.error({ err }, 'relays.reread_failed'))
    process.on('SIGHUP', onHangup)
    opened.defer(() => void process.off('SIGHUP', onHangup))
  }
  opened.defer(() => {
    // While a stop is under way, signals are still caught: another Ctrl-C must not kill the
    // process halfway.
    if (!stopSignal.aborted) signals.stopListening()
  })
  try {
    const postgres = await openPostgres({
      dataDir: config.dataDir,
      databaseUrl: config.databaseUrl,
      log,
      signal: stopSignal,
      archiveTo: archiveOf(config),
      memory: config.databaseMemory,
    })
    opened.defer(() => postgres.stop())
    signals.beforeEnd(() => postgres.stopNow())
    const db = openDatabase({
      connection: postgres.connection,
      poolSize: config.databasePool,
      onIdleError: (err) => log.warn({ err }, 'database.connection_lost'),
    })
    opened.defer(() => db.end())
    stopSignal.throwIfAborted()
    const applied = await migrate(postgres.connection)
    if (applied.length > 0) log.info({ applied }, 'migrations.applied')
    await refuseInterrupted(db)
    if (await db.findNodes()) {
      const newTables = await distributeNew(db)
      if (newTables.length > 0) log.info({ tables: newTables }, 'migrations.distributed')
    }
    stopSignal.throwIfAborted()
    const clock = systemClock
    const secret = secretOf(config)
    const vault = await openVault(db, secret, clock.now())
    const moved = await recordAddresses(db, config, clock.now())
    if (moved) log.warn({ was: moved, now: config.baseUrl }, 'addresses.changed')
    const checks = {
      migrations: async () => {
        const pending = await pendingMigrations(db)
        return pending.length === 0 ? undefined : `${pending.length} to apply: crier migrate`
      },
    }
    const app = createApp({
      config,
      db,
      clock,
      log,
      vault,
      checks,
      listenOn: listensOn(config, postgres.connection),
      backup: postgres.own && { own: postgres.own, secret },
    })
    opened.defer(() => app.stop())
    reread = () => app.rereadRelays()
    const setup = await setupLink({ db, vault }, config, clock.now())
    await app.start()
    if (config.role !== 'worker') await app.server.listen({ port: config.port, host: config.host })
    announce(config, { vault, setup, unheard: await app.unheardRelays() }, say)
    const counting = keepCounting(db, log)
    opened.defer(() => counting.stop())
    const all = opened.move()
    return stoppable({
      drain: () => drained(config, { app, log, signal: stopSignal.reason }),
      close: () => all.disposeAsync(),
      giveUp: () => postgres.stopNow(),
      stopSignal,
      stopMs: limits.stopMs,
      log,
    })
  } catch (error) {
    if (!stopSignal.aborted) throw inWords(error)
    return { stopped: Promise.resolve(), stop: async () => {} }
  }
}

/** An outage of the database is not a bug, and says what ends it. */
function inWords(error: unknown): unknown {
  const outage = outageOf(error)
  if (outage === undefined) return error
  const { is, mend } = outageWords[outage]
  return new StartError(`The database ${is}. ${mend} Then start again.`)
}

/** Serves on while a proxy learns that this node is going: a rolling restart then loses no request. */
async function drained(
  { role, drainMs }: Config,
  { app, log, signal }: { app: App; log: Log; signal: unknown },
): Promise<void> {
  // A person at a terminal waits for no proxy.
  if (role === 'worker' || drainMs === 0 || signal !== 'SIGTERM') return
  log.info({ ms: drainMs }, 'draining')
  app.leave()
  await sleep(drainMs)
}

/** A public service whose mail goes to an inbox that nobody may read would lock everyone out. */
function refuseSilentMail(config: Config): void {
  if (config.smtpUrl || mayShowInbox(config)) return
  const opensOn = [config.appUrl, config.baseUrl].find((url) => !isLoopbackUrl(url))
  if (opensOn === undefined) {
    throw new ConfigError(
      `HOST is ${config.host}, which other machines reach, and SMTP_URL is not set: sign-in mail would lie in an inbox that is closed to all, and nobody could sign in. Set SMTP_URL to a relay; or HOST=127.0.0.1 to keep the service to this machine; or ALLOW_INBOX=yes to show all mail to everyone at /inbox.`,
    )
  }
  throw new ConfigError(
    `The service is public (${opensOn}) and SMTP_URL is not set, so no sign-in mail would leave this machine. Set SMTP_URL, or ALLOW_INBOX=yes to show all mail to everyone at /inbox.`,
  )
}

function announce(
  config: Config,
  { vault, setup, unheard }: { vault: Vault; setup: string | undefined; unheard: string[] },
  say: Say,
): void {
  const { appUrl, baseUrl, slug, smtpUrl, sms, role } = config
  if (role === 'worker') {
    say('crier worker is running')
    return
  }
  say(`crier is running  ${baseUrl}`)
  if (setup) say(`Finish setup  ->  ${setup}   (once, 30 minutes)`)
  say(`Assistants    ->  ${appUrl}/api/functions/${slug}-mcp`)
  if (smtpUrl) say(`Mail goes out through ${new URL(smtpUrl).host}`)
  else say(`Mail: no SMTP set, so everything goes to ${appUrl}/inbox`)
  if (unheard.length > 0) {
    say(`Marketing waits for a first report from ${unheard.join(', ')}: crier doctor --mail`)
  }
  if (sms) say(`Texts go out through ${sms.provider} at ${sms.host}:${sms.port}`)
  else if (mayShowInbox(config)) say(`Texts: no SMS_URL set, so they stay at ${appUrl}/phones`)
  if (config.bouncePort === undefined) return
  say(`Reports on mail come back at ${config.bounceHost}:${config.bouncePort}`)
  say(`Complaints    ->  ${complaintAddress(vault, config.bounceDomain)}`)
}

function sayStopping(signal: unknown, say: Say): void {
  if (signal !== 'SIGINT') return
  say('Stopping. What is under way is finished first; Ctrl-C after two seconds ends it at once.')
}
