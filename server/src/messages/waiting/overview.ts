/** The mail and texts that wait, over all businesses, as the operator sees them. */

import type { Db } from '../../lib/db/types.ts'
import { triedFor } from '../model/message.ts'
import { sendJobs } from '../model/queue.ts'
import {
  type DeferredAt,
  listDeferred,
  listLaterJobs,
  listPausedStreams,
  type PausedStream,
  type WaitingOfKind,
  waitingByKind,
} from './overview-queries.ts'

export type { DeferredAt, PausedStream } from './overview-queries.ts'

/** Bounds of one reading. A page that shows less than all says so. */
const read = { lanes: 2000, jobsOfLane: 200, laterJobs: 50, businesses: 20 }
const shown = { deferred: 50, streams: 100 }

export interface WaitingMessages extends WaitingOfKind {
  channel: string
}

export interface QueueOverview {
  waiting: WaitingMessages[]
  deferred: DeferredAt[]
  /** Whether `deferred` was counted over a part of the messages that wait for another try. */
  isPartOfDeferred: boolean
  paused: PausedStream[]
  isPartOfPaused: boolean
}

export async function queueOverview(db: Db, now: Date): Promise<QueueOverview> {
  const kinds = Object.values(sendJobs)
  const channelOf = new Map(Object.entries(sendJobs).map(([channel, kind]) => [kind, channel]))
  const waiting = await waitingByKind(db, kinds, { ...read, now })
  const jobs = await listLaterJobs(db, kinds, { ...read, now, limit: read.laterJobs + 1 })
  const looked = jobs.slice(0, read.laterJobs)
  const byBusiness = Map.groupBy(looked, ({ businessId }) => businessId)
  const since = new Date(now.getTime() - triedFor)
  const found: DeferredAt[] = []
  for (const [businessId, its] of [...byBusiness].slice(0, read.businesses)) {
    const ids = its.flatMap(({ messageIds }) => messageIds)
    found.push(...(await listDeferred(db, businessId, { ids, since })))
  }
  const paused = await listPausedStreams(db, now, shown.streams + 1)
  const deferred = summed(found)
  return {
    waiting: waiting.map((row) => ({ ...row, channel: channelOf.get(row.kind) ?? row.kind })),
    deferred: deferred.slice(0, shown.deferred),
    isPartOfDeferred:
      jobs.length > read.laterJobs ||
      byBusiness.size > read.businesses ||
      deferred.length > shown.deferred,
    paused: paused.slice(0, shown.streams),
    isPartOfPaused: paused.length > shown.streams,
  }
}

/** The same server defers messages of several businesses; most messages first. */
function summed(rows: readonly DeferredAt[]): DeferredAt[] {
  const byServer = Map.groupBy(rows, ({ route, provider }) => `${route} ${provider}`)
  const all = [...byServer.values()].flatMap((same) => {
    const [first] = same
    if (!first) return []
    const messages = same.reduce((sum, row) => sum + row.messages, 0)
    const next = same.map(({ nextAt }) => nextAt).toSorted((a, b) => a.getTime() - b.getTime())[0]
    const words = same.map((row) => row.words).find((said) => said !== null) ?? null
    return [{ ...first, messages, nextAt: next ?? first.nextAt, words }]
  })
  return all.toSorted((a, b) => b.messages - a.messages)
}
