/** The page of a business's members: inviting, changing and removing them, and leaving. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Session } from '../../../accounts/sign-in/session.ts'
import { isRefusal, type Refusal } from '../../../core/errors.ts'
import { requireSession } from '../auth/login.ts'
import { accountBar } from '../shared/account-bar.ts'
import { sendErrorPage, stepAfter } from '../shared/error-page.ts'
import { type Form, readForm } from '../shared/form.ts'
import { sendPage } from '../shared/page.ts'
import type { PageParts } from '../shared/parts.ts'
import { type MembersShown, membersBody } from './members-view.ts'

const businesses = '/account/businesses'
const here = `${businesses}/:id/members`

type MembersRequest = FastifyRequest<{ Params: { id: string } }>

/** The operation of each form, by the last part of its address. */
const actions: Record<string, (form: Form) => [operation: string, input: Record<string, unknown>]> =
  {
    '': (form) => ['member.save', { email: form.text('email'), role: form.text('role') }],
    '/withdraw': (form) => ['invitation.withdraw', { invitation_id: form.text('id') }],
    '/remove': (form) => ['member.remove', { user_id: form.text('id') }],
    '/leave': () => ['member.leave', {}],
  }

export function registerMembers(scope: FastifyInstance, parts: PageParts): void {
  const show = async (
    request: MembersRequest,
    reply: FastifyReply,
    session: Session,
    fault?: MembersShown['fault'],
  ) => {
    const input = { business_id: request.params.id }
    const asked = askedBy(request, session)
    const business = await parts.ask<MembersShown['business']>('business.get', input, asked)
    if (isRefusal(business)) return sendErrorPage(reply, request, business)
    const whole = { ...input, limit: 100 }
    const members = await parts.ask<Pick<MembersShown, 'members'>>('member.list', whole, asked)
    if (isRefusal(members)) return sendErrorPage(reply, request, members)
    const invitations =
      business.role === 'owner'
        ? await parts.ask<{ invitations: MembersShown['invitations'] }>(
            'invitation.list',
            input,
            asked,
          )
        : { invitations: undefined }
    if (isRefusal(invitations)) return sendErrorPage(reply, request, invitations)
    const formKey = parts.cookies.formKey(request, reply)
    return sendPage(reply, {
      title: 'Members',
      wide: true,
      status: fault ? 400 : 200,
      nav: accountBar(parts, request, reply, session, businesses),
      body: membersBody({ business, ...members, ...invitations, formKey, fault }),
    })
  }

  scope.get<{ Params: { id: string } }>(here, async (request, reply) => {
    const session = await requireSession(parts, request, reply, ownPath(request))
    return session ? show(request, reply, session) : reply
  })

  for (const [end, action] of Object.entries(actions)) {
    scope.post<{ Params: { id: string } }>(`${here}${end}`, async (request, reply) => {
      const foreign = parts.guard(request)
      if (foreign) return sendErrorPage(reply, request, foreign)
      const session = await requireSession(parts, request, reply, ownPath(request))
      if (!session) return reply
      const form = readForm(request)
      const [operation, fields] = action(form)
      const input = { business_id: request.params.id, ...fields }
      const asked = askedBy(request, session)
      const done: unknown = await parts.ask(operation, input, asked)
      if (!isRefusal(done)) {
        const to = end === '/leave' ? businesses : ownPath(request)
        return reply.redirect(to, 303)
      }
      return isAboutAddress(end, done)
        ? show(request, reply, session, { message: done.message, email: form.text('email') })
        : sendErrorPage(reply, request, done, stepAfter(done, ownPath(request)))
    })
  }
}

const askedBy = ({ id }: MembersRequest, { user, signedInAt }: Session) => ({
  userId: user.id,
  requestId: id,
  signedInAt,
})

function ownPath({ params }: MembersRequest): string {
  return here.replace(':id', params.id)
}

function isAboutAddress(end: string, { code, details }: Refusal): boolean {
  const told = code === 'tier_required' || code === 'rate_limited' || details.field === 'email'
  return end === '' && told
}
