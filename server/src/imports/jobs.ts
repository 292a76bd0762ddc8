/** The background jobs of imports. */

import { mailLanguageOf } from '../accounts/businesses/mail-language.ts'
import { membersOf } from '../accounts/members/members.ts'
import { formatId, type Id } from '../core/ids.ts'
import type { Hmac } from '../core/operation.ts'
import type { Files } from '../files/files.ts'
import type { Database, Db } from '../lib/db/types.ts'
import type { Resolver } from '../lib/dns/resolver.ts'
import type { Mailer } from '../lib/email/mailer.ts'
import { serviceMail } from '../lib/email/service-mail.ts'
import type { Job, JobKinds, Verdict } from '../lib/jobs/job.ts'
import { type Clock, days, hours, later, minutes, seconds } from '../lib/time/clock.ts'
import { dropKept, dropNamed } from './changes.ts'
import {
  type DryRunFindings,
  fileOf,
  findImport,
  type Import,
  type ImportPayload,
  importLimits,
  importJobs as kinds,
  lockImport,
  saveImport,
} from './import.ts'
import type { FileReader } from './reader.ts'

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
        const { checkFile } = await import('./check.ts')
        return checkFile(deps, keyOf(job), signal)
      },
    },
    [kinds.run]: {
      perLane: 1,
      atOnce: 2,
      timeoutMs: minutes(30),
      async run(job, signal) {
        const { runImport } = await import('./run.ts')
        return runImport(deps, keyOf(job), { signal, isResumed: job.claims > 1 })
      },
    },
    [kinds.undo]: {
      perLane: 1,
      atOnce: 2,
      timeoutMs: minutes(30),
      async run(job, signal) {
        const { undoImport } = await import('./undo-job.ts')
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

interface ExpireDeps {
  db: Database
  clock: Clock
  files: Files
}

const keptMs = days(importLimits.keptDays)
const unused = ['awaiting_file', 'checking', 'ready', 'paused']

async function expireImport(
  { db, clock, files }: ExpireDeps,
  { businessId, id }: { businessId: Id<'business'>; id: Id<'import'> },
): Promise<Verdict> {
  const now = clock.now()
  const outcome = await db.tx(async (tx) => {
    const importRow = await lockImport(tx, businessId, id)
    if (!importRow) return undefined
    const isUnused = unused.includes(importRow.state)
    const since = isUnused ? importRow.createdAt : (importRow.finishedAt ?? now)
    const retention = importRow.state === 'awaiting_file' ? hours(importLimits.uploadHours) : keptMs
    const dueAt = later(since, retention)
    if (dueAt > now) return { again: dueAt }
    const counts = {
      ...importRow,
      hasFile: false,
      found: importRow.found && withoutCells(importRow.found),
    }
    const ended: Import = isUnused ? { ...counts, state: 'cancelled', finishedAt: now } : counts
    await saveImport(tx, businessId, ended)
    // A paused import has saved rows, so undoing them stays possible for the retention period.
    if (importRow.state === 'paused') return { importRow, again: later(now, keptMs) }
    await dropKept(tx, { businessId, importId: id })
    await dropNamed(tx, { businessId, importId: id })
    return { importRow }
  })
  const expired = outcome?.importRow
  for (let uploads = 1; expired && uploads <= expired.uploads; uploads++) {
    await files.remove(fileOf(businessId, { id, uploads }).name)
  }
  return outcome?.again ? { outcome: 'again', at: outcome.again } : { outcome: 'done' }
}

/** The counts of the dry run, without what it shows of the file. */
function withoutCells({
  addresses,
  distinct: _distinct,
  ...findings
}: DryRunFindings): DryRunFindings {
  const examples = { without_mail: [], typos: [], throw_away: [] }
  return {
    ...findings,
    sample: [],
    doubtful: [],
    ...(addresses && { addresses: { ...addresses, examples } }),
  }
}

interface ImportMailDeps {
  db: Db
  mailer: Mailer
  urls: { appUrl: string }
  mailFrom: string
}

async function sendImportMail(
  { db, mailer, urls, mailFrom }: ImportMailDeps,
  businessId: Id<'business'>,
  id: Id<'import'>,
): Promise<void> {
  const [importRow, members, language, { importWords }] = await Promise.all([
    findImport(db, businessId, id),
    membersOf(db, businessId),
    mailLanguageOf(db, businessId),
    import('./mail-words.ts'),
  ])
  // A person who has left the business gets no mail about its contacts.
  const to = members.find((member) => member.id === importRow?.userId)
  if (!importRow || !to) return
  const url = importUrl(urls.appUrl, businessId, id)
  const name = formatId('import', id)
  const mail = serviceMail({ ...importWords(language, importRow), url, language })
  await mailer.send({ name, from: mailFrom, to: to.email, ...mail })
}

function importUrl(appUrl: string, businessId: Id<'business'>, id: Id<'import'>): string {
  return `${appUrl}/b/${formatId('business', businessId)}/contacts/import?id=${formatId('import', id)}`
}
