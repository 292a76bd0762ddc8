import * as refusals from '../lib/schema/refusal.ts'

/**
 * Every refusal Crier can give, in one closed table. The first rows are the
 * contract's (11); the rest are RFC 6749/7591/8707 codes of the OAuth
 * endpoints and the additions of our own.
 */
export const statusOf = {
  invalid_request: 400,
  invalid_grant: 400,
  invalid_client: 400,
  invalid_redirect_uri: 400,
  unauthorized: 401,
  scope_required: 403,
  tier_required: 403,

  // RFC 6749 section 5.2 and 4.1.2.1, RFC 8707 section 2, RFC 7009 section 2.2.1.
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  unsupported_token_type: 400,
  invalid_target: 400,
  access_denied: 403,

  role_required: 403,
  forbidden_origin: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  cursor_expired: 409,
  gone: 410,
  erased: 410,
  too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const

export type Code = keyof typeof statusOf

export type Fix = refusals.Fix
export type RefusalDetails = refusals.RefusalDetails

/** An expected "no" (`lib/schema/refusal.ts`), with a code of this table. */
export type Refusal = refusals.Refusal<Code>

export const refuse: (code: Code, message: string, details?: RefusalDetails) => Refusal =
  refusals.refuse

/**
 * Whether an outcome is a refusal. What cannot be one is not asked: its function throws refusals, and
 * the check would never find any.
 */
export const isRefusal = refusals.isRefusal as <T>(
  outcome: MayBeRefusal<T>,
) => outcome is MayBeRefusal<T> & Refusal

type MayBeRefusal<T> = refusals.Refusal extends T ? T : never

/** The outcome of a function that returns refusals, without them: a refusal is thrown. */
export function orThrow<T>(outcome: T | Refusal): T {
  if (refusals.isRefusal(outcome)) throw outcome
  return outcome as T
}

/**
 * The outcome of a function that throws refusals, with them as values: for the entry points, and for
 * work on a set, each item of which has its own outcome. Any other error is thrown on.
 */
export async function orRefusal<T>(work: () => T | Promise<T>): Promise<T | Refusal> {
  try {
    return await work()
  } catch (error) {
    if (refusals.isRefusal(error)) return error as Refusal
    throw error
  }
}
