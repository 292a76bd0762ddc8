import * as refusals from '../lib/schema/refusal.ts'

/**
 * Every refusal Crier can give, in one closed table. The first rows are the
 * contract's ("Errors"); the rest are RFC 6749/7591/8707 codes of the OAuth
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

export const isRefusal = refusals.isRefusal as (value: unknown) => value is Refusal
