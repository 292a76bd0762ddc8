/**
 * A person signed in to the app, at the gateway: the session's cookie takes the place of a token.
 * Browsers send the cookie whichever site causes the request. So a request that writes must have
 * one of our own pages as its Origin, and one that reads must not come from another site.
 */

import { fastifyCookie as cookies } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { personPrincipal } from '../accounts/sign-in/principal.ts'
import { readSession, sessionLifetime } from '../accounts/sign-in/session.ts'
import { type Refusal, refuse } from '../core/errors.ts'
import type { Database } from '../lib/db/types.ts'
import type { Clock } from '../lib/time/clock.ts'
import {
  type AuthenticateDeps,
  type Authenticator,
  type Caller,
  countRequest,
} from './operation-entry.ts'
import { type CookieConfig, sessionCookie } from './pages/shared/cookies.ts'

export interface SessionEntryDeps {
  db: Database
  clock: Clock
  config: CookieConfig & { gatewayUrl: string }
  rate: AuthenticateDeps['rate']
}

/**
 * Admits callers with a token as before, and otherwise those with the app's cookie. A request with
 * both counts as the token's, because its sender chose to include it.
 */
export function admitSessions(
  deps: SessionEntryDeps,
  admitToken: Authenticator['admit'],
): Authenticator['admit'] {
  const { db, clock, config, rate } = deps
  const cookie = sessionCookie(config)
  const pages = new Set([config.baseUrl, config.appUrl, config.gatewayUrl].map(originOf))

  const admitSession = async (
    token: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Caller> => {
    if (!comesFrom(pages, request)) throw foreign()
    const live = await readSession(db, token, clock.now())
    if (!live) throw refuse('unauthorized', 'This session has ended. Sign in to the app again.')
    const { session, renewed } = live
    countRequest(rate, { rateKey: session.id }, reply)
    if (renewed) {
      const options = { ...cookie.options, maxAge: sessionLifetime / 1000 }
      reply.header('set-cookie', cookies.serialize(cookie.name, token, options))
    }
    const { id: sessionId, signedInAt, provenAt, provenBy, provenWith, factorWaitsUntil } = session
    const principal = await personPrincipal(db, session.user.id, {
      signedInAt,
      ...(provenAt && { provenAt }),
      ...(provenBy && { provenBy }),
      ...(provenWith && { provenWith }),
      ...(factorWaitsUntil && { factorWaitsUntil }),
      sessionId,
      ...(request.isFromThisMachine && { isFromThisMachine: true }),
    })
    return { rateKey: session.id, principal, sessionId }
  }

  return async (request, reply) => {
    const { authorization, cookie: sent } = request.headers
    const token =
      authorization === undefined && sent !== undefined
        ? cookies.parse(sent)[cookie.name]
        : undefined
    return token === undefined ? admitToken(request, reply) : admitSession(token, request, reply)
  }
}

const originOf = (url: string) => new URL(url).origin
const reads = new Set(['GET', 'HEAD'])

/** Browsers send the Origin with every request except reads within a site. */
function comesFrom(pages: ReadonlySet<string>, { method, headers }: FastifyRequest): boolean {
  if (headers.origin !== undefined) return pages.has(headers.origin)
  const site = headers['sec-fetch-site'] ?? 'same-origin'
  return reads.has(method) && (site === 'same-origin' || site === 'none')
}

function foreign(): Refusal {
  const text =
    'A session of the app is taken from its own pages alone: this request names no Origin of ours. Programs send a bearer token.'
  return refuse('forbidden_origin', text)
}
