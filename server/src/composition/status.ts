/** What the operator's page shows, read at most once in a few seconds however many look at it. */
import { type Finding, fail, warn } from '../checks/finding.ts'
import { mayShowInbox } from '../config.ts'
import type { OutageWatch } from '../lib/db/outage-watch.ts'
import { queueHealth } from '../lib/jobs/health.ts'
import type { InstallationFigures } from '../lib/metrics/metrics.ts'
import { later, seconds } from '../lib/time/clock.ts'
import type { Relays } from '../messages/relays/relays.ts'
import type { StatusFacility } from '../status/get.ts'
import type { StatusReport } from '../status/report.ts'
import type { AppParts } from './app-parts.ts'
import { figureReader, relayFigures } from './figures.ts'
import { troublesOf } from './operator-alerts.ts'

const keptMs = { works: seconds(1), report: seconds(5), checks: seconds(60) }

export function statusFacility(
  parts: AppParts,
  relays: Relays,
  watch: Pick<OutageWatch, 'check'>,
): StatusFacility {
  const { config, db, clock } = parts
  const figures = figureReader(parts)
  const checks = kept(keptMs.checks, async (now) => {
    const { runningFindings } = await import('../checks/running.ts')
    return runningFindings(db, config, now)
  })
  const report = kept(keptMs.report, async (now): Promise<StatusReport> => {
    const { readReport } = await import('../status/report.ts')
    const findings = async (read: InstallationFigures): Promise<Finding[]> => [
      ...ownFindings(read),
      ...relayFigures(relays, now)
        .filter(({ isAway }) => isAway)
        .map(({ name }) =>
          warn('relay', `${name} takes no mail`, 'Run crier doctor, which says why.'),
        ),
      ...(await checks(now)),
    ]
    const makesBackups = config.backupTo !== undefined
    return readReport({ db, makesBackups, figures, findings }, now)
  })
  const works = kept(keptMs.works, async (now) => {
    if (await watch.check()) return false
    const { workers } = await queueHealth(db, now)
    return workers > 0
  })
  return {
    operatorEmail: config.operatorEmail,
    isOfThisMachine: mayShowInbox({ ...config, allowInbox: false }),
    relays: (now) => relayFigures(relays, now).map(({ name, isAway }) => ({ name, isAway })),
    report,
    works: () => works(clock.now()).catch(() => false),
  }
}

/** What the figures tell, in the words of the mails to the operator. */
function ownFindings(figures: InstallationFigures): Finding[] {
  const found = troublesOf(figures)
    // A check of its own tells of the backups.
    .filter(({ key }) => key !== 'backup' && key !== 'backup-failed')
    .map(({ key, what, mend }) => warn(key, what, mend))
  if (figures.isSendingPaused) {
    const mend = 'Look around, then run crier sending start.'
    found.unshift(warn('sending', 'Nothing has been sent since a restore.', mend))
  } else if (figures.workers === 0) {
    const mend = 'Start one with crier serve --role worker.'
    found.unshift(fail('workers', 'No worker is alive, so nothing is sent.', mend))
  }
  return found
}

/** Callers at the same time share one reading. */
function kept<T>(ms: number, read: (now: Date) => Promise<T>): (now: Date) => Promise<T> {
  let last: { until: Date; value: Promise<T> } | undefined
  return (now) => {
    if (last && now < last.until) return last.value
    const value = read(now)
    const reading = { until: later(now, ms), value }
    last = reading
    value.catch(() => {
      if (last === reading) last = undefined
    })
    return value
  }
}
