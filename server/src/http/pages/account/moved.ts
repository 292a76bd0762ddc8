/** Former addresses of pages that are now part of the web app. Old mails and bookmarks have them. */
import type { FastifyInstance } from 'fastify'
import { refuse } from '../../../core/errors.ts'
import { formatId, parseId } from '../../../core/ids.ts'
import { sendErrorPage } from '../shared/error-page.ts'

/** The page of the app in place of each, which asks visitors without a session to sign in. */
const ofPerson = {
  '/account/connections': '/b/connections',
  '/account/sessions': '/b/sessions',
  '/account/businesses': '/b/businesses',
}

/** The last part of each address below a business, and that of the page of the app. */
const ofBusiness = {
  '': 'settings',
  '/members': 'members',
  '/keys': 'keys',
  '/suppressions': 'suppressions',
}

export function registerMoved(scope: FastifyInstance): void {
  for (const [from, to] of Object.entries(ofPerson)) {
    scope.get(from, (_request, reply) => reply.redirect(to, 301))
  }
  for (const [end, page] of Object.entries(ofBusiness)) {
    const from = `/account/businesses/:id${end}`
    scope.get<{ Params: { id: string } }>(from, (request, reply) => {
      const id = parseId('business', request.params.id)
      if (id) return reply.redirect(`/b/${formatId('business', id)}/${page}`, 301)
      return sendErrorPage(reply, request, refuse('not_found', 'There is no such business.'))
    })
  }
}
