/** The businesses of a person, and the settings of each. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Session } from '../../../accounts/sign-in/session.ts'
import { isRefusal } from '../../../core/errors.ts'
import { requireSession } from '../auth/login.ts'
import { accountBar } from '../shared/account-bar.ts'
import { sendErrorPage, stepAfter } from '../shared/error-page.ts'
import { type Form, readForm } from '../shared/form.ts'
import { sendPage } from '../shared/page.ts'
import type { PageParts } from '../shared/parts.ts'
import { type BusinessListed, businessesBody } from './businesses-view.ts'
import {
  type Outcome,
  type SettingsShown,
  settingsBody,
  type Typed,
  typedOf,
} from './settings-view.ts'

const here = '/account/businesses'

export function registerBusinesses(scope: FastifyInstance, parts: PageParts): void {
  scope.get(here, async (request, reply) => {
    const session = await requireSession(parts, request, reply, here)
    if (!session) return reply
    const asked = { userId: session.user.id, requestId: request.id }
    const found = await parts.ask<{ businesses: BusinessListed[] }>('business.list', {}, asked)
    if (isRefusal(found)) return sendErrorPage(reply, request, found)
    return sendPage(reply, {
      title: 'Businesses',
      wide: true,
      nav: accountBar(parts, request, reply, session, here),
      body: businessesBody(found.businesses),
    })
  })

  scope.get<{ Params: { id: string } }>(`${here}/:id`, async (request, reply) => {
    const { id } = request.params
    const session = await requireSession(parts, request, reply, `${here}/${id}`)
    return session ? show(request, reply, session, id) : reply
  })

  scope.post<{ Params: { id: string } }>(`${here}/:id`, async (request, reply) => {
    const foreign = parts.guard(request)
    if (foreign) return sendErrorPage(reply, request, foreign)
    const { id } = request.params
    const session = await requireSession(parts, request, reply, `${here}/${id}`)
    if (!session) return reply
    const typed = typedIn(readForm(request))
    const { user, signedInAt } = session
    const asked = { userId: user.id, requestId: request.id, signedInAt }
    const input = { business_id: id, ...changesIn(typed) }
    const saved = await parts.ask<{ warnings: string[] }>('business.save', input, asked)
    if (!isRefusal(saved)) {
      return show(request, reply, session, id, { saved: true, warnings: saved.warnings })
    }
    const { field } = saved.details
    const isTheirs = saved.code === 'invalid_request' && field !== 'business_id'
    if (!isTheirs) {
      return sendErrorPage(reply, request, saved, stepAfter(saved, `${here}/${id}`))
    }
    const fault = { field, message: saved.message, typed }
    return show(request, reply, session, id, { saved: false, warnings: [], fault })
  })

  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    session: Session,
    id: string,
    outcome?: Outcome,
  ) => {
    const asked = { userId: session.user.id, requestId: request.id }
    const found = await parts.ask<SettingsShown>('business.get', { business_id: id }, asked)
    if (isRefusal(found)) return sendErrorPage(reply, request, found)
    return sendPage(reply, {
      title: 'Settings',
      status: outcome?.fault ? 400 : 200,
      nav: accountBar(parts, request, reply, session, here),
      body: settingsBody(found, { formKey: parts.cookies.formKey(request, reply), outcome }),
    })
  }
}

const fields = Object.keys(
  typedOf({
    business_id: '',
    name: '',
    role: '',
    postal_address: null,
    sender: null,
    reply_to: null,
    sms_sender: null,
    sms_help: null,
    time_zone: '',
    language: '',
    track_opens: false,
    track_clicks: false,
    deploy_limit: null,
    two_people: false,
    colour: null,
    missing: [],
  }),
)

function typedIn(form: Form): Typed {
  return Object.fromEntries(fields.map((name) => [name, form.text(name)]))
}

/** An empty value means no value. The operation refuses a value that is not a number. */
function changesIn(typed: Typed): Record<string, unknown> {
  const text = (name: string) => typed[name]?.trim() ?? ''
  const orNull = (name: string) => text(name) || null
  const email = text('sender_email')
  const name = text('sender_name')
  const limit = text('deploy_limit')
  const number = /^\d{1,12}$/.test(limit) ? Number(limit) : limit
  return {
    name: text('name'),
    postal_address: orNull('postal_address'),
    sender: email === '' && name === '' ? null : { ...(name && { name }), email },
    reply_to: orNull('reply_to'),
    sms_sender: orNull('sms_sender'),
    sms_help: orNull('sms_help'),
    time_zone: text('time_zone'),
    language: text('language'),
    track_opens: text('track_opens') === 'yes',
    track_clicks: text('track_clicks') === 'yes',
    deploy_limit: text('approval') === 'never' ? null : number,
    two_people: text('two_people') === 'yes',
    colour: orNull('colour'),
  }
}
