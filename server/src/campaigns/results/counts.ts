/**
 * A campaign's counters and how they change: totals by name, and a series in steps of ten minutes.
 * Each counter has several rows, which readers add up, to avoid contention for one row.
 */

import type { Tx } from '../../lib/db/types.ts'
import { minutes } from '../../lib/time/clock.ts'
import type { Settled } from '../../messages/model/campaign-outcomes.ts'
import type { RecipientState } from '../model/recipient.ts'
import { addToCounts, addToSeries, type CountDelta } from './outcome-queries.ts'

/** What a recipient did, as bits of the column `marks`; each adds once to the counter of its name. */
export const engagementBits = {
  opened: 1,
  opened_by_machine: 2,
  clicked: 4,
  clicked_by_machine: 8,
  complained: 16,
  unsubscribed: 32,
} as const
export type Engagement = keyof typeof engagementBits

/** The bit that an event sets; 0 for events that are not an engagement. */
export function marksOf({ event, machine = false }: Pick<Settled, 'event' | 'machine'>): number {
  if (event === 'opened') return machine ? engagementBits.opened_by_machine : engagementBits.opened
  if (event === 'clicked')
    return machine ? engagementBits.clicked_by_machine : engagementBits.clicked
  return event === 'complained' || event === 'unsubscribed' ? engagementBits[event] : 0
}

/** The names of the bits that `has` adds to `had`. */
function newEngagements(had: number, has: number): Engagement[] {
  const names = Object.keys(engagementBits) as Engagement[]
  return names.filter((name) => (has & ~had & engagementBits[name]) !== 0)
}

export interface RecipientChange {
  was: RecipientState
  state: RecipientState
  reason: string | null
  had: number
  marks: number
}

/**
 * The changes of counters, by name. `sent` counts all recipients whose message the next hop accepted
 * or bounced, at once or later, so that the other rates are shares of it. All other counters count
 * recipients by their current state.
 */
export function deltasOf({ was, state, reason, had, marks }: RecipientChange): Map<string, number> {
  const deltas = new Map<string, number>()
  const add = (metric: string, n: number) => deltas.set(metric, (deltas.get(metric) ?? 0) + n)
  if (was !== state) {
    for (const metric of metricsOf(was, null)) add(metric, -1)
    for (const metric of metricsOf(state, reason)) add(metric, 1)
    const wasSent = metricsOf(was, null).includes('sent')
    if (wasSent && !metricsOf(state, reason).includes('sent')) add('sent', 1)
  }
  for (const engagement of newEngagements(had, marks)) add(engagement, 1)
  return new Map([...deltas].filter(([, n]) => n !== 0))
}

function metricsOf(state: RecipientState, reason: string | null): string[] {
  if (state === 'pending' || state === 'taken') return []
  if (state === 'delivered' || state === 'bounced') return ['sent', state]
  return [state === 'skipped' && reason !== null ? `skipped:${reason}` : state]
}

/** Rows per counter: two simultaneous flushes seldom use the same one. */
const slots = 8
const anySlot = () => Math.floor(Math.random() * slots)

export async function addCounts(tx: Tx, deltas: readonly CountDelta[]): Promise<void> {
  const sums = new Map<string, CountDelta>()
  for (const delta of deltas) {
    const name = `${delta.campaignId} ${delta.variant} ${delta.metric}`
    const before = sums.get(name)?.amount ?? 0
    sums.set(name, { ...delta, amount: before + delta.amount })
  }
  const changed = [...sums.values()].filter(({ amount }) => amount !== 0)
  if (changed.length === 0) return
  await addToCounts(tx, anySlot(), changed)
}

/** Counters that also have a series over time. */
export const seriesMetrics: readonly string[] = [
  'sent',
  'delivered',
  'bounced',
  'complained',
  'opened',
  'clicked',
  'unsubscribed',
]
const finestMs = minutes(10)

export async function addSeries(tx: Tx, deltas: readonly CountDelta[], now: Date): Promise<void> {
  const rows = deltas.filter(({ metric, amount }) => seriesMetrics.includes(metric) && amount !== 0)
  if (rows.length === 0) return
  const at = new Date(Math.floor(now.getTime() / finestMs) * finestMs)
  await addToSeries(tx, { at, slot: anySlot() }, rows)
}
