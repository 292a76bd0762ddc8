/** The page of a campaign, where a person approves it, follows its progress and stops it. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Session } from '../../../accounts/sign-in/session.ts'
import { isRefusal, type Refusal, refuse, statusOf } from '../../../core/errors.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import { requireSession } from '../auth/login.ts'
import { accountBar } from '../shared/account-bar.ts'
import { sendErrorPage } from '../shared/error-page.ts'
import { keyInput, readForm } from '../shared/form.ts'
import { sendPage } from '../shared/page.ts'
import type { PageParts } from '../shared/parts.ts'

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
    const query = { userId: session.user.id, requestId: request.id }
    const sample = await parts.ask<{ html: string | null }>('campaign.sample', input, query)
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
    const query = { userId: user.id, requestId: request.id, signedInAt }
    const done = await parts.ask(call.operation, call.input, query)
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
    const query = { userId: session.user.id, requestId: request.id }
    const campaign_id = request.params.id
    const campaign = await parts.ask<CampaignShown>('campaign.get', { campaign_id }, query)
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
      const plan = await parts.ask<PlanShown>('campaign.preview', input, query)
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
    const progress = await parts.ask<ProgressShown>('campaign.progress', { campaign_id }, query)
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
  return refuse('invalid_request', 'This form has no action for a campaign.')
}

/** The parts of a campaign (`campaign.get`) that the page shows. */
interface CampaignShown {
  campaign_id: string
  name: string
  status: string
  channel: 'email' | 'sms'
  recipients: number | null
  pause_reason: string | null
  possible: string[]
  deployed_at: string | null
  completed_at: string | null
  waits?: { for: string; until: string | null; other_approvers?: number; raise_limit_to?: number }
  leaves_this_machine: boolean
  delivery_reported: boolean
  complaints_reported: boolean
}

/** The progress, as `campaign.progress` returns it. */
interface ProgressShown {
  recipients: number
  done: number
  per_minute: number
  seconds_left: number | null
  counts: Record<string, number>
}

interface Watched {
  campaign: CampaignShown
  progress: ProgressShown
  formKey: string
  /** Whether the page reloads every few seconds. */
  watches: boolean
  /** The reason why the last action was refused. */
  fault: string | undefined
  /** The operations that the viewer may call. */
  allowed: ReadonlySet<string>
}

const number = new Intl.NumberFormat('en')
const moment = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})

/** Whether the page updates by itself. */
const isGoing = ({ status }: Pick<CampaignShown, 'status'>) => status === 'deployed'

function campaignBody(page: Watched): Html {
  const { campaign, progress, watches, fault } = page
  return html`<h1><bdi>${campaign.name}</bdi></h1>
${fault !== undefined && html`<p class="warning" role="alert">${fault}</p>`}
${state(campaign)}
${!campaign.leaves_this_machine && staysHere(campaign.channel)}
<section><h2>Progress</h2>
${bar(progress)}
<p>${paceOf(campaign, progress)}</p>${campaign.waits && waiting(campaign.waits)}
${isGoing(campaign) && watching(campaign, watches)}
${steering(page)}</section>
${results(campaign, progress)}
<p class="fine">${campaign.deployed_at !== null && `Started on ${moment.format(new Date(campaign.deployed_at))} UTC. `}${campaign.completed_at !== null && `Completed on ${moment.format(new Date(campaign.completed_at))} UTC. `}Campaign ID: ${campaign.campaign_id}</p>`
}

const pauses: Record<string, string> = {
  requested: 'Paused by a member. Resume it to send to the remaining recipients.',
  bounce_rate:
    'Paused automatically: too many emails bounced. Check where the addresses come from before you resume.',
  complaint_rate:
    'Paused automatically: too many people reported it as spam. Check how they subscribed before you resume.',
  gate: 'Paused at its scheduled time: a check no longer passes. Resume to run the check again; it says what to fix.',
  approval:
    'Paused: it now has more recipients than may get it without approval. Resuming approves it for all of them.',
  restored:
    'Paused because the service was restored from a backup. Whoever may have received it in the meantime has the status unknown, and gets it only if you resend it to them.',
}

function state({ status, pause_reason }: CampaignShown): Html {
  if (status === 'deployed') return html`<p class="done" role="status">Sending</p>`
  if (status === 'completed') return html`<p class="done" role="status">Sent</p>`
  if (status === 'cancelled')
    return html`<p class="note" role="status">Cancelled. The remaining recipients do not get it.</p>`
  return html`<p class="warning" role="status">${pauses[pause_reason ?? ''] ?? 'Paused.'}</p>`
}

function bar({ recipients, done }: ProgressShown): Html {
  const percent = recipients === 0 ? 100 : Math.floor((done / recipients) * 100)
  return html`<progress max="${Math.max(1, recipients)}" value="${recipients === 0 ? 1 : done}" aria-label="${percent} percent done"></progress>
<p><b>${number.format(done)}</b> of ${number.format(recipients)} recipients, ${percent} %</p>`
}

function paceOf(campaign: CampaignShown, { per_minute, seconds_left }: ProgressShown): string {
  if (!isGoing(campaign)) return 'Nothing is being sent right now.'
  if (per_minute === 0) return 'No messages sent yet.'
  const left = seconds_left === null ? '' : `, about ${durationOf(seconds_left)} left`
  return `${number.format(per_minute)} per minute${left}`
}

function durationOf(seconds: number): string {
  if (seconds < 90) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`
}

const waits: Record<string, string> = {
  first_recipients: 'A small group received it first. The rest follows once its results are in',
  local_hours: 'Some recipients are waiting for the send time in their time zone',
  ab_test: 'The rest is sent when the A/B test ends',
  provider:
    'Sending to one provider is on hold, because it refused the sender or people complained',
}

function waiting({ for: what, until }: NonNullable<CampaignShown['waits']>): Html | false {
  const words = waits[what]
  if (words === undefined) return false
  return html`<p>${words}${until !== null && `, until ${moment.format(new Date(until))} UTC`}.</p>`
}

function watching({ campaign_id }: CampaignShown, watches: boolean): Html {
  const page = `/campaigns/${campaign_id}`
  return watches
    ? html`<p>This page reloads every few seconds. <a href="${page}">Stop reloading</a></p>`
    : html`<p><a href="${page}">Reload</a> or <a href="${page}?watch=yes">reload automatically every few seconds</a></p>`
}

const buttons = [
  { control: 'pause', label: 'Pause', style: '' },
  { control: 'resume', label: 'Resume', style: '' },
  { control: 'cancel', label: 'Cancel campaign', style: 'danger' },
]

function steering({ campaign, allowed, formKey }: Watched): Html | false {
  const open = buttons.filter(({ control }) => campaign.possible.includes(`campaign.${control}`))
  if (open.length === 0) return false
  const own = open.filter(({ control }) => allowed.has(`campaign.${control}`))
  const others = open.filter((button) => !own.includes(button))
  return html`${own.length > 0 && form(campaign.campaign_id, own, formKey)}
${others.length > 0 && onlyAdmins(`${others.map(({ control }) => control).join(' or ')} it`)}`
}

function form(campaignId: string, own: typeof buttons, formKey: string): Html {
  return html`<form method="post" action="/campaigns/${campaignId}">${keyInput(formKey)}
<div class="actions">${own.map(({ control, label, style }) => html`<button name="control" value="${control}"${style !== '' && html` class="${style}"`}>${label}</button>`)}</div></form>`
}

const words: Record<string, string> = {
  sent: 'accepted by the mail server or provider',
  delivered: 'delivered',
  opened: 'opened it',
  clicked: 'clicked a link',
  unsubscribed: 'unsubscribed',
  bounced: 'bounced',
  complained: 'reported it as spam',
  failed: 'could not be sent',
  unknown: 'unknown: the connection broke before the mail server replied',
  cancelled: 'were not sent',
}

/** In the order of the labels. Counters at zero are omitted. */
function results(campaign: CampaignShown, { counts }: ProgressShown): Html {
  const { channel, delivery_reported, complaints_reported } = campaign
  const found = Object.entries(words).flatMap(([metric, label]) => {
    const count = counts[metric] ?? 0
    return count === 0 ? [] : [{ count, label }]
  })
  const skipped = Object.entries(counts).reduce(
    (sum, [metric, count]) => (metric.startsWith('skipped:') ? sum + count : sum),
    0,
  )
  return html`<section><h2>Results</h2>
${
  found.length === 0 && skipped === 0
    ? html`<p>No results yet. ${channel === 'email' ? 'Opens and clicks by people and by bots are counted separately.' : ''}</p>`
    : html`<ul class="plain">${found.map(({ count, label }) => html`<li><b>${number.format(count)}</b> ${label}</li>`)}
${skipped > 0 && html`<li><b>${number.format(skipped)}</b> were skipped, for example because they have not subscribed</li>`}</ul>`
}
${(counts['sent'] ?? 0) > 0 && !delivery_reported && html`<p class="fine">Delivery is not reported on this route.</p>`}
${(counts['sent'] ?? 0) > 0 && !complaints_reported && html`<p class="fine">Spam complaints are not reported on this route.</p>`}</section>`
}

/** The parts of a plan (`campaign.preview`) that a person needs for a decision. */
interface PlanShown {
  campaign_id: string
  name: string
  status: string
  channel: 'email' | 'sms'
  recipients: number
  excluded: { reason: string; count: number }[]
  languages?: { language: string | null; recipients: number }[]
  cost: { metric: string; amount: number; left: number | null }
  from: string | null
  schedule: { at: string; zone: string } | null
  refusal_reason: string | null
  finishes_at: string | null
  gates: { gate: string; result: 'pass' | 'warn' | 'block'; evidence: string; remedy?: string }[]
  samples: SampleShown[]
  plan_hash: string
  leaves_this_machine: boolean
}

interface SampleShown {
  variant: number
  /** The tag of a translation. */
  language?: string
  data: string
  subject: string
  text: string
}

interface PlanPage {
  plan: PlanShown
  formKey: string
  /** Set where the viewer sent it off and another person must approve: how many can. */
  others: number | undefined
  /** The limit that the viewer, an owner, may set with an approval. */
  raisable: number | undefined
  /** The reason why the last decision was refused. */
  fault: string | undefined
  /** The operations that the viewer may call. */
  allowed: ReadonlySet<string>
}

const reasons: Record<string, string> = {
  no_email: 'have no email address',
  no_phone: 'have no phone number',
  not_subscribed: 'have not subscribed',
  topic_not_chosen: 'are not subscribed to its topic',
  invalid: 'have an address that cannot receive email',
  suppressed: 'are suppressed',
  sent_recently: 'got a campaign recently',
  tier_quota: 'exceed what the tier allows this month',
}

const figures = new Intl.NumberFormat('en')

function planBody({ plan, formKey, others, raisable, fault, allowed }: PlanPage): Html {
  const action = `/campaigns/${plan.campaign_id}`
  return html`<h1>${heading(plan)}</h1>
${fault !== undefined && html`<p class="warning" role="alert">${fault}</p>`}
<p class="lead">${leadOf(plan, others)}</p>
${!plan.leaves_this_machine && staysHere(plan.channel)}
${plan.status === 'draft' && plan.refusal_reason !== null && html`<p class="warning">Not approved: “<bdi>${plan.refusal_reason}</bdi>”</p>`}
${plan.status === 'awaiting_approval' && (allowed.has('campaign.decide') ? deciding(plan, { action, formKey, others, raisable }) : onlyAdmins('approve or refuse it', 'An approver, admin or owner'))}
${plan.status === 'scheduled' && (allowed.has('campaign.cancel') ? cancelling(action, formKey) : onlyAdmins('cancel it'))}
<section><h2>Recipients</h2>
<ul class="plain"><li><b>${figures.format(plan.recipients)}</b> ${plan.channel === 'email' ? 'by email' : 'by SMS'}${plan.from !== null && html`, from <bdi>${plan.from}</bdi>`}</li>
${plan.excluded.map(({ reason, count }) => html`<li>not ${figures.format(count)}, who ${reasons[reason] ?? reason}</li>`)}
<li>${costOf(plan)}</li></ul></section>
${checks(plan.gates)}
${samples(plan)}`
}

function heading({ name, status, recipients }: PlanShown): Html {
  const people = figures.format(recipients)
  return status === 'awaiting_approval'
    ? html`Send “<bdi>${name}</bdi>” to ${people} people?`
    : html`“<bdi>${name}</bdi>” to ${people} people`
}

function leadOf({ status, schedule }: PlanShown, others: number | undefined): string {
  if (status === 'draft') return 'This is a draft. Nothing is sent until it is deployed.'
  if (status === 'scheduled') return `Scheduled for ${timeOf(schedule)}.`
  if (others !== undefined) {
    return 'You submitted this campaign, and this business requires a second person: someone else has to approve it.'
  }
  const when = schedule === null ? 'as soon as you approve' : timeOf(schedule)
  return `This campaign has more recipients than may get it without approval. It is sent ${when}.`
}

/** The time as clocks of its zone show it, such as `1 December 2026 at 09:00 (Europe/Berlin)`. */
function timeOf(schedule: PlanShown['schedule']): string {
  if (!schedule) return 'now'
  const format = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
  const shown = format.format(new Date(`${schedule.at.slice(0, 16)}Z`))
  const whose =
    schedule.zone === 'recipient' ? 'in each recipient’s time zone' : `(${schedule.zone})`
  return `${shown} ${whose}`
}

/** Nobody should believe that people get what stays on this machine. */
function staysHere(channel: 'email' | 'sms'): Html {
  return channel === 'email'
    ? html`<p class="note">Nothing leaves this machine: email stays in the test inbox. The operator of this service can set up a mail server.</p>`
    : html`<p class="note">Nothing leaves this machine: text messages stay on the test phones. The operator of this service can set up an SMS provider.</p>`
}

/** Shown instead of buttons that would be refused. */
function onlyAdmins(what: string, who = 'An admin or owner'): Html {
  return html`<p>${who} of the business can ${what}.</p>`
}

function cancelling(action: string, formKey: string): Html {
  return html`<form method="post" action="${action}">${keyInput(formKey)}
<div class="actions"><button name="control" value="cancel" class="danger">Cancel campaign</button></div></form>`
}

interface Deciding {
  action: string
  formKey: string
  others: number | undefined
  raisable: number | undefined
}

function deciding(plan: PlanShown, { action, formKey, others, raisable }: Deciding): Html {
  return others === undefined
    ? decision(plan, { action, formKey, raisable })
    : html`<form method="post" action="${action}" class="card">
${keyInput(formKey)}
<p>${whoElse(others)}</p>
<div class="actions"><button name="decision" value="refuse" class="quiet">Back to draft</button></div></form>`
}

function whoElse(others: number): string {
  if (others === 0) {
    return 'Nobody else can approve it yet. Invite an approver, admin or owner in the app, under Members.'
  }
  const people = others === 1 ? 'One other person' : `${figures.format(others)} other people`
  return `${people} can approve it. We emailed them.`
}

function decision(
  { plan_hash }: PlanShown,
  { action, formKey, raisable }: Omit<Deciding, 'others'>,
): Html {
  return html`<form method="post" action="${action}" class="card">
${keyInput(formKey)}<input type="hidden" name="plan_hash" value="${plan_hash}">
<p>You approve exactly what this page shows. If the campaign changes before you approve, nothing is sent.</p>
${raisable !== undefined && html`<p><input type="checkbox" id="raise" name="raise" value="yes"> <label for="raise">From now on, allow up to</label> <input type="number" name="deploy_limit" min="1" max="10000000" value="${raisable}" aria-label="Recipients a day without approval"> recipients a day without approval</p>`}
<label for="reason">Reason for refusing <span class="fine">Shown to whoever edits the campaign.</span></label>
<textarea id="reason" name="reason" rows="2" maxlength="500"></textarea>
<div class="actions">
<button name="decision" value="approve">Approve and send</button>
<button name="decision" value="refuse" class="quiet">Refuse</button>
</div></form>`
}

function costOf({ cost }: PlanShown): string {
  const left = cost.left === null ? 'no limit' : `of ${figures.format(cost.left)} left this month`
  return `${figures.format(cost.amount)} ${cost.metric === 'sms' ? 'SMS' : cost.metric}, ${left}`
}

/** Gates that need attention come first; the others are collapsed. */
function checks(gates: PlanShown['gates']): Html {
  const passed = gates.filter(({ result }) => result === 'pass')
  const others = [
    ...gates.filter(({ result }) => result === 'block'),
    ...gates.filter(({ result }) => result === 'warn'),
  ]
  return html`<section><h2>Checks before sending</h2>
${others.length > 0 && html`<ul class="plain">${others.map(gate)}</ul>`}
${passed.length > 0 && html`<details><summary>${passed.length === 1 ? '1 check' : `${passed.length} checks`} passed</summary><ul class="plain">${passed.map(gate)}</ul></details>`}</section>`
}

const marks = { pass: 'Passed', warn: 'Warning', block: 'Blocked' } as const

function gate({ result, evidence, remedy }: PlanShown['gates'][number]): Html {
  return html`<li><b${result !== 'pass' && html` class="careful"`}>${marks[result]}:</b> ${evidence}${result !== 'pass' && remedy !== undefined && html` ${remedy}`}</li>`
}

/** The message of an ordinary recipient in each variant; all variants are approved together. */
function samples(plan: PlanShown): Html {
  const usual = plan.samples.filter(({ data }) => data === 'sample')
  const variants = [...new Set(usual.map(({ variant }) => variant))]
  const isTest = variants.length > 1
  const headingOf = ({ variant, language }: SampleShown) =>
    [
      isTest && `Variant ${variants.indexOf(variant) + 1} of ${variants.length}`,
      language !== undefined && `In ${language}`,
    ]
      .filter(Boolean)
      .join(', ')
  return html`<section><h2>Content</h2>
${isTest && html`<p>A/B test with ${variants.length} variants. A share of the recipients gets one of them; everyone else gets the one that performs best.</p>`}
${plan.languages && html`<p>${inLanguages(plan.languages)}</p>`}
${usual.map((shown) => sample(plan, shown, headingOf(shown)))}</section>`
}

function inLanguages(languages: NonNullable<PlanShown['languages']>): string {
  const told = languages.map(
    ({ language, recipients }) =>
      `${figures.format(recipients)} get it ${language === null ? 'in the main text' : `in ${language}`}`,
  )
  return `${told.join(', ')}.`
}

/** The HTML in a frame, isolated from this page. */
function sample(
  { campaign_id, channel }: PlanShown,
  { variant, language, subject, text }: SampleShown,
  heading: string,
): Html {
  const query = new URLSearchParams({ variant: String(variant), ...(language && { language }) })
  const name = heading ? `${heading}: ` : ''
  return html`${heading !== '' && html`<h3>${heading}</h3>`}
${
  channel === 'email' &&
  html`<p>Subject: <b>${subject}</b></p>
<iframe class="mail" title="${name}The email as HTML" sandbox="allow-popups allow-popups-to-escape-sandbox" src="/campaigns/${campaign_id}/sample?${query.toString()}"></iframe>`
}
<pre class="block" tabindex="0" role="region" aria-label="${name}Plain text">${text}</pre>`
}
