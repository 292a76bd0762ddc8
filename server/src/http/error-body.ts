/**
 * Refusals as response bodies: flat, with the code in both fields that clients read (contract
 * 11.1). OAuth endpoints add RFC 6749's `error_description`.
 */
import type { Refusal } from '../core/errors.ts'
import { type CallName, withCallNames } from '../operations/call.ts'

export interface ErrorBody {
  code: string
  error: string
  message: string
  field?: string
  fix?: unknown
  request_id: string
  [more: string]: unknown
}

export function errorBody(refusal: Refusal, requestId: string): ErrorBody {
  const { field, fix, data, retryAfter } = refusal.details
  return {
    code: refusal.code,
    error: refusal.code,
    message: refusal.message,
    ...(field !== undefined && { field }),
    ...(fix !== undefined && { fix }),
    ...(retryAfter !== undefined && { retry_after: retryAfter }),
    ...data,
    request_id: requestId,
  }
}

export function oauthErrorBody(refusal: Refusal, requestId: string): ErrorBody {
  return { ...errorBody(refusal, requestId), error_description: refusal.message }
}

/** A refusal for a caller of operations, with names that the caller can call. */
export function refusalBody(refusal: Refusal, requestId: string, name: CallName): ErrorBody {
  return withCallNames(errorBody(refusal, requestId), name)
}
