/** The page of a business's API keys: it creates them after a recent sign-in, and revokes them. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Session } from '../../../accounts/sign-in/session.ts'
import { isRefusal, type Refusal } from '../../../core/errors.ts'
import { isFresh } from '../../../core/fresh-sign-in.ts'
import { requireSession } from '../auth/login.ts'
import { accountBar } from '../shared/account-bar.ts'
import { sendErrorPage } from '../shared/error-page.ts'
import { type Form, readForm } from '../shared/form.ts'
import { sendPage } from '../shared/page.ts'
import type { PageParts } from '../shared/parts.ts'
import { type KeysShown, type KeyTyped, keysBody, keysPath } from './keys-view.ts'

type OfOne = FastifyRequest<{ Params: { id: string } }>
type Outcome = Partial<Pick<KeysShown, 'made' | 'fault'>>

const path = '/account/businesses/:id/keys'

export function registerKeys(scope: FastifyInstance, parts: PageParts): void {
  const askAs = <T>(
    request: OfOne,
    { user, signedInAt }: Session,
    operation: string,
    input: object = {},
  ) =>
    parts.ask<T>(
      operation,
      { business_id: request.params.id, ...input },
      { userId: user.id, requestId: request.id, signedInAt },
    )

  const show = async (
    request: OfOne,
    reply: FastifyReply,
    session: Session,
    { made, fault }: Outcome = {},
  ) => {
    const business = await askAs<KeysShown['business']>(request, session, 'business.get')
    if (isRefusal(business)) return sendErrorPage(reply, request, business)
    const list = await askAs<Pick<KeysShown, 'keys'>>(request, session, 'key.list')
    if (isRefusal(list)) return sendErrorPage(reply, request, list)
    const now = parts.clock.now()
    return sendPage(reply, {
      title: 'API keys',
      wide: true,
      status: fault ? 400 : 200,
      nav: accountBar(parts, request, reply, session, '/account/businesses'),
      body: keysBody({
        business,
        ...list,
        isFresh: isFresh(session.signedInAt, now),
        now,
        formKey: parts.cookies.formKey(request, reply),
        made,
        fault,
      }),
    })
  }

  scope.get<{ Params: { id: string } }>(path, async (request, reply) => {
    const session = await requireSession(parts, request, reply, keysPath(request.params.id))
    return session ? show(request, reply, session) : reply
  })

  scope.post<{ Params: { id: string } }>(path, async (request, reply) => {
    const foreign = parts.guard(request)
    if (foreign) return sendErrorPage(reply, request, foreign)
    const own = keysPath(request.params.id)
    const session = await requireSession(parts, request, reply, own)
    if (!session) return reply
    // The page requires a new sign-in, and holds the typed values until then.
    if (!isFresh(session.signedInAt, parts.clock.now())) return reply.redirect(own, 303)
    const typed = typedIn(readForm(request))
    const made = await askAs<KeysShown['made']>(request, session, 'key.create', inputOf(typed))
    if (!isRefusal(made)) return show(request, reply, session, { made })
    return isOfForm(made)
      ? show(request, reply, session, { fault: faultOf(made, typed) })
      : sendErrorPage(reply, request, made)
  })

  scope.post<{ Params: { id: string } }>(`${path}/revoke`, async (request, reply) => {
    const foreign = parts.guard(request)
    if (foreign) return sendErrorPage(reply, request, foreign)
    const own = keysPath(request.params.id)
    const session = await requireSession(parts, request, reply, own)
    if (!session) return reply
    const key_id = readForm(request).text('key_id')
    const revoked = await askAs<object>(request, session, 'key.revoke', { key_id })
    return isRefusal(revoked) ? sendErrorPage(reply, request, revoked) : reply.redirect(own, 303)
  })
}

function typedIn(form: Form): KeyTyped {
  return {
    name: form.text('name').trim(),
    scopes: form.all('scopes'),
    role: form.text('role'),
    expires_on: form.text('expires_on').trim(),
    allowed_networks: form.text('allowed_networks').trim(),
    recipients_per_day: form.text('recipients_per_day').trim(),
  }
}

function inputOf(typed: KeyTyped): Record<string, unknown> {
  const { name, scopes, role, expires_on, allowed_networks, recipients_per_day } = typed
  return {
    name,
    scopes: ['meta:read', ...scopes],
    role,
    ...(expires_on !== '' && { expires_at: `${expires_on}T23:59:59Z` }),
    allowed_networks: allowed_networks.split(/[\s,]+/).filter((part) => part !== ''),
    // The operation refuses a value that is not a number, naming its field.
    recipients_per_day: recipients_per_day === '' ? null : Number(recipients_per_day),
  }
}

const isOfForm = ({ code }: Refusal) => code === 'invalid_request' || code === 'conflict'

function faultOf({ message, details }: Refusal, typed: KeyTyped): KeysShown['fault'] {
  return { message, field: details.field, typed }
}
