/** The page of a campaign, where a person approves it, follows its progress and stops it. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { MailLanguage } from '../../../accounts/businesses/mail-language.ts'
import { hasFactor, ownFactors } from '../../../accounts/factors/factor.ts'
import type { SecondStep } from '../../../accounts/factors/sign-in.ts'
import type { Session } from '../../../accounts/sign-in/session.ts'
import type { Gate } from '../../../campaigns/preflight/gates/gate.ts'
import type { CheckWords, sentencesOf } from '../../../campaigns/preflight/words/sentences.ts'
import { isRefusal, orRefusal, type Refusal, refuse, statusOf } from '../../../core/errors.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import { sendFault } from '../auth/fault-page.ts'
import { requireSession } from '../auth/login.ts'
import { answersStep, prove, stepFault, stepFields } from '../auth/second-step.ts'
import { pageLanguageOf } from '../auth/sign-in-words.ts'
import { accountBar } from '../shared/account-bar.ts'
import { sendErrorPage } from '../shared/error-page.ts'
import { keyInput, readForm } from '../shared/form.ts'
import { sendPage } from '../shared/page.ts'
import type { PageParts } from '../shared/parts.ts'
import type { CampaignPageWords } from './page-words.ts'

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
    const query = queryOf(request, session)
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
    if (foreign) return sendFault(reply, request, foreign)
    const session = await requireSession(parts, request, reply, here(request))
    if (!session) return reply
    const call = callOf(request)
    if (isRefusal(call)) return sendErrorPage(reply, request, call)
    const proven = await orRefusal(() => proveIfAnswered(parts, request, session))
    if (isRefusal(proven)) {
      const fault = stepFault(proven, request, reply)
      return fault === undefined
        ? sendErrorPage(reply, request, proven)
        : show(request, reply, session, { fault: proven, stepFault: fault })
    }
    const query = queryOf(request, proven)
    const done = await parts.ask(call.operation, call.input, query)
    if (!isRefusal(done)) return reply.redirect(here(request), 303)
    // The refusal is shown above the current state of the campaign.
    return ['conflict', 'unauthorized'].includes(done.code) || asksForFactor(done)
      ? show(request, reply, proven, { fault: done })
      : sendErrorPage(reply, request, done)
  })

  const show = async (
    request: OfOne,
    reply: FastifyReply,
    session: Session,
    { fault, stepFault: wrongFactor, watches = false }: CampaignPage,
  ) => {
    const query = queryOf(request, session)
    const campaign_id = request.params.id
    const campaign = await parts.ask<CampaignShown>('campaign.get', { campaign_id }, query)
    if (isRefusal(campaign)) {
      return asksForFactor(campaign)
        ? reply.redirect(`/confirm?next=${encodeURIComponent(here(request))}`, 303)
        : sendErrorPage(reply, request, campaign)
    }
    const offered = [...controls, 'decide'].map((name) => `campaign.${name}`)
    const language = pageLanguageOf(request)
    const speech = await speechIn(language)
    const step = fault && (await stepAfter(parts, session, fault))
    const common = {
      speech,
      formKey: parts.cookies.formKey(request, reply),
      fault: wrongFactor === undefined ? fault?.message : undefined,
      step:
        step &&
        html`${stepFields(parts, { request, step, fault: wrongFactor })}
<input type="hidden" name="${chosenField}" value="${choiceIn(request)}">`,
      typed: typedIn(request),
      allowed: await parts.allowed(offered, { campaign_id }, session.user.id),
    }
    const page = {
      language,
      wide: true,
      status: fault ? statusOf[fault.code] : 200,
      nav: accountBar(parts, request, reply, session, ''),
    }
    if (campaign.possible.includes('campaign.preview')) {
      const input = { campaign_id, content: true }
      const plan = await parts.ask<PlanShown>('campaign.preview', input, query)
      if (isRefusal(plan)) return sendErrorPage(reply, request, plan)
      const title =
        plan.status === 'awaiting_approval' ? speech.words.approve(plan.name) : plan.name
      return sendPage(reply, {
        ...page,
        title,
        framesOwn: true,
        runsScript: step?.hasPasskey === true,
        callsOwn: step?.hasPasskey === true,
        body: planBody({
          plan,
          others: campaign.waits?.other_approvers,
          isByApp: campaign.waits?.approval_reason === 'changed_by_app',
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
      runsScript: step?.hasPasskey === true,
      callsOwn: step?.hasPasskey === true,
      ...(watches && isGoing(campaign) && { refreshSeconds }),
      body: campaignBody({ campaign, progress, watches, ...common }),
    })
  }
}

interface CampaignPage {
  /** The reason why the last action was refused. */
  fault?: Refusal
  /** What is wrong with the factor that was given. */
  stepFault?: string
  watches?: boolean
}

const asksForFactor = ({ details }: Refusal) =>
  ['fresh_factor', 'second_factor'].includes(String(details.data?.['reason']))

/** A call in the person's name, with how their session was opened and confirmed. */
function queryOf({ id: requestId }: FastifyRequest, { user, id, ...session }: Session) {
  return { userId: user.id, requestId, sessionId: id, ...session }
}

/** The session after the factor that the form gives, if it gives one. */
async function proveIfAnswered(
  parts: PageParts,
  request: OfOne,
  session: Session,
): Promise<Session> {
  if (!answersStep(request)) return session
  const proof = await prove(parts, request, session)
  const provenAt = parts.clock.now()
  return {
    ...session,
    provenAt,
    provenBy: proof.by,
    ...(proof.with && { provenWith: proof.with }),
  }
}

/** The factor that the page asks for, because the last action was refused without one. */
async function stepAfter(
  { db }: PageParts,
  { user }: Session,
  fault: Refusal,
): Promise<SecondStep | undefined> {
  const isWrong = String(fault.details.data?.['reason']).startsWith('wrong_factor')
  if (!asksForFactor(fault) && !isWrong && fault.code !== 'rate_limited') return undefined
  const own = await ownFactors(db, user.id)
  return hasFactor(own) ? own : undefined
}

interface OperationCall {
  operation: string
  input: Record<string, unknown>
}

/** A passkey sends the form without a button: what was refused without it is done then. */
const chosenField = 'chosen'

/** The button that was pressed; '' for none. */
function choiceIn(request: OfOne): string {
  const form = readForm(request)
  return form.text('decision') || form.text('control') || form.text(chosenField)
}

/** What a decider had typed beside the button, which the page shows again. */
const typedIn = (request: OfOne) => ({
  reason: readForm(request).text('reason'),
  raises: readForm(request).text('raise') === 'yes',
  limit: readForm(request).text('deploy_limit'),
  /** Names the plan that was shown to them. */
  planHash: readForm(request).text('plan_hash'),
})

function callOf(request: OfOne): OperationCall | Refusal {
  const form = readForm(request)
  const campaign_id = request.params.id
  const decision = choiceIn(request)
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
  if (controls.includes(decision)) {
    return { operation: `campaign.${decision}`, input: { campaign_id } }
  }
  return refuse('invalid_request', 'This form has no action for a campaign.', {
    data: { reason: 'not_a_choice' },
  })
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
  waits?: {
    for: string
    until: string | null
    approval_reason?: string
    other_approvers?: number
    raise_limit_to?: number
  }
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
  speech: Speech
  campaign: CampaignShown
  progress: ProgressShown
  formKey: string
  /** Whether the page reloads every few seconds. */
  watches: boolean
  /** The reason why the last action was refused. */
  fault: string | undefined
  /** The fields of the factor that the decision needs. */
  step: Html | undefined
  /** The operations that the viewer may call. */
  allowed: ReadonlySet<string>
}

/** The words of a language, with its numbers and moments. */
interface Speech {
  words: CampaignPageWords
  checks: CheckWords
  sentencesOf: typeof sentencesOf
  number: (value: number) => string
  /** In UTC. */
  moment: (at: Date) => string
}

const checkWords = {
  en: () => import('../../../campaigns/preflight/words/en.ts'),
  de: () => import('../../../campaigns/preflight/words/de.ts'),
  fr: () => import('../../../campaigns/preflight/words/fr.ts'),
}

async function speechIn(language: MailLanguage): Promise<Speech> {
  const { campaignPageWords } = await import('./page-words.ts')
  const { gates } = await checkWords[language]()
  const { sentencesOf } = await import('../../../campaigns/preflight/words/sentences.ts')
  // British dates, since American ones are misread elsewhere.
  const locale = language === 'en' ? 'en-GB' : language
  const numbers = new Intl.NumberFormat(language)
  const moments = new Intl.DateTimeFormat(locale, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
  return {
    words: campaignPageWords(language),
    checks: gates,
    sentencesOf,
    number: (value) => numbers.format(value),
    moment: (at) => moments.format(at),
  }
}

/** Whether the page updates by itself. */
const isGoing = ({ status }: Pick<CampaignShown, 'status'>) => status === 'deployed'

function campaignBody(page: Watched): Html {
  const { campaign, progress, watches, fault, speech } = page
  const { words, moment } = speech
  return html`<h1><bdi>${campaign.name}</bdi></h1>
${fault !== undefined && html`<p class="warning" role="alert">${fault}</p>`}
${state(campaign, words)}
${!campaign.leaves_this_machine && staysHere(campaign.channel, words)}
<section><h2>${words.progress}</h2>
${bar(progress, speech)}
<p>${paceOf(campaign, progress, speech)}</p>${campaign.waits && waiting(campaign.waits, speech)}
${isGoing(campaign) && watching(campaign, watches, words)}
${steering(page)}</section>
${results(campaign, progress, speech)}
<p class="fine">${campaign.deployed_at !== null && `${words.started(moment(new Date(campaign.deployed_at)))} `}${campaign.completed_at !== null && `${words.completed(moment(new Date(campaign.completed_at)))} `}${words.id(campaign.campaign_id)}</p>`
}

function state({ status, pause_reason }: CampaignShown, words: CampaignPageWords): Html {
  if (status === 'deployed') return html`<p class="done" role="status">${words.sending}</p>`
  if (status === 'completed') return html`<p class="done" role="status">${words.sent}</p>`
  if (status === 'cancelled') return html`<p class="note" role="status">${words.cancelled}</p>`
  return html`<p class="warning" role="status">${words.pauses[pause_reason ?? ''] ?? words.paused}</p>`
}

function bar({ recipients, done }: ProgressShown, { words, number }: Speech): Html {
  const percent = recipients === 0 ? 100 : Math.floor((done / recipients) * 100)
  return html`<progress max="${Math.max(1, recipients)}" value="${recipients === 0 ? 1 : done}" aria-label="${words.percentDone(percent)}"></progress>
<p><b>${number(done)}</b> ${words.ofRecipients(number(recipients), percent)}</p>`
}

function paceOf(
  campaign: CampaignShown,
  { per_minute, seconds_left }: ProgressShown,
  { words, number }: Speech,
): string {
  if (!isGoing(campaign)) return words.idle
  if (per_minute === 0) return words.noneYet
  const timeLeft = seconds_left === null ? '' : words.left(durationOf(seconds_left, words))
  return `${words.perMinute(number(per_minute))}${timeLeft}`
}

function durationOf(seconds: number, words: CampaignPageWords): string {
  if (seconds < 90) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? words.minutes(minutes) : words.hours(Math.round(minutes / 60))
}

function waiting(
  { for: reason, until }: NonNullable<CampaignShown['waits']>,
  { words, moment }: Speech,
): Html | false {
  const sentence = words.waits[reason]
  if (sentence === undefined) return false
  return html`<p>${sentence}${until !== null && words.until(moment(new Date(until)))}.</p>`
}

function watching(
  { campaign_id }: CampaignShown,
  watches: boolean,
  words: CampaignPageWords,
): Html {
  const page = `/campaigns/${campaign_id}`
  return watches
    ? html`<p>${words.reloads} <a href="${page}">${words.stopReloading}</a></p>`
    : html`<p><a href="${page}">${words.reload}</a>${words.or}<a href="${page}?watch=yes">${words.reloadSelf}</a></p>`
}

const buttons = [
  { control: 'pause', style: '' },
  { control: 'resume', style: '' },
  { control: 'cancel', style: 'danger' },
] as const

function steering({ campaign, allowed, formKey, step, speech: { words } }: Watched): Html | false {
  const open = buttons.filter(({ control }) => campaign.possible.includes(`campaign.${control}`))
  if (open.length === 0) return false
  const own = open.filter(({ control }) => allowed.has(`campaign.${control}`))
  return html`${own.length > 0 && form(campaign.campaign_id, { own, formKey, step, words })}
${own.length < open.length && html`<p>${words.adminsSteer}</p>`}`
}

interface Steering {
  own: readonly (typeof buttons)[number][]
  formKey: string
  step: Html | undefined
  words: CampaignPageWords
}

function form(campaignId: string, { own, formKey, step, words }: Steering): Html {
  return html`<form method="post" action="/campaigns/${campaignId}">${keyInput(formKey)}${step}
<div class="actions">${own.map(({ control, style }) => html`<button name="control" value="${control}"${style !== '' && html` class="${style}"`}>${words.controls[control]}</button>`)}</div></form>`
}

/** In the order of the labels. Counters at zero are omitted. */
function results(
  campaign: CampaignShown,
  { counts }: ProgressShown,
  { words, number }: Speech,
): Html {
  const { channel, delivery_reported, complaints_reported } = campaign
  const outcomes = Object.entries(words.outcomes).flatMap(([metric, label]) => {
    const count = counts[metric] ?? 0
    return count === 0 ? [] : [{ count, label }]
  })
  const skipped = Object.entries(counts).reduce(
    (sum, [metric, count]) => (metric.startsWith('skipped:') ? sum + count : sum),
    0,
  )
  return html`<section><h2>${words.results}</h2>
${
  outcomes.length === 0 && skipped === 0
    ? html`<p>${words.noResults} ${channel === 'email' && words.machines}</p>`
    : html`<ul class="plain">${outcomes.map(({ count, label }) => html`<li><b>${number(count)}</b> ${label}</li>`)}
${skipped > 0 && html`<li><b>${number(skipped)}</b> ${words.skipped}</li>`}</ul>`
}
${(counts['sent'] ?? 0) > 0 && !delivery_reported && html`<p class="fine">${words.noDeliveries}</p>`}
${(counts['sent'] ?? 0) > 0 && !complaints_reported && html`<p class="fine">${words.noComplaints}</p>`}</section>`
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
  gates: Gate[]
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
  speech: Speech
  plan: PlanShown
  formKey: string
  /** Set where the viewer sent it off and another person must approve: how many can. */
  others: number | undefined
  /** Set where a connected app changed who gets it, so that it waits again. */
  isByApp: boolean
  /** The limit that the viewer, an owner, may set with an approval. */
  raisable: number | undefined
  /** The reason why the last decision was refused. */
  fault: string | undefined
  /** The fields of the factor that the decision needs. */
  step: Html | undefined
  typed: ReturnType<typeof typedIn>
  /** The operations that the viewer may call. */
  allowed: ReadonlySet<string>
}

function planBody(page: PlanPage): Html {
  const { plan, speech, fault, allowed } = page
  const { words, number } = speech
  const action = `/campaigns/${plan.campaign_id}`
  return html`<h1>${heading(plan, speech)}</h1>
${fault !== undefined && html`<p class="warning" role="alert">${fault}</p>`}
<p class="lead">${leadOf(page)}</p>
${!plan.leaves_this_machine && staysHere(plan.channel, words)}
${plan.status === 'draft' && plan.refusal_reason !== null && html`<p class="warning">${words.notApproved[0]}<bdi>${plan.refusal_reason}</bdi>${words.notApproved[1]}</p>`}
${plan.status === 'awaiting_approval' && (allowed.has('campaign.decide') ? deciding(page, action) : html`<p>${words.approversDecide}</p>`)}
${plan.status === 'scheduled' && (allowed.has('campaign.cancel') ? cancelling(page, action) : html`<p>${words.adminsCancel}</p>`)}
<section><h2>${words.recipients}</h2>
<ul class="plain"><li><b>${number(plan.recipients)}</b> ${plan.channel === 'email' ? words.byEmail : words.bySms}${plan.from !== null && html`${words.from}<bdi>${plan.from}</bdi>`}</li>
${plan.excluded.map(({ reason, count }) => html`<li>${words.not(number(count), words.reasons[reason] ?? reason)}</li>`)}
<li>${costOf(plan, speech)}</li></ul></section>
${checks(plan.gates, speech)}
${samples(plan, speech)}`
}

function heading({ name, status, recipients }: PlanShown, { words, number }: Speech): Html {
  const people = number(recipients)
  const [before, after] =
    status === 'awaiting_approval' ? words.askHeading(people) : words.heading(people)
  return html`${before}<bdi>${name}</bdi>${after}`
}

function leadOf({ plan: { status, schedule }, others, isByApp, speech }: PlanPage): string {
  const { words } = speech
  if (status === 'draft') return words.draft
  if (status === 'scheduled') return words.scheduled(timeOf(schedule, speech))
  if (others !== undefined)
    return isByApp ? `${words.changedByApp} ${words.secondPerson}` : words.secondPerson
  // At the hour of all it was found to be changed, so that hour has come.
  const isDue = schedule === null || (isByApp && schedule.zone !== 'recipient')
  const when = isDue ? words.onApproval : words.goesOut(timeOf(schedule, speech))
  return `${isByApp ? words.changedByApp : words.needsApproval} ${when}`
}

/** The time as clocks of its zone show it, such as `1 December 2026 at 09:00 (Europe/Berlin)`. */
function timeOf(schedule: PlanShown['schedule'], { words, moment }: Speech): string {
  if (!schedule) return words.now
  const shown = moment(new Date(`${schedule.at.slice(0, 16)}Z`))
  return `${shown} ${schedule.zone === 'recipient' ? words.recipientZone : `(${schedule.zone})`}`
}

/** Nobody should believe that people get what stays on this machine. */
function staysHere(channel: 'email' | 'sms', words: CampaignPageWords): Html {
  return html`<p class="note">${channel === 'email' ? words.staysEmail : words.staysSms}</p>`
}

function cancelling({ formKey, speech: { words } }: PlanPage, action: string): Html {
  return html`<form method="post" action="${action}">${keyInput(formKey)}
<div class="actions"><button name="control" value="cancel" class="danger">${words.controls.cancel}</button></div></form>`
}

function deciding(page: PlanPage, action: string): Html {
  const { formKey, others, speech } = page
  return others === undefined
    ? decision(page, action)
    : html`<form method="post" action="${action}" class="card">
${keyInput(formKey)}
<p>${others === 0 ? speech.words.nobodyElse : speech.words.others(others, speech.number(others))}</p>
<div class="actions"><button name="decision" value="refuse" class="quiet">${speech.words.backToDraft}</button></div></form>`
}

function decision(
  { plan, formKey, raisable, step, typed, speech: { words } }: PlanPage,
  action: string,
): Html {
  const [allow, perDay] = words.raise
  // A factor that was asked for confirms what was chosen: of a campaign that changed meanwhile, nothing.
  const planHash = (step && typed.planHash) || plan.plan_hash
  const limit = typed.limit || raisable
  return html`<form method="post" action="${action}" class="card">
${keyInput(formKey)}<input type="hidden" name="plan_hash" value="${planHash}">
<p>${words.exactly}</p>
${raisable !== undefined && html`<p><input type="checkbox" id="raise" name="raise" value="yes"${typed.raises && html` checked`}> <label for="raise">${allow}</label> <input type="number" name="deploy_limit" min="1" max="10000000" value="${limit}" aria-label="${words.raiseLabel}"> ${perDay}</p>`}
<label for="reason">${words.reason} <span class="fine">${words.reasonHelp}</span></label>
<textarea id="reason" name="reason" rows="2" maxlength="500">${typed.reason}</textarea>
${step}
<div class="actions">
<button name="decision" value="approve">${words.approveAndSend}</button>
<button name="decision" value="refuse" class="quiet">${words.refuse}</button>
</div></form>`
}

function costOf({ cost }: PlanShown, { words, number }: Speech): string {
  const left = cost.left === null ? words.noLimit : words.leftThisMonth(number(cost.left))
  return `${number(cost.amount)} ${words.metrics[cost.metric] ?? cost.metric}, ${left}`
}

/** Gates that need attention come first; the others are collapsed. */
function checks(gates: PlanShown['gates'], speech: Speech): Html {
  const { words, checks: names } = speech
  const line = (entry: Gate) => {
    const { result, evidence } = entry
    return html`<li><b${result !== 'pass' && html` class="careful"`}>${words.marks[result]}:</b> ${result === 'pass' ? (names.checks[entry.gate]?.fine ?? evidence) : open(entry, speech)}</li>`
  }
  const passed = gates.filter(({ result }) => result === 'pass')
  const others = [
    ...gates.filter(({ result }) => result === 'block'),
    ...gates.filter(({ result }) => result === 'warn'),
  ]
  return html`<section><h2>${words.checks}</h2>
${others.length > 0 && html`<ul class="plain">${others.map(line)}</ul>`}
${passed.length > 0 && html`<details><summary>${words.passed(passed.length)}</summary><ul class="plain">${passed.map(line)}</ul></details>`}</section>`
}

/** What a gate found and what to do about it: in English where the language has no words for it. */
function open(
  { gate, evidence, findings = [], remedy }: Gate,
  { checks: names, sentencesOf }: Speech,
): Html {
  const sentences = sentencesOf(findings, names)
  const advice = names.advice[findings[0]?.finding ?? ''] ?? names.advice[gate]
  return html`${sentences ? sentences.join(' ') : html`<span lang="en">${evidence}</span>`} ${advice ?? html`<span lang="en">${remedy}</span>`}`
}

/** The message of an ordinary recipient in each variant; all variants are approved together. */
function samples(plan: PlanShown, speech: Speech): Html {
  const { words } = speech
  const usual = plan.samples.filter(({ data }) => data === 'sample')
  const variants = [...new Set(usual.map(({ variant }) => variant))]
  const isTest = variants.length > 1
  const headingOf = ({ variant, language }: SampleShown) =>
    [
      isTest && words.variantOf(variants.indexOf(variant) + 1, variants.length),
      language !== undefined && words.inLanguage(language),
    ]
      .filter(Boolean)
      .join(', ')
  return html`<section><h2>${words.content}</h2>
${isTest && html`<p>${words.abTest(variants.length)}</p>`}
${plan.languages && html`<p>${inLanguages(plan.languages, speech)}</p>`}
${usual.map((shown) => sample(plan, shown, { heading: headingOf(shown), words }))}</section>`
}

function inLanguages(
  languages: NonNullable<PlanShown['languages']>,
  { words, number }: Speech,
): string {
  const sentences = languages.map(({ language, recipients }) =>
    language === null
      ? words.inMain(number(recipients))
      : words.getIt(number(recipients), language),
  )
  return `${sentences.join(', ')}.`
}

/** The HTML in a frame, isolated from this page. */
function sample(
  { campaign_id, channel }: PlanShown,
  { variant, language, subject, text }: SampleShown,
  { heading, words }: { heading: string; words: CampaignPageWords },
): Html {
  const query = new URLSearchParams({ variant: String(variant), ...(language && { language }) })
  const name = heading ? `${heading}: ` : ''
  return html`${heading !== '' && html`<h3>${heading}</h3>`}
${
  channel === 'email' &&
  html`<p>${words.subject}: <b>${subject}</b></p>
<iframe class="mail" title="${name}${words.asHtml}" sandbox="allow-popups allow-popups-to-escape-sandbox" src="/campaigns/${campaign_id}/sample?${query.toString()}"></iframe>`
}
<pre class="block" tabindex="0" role="region" aria-label="${name}${words.plainText}">${text}</pre>`
}
