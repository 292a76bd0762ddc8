/** Decides when bounces and complaints require a campaign to pause. Pure. */
import type { Tally } from '../campaign-run.ts'

export type AutoPauseReason = 'bounce_rate' | 'complaint_rate'

interface Rule {
  reason: AutoPauseReason
  metric: 'bounced' | 'complained'
  /** The share of the sent messages above which the campaign pauses. */
  over: number
  /** Fewer events than this are considered chance. */
  atLeast: number
}

const rules: readonly Rule[] = [
  { reason: 'bounce_rate', metric: 'bounced', over: 0.05, atLeast: 5 },
  { reason: 'complaint_rate', metric: 'complained', over: 0.003, atLeast: 2 },
]

/** The reason to pause, by the events since `from`; undefined if there is none. */
export function autoPauseOf(now: Tally, from: Tally): AutoPauseReason | undefined {
  const sent = now.sent - from.sent
  // Where nobody reports a complaint, none is no good sign: those recipients are left out.
  const silent = (now.silent ?? 0) - (from.silent ?? now.silent ?? 0)
  const heard = { bounced: sent, complained: sent - Math.max(0, silent) }
  const broken = rules.find(({ metric, over, atLeast }) => {
    const n = now[metric] - from[metric]
    return n >= atLeast && n > heard[metric] * over
  })
  return broken?.reason
}
