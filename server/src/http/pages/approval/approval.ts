/** Where a signed-in member approves a campaign above the limit, or refuses it. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Session } from '../../../accounts/sign-in/session.ts'
import { isRefusal, type Refusal, statusOf } from '../../../core/errors.ts'
import { requireSession } from '../auth/login.ts'
import { accountBar } from '../shared/account-bar.ts'
import { sendErrorPage } from '../shared/error-page.ts'
import { readForm } from '../shared/form.ts'
import { sendPage } from '../shared/page.ts'
import type { PageParts } from '../shared/parts.ts'
import { type Approvable, approvalBody, decidedBody, type PlanShown } from './approval-view.ts'

type ById = { Params: { id: string } }
interface OfVariant {
  Querystring: { variant?: string }
}
type OfOne = FastifyRequest<ById>

export function registerApproval(scope: FastifyInstance, parts: PageParts): void {
  const here = (request: OfOne) => `/campaigns/${request.params.id}/approval`

  scope.get<ById>('/campaigns/:id/approval', async (request, reply) => {
    const session = await requireSession(parts, request, reply, here(request))
    return session ? show(request, reply, session) : reply
  })

  scope.get<ById & OfVariant>('/campaigns/:id/sample', async (request, reply) => {
    const session = await requireSession(parts, request, reply, here(request))
    if (!session) return reply
    const variant = Number(request.query.variant ?? 0)
    const input = { campaign_id: request.params.id, data: 'sample', variant }
    const asked = { userId: session.user.id, requestId: request.id }
    const sample = await parts.ask<{ html: string | null }>('campaign.sample', input, asked)
    if (isRefusal(sample)) return sendErrorPage(reply, request, sample)
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy':
          "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'",
        'cache-control': 'no-store',
      })
      .send((sample.html ?? '').replace(/<head>/i, '$&<base target="_blank">'))
  })

  scope.post<ById>('/campaigns/:id/approval', async (request, reply) => {
    const foreign = parts.guard(request)
    if (foreign) return sendErrorPage(reply, request, foreign)
    const session = await requireSession(parts, request, reply, here(request))
    if (!session) return reply
    const form = readForm(request)
    const decision = form.text('decision')
    const input = {
      campaign_id: request.params.id,
      decision,
      ...(decision === 'approve' && { plan_hash: form.text('plan_hash') }),
      ...(decision === 'refuse' && { reason: form.text('reason') }),
    }
    const asked = { userId: session.user.id, requestId: request.id }
    const decided = await parts.ask<{ status: string }>('campaign.decide', input, asked)
    if (!isRefusal(decided)) {
      const nav = accountBar(parts, request, reply, session, '')
      return sendPage(reply, { title: 'Decided', nav, body: decidedBody(decided.status) })
    }
    // What has changed since is said above the plan as it is now.
    return decided.code === 'conflict'
      ? show(request, reply, session, decided)
      : sendErrorPage(reply, request, decided)
  })

  const show = async (request: OfOne, reply: FastifyReply, session: Session, fault?: Refusal) => {
    const asked = { userId: session.user.id, requestId: request.id }
    const input = { campaign_id: request.params.id, content: true }
    const plan = await parts.ask<PlanShown>('campaign.preview', input, asked)
    if (isRefusal(plan)) return sendErrorPage(reply, request, plan)
    const shown: Approvable = {
      plan,
      formKey: parts.cookies.formKey(request, reply),
      fault: fault?.message,
    }
    return sendPage(reply, {
      title: `Approve ${plan.name}`,
      wide: true,
      framesOwn: true,
      status: fault ? statusOf[fault.code] : 200,
      nav: accountBar(parts, request, reply, session, ''),
      body: approvalBody(shown),
    })
  }
}
