/** Builds the parts that send the messages of businesses. */

import path from 'node:path'
import type { Hmac } from '../../core/operation.ts'
import { createJournal } from '../../lib/concurrency/journal.ts'
import type { Database } from '../../lib/db/types.ts'
import type { TellWorker } from '../../lib/jobs/enqueue.ts'
import type { JobKinds } from '../../lib/jobs/job.ts'
import type { Log } from '../../lib/process/log.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { ComposeDeps } from '../composing/compose.ts'
import { createTextWords } from '../composing/text-words.ts'
import type { Outcomes } from '../model/campaign-outcomes.ts'
import { createContentReader } from '../model/content-reader.ts'
import type { Relays } from '../relays/relays.ts'
import { createHeldUntil } from '../throttle/provider-holds.ts'
import type { FindProvider } from '../throttle/receiving.ts'
import { createThrottle } from '../throttle/throttle.ts'
import { createAttempts } from './attempts.ts'
import { messageJobs } from './deliver.ts'
import { createMailCarrier } from './mail-carrier.ts'
import type { Acceptance } from './outcome.ts'
import type { Texting } from './sms-sending.ts'
import { createTextCarrier } from './text-carrier.ts'

export interface SendingDeps extends Omit<ComposeDeps, 'db' | 'hmac' | 'readContent'> {
  db: Database
  clock: Clock
  log: Log
  hmac: Hmac
  relays: Relays
  findProvider: FindProvider
  texting: Pick<Texting, 'transport' | 'senders'>
  /** The folder of the journal. It must outlive a restart of this process. */
  dataDir: string
  wake: TellWorker
  outcomes: Outcomes
}

export interface Sending {
  kinds: JobKinds
  /** Records the messages that a process that died here had sent but not yet recorded. */
  start(): Promise<void>
  stop(): Promise<void>
}

export function createSending(deps: SendingDeps): Sending {
  const { db, clock, log, hmac, relays, findProvider, texting, wake, outcomes } = deps
  const journal = createJournal<Acceptance>(path.join(deps.dataDir, 'journal'))
  const attempts = createAttempts({ db, clock, hmac, journal, wake, outcomes })
  const readContent = createContentReader(db)
  const kinds = messageJobs({
    db,
    clock,
    log,
    outcomes,
    attempts,
    carriers: {
      email: createMailCarrier({
        relays,
        findProvider,
        heldUntil: createHeldUntil(db),
        clock,
        composing: { ...deps, readContent },
      }),
      sms: createTextCarrier({
        ...texting,
        wordsOf: createTextWords(deps, readContent),
        throttle: createThrottle({
          db,
          clock,
          route: texting.transport.route,
          limits: { ...texting.transport, warmUp: false },
        }),
      }),
    },
  })
  return {
    kinds,
    async start() {
      const replayed = await attempts.replay()
      if (replayed > 0) log.info({ messages: replayed }, 'message.journal_replayed')
    },
    async stop() {
      attempts.stop()
      await journal.close()
    },
  }
}
