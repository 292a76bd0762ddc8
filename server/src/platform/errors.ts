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

/** The call that mends a refusal: the next tool with ready arguments, or a URL to open. */
export interface Fix {
  tool?: string
  arguments?: Record<string, unknown>
  url?: string
}

export interface RefusalDetails {
  /** The input field at fault, as a JSON path such as `fields[0].key`. */
  field?: string
  fix?: Fix
  /** Seconds to wait; becomes `Retry-After`. */
  retryAfter?: number
  /** Facts a program can act on, such as the choices of business or the tier needed. */
  data?: Record<string, unknown>
}

/**
 * An expected "no". Domain code returns it (a transaction whose function returns
 * one is rolled back); only code below several layers throws it. Its message is
 * for the caller, so it never holds anything the caller may not see.
 */
export class Refusal extends Error {
  readonly code: Code
  readonly details: RefusalDetails

  constructor(code: Code, message: string, details: RefusalDetails = {}) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.details = details
  }

  get status(): number {
    return statusOf[this.code]
  }
}

export function refuse(code: Code, message: string, details: RefusalDetails = {}): Refusal {
  // A refusal is an answer, not a fault: its stack would only cost time.
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  const refusal = new Refusal(code, message, details)
  Error.stackTraceLimit = limit
  return refusal
}

export function isRefusal(value: unknown): value is Refusal {
  return value instanceof Refusal
}

/**
 * Swallows an error on purpose. `why` says what makes that safe, so that every
 * place where a failure is ignored can be found and questioned.
 */
export async function canFail<T>(_why: string, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch {
    return undefined
  }
}
