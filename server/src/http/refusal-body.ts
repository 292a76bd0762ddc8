import type { Refusal } from '../core/errors.ts'
import { type CallName, withCallNames } from './call-names.ts'
import { type ErrorBody, errorBody } from './error-body.ts'

/** A refusal for a caller of operations, with names that the caller can call. */
export function refusalBody(refusal: Refusal, requestId: string, name: CallName): ErrorBody {
  return withCallNames(errorBody(refusal, requestId), name)
}
