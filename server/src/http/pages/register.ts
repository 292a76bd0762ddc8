/** Registers all pages in a scope of their own, which has cookies, forms and HTML errors. */

import cookie from '@fastify/cookie'
import type { FastifyError, FastifyInstance } from 'fastify'
import { statusOf } from '../../core/errors.ts'
import { takeForms } from '../body.ts'
import { asRefusal } from '../server.ts'
import { registerClosed } from './account/closed.ts'
import { registerHome } from './account/home.ts'
import { registerInvitations } from './account/invitations.ts'
import { registerMoved } from './account/moved.ts'
import { registerPress } from './account/press.ts'
import { registerStop } from './account/stop.ts'
import { registerWebApp } from './app/routes.ts'
import { registerAddress } from './auth/address.ts'
import { registerAuthorize } from './auth/authorize.ts'
import { registerCompany } from './auth/company.ts'
import { registerConfirm } from './auth/confirm.ts'
import { registerLogin } from './auth/login.ts'
import { registerPasskeys } from './auth/passkey.ts'
import { registerSetup } from './auth/setup.ts'
import { registerSignInLink } from './auth/sign-in-link.ts'
import { registerCampaigns } from './campaigns/routes.ts'
import { registerInbox } from './inbox/inbox.ts'
import { registerPhones } from './inbox/phones.ts'
import type { PagesDeps } from './shared/deps.ts'
import { sendErrorPage } from './shared/error-page.ts'
import { pageParts } from './shared/parts.ts'
import { registerStylesheet } from './shared/stylesheet.ts'

/** The body limit in bytes: an authorization request with the longest values has about 10,000. */
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
    registerPasskeys(scope, parts)
    registerCompany(scope, parts)
    registerConfirm(scope, parts)
    registerAddress(scope, parts)
    registerInvitations(scope, parts)
    registerClosed(scope, parts)
    registerMoved(scope)
    registerPress(scope, parts)
    registerStop(scope, parts)
    registerSetup(scope, parts)
    registerWebApp(scope, parts)
    registerCampaigns(scope, parts)
    // Each has its own scope because of its hooks.
    scope.register(async (inbox) => registerInbox(inbox, parts))
    scope.register(async (phones) => registerPhones(phones, parts))
  })
}
