/** How the fake server can be told to misbehave, and how its parts answer. */

/** What the server does wrong; each is off by default. */
export interface Faults {
  /** Discovery answers with this status. */
  discovery?: number
  /** Endpoints under an old prefix are gone, as after a move; discovery names the new one. */
  prefix?: string
  /** The token endpoint answers 404 with this body, this many times. */
  tokenMissing?: { times: number; body: string }
  /** The token endpoint refuses every refresh. */
  refuseRefresh?: boolean
  /** The token endpoint hangs up. */
  dropToken?: boolean
  /** The token endpoint waits for this before it answers. */
  hold?: Promise<void>
  /** Refreshes are answered without a new refresh token. */
  keepRefreshToken?: boolean
  /** Error messages repeat the token that was sent. */
  echoToken?: boolean
  /** The callback carries this instead of the right value; null leaves it out. */
  state?: string | null
  issuer?: string | null
  /** The person says no. */
  deny?: boolean
  /** Bearer tokens are refused, whatever they are. */
  refuseBearer?: boolean
  /** What tools answer, by their whole name. */
  answers?: Record<string, object>
  /** The tool endpoint answers 429 this many times, with this header. */
  limited?: { times: number; retryAfter: string | undefined }
}

/** An answer of a part of the server; a string is HTML, an object JSON. */
export interface Reply {
  status: number
  body: object | string
  headers?: Record<string, string>
}
