import type { Refusal } from '../platform/errors.ts'
import { type ErrorBody, errorBody } from './error-body.ts'

/**
 * A refusal as a caller of tools reads it. Domains name the tool that mends it
 * `area.action`; a caller needs its name on the wire.
 */
export function refusalBody(
  refusal: Refusal,
  { requestId, slug }: { requestId: string; slug: string },
): ErrorBody {
  const body = errorBody(refusal, requestId)
  const { fix } = refusal.details
  if (fix?.tool === undefined) return body
  return { ...body, fix: { ...fix, tool: `${slug}.v1.${fix.tool}` } }
}
