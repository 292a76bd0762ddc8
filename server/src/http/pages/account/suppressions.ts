/** The page of a business's suppressions, where its owners can lift one. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Session } from '../../../accounts/sign-in/session.ts'
import { isRefusal } from '../../../core/errors.ts'
import { requireSession } from '../auth/login.ts'
import { accountBar } from '../shared/account-bar.ts'
import { sendErrorPage } from '../shared/error-page.ts'
import { readForm } from '../shared/form.ts'
import { sendPage } from '../shared/page.ts'
import type { PageParts } from '../shared/parts.ts'
import {
  type SuppressionShown,
  type SuppressionsShown,
  suppressionsBody,
} from './suppressions-view.ts'

interface ById {
  Params: { id: string }
  Querystring: { email?: string; cursor?: string }
}
type OfOne = FastifyRequest<ById>
type FormResult = SuppressionsShown['said']

const path = '/account/businesses/:id/suppressions'

export function registerSuppressions(scope: FastifyInstance, parts: PageParts): void {
  scope.get<ById>(path, async (request, reply) => {
    const session = await requireSession(parts, request, reply, ownPath(request))
    return session ? show(request, reply, session) : reply
  })

  scope.post<ById>(path, async (request, reply) => {
    const foreign = parts.guard(request)
    if (foreign) return sendErrorPage(reply, request, foreign)
    const session = await requireSession(parts, request, reply, ownPath(request))
    if (!session) return reply
    const form = readForm(request)
    const input = {
      business_id: request.params.id,
      suppression_id: form.text('suppression_id'),
      reason: form.text('reason').trim(),
    }
    const asked = { userId: session.user.id, requestId: request.id }
    const done = await parts.ask<{ lifted: boolean; stays?: string }>(
      'suppression.lift',
      input,
      asked,
    )
    if (!isRefusal(done)) return show(request, reply, session, sayLifted(done))
    const isFault = done.code === 'conflict' || done.details.field === 'reason'
    if (!isFault) return sendErrorPage(reply, request, done)
    return show(request, reply, session, { text: done.message, isFault })
  })

  const show = async (request: OfOne, reply: FastifyReply, session: Session, said?: FormResult) => {
    const asked = { userId: session.user.id, requestId: request.id }
    const business_id = request.params.id
    const business = await parts.ask<SuppressionsShown['business']>(
      'business.get',
      { business_id },
      asked,
    )
    if (isRefusal(business)) return sendErrorPage(reply, request, business)
    const sought = textOf(request.query.email)
    const cursor = textOf(request.query.cursor)
    const input = {
      business_id,
      ...(sought !== '' && { email: sought }),
      ...(cursor !== '' && { cursor }),
    }
    const found = await parts.ask<{ suppressions: SuppressionShown[]; next_cursor?: string }>(
      'suppression.list',
      input,
      asked,
    )
    if (isRefusal(found) && found.details.field !== 'email') {
      return sendErrorPage(reply, request, found)
    }
    const fault = isRefusal(found) ? { text: found.message, isFault: true } : said
    return sendPage(reply, {
      title: 'Suppressed addresses',
      wide: true,
      status: fault?.isFault ? 400 : 200,
      nav: accountBar(parts, request, reply, session, ''),
      body: suppressionsBody({
        business,
        suppressions: isRefusal(found) ? [] : found.suppressions,
        next: isRefusal(found) ? undefined : found.next_cursor,
        sought,
        formKey: parts.cookies.formKey(request, reply),
        said: fault,
      }),
    })
  }
}

function ownPath({ params }: OfOne): string {
  return path.replace(':id', params.id)
}

function sayLifted({ lifted, stays }: { lifted: boolean; stays?: string }): FormResult {
  if (!lifted) return { text: 'This address was not on the list any more.', isFault: false }
  const text = stays
    ? 'Lifted for receipts. A spam report still keeps marketing from this address.'
    : 'Lifted: messages may go to this address again.'
  return { text, isFault: false }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : ''
}
