/** All pages, in a scope of their own: cookies, forms and HTML errors end at its edge. */

import cookie from '@fastify/cookie'
import type { FastifyError, FastifyInstance } from 'fastify'
import { statusOf } from '../../platform/errors.ts'
import { takeForms } from '../form-body.ts'
import { asRefusal } from '../server.ts'
import { registerApproval } from './approval.ts'
import { registerAuthorize } from './authorize.ts'
import { registerBusinesses } from './businesses.ts'
import { registerConnections } from './connections.ts'
import type { PagesDeps } from './deps.ts'
import { sendErrorPage } from './error-page.ts'
import { registerHome } from './home.ts'
import { registerInbox } from './inbox.ts'
import { registerInvitations } from './invitations.ts'
import { registerLogin } from './login.ts'
import { registerMembers } from './members.ts'
import { pageParts } from './parts.ts'
import { registerPhones } from './phones.ts'
import { registerSessions } from './sessions.ts'
import { registerSetup } from './setup.ts'
import { registerSignInLink } from './sign-in-link.ts'
import { registerStylesheet } from './stylesheet.ts'
import { registerSuppressions } from './suppressions.ts'

/** Bytes: an authorization request with the longest state and redirect URI has about 10,000. */
const formLimit = 32_768

export function registerPages(app: FastifyInstance, deps: PagesDeps): void {
  const parts = pageParts(deps)
  app.register(async (scope) => {
    await scope.register(cookie)
    takeForms(scope, formLimit)
    scope.setErrorHandler((error: FastifyError, request, reply) => {
      const refusal = asRefusal(error, request)
      if (statusOf[refusal.code] >= 500) {
        deps.log.error({ err: error, request_id: request.id }, 'http.error')
      }
      return sendErrorPage(reply, request, refusal)
    })
    registerStylesheet(scope)
    registerHome(scope, parts)
    registerAuthorize(scope, parts)
    registerSignInLink(scope, parts)
    registerLogin(scope, parts)
    registerConnections(scope, parts)
    registerSuppressions(scope, parts)
    registerSessions(scope, parts)
    registerBusinesses(scope, parts)
    registerMembers(scope, parts)
    registerInvitations(scope, parts)
    registerSetup(scope, parts)
    registerApproval(scope, parts)
    // Scopes of their own for their hooks.
    scope.register(async (inbox) => registerInbox(inbox, parts))
    scope.register(async (phones) => registerPhones(phones, parts))
  })
}
