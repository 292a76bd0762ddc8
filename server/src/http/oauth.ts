/** The token, registration and revocation endpoints. The authorize page is among the pages. */
import type { FastifyError, FastifyInstance } from 'fastify'
import { orThrow, refuse, statusOf } from '../core/errors.ts'
import type { Log } from '../lib/process/log.ts'
import type { Clock } from '../lib/time/clock.ts'
import { registerClient } from '../oauth/clients/register.ts'
import type { LimitRegistrations } from '../oauth/clients/registration-limit.ts'
import { oauthPath } from '../oauth/model/addresses.ts'
import type { TokenAnswer } from '../oauth/model/grant.ts'
import { type Parameters, readParameters } from '../oauth/model/parameters.ts'
import type { OAuth } from '../oauth/server.ts'
import { exchangeCode } from '../oauth/token/exchange.ts'
import { refreshGrant } from '../oauth/token/refresh.ts'
import { revokeToken } from '../oauth/token/revoke.ts'
import { formOf, takeForms, takeJsonFields } from './body.ts'
import { oauthErrorBody } from './error-body.ts'
import { openToAnyOrigin } from './origins.ts'
import { asRefusal } from './server.ts'

export interface OAuthRouteDeps {
  oauth: OAuth
  clock: Clock
  log: Log
  /** Counts a registration from an address; refuses where there were too many. */
  limitRegistrations: LimitRegistrations
}

const tokenPath = oauthPath
const registerPath = `${oauthPath}/register`
const revokePath = `${oauthPath}/revoke`

/**
 * The body limit in bytes: a code exchange has about 500, a registration of 20 long URIs 40,000.
 */
const formLimit = 16_384
const registrationLimit = 65_536

export function registerOAuthRoutes(app: FastifyInstance, deps: OAuthRouteDeps): void {
  app.register(async (scope) => {
    common(scope, deps.log)
    takeForms(scope, formLimit)
    openToAnyOrigin(scope, [tokenPath, revokePath], 'GET, POST')
    scope.post(tokenPath, async (request, reply) => {
      const parameters = readParameters(formOf(request.body))
      return reply.send(await grant(deps, parameters))
    })
    scope.post(revokePath, async (request, reply) => {
      const parameters = readParameters(formOf(request.body))
      orThrow(await revokeToken(deps.oauth, parameters, deps.clock.now()))
      // RFC 7009 section 2.2: the response is a 200, and its body has no meaning.
      return reply.send({})
    })
  })
  app.register(async (scope) => {
    common(scope, deps.log)
    takeJsonFields(scope)
    openToAnyOrigin(scope, [registerPath], 'POST')
    scope.post(registerPath, { bodyLimit: registrationLimit }, async (request, reply) => {
      const now = deps.clock.now()
      orThrow(await deps.limitRegistrations(request.callerAddress, now))
      const registration = await registerClient(deps.oauth, request.body, now)
      return reply.code(201).send(registration)
    })
  })
}

async function grant(deps: OAuthRouteDeps, parameters: Parameters): Promise<TokenAnswer> {
  const now = deps.clock.now()
  const type = parameters.values['grant_type']
  switch (type) {
    case 'authorization_code':
      return exchangeCode(deps.oauth, parameters, now)
    case 'refresh_token':
      return refreshGrant(deps.oauth, parameters, now)
    case undefined: {
      const fault = parameters.faults['grant_type'] ?? 'is missing'
      throw refuse('invalid_request', `grant_type ${fault}.`)
    }
    default: {
      const text = 'grant_type can only be authorization_code or refresh_token.'
      throw refuse('unsupported_grant_type', text, { field: 'grant_type' })
    }
  }
}

/** None of these responses may be cached (RFC 6749 section 5.1). Errors have OAuth's own form. */
function common(scope: FastifyInstance, log: Log): void {
  scope.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', 'no-store')
    reply.header('pragma', 'no-cache')
    done()
  })
  scope.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = asRefusal(error, request)
    if (statusOf[refusal.code] >= 500)
      log.error({ err: error, request_id: request.id }, 'oauth.error')
    const { retryAfter } = refusal.details
    if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
    return reply.code(statusOf[refusal.code]).send(oauthErrorBody(refusal, request.id))
  })
}
