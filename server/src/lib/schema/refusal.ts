/**
 * An expected "no". It is thrown where it is found, except by work on a set, which returns one for
 * each item (docs/architecture.md, "Refusals"). The service defines its own codes
 * (`core/errors.ts`); these are the codes that this folder uses itself.
 */
export type OwnCode = 'invalid_request' | 'too_large' | 'rate_limited'

/** The call that resolves a refusal: the next tool with ready arguments, or a URL to open. */
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

/** The message is for the caller, so it never contains anything that the caller may not see. */
export class Refusal<Code extends string = OwnCode> extends Error {
  readonly code: Code
  readonly details: RefusalDetails

  constructor(code: Code, message: string, details: RefusalDetails = {}) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.details = details
  }
}

export function refuse<Code extends string = OwnCode>(
  code: Code,
  message: string,
  details: RefusalDetails = {},
): Refusal<Code> {
  // A refusal is an answer, not a fault. Its stack would only cost time.
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  const refusal = new Refusal(code, message, details)
  Error.stackTraceLimit = limit
  return refusal
}

export function isRefusal(value: unknown): value is Refusal {
  return value instanceof Refusal
}
