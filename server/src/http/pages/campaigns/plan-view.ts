import { type Html, html } from '../../../lib/text/html.ts'
import { keyInput } from '../shared/form.ts'

/** The parts of a plan (`campaign.preview`) that a person needs for a decision. */
export interface PlanShown {
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

export interface PlanPage {
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
  not_subscribed: 'have not agreed to it',
  topic_not_chosen: 'left its topic, or chose other topics',
  invalid: 'have an address that takes no mail',
  suppressed: 'are not to be written to',
  sent_recently: 'were sent something lately',
  tier_quota: 'are beyond what the tier allows this month',
}

const number = new Intl.NumberFormat('en')

export function planBody({ plan, formKey, others, raisable, fault, allowed }: PlanPage): Html {
  const action = `/campaigns/${plan.campaign_id}`
  return html`<h1>${heading(plan)}</h1>
${fault !== undefined && html`<p class="warning" role="alert">${fault}</p>`}
<p class="lead">${leadOf(plan, others)}</p>
${!plan.leaves_this_machine && staysHere(plan.channel)}
${plan.status === 'draft' && plan.refusal_reason !== null && html`<p class="warning">It was refused: “<bdi>${plan.refusal_reason}</bdi>”</p>`}
${plan.status === 'awaiting_approval' && (allowed.has('campaign.decide') ? deciding(plan, { action, formKey, others, raisable }) : onlyAdmins('approve or refuse it'))}
${plan.status === 'scheduled' && (allowed.has('campaign.cancel') ? cancelling(action, formKey) : onlyAdmins('cancel it'))}
<section><h2>Who gets it</h2>
<ul class="plain"><li><b>${number.format(plan.recipients)}</b> ${plan.channel === 'email' ? 'by email' : 'by SMS'}${plan.from !== null && html`, from <bdi>${plan.from}</bdi>`}</li>
${plan.excluded.map(({ reason, count }) => html`<li>not ${number.format(count)}, who ${reasons[reason] ?? reason}</li>`)}
<li>${costOf(plan)}</li></ul></section>
${checks(plan.gates)}
${samples(plan)}`
}

function heading({ name, status, recipients }: PlanShown): Html {
  const people = number.format(recipients)
  return status === 'awaiting_approval'
    ? html`Send “<bdi>${name}</bdi>” to ${people} people?`
    : html`“<bdi>${name}</bdi>” to ${people} people`
}

function leadOf({ status, schedule }: PlanShown, others: number | undefined): string {
  if (status === 'draft') return 'It is a draft: nothing is sent before it is deployed.'
  if (status === 'scheduled') return `It is scheduled for ${timeOf(schedule)}.`
  if (others !== undefined) {
    return 'You sent it off, and this business asks for two people: another person approves it.'
  }
  const when = schedule === null ? 'as soon as you approve' : timeOf(schedule)
  return `It is above what may go out without a person’s approval, so a person decides. It goes out ${when}.`
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
  const whose = schedule.zone === 'recipient' ? 'on each recipient’s clock' : `(${schedule.zone})`
  return `${shown} ${whose}`
}

/** Nobody should believe that people get what stays on this machine. */
export function staysHere(channel: 'email' | 'sms'): Html {
  return channel === 'email'
    ? html`<p class="note">Nothing leaves this machine: mail stays in the built-in inbox. Whoever runs this service can set up a mail server.</p>`
    : html`<p class="note">Nothing leaves this machine: texts stay on the built-in phones. Whoever runs this service can set up an SMS provider.</p>`
}

/** Shown instead of buttons that would be refused. */
export function onlyAdmins(what: string): Html {
  return html`<p>An admin or owner of the business can ${what}.</p>`
}

function cancelling(action: string, formKey: string): Html {
  return html`<form method="post" action="${action}">${keyInput(formKey)}
<div class="actions"><button name="control" value="cancel" class="danger">Cancel it for good</button></div></form>`
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
<div class="actions"><button name="decision" value="refuse" class="quiet">Make it a draft again</button></div></form>`
}

function whoElse(others: number): string {
  if (others === 0) {
    return 'Nobody else may approve it yet. Invite an approver, admin or owner in the app, under Members.'
  }
  const people = others === 1 ? 'One other person' : `${number.format(others)} other people`
  return `${people} may approve it. We have mailed them.`
}

function decision(
  { plan_hash }: PlanShown,
  { action, formKey, raisable }: Omit<Deciding, 'others'>,
): Html {
  return html`<form method="post" action="${action}" class="card">
${keyInput(formKey)}<input type="hidden" name="plan_hash" value="${plan_hash}">
<p>You approve what this page shows. If it changes before you press, nothing is sent.</p>
${raisable !== undefined && html`<p><input type="checkbox" id="raise" name="raise" value="yes"> <label for="raise">Next time send up to</label> <input type="number" name="deploy_limit" min="1" max="10000000" value="${raisable}" aria-label="Recipients a day without asking"> people a day without asking</p>`}
<label for="reason">If you refuse: why? <span class="fine">Whoever changes it reads this.</span></label>
<textarea id="reason" name="reason" rows="2" maxlength="500"></textarea>
<div class="actions">
<button name="decision" value="approve">Approve and send</button>
<button name="decision" value="refuse" class="quiet">Refuse</button>
</div></form>`
}

function costOf({ cost }: PlanShown): string {
  const left =
    cost.left === null ? 'without limit' : `of ${number.format(cost.left)} left this month`
  return `${number.format(cost.amount)} ${cost.metric === 'sms' ? 'SMS' : cost.metric}, ${left}`
}

/** Gates that need attention come first; the others are collapsed. */
function checks(gates: PlanShown['gates']): Html {
  const passed = gates.filter(({ result }) => result === 'pass')
  const others = [
    ...gates.filter(({ result }) => result === 'block'),
    ...gates.filter(({ result }) => result === 'warn'),
  ]
  return html`<section><h2>Checked before it goes</h2>
${others.length > 0 && html`<ul class="plain">${others.map(gate)}</ul>`}
${passed.length > 0 && html`<details><summary>${passed.length === 1 ? '1 check' : `${passed.length} checks`} passed</summary><ul class="plain">${passed.map(gate)}</ul></details>`}</section>`
}

const marks = { pass: 'Fine', warn: 'Look', block: 'Stops it' } as const

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
  return html`<section><h2>What it says</h2>
${isTest && html`<p>It is an A/B test of ${variants.length} variants. Some people get one of these each, and the others the one that does best.</p>`}
${plan.languages && html`<p>${inLanguages(plan.languages)}</p>`}
${usual.map((shown) => sample(plan, shown, headingOf(shown)))}</section>`
}

function inLanguages(languages: NonNullable<PlanShown['languages']>): string {
  const told = languages.map(
    ({ language, recipients }) =>
      `${number.format(recipients)} get it ${language === null ? 'as it is written first' : `in ${language}`}`,
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
<iframe class="mail" title="${name}The mail as HTML" sandbox="allow-popups allow-popups-to-escape-sandbox" src="/campaigns/${campaign_id}/sample?${query.toString()}"></iframe>`
}
<pre class="block" tabindex="0" role="region" aria-label="${name}As text">${text}</pre>`
}
