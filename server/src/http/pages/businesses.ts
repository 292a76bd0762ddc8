/** The businesses of a person, and what their owners let apps do by themselves. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Session } from '../../people/session.ts'
import { isRefusal } from '../../platform/errors.ts'
import { accountBar } from './account-bar.ts'
import { type BusinessShown, businessesBody, type Outcome } from './businesses-view.ts'
import { sendErrorPage } from './error-page.ts'
import { type Form, readForm } from './form.ts'
import { requireSession } from './login.ts'
import { sendPage } from './page.ts'
import type { PageParts } from './parts.ts'

const here = '/account/businesses'

export function registerBusinesses(scope: FastifyInstance, parts: PageParts): void {
  scope.get(here, async (request, reply) => {
    const session = await requireSession(parts, request, reply, here)
    return session ? show(request, reply, session) : reply
  })

  scope.post<{ Params: { id: string } }>(`${here}/:id`, async (request, reply) => {
    const foreign = parts.guard(request)
    if (foreign) return sendErrorPage(reply, request, foreign)
    const session = await requireSession(parts, request, reply, here)
    if (!session) return reply
    const input = { business_id: request.params.id, deploy_limit: limitIn(readForm(request)) }
    const asked = { userId: session.user.id, requestId: request.id }
    const saved = await parts.ask('business.save', input, asked)
    if (isRefusal(saved) && saved.details.field !== 'deploy_limit') {
      return sendErrorPage(reply, request, saved)
    }
    const wrong = isRefusal(saved) ? `${input.deploy_limit}` : undefined
    return show(request, reply, session, { businessId: request.params.id, wrong })
  })

  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    session: Session,
    outcome?: Outcome,
  ) => {
    const asked = { userId: session.user.id, requestId: request.id }
    const found = await parts.ask<{ businesses: BusinessShown[] }>('business.settings', {}, asked)
    if (isRefusal(found)) return sendErrorPage(reply, request, found)
    return sendPage(reply, {
      title: 'Businesses',
      wide: true,
      status: outcome?.wrong === undefined ? 200 : 400,
      nav: accountBar(parts, request, reply, session, here),
      body: businessesBody({
        ...found,
        formKey: parts.cookies.formKey(request, reply),
        outcome,
      }),
    })
  }
}

/** Null for any number; what is no number is left as it is, for the operation to refuse. */
function limitIn(form: Form): number | string | null {
  if (form.text('approval') === 'never') return null
  const typed = form.text('deploy_limit').trim()
  return /^\d{1,12}$/.test(typed) ? Number(typed) : typed
}
