/** Ways in which the fake server can misbehave, and the responses of its parts. */

/** The faults of the server; each is off by default. */
export interface Faults {
  /** Discovery responds with this status. */
  discovery?: number
  /** Endpoints under an old prefix are gone, as after a move; discovery names the new one. */
  prefix?: string
  /** The token endpoint responds with 404 and this body, this many times. */
  tokenMissing?: { times: number; body: string }
  /** The token endpoint refuses every refresh. */
  refuseRefresh?: boolean
  /** The token endpoint hangs up. */
  dropToken?: boolean
  /** The token endpoint waits for this before it responds. */
  hold?: Promise<void>
  /** Refreshes return no new refresh token. */
  keepRefreshToken?: boolean
  /** Error messages repeat the token that was sent. */
  echoToken?: boolean
  /** The callback contains this instead of the correct value; null omits it. */
  state?: string | null
  issuer?: string | null
  /** The person declines. */
  deny?: boolean
  /** All bearer tokens are refused. */
  refuseBearer?: boolean
  /** The responses of tools, by their whole name. */
  answers?: Record<string, object>
  /** The tool endpoint responds with 429 this many times, with this header. */
  limited?: { times: number; retryAfter: string | undefined; status?: number }
  /** REST hangs up this many times after it has run the call. */
  cut?: number
}

/** A response of a part of the server; a string is HTML, an object JSON. */
export interface Reply {
  status: number
  body: object | string
  headers?: Record<string, string>
}
