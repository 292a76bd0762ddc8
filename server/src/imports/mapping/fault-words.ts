/** What is kept of the refusal of a row or a cell: its words, and the reason by which the app words it. */
import type { Refusal } from '../../core/errors.ts'

export interface FaultWords {
  message: string
  reason?: string
  /** What was exceeded, such as the most characters. */
  limit?: number
}

export function wordsOf({ message, details: { data } }: Refusal): FaultWords {
  const { reason, limit } = data ?? {}
  return {
    message,
    ...(typeof reason === 'string' && { reason }),
    ...(typeof limit === 'number' && { limit }),
  }
}
