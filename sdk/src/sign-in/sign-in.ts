/** Signs a person in on this machine: register, open the browser, receive the callback, exchange the code. */

import { CrierError } from '../errors/error.ts'
import { type Connection, withTokens } from '../tokens/connection.ts'
import { listenOnLoopback } from './loopback.ts'
import type { OAuth } from './oauth.ts'

export interface SignInOptions {
  /** Shows the URL to the person, or opens a browser there. */
  open(url: string): void | Promise<void>
  /** Scopes to request, or all of the server; the person may omit some. Default: `meta:read`. */
  scopes?: readonly string[] | 'all'
  /** The name that is shown to the person, marked as not verified. Default "Crier SDK". */
  clientName?: string
  /** A client registered before; without one, this sign-in registers its own. */
  clientId?: string
  /** The port of the callback. Default: any free port. */
  port?: number
  /** The person's time limit in milliseconds. Default ten minutes, as for the link in the mail. */
  deadline?: number
  signal?: AbortSignal
}

const tenMinutes = 600_000

/** Returns the new connection. State and verifier exist only during this call. */
export async function signInOverLoopback(
  oauth: OAuth,
  now: () => number,
  options: SignInOptions,
): Promise<Connection> {
  const { clientName = 'Crier SDK', deadline = tenMinutes, signal } = options
  const tooLate = AbortSignal.timeout(deadline)
  const stop = signal ? AbortSignal.any([signal, tooLate]) : tooLate
  const loopback = await listenOnLoopback(options.port)
  try {
    const { redirectUri } = loopback
    const clientId =
      options.clientId ?? (await oauth.register({ clientName, redirectUris: [redirectUri] }, stop))
    const { scopes: known } = await oauth.server()
    const scopes = options.scopes === 'all' ? known : (options.scopes ?? [])
    const attempt = await oauth.begin({ clientId, redirectUri, scopes })
    await options.open(attempt.url)
    const callback = await loopback.callback(stop)
    try {
      const tokens = await oauth.finish(attempt, callback.query, stop)
      callback.answer()
      // RFC 6749 section 5.1: no scope in the response means that all were granted.
      const asked = { server: await oauth.server(), clientId, scopes: [...scopes] }
      return withTokens(asked, tokens, now())
    } catch (error) {
      callback.answer(error)
      throw error
    }
  } catch (error) {
    if (tooLate.aborted && !(error instanceof CrierError)) throw nobodyCame(deadline)
    throw error
  } finally {
    await loopback.close()
  }
}

function nobodyCame(deadline: number): CrierError {
  return new CrierError({
    code: 'timeout',
    message: `Nobody finished the sign-in within ${Math.round(deadline / 1000)} seconds. Start again.`,
  })
}
