/** The reason why a model returned no draft, in words for the person who requested it. */
import { type Refusal, refuse } from '../../../core/errors.ts'
import type { OutboundFailure } from '../../../lib/http-client/outbound-failure.ts'

export interface ModelFailure {
  reason:
    | 'busy'
    | 'cut'
    | 'failing'
    | 'forbidden'
    | 'key'
    | 'refused'
    | 'settings'
    | 'timeout'
    | 'too-long'
    | 'unreachable'
    | 'unusable'
  /** Seconds after which a retry is worthwhile. */
  retryAfter?: number
}

export function isFailure(result: object): result is ModelFailure {
  return 'reason' in result
}

export type FailureReason = ModelFailure['reason']

const operator = 'whoever runs this service'

const words: Record<FailureReason, string> = {
  busy: 'is busy: it takes no more calls for the moment',
  cut: 'wrote more than it may, twice',
  failing: 'failed',
  forbidden: `may not be reached from here: ${operator} allows its address with OUTBOUND_ALLOW`,
  key: `does not take the key it is given: ${operator} sets WRITER_KEY`,
  refused: 'will not write this',
  settings: `does not know what it is asked for: ${operator} looks at WRITER_URL and WRITER_MODEL`,
  timeout: 'did not answer in time',
  'too-long': 'answered more than is read, or broke off',
  unreachable: 'cannot be reached',
  unusable: 'gave an answer that is no draft, twice',
}

/** The most characters of arguments that a refusal repeats. */
const longestFix = 4_000

/** The fix is the same call with the built-in writer, which depends on no other service. */
export function refusalOf(failure: ModelFailure, call: Record<string, unknown>): Refusal {
  const text = `The language model ${words[failure.reason]}. Nothing was made. Call again with writer "built_in" for a draft at once${isPassing(failure.reason) ? ', or without it a little later' : ''}.`
  const fix = { tool: 'campaign.generate', arguments: { ...call, writer: 'built_in' } }
  return refuse('unavailable', text, {
    ...(JSON.stringify(call).length <= longestFix && { fix }),
    ...(isPassing(failure.reason) && { retryAfter: failure.retryAfter ?? 30 }),
    data: { reason: failure.reason },
  })
}

function isPassing(reason: FailureReason): boolean {
  return ['busy', 'failing', 'timeout', 'unreachable'].includes(reason)
}

export function failureOfStatus(status: number, retryAfter: string | undefined): ModelFailure {
  if (status === 401 || status === 403) return { reason: 'key' }
  if (status === 429 || status === 529) {
    const seconds = Number(retryAfter)
    const isKnown = Number.isInteger(seconds) && seconds > 0
    return { reason: 'busy', ...(isKnown && { retryAfter: Math.min(seconds, 3600) }) }
  }
  return { reason: status >= 500 ? 'failing' : 'settings' }
}

export function failureOfNetwork({ reason }: OutboundFailure): ModelFailure {
  if (reason === 'timeout' || reason === 'forbidden') return { reason }
  return { reason: 'unreachable' }
}
