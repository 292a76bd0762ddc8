/**
 * Mails the operator (OPERATOR_EMAIL) when the installation needs a person: a queue is stuck, jobs
 * were given up, a backup is old, a disk is nearly full, or an owner waits for an answer. It serves installations without
 * Prometheus; docs/operate/alerts.yaml has the same thresholds. Each trouble is mailed once a day.
 */
import { limits } from '../config.ts'
import { isRefusal } from '../core/errors.ts'
import { type Outage, outageWords } from '../lib/db/outage.ts'
import type { CurrentOutage } from '../lib/db/outage-watch.ts'
import type { Mailer } from '../lib/email/mailer.ts'
import { serviceMail } from '../lib/email/service-mail.ts'
import { enqueue } from '../lib/jobs/enqueue.ts'
import type { JobKinds } from '../lib/jobs/job.ts'
import type { InstallationFigures } from '../lib/metrics/metrics.ts'
import { countAttempt } from '../lib/rate-limit/attempts.ts'
import { hours, minutes, seconds } from '../lib/time/clock.ts'
import type { AppParts } from './app-parts.ts'
import { figureReader } from './figures.ts'

export interface Trouble {
  /** Identifies the trouble for the daily limit of mails. */
  key: string
  /** One sentence about what is wrong, and one about what to do. */
  what: string
  mend: string
}

const checkJob = 'operator.check'
const mailJob = 'operator.alert-mail'

const retryDelays = [seconds(30), seconds(300), hours(1), hours(6)]

export function troublesOf(figures: InstallationFigures): Trouble[] {
  const { oldestSeconds, dead, backupAgeSeconds, diskFreeBytes, isSendingPaused } = figures
  const { withoutBackupSeconds, archiveBehindSeconds, volumesWaiting = 0 } = figures
  const { backupsFailed = 0 } = figures
  const stuck = Object.entries(oldestSeconds).filter(([, age]) => age > limits.alertQueueSeconds)
  const givenUp = Object.entries(dead).filter(([, jobs]) => jobs > 0)
  const found: Trouble[] = []
  // After a restore jobs wait until a person starts sending, which is not a fault.
  if (stuck.length > 0 && !isSendingPaused) {
    const told = stuck.map(([kind, age]) => `${kind} (${inMinutes(age)})`).join(', ')
    found.push({
      key: 'queue',
      what: `Jobs that are due have been waiting for too long: ${told}.`,
      mend: 'See that a worker runs, and its log; crier doctor tells what it cannot reach.',
    })
  }
  if (givenUp.length > 0) {
    const told = givenUp.map(([kind, jobs]) => `${jobs} of ${kind}`).join(', ')
    found.push({
      key: 'dead',
      what: `Jobs were given up after their last attempt: ${told}.`,
      mend: 'crier jobs list names their faults; once they are mended, crier jobs release KIND.',
    })
  }
  if (backupAgeSeconds !== undefined && backupAgeSeconds > limits.alertBackupSeconds) {
    found.push({
      key: 'backup',
      what: `The newest backup is ${Math.floor(backupAgeSeconds / 3600)} hours old.`,
      mend: 'Run crier backup, which says what is wrong; see the disk of BACKUP_TO and the log.',
    })
  }
  if (withoutBackupSeconds !== undefined && withoutBackupSeconds > limits.alertBackupSeconds) {
    found.push({
      key: 'backup',
      what: `BACKUP_TO holds no backup, and none was made for ${Math.floor(withoutBackupSeconds / 3600)} hours.`,
      mend: 'Run crier backup, which says what is wrong; see the place of BACKUP_TO and the log.',
    })
  }
  if (backupsFailed > 0) {
    found.push({
      key: 'backup-failed',
      what: `Backups that failed their verification and cannot be restored: ${backupsFailed}.`,
      mend: 'Run crier backup for a new one, and see the disk of BACKUP_TO; crier backups list says what is wrong with each.',
    })
  }
  if (archiveBehindSeconds !== undefined && archiveBehindSeconds > limits.alertArchiveSeconds) {
    found.push({
      key: 'archive',
      what: `The database's log has not reached the bucket of BACKUP_TO for ${inMinutes(archiveBehindSeconds)}.`,
      mend: 'crier backups list says what is wrong with the bucket. Until it answers, a lost disk loses what was written since.',
    })
  }
  if (diskFreeBytes < limits.alertDiskBytes) {
    found.push({
      key: 'disk',
      what: `The disk of DATA_DIR has ${(diskFreeBytes / 1e9).toFixed(1)} GB left.`,
      mend: 'Make room: a full disk stops the database, and with it everything.',
    })
  }
  if (volumesWaiting > 0) {
    found.push({
      key: 'volume',
      what: `Statements of owners about what their domains sent before wait for your answer: ${volumesWaiting}.`,
      mend: 'Answer each on the page Mail queue of the app, or with crier domains volume.',
    })
  }
  return found
}

const inMinutes = (age: number) => `${Math.floor(age / 60)} min`

/** Returns no jobs if no operator's address is set. */
export function alertJobs(parts: AppParts, mailer: Mailer): JobKinds {
  const { config, db, clock, log, vault } = parts
  const to = config.operatorEmail
  if (to === undefined) return {}
  const figures = figureReader(parts)
  return {
    [checkJob]: {
      everyMs: seconds(300),
      timeoutMs: seconds(60),
      async run() {
        for (const trouble of troublesOf(await figures())) {
          log.warn({ trouble: trouble.key }, 'operator.trouble')
          const now = clock.now()
          await db.tx(async (tx) => {
            const refused = await countAttempt(tx, vault, {
              purpose: 'operator-alert',
              subject: trouble.key,
              limit: 1,
              windowMs: hours(24),
              now,
            })
            if (!isRefusal(refused)) await enqueue(tx, [{ kind: mailJob, payload: trouble }], now)
          })
        }
      },
    },
    [mailJob]: {
      retryDelays,
      timeoutMs: seconds(60),
      async run({ id, payload }) {
        const mail = alertMail(config, payload as Trouble)
        await mailer.send({ name: `alert-${id}`, from: config.mailFrom, to, ...mail })
      },
    },
  }
}

export function alertMail(
  { baseUrl }: Pick<AppParts['config'], 'baseUrl'>,
  { what, mend }: Pick<Trouble, 'what' | 'mend'>,
) {
  return serviceMail({
    subject: `Crier at ${new URL(baseUrl).hostname} needs you`,
    message: what,
    button: 'Ask whether it works',
    url: `${baseUrl}/readyz`,
    terms: mend,
    otherwise: 'You get this mail as the operator (OPERATOR_EMAIL), once a day while it lasts.',
  })
}

/**
 * Mails the operator when the database has not worked for a minute, once a day for each kind of
 * outage. No job can be queued then, so the process sends the mail itself. Does nothing without an
 * operator's address, or in a process that sends no mail.
 */
export function outageAlert(
  { config, clock, log }: Pick<AppParts, 'config' | 'clock' | 'log'>,
  mailer: Mailer,
): (current: CurrentOutage) => void {
  const { operatorEmail: to, role } = config
  if (to === undefined || role === 'api') return () => {}
  const nextAt = new Map<Outage, number>()
  return ({ outage, ms }) => {
    const now = clock.now().getTime()
    if (ms < limits.alertOutageMs || now < (nextAt.get(outage) ?? 0)) return
    nextAt.set(outage, now + hours(24))
    const { is, mend } = outageWords[outage]
    const what = `The database ${is}. Calls are refused and jobs wait; both go on by themselves when it works again.`
    const mail = alertMail(config, { what, mend })
    mailer
      .send({ name: `outage-${outage}-${now}`, from: config.mailFrom, to, ...mail })
      .catch((err) => {
        nextAt.set(outage, now + minutes(5))
        log.warn({ err }, 'operator.alert_failed')
      })
  }
}
