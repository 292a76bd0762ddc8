/** The parts of `npm run soak` that kill the service or its database under writers. */

import { type Kind, kinds, victims } from '../tests/crash/support/kill.ts'
import { crashLoop, type KillReport } from '../tests/crash/support/loops/crash-loop.ts'
import { type WriteReport, writeLoop } from '../tests/crash/support/loops/write-loop.ts'
import { table } from './markdown.ts'
import { showProgress } from './progress.ts'

interface Killing {
  kind: Kind
  backAfter: number
}

interface LoopOptions<Report> {
  kills: number
  seed: number
  onKill: (done: number, report: Report) => void
}

export async function grantSoak(kills: number, seed: number): Promise<string> {
  const { reports, minutes } = await timed('kills during grants', kills, seed, crashLoop)
  const figures = crashTable<KillReport>(reports, {
    registrations: (report) => report.registrations,
    refreshes: (report) => report.refreshes,
    'code exchanges': (report) => report.exchanges,
    'without an answer': (report) => report.unanswered,
    'of those made': (report) => report.lostAnswers,
  })
  return `## kill -9 during registrations, refreshes and code exchanges

${kills} kills at random moments in ${minutes} minutes, seed ${seed}, all on one data folder; fsync, full_page_writes and synchronous_commit asserted on before and after each.
After each kill every acknowledged client id was known, and the last acknowledged refresh token of every chain worked: the run ends at the first that does not.
A request without an answer was made wholly or not at all: where a refresh or a code exchange had been made, its client authorizes again ("of those made"; a registration nobody heard of harms nobody and is not counted).

${figures}
`
}

export async function writeSoak(kills: number, seed: number): Promise<string> {
  const { reports, minutes } = await timed('kills during writes', kills, seed, writeLoop)
  const figures = crashTable<WriteReport>(reports, {
    upserts: (report) => report.acknowledged.upsert,
    submissions: (report) => report.acknowledged.submission,
    imports: (report) => report.acknowledged.import,
    events: (report) => report.events,
    'without an answer': (report) => report.lostAnswers + report.notMade,
    'of those made': (report) => report.lostAnswers,
  })
  return `## kill -9 during upserts, imports and submissions

${kills} kills at random moments in ${minutes} minutes, seed ${seed}, each in a business of its own with 14 clients at once. Half of the calls carry an idempotency key, and such a call is made again after the crash where its answer was lost.
After each kill every acknowledged write was there once with its events and its usage, and a write without an answer was there wholly or not at all: rows, events, counts of forms, usage and timeline agree. At the end a reader of \`meta.changes\` who kept his cursor through his crash had seen every event once.

${figures}
`
}

async function timed<Report extends Killing>(
  what: string,
  kills: number,
  seed: number,
  loop: (options: LoopOptions<Report>) => Promise<Report[]>,
): Promise<{ reports: Report[]; minutes: string }> {
  const began = performance.now()
  const progress = showProgress(kills, what)
  const onKill = (done: number, { kind, backAfter }: Report) =>
    progress.step(done, `${kind}: back after ${(backAfter / 1000).toFixed(1)} s`)
  const reports = await loop({ kills, seed, onKill })
  progress.end()
  return { reports, minutes: ((performance.now() - began) / 60_000).toFixed(1) }
}

/** A line for each kind of kill and one for all; `columns` are summed. */
function crashTable<Report extends Killing>(
  all: readonly Report[],
  columns: Record<string, (report: Report) => number>,
): string {
  const rows = [...kinds, 'all' as const].flatMap((kind) => {
    const of = kind === 'all' ? all : all.filter((report) => report.kind === kind)
    if (of.length === 0) return []
    const sums = Object.values(columns).map((what) =>
      String(of.reduce((total, report) => total + what(report), 0)),
    )
    const slowest = Math.max(...of.map(({ backAfter }) => backAfter)) / 1000
    const victim = kind === 'all' ? 'all' : victims[kind]
    return [[victim, String(of.length), ...sums, `${slowest.toFixed(1)} s`]]
  })
  return table(['killed', 'times', ...Object.keys(columns), 'back after, at most'], rows)
}
