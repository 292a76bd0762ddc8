/**
 * Whether a connection sees people masked at the tool endpoint, and what it may not search. What is done
 * to its answers and asked of its calls is in `masked-text.ts`, which only such connections load.
 */
import { type Refusal, refuse } from './errors.ts'
import type { Context } from './operation.ts'

/** Whether the call's answers are masked. */
export const isMasked = ({ principal, isToolCall }: Pick<Context, 'principal' | 'isToolCall'>) =>
  isToolCall && principal.seesMasked === true

/** The refusal of a search for a part of what this connection does not see. */
export function partOfWords(field: string): Refusal {
  const text = `This connection sees addresses and numbers masked, and mail may hold them, so that ${field} does not search its words. Its person can let it see whole ones in the app, under Connections.`
  return refuse('invalid_request', text, {
    field,
    data: { reason: 'masked_condition', sees: 'masked' },
  })
}

/** What keeps a text from being found by a part of it, as a pattern of PostgreSQL; null for nothing. */
export const hiddenFrom = (context: Pick<Context, 'principal' | 'isToolCall'>): string | null =>
  isMasked(context) ? addressPattern : null

/** What of a text holds an address or a number, as a pattern of PostgreSQL. */
export const addressPattern = '[@\uff20\ufe6b]|%40|([0-9][ ()./-]*){9,}'
