/** What a recipient's way adds to the counters. Pure. */

import type { RecipientState } from '../model/recipient.ts'
import { newMarks } from './engagement.ts'

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
