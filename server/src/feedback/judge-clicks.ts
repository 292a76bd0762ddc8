/**
 * Tells clicks of people from those of scanners that pass for browsers. It takes a moment:
 * whoever follows every link of a message within two seconds, or the one that no person sees,
 * is a machine. So clicks wait that long, and are told after.
 */
import { later, minutes, seconds } from '../platform/clock.ts'
import type { Id } from '../platform/ids.ts'
import type { Report } from './report.ts'
import { type FeedbackDeps, takeReportsIn } from './take-reports.ts'
import { lockVisits, markJudged, type StoredVisit } from './visit-queries.ts'

/** In which a machine follows all links, and nobody else does. */
const burstMs = seconds(2)
/** So long before a click and until a burst after it, a visit to the hidden link tells on it. */
const hiddenMs = minutes(1)

/** When visits of a moment can be judged: what belongs to their burst is there by then. */
export const judgedAfterMs: number = burstMs + seconds(1)

export interface MessageKey {
  businessId: Id<'business'>
  messageId: Id<'message'>
}

/** Judges what is old enough to be, each visit once, and tells of it. */
export function judgeClicks(
  deps: FeedbackDeps,
  { businessId, messageId }: MessageKey,
  { since, now }: { since: Date; now: Date },
): Promise<void> {
  return deps.db.tx(async (tx) => {
    const visits = await lockVisits(tx, businessId, messageId, later(since, -hiddenMs))
    const ripe = visits.filter(({ judged, at }) => !judged && at <= later(now, -burstMs))
    if (ripe.length === 0) return
    const reports = ripe.flatMap((visit) => reportOf(visit, isMachines(visit, visits)))
    await takeReportsIn(tx, deps, reports, now)
    const ids = ripe.map(({ id }) => id)
    await markJudged(tx, businessId, messageId, ids, now)
  })
}

function isMachines(visit: StoredVisit, all: readonly StoredVisit[]): boolean {
  if (visit.machine) return true
  const at = visit.at.getTime()
  const sawHidden = all.some(
    (one) =>
      one.linkHash === null &&
      one.visitor.equals(visit.visitor) &&
      one.at.getTime() >= at - hiddenMs &&
      one.at.getTime() <= at + burstMs,
  )
  return sawHidden || isInBurst(visit, all)
}

/** Whether some two seconds with this visit in them saw every link of the message. */
function isInBurst(visit: StoredVisit, all: readonly StoredVisit[]): boolean {
  // With one link nothing can be told.
  if (visit.links < 2) return false
  const at = visit.at.getTime()
  const near = all.filter((one) => Math.abs(one.at.getTime() - at) <= burstMs && one.linkHash)
  return near.some(({ at: start }) => {
    const from = start.getTime()
    if (from > at || at > from + burstMs) return false
    const within = near.filter((one) => {
      const time = one.at.getTime()
      return time >= from && time <= from + burstMs
    })
    return new Set(within.map((one) => one.linkHash?.toString('hex'))).size >= visit.links
  })
}

/** One click a minute for each link, whoever presses how often. */
function reportOf(visit: StoredVisit, machine: boolean): Report[] {
  const { messageId, at, linkHash, url } = visit
  if (linkHash === null || url === null) return []
  const minute = Math.floor(at.getTime() / minutes(1))
  const identity = `${linkHash.toString('hex')} ${minute} ${machine}`
  return [{ messageId, at, event: 'clicked', source: 'link', identity, words: '', machine, url }]
}
