/** The page of a campaign, where a person approves it, follows its progress and stops it. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Session } from '../../../accounts/sign-in/session.ts'
import { isRefusal, type Refusal, refuse, statusOf } from '../../../core/errors.ts'
import { requireSession } from '../auth/login.ts'
import { accountBar } from '../shared/account-bar.ts'
import { sendErrorPage } from '../shared/error-page.ts'
import { readForm } from '../shared/form.ts'
import { sendPage } from '../shared/page.ts'
import type { PageParts } from '../shared/parts.ts'
import { type PlanShown, planBody } from './plan-view.ts'
import { type CampaignShown, campaignBody, isGoing, type ProgressShown } from './progress-view.ts'

type ById = { Params: { id: string } }
interface OfVariant {
  Querystring: { variant?: string; language?: string }
}
interface Watching {
  Querystring: { watch?: string }
}
type OfOne = FastifyRequest<ById>

/** How often the page of an active campaign reloads, if the person chose that (WCAG 2.2.1). */
const refreshSeconds = 5

const controls: readonly string[] = ['pause', 'resume', 'cancel']

export function registerCampaigns(scope: FastifyInstance, parts: PageParts): void {
  const here = (request: OfOne) => `/campaigns/${request.params.id}`

  scope.get<ById & Watching>('/campaigns/:id', async (request, reply) => {
    const session = await requireSession(parts, request, reply, here(request))
    const watches = request.query.watch === 'yes'
    return session ? show(request, reply, session, { watches }) : reply
  })

  // The former address, which older mails and responses contain.
  scope.get<ById>('/campaigns/:id/approval', (request, reply) => reply.redirect(here(request), 301))

  scope.get<ById & OfVariant>('/campaigns/:id/sample', async (request, reply) => {
    const session = await requireSession(parts, request, reply, here(request))
    if (!session) return reply
    const variant = Number(request.query.variant ?? 0)
    const { language } = request.query
    const which = { variant, ...(language !== undefined && { language }) }
    const input = { campaign_id: request.params.id, data: 'sample', ...which }
    const asked = { userId: session.user.id, requestId: request.id }
    const sample = await parts.ask<{ html: string | null }>('campaign.sample', input, asked)
    if (isRefusal(sample)) return sendErrorPage(reply, request, sample)
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': `sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data: ${parts.config.baseUrl}/images/; frame-ancestors 'self'`,
        'cache-control': 'no-store',
      })
      .send((sample.html ?? '').replace(/<head>/i, '$&<base target="_blank">'))
  })

  scope.post<ById>('/campaigns/:id', async (request, reply) => {
    const foreign = parts.guard(request)
    if (foreign) return sendErrorPage(reply, request, foreign)
    const session = await requireSession(parts, request, reply, here(request))
    if (!session) return reply
    const call = callOf(request)
    if (isRefusal(call)) return sendErrorPage(reply, request, call)
    const { user, signedInAt } = session
    const asked = { userId: user.id, requestId: request.id, signedInAt }
    const done = await parts.ask(call.operation, call.input, asked)
    if (!isRefusal(done)) return reply.redirect(here(request), 303)
    // The refusal is shown above the current state of the campaign.
    return ['conflict', 'unauthorized'].includes(done.code)
      ? show(request, reply, session, { fault: done })
      : sendErrorPage(reply, request, done)
  })

  const show = async (
    request: OfOne,
    reply: FastifyReply,
    session: Session,
    { fault, watches = false }: CampaignPage,
  ) => {
    const asked = { userId: session.user.id, requestId: request.id }
    const campaign_id = request.params.id
    const campaign = await parts.ask<CampaignShown>('campaign.get', { campaign_id }, asked)
    if (isRefusal(campaign)) return sendErrorPage(reply, request, campaign)
    const offered = [...controls, 'decide'].map((name) => `campaign.${name}`)
    const common = {
      formKey: parts.cookies.formKey(request, reply),
      fault: fault?.message,
      allowed: await parts.allowed(offered, { campaign_id }, session.user.id),
    }
    const page = {
      wide: true,
      status: fault ? statusOf[fault.code] : 200,
      nav: accountBar(parts, request, reply, session, ''),
    }
    if (campaign.possible.includes('campaign.preview')) {
      const input = { campaign_id, content: true }
      const plan = await parts.ask<PlanShown>('campaign.preview', input, asked)
      if (isRefusal(plan)) return sendErrorPage(reply, request, plan)
      const title = plan.status === 'awaiting_approval' ? `Approve ${plan.name}` : plan.name
      return sendPage(reply, {
        ...page,
        title,
        framesOwn: true,
        body: planBody({
          plan,
          others: campaign.waits?.other_approvers,
          raisable: campaign.waits?.raise_limit_to,
          ...common,
        }),
      })
    }
    const progress = await parts.ask<ProgressShown>('campaign.progress', { campaign_id }, asked)
    if (isRefusal(progress)) return sendErrorPage(reply, request, progress)
    return sendPage(reply, {
      ...page,
      title: campaign.name,
      ...(watches && isGoing(campaign) && { refreshSeconds }),
      body: campaignBody({ campaign, progress, watches, ...common }),
    })
  }
}

interface CampaignPage {
  /** The reason why the last action was refused. */
  fault?: Refusal
  watches?: boolean
}

interface OperationCall {
  operation: string
  input: Record<string, unknown>
}

function callOf(request: OfOne): OperationCall | Refusal {
  const form = readForm(request)
  const campaign_id = request.params.id
  const decision = form.text('decision')
  if (decision === 'approve') {
    const plan_hash = form.text('plan_hash')
    const raises = form.text('raise') === 'yes'
    const raised = raises && { deploy_limit: Number(form.text('deploy_limit')) }
    return { operation: 'campaign.decide', input: { campaign_id, decision, plan_hash, ...raised } }
  }
  if (decision === 'refuse') {
    const reason = form.text('reason')
    return { operation: 'campaign.decide', input: { campaign_id, decision, reason } }
  }
  const control = form.text('control')
  if (controls.includes(control))
    return { operation: `campaign.${control}`, input: { campaign_id } }
  return refuse('invalid_request', 'The form says nothing that can be done with a campaign.')
}
