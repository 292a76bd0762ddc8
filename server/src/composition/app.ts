/**
 * The composition root: builds the services (`services.ts`) and the HTTP server (`http.ts`), and
 * starts and stops them in order.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { archiveOf } from '../backups/archiving/archive.ts'
import type { ArchiveSender } from '../backups/archiving/send-archive.ts'
import { createLedger } from '../backups/ledger/keep-ledger.ts'
import { openLedger } from '../backups/ledger/open.ts'
import { sendingPause } from '../core/installation/sending.ts'
import { tryWriting } from '../core/installation/try-writing.ts'
import { outageOf } from '../lib/db/outage.ts'
import { createOutageWatch } from '../lib/db/outage-watch.ts'
import type { Worker } from '../lib/jobs/worker.ts'
import { isDiskFull } from '../lib/postgres/disk.ts'
import { quietLog } from '../lib/process/log.ts'
import { unheardRelays } from '../messages/relays/feedback.ts'
import type { PersonCalls } from '../operations/person-calls.ts'
import type { AppParts } from './app-parts.ts'
import { createHttp } from './http.ts'
import { outageAlert } from './operator-alerts.ts'
import { createServices } from './services.ts'

export interface App {
  server: FastifyInstance
  /** Makes a call for a person without HTTP, for the pages and the demo. */
  ask: PersonCalls['ask']
  /** Starts timers and, if the role includes it, background work. */
  start(): Promise<void>
  /** Says at `/readyz` that it is not ready, so that a proxy turns to others, and serves on. */
  leave(): void
  /** The relays over which marketing waits for a first report. */
  unheardRelays(): Promise<string[]>
  /** Reads the file RELAYS again. One that is broken is told in the log, and changes nothing. */
  rereadRelays(): Promise<void>
  /** Accepts no new work, waits for work in progress, and releases claimed jobs. */
  stop(): Promise<void>
}

export function createApp(appParts: AppParts): App {
  const { config, db, backup } = appParts
  const watch = createOutageWatch({
    db,
    log: appParts.log,
    tryWriting,
    ...(backup && { isDiskFull: () => isDiskFull(backup.own.cluster.data) }),
    onLasting: (current) => tellOperator(current),
  })
  const isTold = (error: unknown) => watch.current() !== undefined && outageOf(error) !== undefined
  const parts = { ...appParts, log: quietLog(appParts.log, isTold) }
  const services = createServices(parts)
  const tellOperator = outageAlert(parts, services.alarmMailer)
  const {
    outbound,
    relays,
    templates,
    writing,
    bounces,
    texting,
    sending,
    worker,
    reader,
    notifier,
  } = services
  const background = createBackground(parts, {
    worker,
    begin() {
      notifier.start()
      texting.transport.listen()
    },
  })
  const ledger =
    config.ledgerTo === undefined
      ? undefined
      : createLedger({ ...parts, hmac: parts.vault.hmac, store: openLedger(config.ledgerTo) })
  const archive = createArchive(parts)
  const http = createHttp(parts, services, { watch, ledger })
  const { server, status, submission, rate, nodes, traces, ask, leave, settle } = http

  return {
    server,
    ask,
    leave,
    unheardRelays: () => unheardRelays(parts, relays),
    async rereadRelays() {
      const { rereadRelays } = await import('./reread-relays.ts')
      rereadRelays(parts, { relays, settings: services.domains.settings })
    },
    async start() {
      await traces?.get()
      rate.start()
      await nodes.start()
      await status?.start()
      if (config.bouncePort !== undefined) {
        await (await bounces.get()).listen(config.bouncePort, config.bounceHost)
      }
      // Programs submit where calls are taken: a worker has no such port.
      if (config.role !== 'worker') await submission.get()
      if (config.role === 'api') return
      await ledger?.start()
      await archive.start()
      await sending.start()
      await background.start()
    },
    async stop() {
      await Promise.all([server.close(), status?.stop()])
      await submission.ifMade(async (server) => server?.close())
      await bounces.ifMade((server) => server.close())
      if (config.role !== 'api') await background.stop()
      await sending.stop()
      await notifier.stop()
      await Promise.all([ledger?.stop(), archive.stop()])
      await settle()
      await Promise.all([
        ...relays.all.map(({ transport }) => transport.close()),
        texting.transport.close(),
        templates.close(),
        writing.close(),
        reader.close(),
        outbound.ifMade((sender) => sender.close()),
      ])
      watch.stop()
      await traces?.ifMade((tracing) => tracing.stop())
    },
  }
}

interface Archive {
  start(): Promise<void>
  stop(): Promise<void>
}

/**
 * Sends the embedded database's log to the bucket that BACKUP_TO names. Does nothing if the archive
 * is a folder, or the database is external.
 */
function createArchive({ config, log, backup }: AppParts): Archive {
  const { backupTo: settings } = config
  let sender: ArchiveSender | undefined
  return {
    async start() {
      const spool = archiveOf(config)
      if (!backup || settings?.kind !== 'bucket' || spool === undefined) return
      const { createArchiveSender } = await import('../backups/archiving/send-archive.ts')
      sender = createArchiveSender({ spool, settings, log })
      sender.start()
    },
    stop: async () => sender?.stop(),
  }
}

interface Work {
  worker: Worker
  /** Starts the other work that begins with the worker. */
  begin(): void
}

interface Background {
  start(): Promise<void>
  stop(): Promise<void>
}

/** How often the database is polled for whether a person has started sending. */
const askMs = 1_000

/**
 * The background work of a process. While sending is paused, as after a restore, it waits for a
 * person: no mail, webhook or campaign is sent, and queued work stays queued.
 */
function createBackground({ db, log }: AppParts, { worker, begin }: Work): Background {
  const stopping = new AbortController()
  let waiting: Promise<void> | undefined
  let isRunning = false
  const run = async () => {
    await worker.start()
    isRunning = true
    begin()
  }
  const wait = async () => {
    while (!stopping.signal.aborted) {
      await sleep(askMs, undefined, { ref: false, signal: stopping.signal }).catch(() => {})
      const paused = stopping.signal.aborted || (await sendingPause(db).catch(() => true))
      if (paused) continue
      log.info('sending.started')
      await run()
      return
    }
  }
  return {
    async start() {
      const pause = await sendingPause(db)
      if (!pause) return run()
      log.warn(pause, 'sending.paused')
      waiting = wait().catch((err) => log.error({ err }, 'sending.start_failed'))
    },
    async stop() {
      stopping.abort()
      await waiting
      if (isRunning) await worker.stop()
    },
  }
}
