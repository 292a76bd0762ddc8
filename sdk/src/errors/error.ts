/**
 * The errors of this package. Whether the server, the network or the store failed, each is a
 * CrierError: `code` is for decisions and `message` is the explanation. Its subclasses are kinds of
 * codes, for `instanceof`.
 */

/** Codes of a Crier server: the contract's first, then the additions. */
export const serverCodes = [
  'invalid_request',
  'invalid_grant',
  'invalid_client',
  'invalid_redirect_uri',
  'unauthorized',
  'scope_required',
  'tier_required',
  'unsupported_grant_type',
  'unsupported_response_type',
  'unsupported_token_type',
  'invalid_target',
  'access_denied',
  'role_required',
  'forbidden_origin',
  'not_found',
  'method_not_allowed',
  'conflict',
  'cursor_expired',
  'gone',
  'erased',
  'too_large',
  'unsupported_media_type',
  'rate_limited',
  'internal',
  'unavailable',
] as const

/** Codes of this package, for failures without a trustworthy response of a server. */
export const clientCodes = [
  /** Nobody has signed in with this store. */
  'signed_out',
  /** The connection was ended: two refreshes in a row were refused. */
  'severed',
  /** The callback's `state` is not the one that was sent; the code was discarded. */
  'state_mismatch',
  /** The callback comes from another issuer (RFC 9207); the code was discarded. */
  'issuer_mismatch',
  /** A sign-in attempt received a second response. */
  'attempt_used',
  /** The server could not be reached. */
  'network',
  /** There was no response within the time limit. */
  'timeout',
  /** The response does not follow the contract. */
  'bad_response',
  /** The store cannot be read: damaged, sealed with another key, or open to others. */
  'store_unreadable',
  /** Another process held the store's lock for too long. */
  'store_locked',
  /** A delivery without a signature header. */
  'signature_missing',
  /** The signature header is invalid, or has another time than the delivery. */
  'signature_malformed',
  /** The signature was made with another secret, or over another body. */
  'signature_mismatch',
  /** The delivery was signed too long ago, or in the future. */
  'delivery_stale',
  /** Correctly signed, but not an event, or of another type than in the header. */
  'event_malformed',
  /** The body was parsed before its signature was checked. */
  'body_parsed',
  /** No secret was given, or no secret that begins with `whsec_`. */
  'secret_invalid',
] as const

/** A code of the server or of this package; newer servers may know more. */
export type ErrorCode =
  | (typeof serverCodes)[number]
  | (typeof clientCodes)[number]
  | (string & Record<never, never>)

/** How to fix a refusal: the next tool with its arguments, or a page to open. */
export interface Fix {
  tool?: string
  arguments?: Record<string, unknown>
  url?: string
}

/** The parts of a {@link CrierError}. */
export interface Problem {
  code: ErrorCode
  message: string
  status?: number | undefined
  field?: string | undefined
  fix?: Fix | undefined
  requestId?: string | undefined
  retryAfter?: number | undefined
  data?: Record<string, unknown> | undefined
  cause?: unknown
}

const signInCodes = new Set<string>([
  'unauthorized',
  'invalid_grant',
  'invalid_client',
  'signed_out',
  'severed',
])

/** The same in every copy of this package, of which a program may load one as ESM and one as CJS. */
const brand = Symbol.for('@crier-mail/sdk/error')

/** Anything that went wrong between this program and a Crier server. */
export class CrierError extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: a class that extends this one has its own instances.
    if (this !== CrierError) return Function.prototype[Symbol.hasInstance].call(this, value)
    return typeof value === 'object' && value !== null && brand in value
  }

  /** The kind of error, for a program to act on. */
  readonly code: ErrorCode
  /** The HTTP status of the response; 200 if a tool refused, 0 if there was no response. */
  readonly status: number
  /** The argument at fault, such as `fields[0].key`. */
  readonly field: string | undefined
  /** The call or page that fixes it. */
  readonly fix: Fix | undefined
  /** Identifies this request in the server's log. */
  readonly requestId: string | undefined
  /** Seconds to wait before the next try. */
  readonly retryAfter: number | undefined
  /** Further facts of the refusal, such as the businesses to choose from. */
  readonly data: Record<string, unknown>

  constructor(problem: Problem) {
    super(
      withoutSecrets(problem.message),
      problem.cause === undefined ? undefined : { cause: problem.cause },
    )
    this.name = 'CrierError'
    this.code = problem.code
    this.status = problem.status ?? 0
    this.field = problem.field
    this.fix = problem.fix
    this.requestId = problem.requestId
    this.retryAfter = problem.retryAfter
    this.data = problem.data ?? {}
  }

  /** True if only a new sign-in helps. */
  get needsSignIn(): boolean {
    return signInCodes.has(this.code)
  }

  /** A flat object for logs and pipes; without stack and cause. */
  toJSON(): Record<string, unknown> {
    return {
      ...this.data,
      code: this.code,
      message: this.message,
      ...(this.status !== 0 && { status: this.status }),
      ...(this.field !== undefined && { field: this.field }),
      ...(this.fix !== undefined && { fix: this.fix }),
      ...(this.retryAfter !== undefined && { retry_after: this.retryAfter }),
      ...(this.requestId !== undefined && { request_id: this.requestId }),
    }
  }
}

Object.defineProperty(CrierError.prototype, brand, { value: true })

const invalid = ['invalid_request', 'too_large', 'unsupported_media_type', 'method_not_allowed']
const forbidden = ['scope_required', 'tier_required', 'role_required', 'access_denied']
const webhook = [
  'signature_missing',
  'signature_malformed',
  'signature_mismatch',
  'delivery_stale',
  'event_malformed',
]

/** Whether the value is an error with one of these codes. */
const hasCode = (value: unknown, codes: Iterable<string>): boolean =>
  value instanceof CrierError && new Set(codes).has(value.code)

/** An argument is wrong: `field` says which. */
export class InvalidRequestError extends CrierError {
  declare readonly code:
    | 'invalid_request'
    | 'too_large'
    | 'unsupported_media_type'
    | 'method_not_allowed'
  static override [Symbol.hasInstance](value: unknown): boolean {
    return hasCode(value, invalid)
  }
}

/** The key, the token or the connection is not accepted. */
export class AuthenticationError extends CrierError {
  declare readonly code:
    | 'unauthorized'
    | 'invalid_grant'
    | 'invalid_client'
    | 'signed_out'
    | 'severed'
  static override [Symbol.hasInstance](value: unknown): boolean {
    return hasCode(value, signInCodes)
  }
}

/** A scope, a tier or a role is missing. */
export class PermissionError extends CrierError {
  declare readonly code: 'scope_required' | 'tier_required' | 'role_required' | 'access_denied'
  static override [Symbol.hasInstance](value: unknown): boolean {
    return hasCode(value, forbidden)
  }
}

/** There is no such thing, or no longer. */
export class NotFoundError extends CrierError {
  declare readonly code: 'not_found' | 'gone' | 'erased'
  static override [Symbol.hasInstance](value: unknown): boolean {
    return hasCode(value, ['not_found', 'gone', 'erased'])
  }
}

/** The state of a thing does not allow the call, or somebody has changed it meanwhile. */
export class ConflictError extends CrierError {
  declare readonly code: 'conflict' | 'cursor_expired'
  static override [Symbol.hasInstance](value: unknown): boolean {
    return hasCode(value, ['conflict', 'cursor_expired'])
  }
}

/** Too many calls: `retryAfter` says when the next one is possible. */
export class RateLimitError extends CrierError {
  declare readonly code: 'rate_limited'
  static override [Symbol.hasInstance](value: unknown): boolean {
    return hasCode(value, ['rate_limited'])
  }
}

/** The server failed. `requestId` finds the failure in its log. */
export class ServerError extends CrierError {
  declare readonly code: 'internal' | 'unavailable' | 'bad_response'
  static override [Symbol.hasInstance](value: unknown): boolean {
    return hasCode(value, ['internal', 'unavailable', 'bad_response'])
  }
}

/** No response came, so nobody knows whether the call ran. */
export class ConnectionError extends CrierError {
  declare readonly code: 'network' | 'timeout'
  static override [Symbol.hasInstance](value: unknown): boolean {
    return hasCode(value, ['network', 'timeout'])
  }
}

/** A delivery of a webhook that must not be trusted. */
export class WebhookError extends CrierError {
  declare readonly code:
    | 'signature_missing'
    | 'signature_malformed'
    | 'signature_mismatch'
    | 'delivery_stale'
    | 'event_malformed'
  static override [Symbol.hasInstance](value: unknown): boolean {
    return hasCode(value, webhook)
  }
}

/** Removes tokens that a server or proxy repeats in its message, so that they never reach our logs. */
export function withoutSecrets(text: string): string {
  return text
    .replace(/\brt_[\w.~+/-]+/g, 'rt_…')
    .replace(/\beyJ[\w-]+\.[\w-]+(\.[\w-]*)?/g, 'eyJ…')
    .replace(/\bBearer\s+\S+/gi, 'Bearer …')
}
