/**
 * The two cookies. `session` is a sign-in. `browser` identifies a browser that was shown a
 * form: forms contain a value derived from it, and magic links are bound to it. On https
 * both have the `__Host-` prefix, so that no related host can set them.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readSession, type Session, sessionLifetime } from '../../../accounts/sign-in/session.ts'
import { randomToken, sameBytes, type Vault } from '../../../lib/crypto/vault.ts'
import { days } from '../../../lib/time/clock.ts'
import type { PagesDeps } from './deps.ts'

const browserLifetime = days(1)
const tokenPattern = /^[A-Za-z0-9_-]{43}$/

export interface Cookies {
  /** The value of the browser's cookie, if it sent one. */
  browser(request: FastifyRequest): string | undefined
  /** Sets the browser's cookie and returns the value that proves that a form came from its page. */
  formKey(request: FastifyRequest, reply: FastifyReply): string
  /** Whether a form's value belongs to the browser that sends it. */
  ownsKey(request: FastifyRequest, key: string): boolean
  session(request: FastifyRequest, reply: FastifyReply): Promise<Session | undefined>
  signIn(reply: FastifyReply, token: string): void
  signOut(reply: FastifyReply): void
}

export type CookieConfig = Pick<PagesDeps['config'], 'baseUrl' | 'appUrl'>

/** The name and attributes of the session cookie; the gateway accepts it too. */
export function sessionCookie({ baseUrl, appUrl }: CookieConfig) {
  const secure = [baseUrl, appUrl].every((url) => url.startsWith('https:'))
  const prefix = secure ? '__Host-' : ''
  // Lax rather than strict, because a link in a mail program must send the cookie along.
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const
  return { prefix, name: `${prefix}crier-session`, options }
}

export function createCookies(deps: Pick<PagesDeps, 'db' | 'clock' | 'vault' | 'config'>): Cookies {
  const { prefix, name, options: common } = sessionCookie(deps.config)
  const names = { browser: `${prefix}crier-browser`, session: name }

  const put = (reply: FastifyReply, name: string, value: string, lifetime: number) =>
    reply.setCookie(name, value, { ...common, maxAge: lifetime / 1000 })
  const tokenIn = (request: FastifyRequest, name: string) => {
    const value = request.cookies[name]
    return value !== undefined && tokenPattern.test(value) ? value : undefined
  }

  // A page with two forms calls this twice. A browser without the cookie still gets only one.
  const newTokens = new WeakMap<FastifyRequest, string>()

  return {
    browser: (request) => tokenIn(request, names.browser),
    formKey(request, reply) {
      const browser = tokenIn(request, names.browser) ?? newTokens.get(request) ?? randomToken()
      newTokens.set(request, browser)
      put(reply, names.browser, browser, browserLifetime)
      return keyOf(deps.vault, browser).toString('base64url')
    },
    ownsKey(request, key) {
      const browser = tokenIn(request, names.browser)
      return (
        browser !== undefined &&
        sameBytes(keyOf(deps.vault, browser), Buffer.from(key, 'base64url'))
      )
    },
    async session(request, reply) {
      const token = tokenIn(request, names.session)
      if (token === undefined) return undefined
      const live = await readSession(deps.db, token, deps.clock.now())
      if (live?.renewed) put(reply, names.session, token, sessionLifetime)
      return live?.session
    },
    signIn: (reply, token) => void put(reply, names.session, token, sessionLifetime),
    signOut: (reply) => void reply.clearCookie(names.session, common),
  }
}

function keyOf(vault: Vault, browser: string): Buffer {
  return vault.hmac('form', browser)
}
