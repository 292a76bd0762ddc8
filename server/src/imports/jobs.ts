/** The background jobs of imports. */

import type { Hmac } from '../core/operation.ts'
import type { Files } from '../files/files.ts'
import type { Database } from '../lib/db/types.ts'
import type { Resolver } from '../lib/dns/resolver.ts'
import type { Mailer } from '../lib/email/mailer.ts'
import type { Job, JobKinds } from '../lib/jobs/job.ts'
import { type Clock, hours, minutes, seconds } from '../lib/time/clock.ts'
import { expireImport } from './ending/expire.ts'
import { sendImportMail } from './ending/mail.ts'
import { type ImportPayload, importJobs as kinds } from './model/import.ts'
import type { FileReader } from './reading/reader.ts'

export interface ImportJobDeps {
  db: Database
  clock: Clock
  hmac: Hmac
  files: Files
  reader: FileReader
  /** Tells which domains of a file take mail. */
  resolver: Resolver
  mailer: Mailer
  urls: { appUrl: string }
  mailFrom: string
}

const mailRetries = [seconds(30), seconds(300), hours(1), hours(6)]

export function importJobKinds(deps: ImportJobDeps): JobKinds {
  const keyOf = (job: Job) => {
    const { business_id, import_id } = job.payload as ImportPayload
    return { businessId: business_id, id: import_id }
  }
  return {
    [kinds.check]: {
      perLane: 1,
      atOnce: 2,
      timeoutMs: hours(2),
      // Loaded with the first import, as is all that checks, runs and undoes one.
      async run(job, signal) {
        const { checkFile } = await import('./checking/check.ts')
        return checkFile(deps, keyOf(job), signal)
      },
    },
    [kinds.run]: {
      perLane: 1,
      atOnce: 2,
      timeoutMs: minutes(30),
      async run(job, signal) {
        const { runImport } = await import('./running/run.ts')
        return runImport(deps, keyOf(job), { signal, isResumed: job.claims > 1 })
      },
    },
    [kinds.undo]: {
      perLane: 1,
      atOnce: 2,
      timeoutMs: minutes(30),
      async run(job, signal) {
        const { undoImport } = await import('./undoing/undo.ts')
        return undoImport(deps, keyOf(job), { signal, isResumed: job.claims > 1 })
      },
    },
    [kinds.mail]: {
      retryDelays: mailRetries,
      timeoutMs: seconds(60),
      run(job) {
        const { businessId, id } = keyOf(job)
        return sendImportMail(deps, businessId, id)
      },
    },
    [kinds.expire]: { run: (job) => expireImport(deps, keyOf(job)) },
  }
}
