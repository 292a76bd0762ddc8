/** What the operator sees of the installation, put together from the database and this node. */
import type { Finding } from '../checks/finding.ts'
import { backfillsUnderWay } from '../lib/db/backfills.ts'
import type { Db } from '../lib/db/types.ts'
import type { InstallationFigures } from '../lib/metrics/metrics.ts'
import { days, hours, later, seconds } from '../lib/time/clock.ts'
import { listNodes, listWork, type NodeRow, type WorkRow } from './node-queries.ts'
import { slotMs, workKinds } from './work.ts'

/** A node that has not been seen for so long has died: it is seen four times meanwhile. */
const aliveMs = seconds(60)
/** How long a dead node is shown. */
const shownMs = hours(1)

export interface ReportParts {
  db: Db
  makesBackups: boolean
  figures(): Promise<InstallationFigures>
  findings(figures: InstallationFigures): Promise<Finding[]>
}

export type StatusReport = Awaited<ReturnType<typeof readReport>>

export async function readReport(parts: ReportParts, now: Date) {
  const { db, makesBackups } = parts
  const figures = await parts.figures()
  const from = new Date(Math.floor((now.getTime() - days(1)) / slotMs) * slotMs + slotMs)
  const [findings, nodes, work] = [
    await parts.findings(figures),
    await listNodes(db, later(now, -shownMs)),
    await listWork(db, from),
  ]
  const { backupAgeSeconds, diskFreeBytes, isSendingPaused } = figures
  const fillings = await backfillsUnderWay(db)
  return {
    findings,
    backfills: fillings.map(({ migration, table, rows, ofRows, startedAt }) => ({
      migration,
      table,
      rows,
      of_rows: Math.max(rows, ofRows),
      started_at: startedAt.toISOString(),
    })),
    queues: queuesOf(figures),
    nodes: nodes.map((node) => nodeOf(node, now)),
    work: {
      from: from.toISOString(),
      slot_seconds: slotMs / 1000,
      amounts: amountsOf(work, from),
    },
    backup: {
      is_made: makesBackups,
      ...(backupAgeSeconds !== undefined && { age_seconds: backupAgeSeconds }),
    },
    disk_free_bytes: diskFreeBytes,
    is_sending_paused: isSendingPaused,
  }
}

function queuesOf({ oldestSeconds, dead }: InstallationFigures) {
  const kinds = [...new Set([...Object.keys(oldestSeconds), ...Object.keys(dead)])].toSorted()
  return kinds.map((kind) => ({
    kind,
    oldest_seconds: oldestSeconds[kind] ?? 0,
    dead: dead[kind] ?? 0,
  }))
}

function nodeOf({ host, role, startedAt, seenAt }: NodeRow, now: Date) {
  return {
    host,
    role,
    started_at: startedAt.toISOString(),
    seen_at: seenAt.toISOString(),
    is_alive: later(seenAt, aliveMs) > now,
  }
}

/** By kind of work, the amount of each slot of the day. */
function amountsOf(work: readonly WorkRow[], from: Date): Record<string, number[]> {
  const slots = days(1) / slotMs
  const amounts = Object.fromEntries(
    workKinds.map((kind) => [kind, Array.from({ length: slots }, () => 0)]),
  )
  for (const { slot, what: kind, amount } of work) {
    const index = (slot.getTime() - from.getTime()) / slotMs
    const row = amounts[kind]
    if (row && index in row) row[index] = amount
  }
  return amounts
}
