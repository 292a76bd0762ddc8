/**
 * Records that this process is here, and what it did in each ten minutes. A crash loses the counts
 * of a few seconds, which no limit and no bill depends on.
 */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { ignoreError } from '../lib/concurrency/ignore-error.ts'
import type { Db } from '../lib/db/types.ts'
import { type EndedWork, onEnded } from '../lib/observing/observed.ts'
import { days, later, seconds, type WatchedClock } from '../lib/time/clock.ts'
import { addWork, deleteOldNodes, deleteOldWork, endNode, saveNode } from './node-queries.ts'
import { keptWorkMs, slotMs, type WorkKind } from './work.ts'

export interface NodeRecord {
  start(): Promise<void>
  stop(): Promise<void>
  /** Counts each call by `ok` or the code of its refusal, and tells `next` of it. */
  measuring(next: Measure): Measure
}

type Measure = (operation: string, outcome: string, seconds: number) => void

export interface NodeRecordParts {
  db: Db
  clock: WatchedClock
  role: 'api' | 'worker' | 'all'
  /** How often it is written. */
  everyMs?: number
}

export function createNodeRecord(parts: NodeRecordParts): NodeRecord {
  const { db, clock, role, everyMs = seconds(15) } = parts
  const id = randomUUID()
  const startedAt = clock.now()
  let counts = new Map<WorkKind, number>()
  let sweptSlot = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined

  const count = (kind: WorkKind) => void counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const stopHearing = onEnded((work) => count(kindOf(work)))

  const write = async (): Promise<void> => {
    const now = clock.now()
    const slot = new Date(Math.floor(now.getTime() / slotMs) * slotMs)
    const clockAheadMs = clock.jump?.()?.aheadMs ?? null
    await saveNode(db, { id, role, host: hostname(), startedAt, seenAt: now, clockAheadMs })
    const done = counts
    counts = new Map()
    if (done.size > 0) {
      await addWork(db, slot, { kinds: [...done.keys()], amounts: [...done.values()] })
    }
    if (slot.getTime() === sweptSlot) return
    sweptSlot = slot.getTime()
    await deleteOldWork(db, later(now, -keptWorkMs))
    await deleteOldNodes(db, later(now, -days(1)))
  }
  const writeOnce = (): Promise<void> => {
    writing ??= ignoreError('the figures are for a page alone', write()).finally(() => {
      writing = undefined
    })
    return writing
  }

  return {
    async start() {
      timer = setInterval(() => void writeOnce(), everyMs).unref()
      await writeOnce()
    },
    async stop() {
      clearInterval(timer)
      stopHearing()
      await writing
      await writeOnce()
      await ignoreError('it is seen no more either way', endNode(db, id, clock.now()))
    },
    measuring: (next) => (operation, outcome, seconds) => {
      count(outcome === 'internal' ? 'calls_failed' : 'calls')
      next(operation, outcome, seconds)
    },
  }
}

function kindOf({ kind, name, result }: EndedWork): WorkKind {
  if (kind === 'delivery') return result === 'delivered' ? 'webhooks' : 'webhooks_failed'
  if (result === 'deferred') return 'messages_deferred'
  if (result !== 'accepted') return 'messages_failed'
  return name === 'sms' ? 'texts' : 'mails'
}
