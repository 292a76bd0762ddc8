/**
 * Distinguishes clicks of people from clicks of scanners that pose as browsers. A visitor that
 * follows every link of a message within two seconds, or the hidden link, is a machine. So clicks
 * wait that long before they are reported.
 */

import { type FeedbackDeps, ingestReportsIn } from '../bounces/ingest-reports.ts'
import type { Report } from '../bounces/report.ts'
import { limits } from '../config.ts'
import { later, minutes, seconds } from '../lib/time/clock.ts'
import { burstMs, hiddenMs, machinesAmong } from './machine-visits.ts'
import {
  deleteJudged,
  deleteSurplus,
  lockVisits,
  type MessageKey,
  markJudged,
  type StoredVisit,
} from './visit-queries.ts'

/** The age at which a visit can be judged, because the rest of its burst has arrived by then. */
export const judgedAfterMs: number = burstMs + seconds(1)

/**
 * The most visits read at once: at least 20 minutes' worth, because only so many are recorded per
 * minute.
 */
const mostRead = 20 * limits.visitsPerMessageMinute

/**
 * Judges visits that are old enough, each once, and reports them. If more wait than are read at
 * once, the job for unjudged visits handles the rest.
 */
export function judgeClicks(
  deps: FeedbackDeps,
  message: MessageKey,
  { since, now }: { since: Date; now: Date },
): Promise<void> {
  return deps.db.tx(async (tx) => {
    const from = later(since, -hiddenMs)
    await deleteSurplus(tx, message, from)
    const visits = await lockVisits(tx, message, { since: from, limit: mostRead })
    const until = later(visits.length < mostRead ? now : lastOf(visits), -burstMs)
    const reports: Report[] = []
    const ids: string[] = []
    for (const [i, machine] of machinesAmong(visits).entries()) {
      const visit = visits[i]
      if (!visit || visit.judged || visit.at > until) continue
      ids.push(visit.id)
      reports.push(...reportOf(visit, machine))
    }
    if (ids.length === 0) return
    await ingestReportsIn(tx, deps, reports, now)
    const [about] = await deps.messages.find(tx, [message.messageId])
    // Once the visits of a person who is not tracked are counted, they are deleted.
    if (about?.isTracked === false) await deleteJudged(tx, message, ids)
    else await markJudged(tx, message, ids, now)
  })
}

/** Visits after the last one read may belong to its burst. */
function lastOf(visits: readonly StoredVisit[]): Date {
  return visits.at(-1)?.at ?? new Date(0)
}

/** Reports one click per minute and link, however often the recipient clicks. */
function reportOf(visit: StoredVisit, machine: boolean): Report[] {
  const { messageId, at, linkHash, url } = visit
  if (linkHash === null || url === null) return []
  const minute = Math.floor(at.getTime() / minutes(1))
  const identity = `${linkHash.toString('hex')} ${minute} ${machine}`
  return [{ messageId, at, event: 'clicked', source: 'link', identity, words: '', machine, url }]
}
