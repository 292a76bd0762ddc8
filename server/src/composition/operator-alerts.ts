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
import { enqueue, type JobKinds } from '../lib/jobs/job.ts'
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
  const { backupsFailed = 0, isBackupStamped = false } = figures
  const backupMend = isBackupStamped
    ? 'Read the log of the tool that backs up the database of DATABASE_URL; it touches the file BACKUP_STAMP when a backup ended well.'
    : undefined
  const stuck = Object.entries(oldestSeconds).filter(([, age]) => age > limits.alertQueueSeconds)
  const givenUp = Object.entries(dead).filter(([, jobs]) => jobs > 0)
  const troubles: Trouble[] = []
  // After a restore jobs wait until a person starts sending, which is not a fault.
  if (stuck.length > 0 && !isSendingPaused) {
    const kinds = stuck.map(([kind, age]) => `${kind} (${inMinutes(age)})`).join(', ')
    troubles.push({
      key: 'queue',
      what: `Due jobs have been waiting too long: ${kinds}.`,
      mend: 'Check that a worker is running, and read its log. crier doctor shows what it cannot reach.',
    })
  }
  if (givenUp.length > 0) {
    const kinds = givenUp.map(([kind, jobs]) => `${jobs} of ${kind}`).join(', ')
    troubles.push({
      key: 'dead',
      what: `Jobs failed after their last attempt: ${kinds}.`,
      mend: 'crier jobs list shows the errors. Once they are fixed, retry with crier jobs release KIND.',
    })
  }
  if (backupAgeSeconds !== undefined && backupAgeSeconds > limits.alertBackupSeconds) {
    troubles.push({
      key: 'backup',
      what: `The newest backup is ${Math.floor(backupAgeSeconds / 3600)} hours old.`,
      mend:
        backupMend ??
        'Run crier backup to see what is wrong. Check the disk of BACKUP_TO and the log.',
    })
  }
  if (withoutBackupSeconds !== undefined && withoutBackupSeconds > limits.alertBackupSeconds) {
    troubles.push({
      key: 'backup',
      what: `There is no backup ${isBackupStamped ? 'by BACKUP_STAMP' : 'in BACKUP_TO'}, and none was made in the last ${Math.floor(withoutBackupSeconds / 3600)} hours.`,
      mend:
        backupMend ??
        'Run crier backup to see what is wrong. Check the location of BACKUP_TO and the log.',
    })
  }
  if (backupsFailed > 0) {
    troubles.push({
      key: 'backup-failed',
      what: `Backups that failed verification and cannot be restored: ${backupsFailed}.`,
      mend: 'Run crier backup to make a new one, and check the disk of BACKUP_TO. crier backups list shows what is wrong with each.',
    })
  }
  if (archiveBehindSeconds !== undefined && archiveBehindSeconds > limits.alertArchiveSeconds) {
    troubles.push({
      key: 'archive',
      what: `The database's log has not reached the bucket of BACKUP_TO for ${inMinutes(archiveBehindSeconds)}.`,
      mend: 'crier backups list shows what is wrong with the bucket. Until it is reachable again, a disk failure loses everything written since.',
    })
  }
  if (diskFreeBytes < limits.alertDiskBytes) {
    troubles.push({
      key: 'disk',
      what: `The disk of DATA_DIR has only ${(diskFreeBytes / 1e9).toFixed(1)} GB free.`,
      mend: 'Free up disk space. A full disk stops the database, and with it everything else.',
    })
  }
  if (volumesWaiting > 0) {
    troubles.push({
      key: 'volume',
      what: `Past volumes of domains waiting for your approval: ${volumesWaiting}.`,
      mend: 'Answer them in the app under Mail queue, or with crier domains volume.',
    })
  }
  return troubles
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
            const job = { kind: mailJob, businessId: null, payload: trouble }
            if (!isRefusal(refused)) await enqueue(tx, [job], now)
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
  { what: trouble, mend }: Pick<Trouble, 'what' | 'mend'>,
) {
  return serviceMail({
    subject: `Crier at ${new URL(baseUrl).hostname} needs your attention`,
    message: trouble,
    button: 'Check status',
    url: `${baseUrl}/readyz`,
    terms: mend,
    otherwise:
      'You get this email as the operator (OPERATOR_EMAIL), once a day while the problem lasts.',
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
    const message = `The database ${is}. Calls are refused and jobs wait until it works again; then both continue automatically.`
    const mail = alertMail(config, { what: message, mend })
    mailer
      .send({ name: `outage-${outage}-${now}`, from: config.mailFrom, to, ...mail })
      .catch((err) => {
        nextAt.set(outage, now + minutes(5))
        log.warn({ err }, 'operator.alert_failed')
      })
  }
}
