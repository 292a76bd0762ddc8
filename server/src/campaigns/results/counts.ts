/**
 * What a campaign's counters are, and how they change: by name, and of what happened over time by
 * ten minutes. Each is many rows of which a reader takes the sum, so that none is hot.
 */

import type { Tx } from '../../lib/db/types.ts'
import { minutes } from '../../lib/time/clock.ts'
import type { Settled } from '../../messages/model/campaign-outcomes.ts'
import type { RecipientState } from '../model/recipient.ts'
import { addToCounts, addToSeries, type CountDelta } from './outcome-queries.ts'

/** What a recipient did, as bits of one number, each with the counter it adds to once. */
export const marks = {
  opened: 1,
  opened_by_machine: 2,
  clicked: 4,
  clicked_by_machine: 8,
  complained: 16,
  unsubscribed: 32,
} as const
export type Mark = keyof typeof marks

/** What the news sets; 0 where they are about nothing that a person does. */
export function marksOf({ event, machine = false }: Pick<Settled, 'event' | 'machine'>): number {
  if (event === 'opened') return machine ? marks.opened_by_machine : marks.opened
  if (event === 'clicked') return machine ? marks.clicked_by_machine : marks.clicked
  return event === 'complained' || event === 'unsubscribed' ? marks[event] : 0
}

/** The names of those that are new. */
function newMarks(had: number, has: number): Mark[] {
  const names = Object.keys(marks) as Mark[]
  return names.filter((name) => (has & ~had & marks[name]) !== 0)
}

export interface Way {
  was: RecipientState
  state: RecipientState
  reason: string | null
  had: number
  marks: number
}

/**
 * Counters that change, by name. `sent` counts all whom the next hop knew: who bounced later
 * stays in it, and who bounced at once comes into it, so that the rates of the others are
 * parts of it. All but that count where somebody is now.
 */
export function deltasOf({ was, state, reason, had, marks }: Way): Map<string, number> {
  const deltas = new Map<string, number>()
  const add = (metric: string, n: number) => deltas.set(metric, (deltas.get(metric) ?? 0) + n)
  if (was !== state) {
    for (const metric of metricsOf(was, null)) add(metric, -1)
    for (const metric of metricsOf(state, reason)) add(metric, 1)
    const wasSent = metricsOf(was, null).includes('sent')
    if (wasSent && !metricsOf(state, reason).includes('sent')) add('sent', 1)
  }
  for (const mark of newMarks(had, marks)) add(mark, 1)
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

/** Counters of which a campaign keeps the course. */
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
