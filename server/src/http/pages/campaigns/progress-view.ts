import { type Html, html } from '../../../lib/text/html.ts'
import { keyInput } from '../shared/form.ts'
import { onlyAdmins, staysHere } from './plan-view.ts'

/** The parts of a campaign (`campaign.get`) that the page shows. */
export interface CampaignShown {
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
export interface ProgressShown {
  recipients: number
  done: number
  per_minute: number
  seconds_left: number | null
  counts: Record<string, number>
}

export interface Watched {
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
export const isGoing = ({ status }: Pick<CampaignShown, 'status'>) => status === 'deployed'

export function campaignBody(page: Watched): Html {
  const { campaign, progress, watches, fault } = page
  return html`<h1><bdi>${campaign.name}</bdi></h1>
${fault !== undefined && html`<p class="warning" role="alert">${fault}</p>`}
${state(campaign)}
${!campaign.leaves_this_machine && staysHere(campaign.channel)}
<section><h2>How far it is</h2>
${bar(progress)}
<p>${paceOf(campaign, progress)}</p>${campaign.waits && waiting(campaign.waits)}
${isGoing(campaign) && watching(campaign, watches)}
${steering(page)}</section>
${results(campaign, progress)}
<p class="fine">${campaign.deployed_at !== null && `Sent off on ${moment.format(new Date(campaign.deployed_at))} UTC. `}${campaign.completed_at !== null && `Complete since ${moment.format(new Date(campaign.completed_at))} UTC. `}Its id is ${campaign.campaign_id}.</p>`
}

const pauses: Record<string, string> = {
  requested:
    'It is paused, since somebody asked for that. Nobody is lost: it goes on once it is resumed.',
  bounce_rate:
    'It paused by itself, since too many of its mails came back. Look at where the addresses come from before you resume it.',
  complaint_rate:
    'It paused by itself, since too many people called it spam. Look at how they agreed to it before you resume it.',
  gate: 'It paused at its hour, since a check that every campaign has to pass no longer passes. When you resume it, the check is made again and says what to mend.',
  approval:
    'It paused, since more recipients came than may get it without a person’s approval. Resuming it approves it for all of them.',
  restored:
    'It is paused, since the service came back from a backup. Nobody knows who got it meanwhile: those are unknown, and get it only where a person has it sent to them again.',
}

function state({ status, pause_reason }: CampaignShown): Html {
  if (status === 'deployed') return html`<p class="done" role="status">It is on its way.</p>`
  if (status === 'completed') return html`<p class="done" role="status">It is complete.</p>`
  if (status === 'cancelled')
    return html`<p class="note" role="status">It was cancelled. What had not been sent stays unsent.</p>`
  return html`<p class="warning" role="status">${pauses[pause_reason ?? ''] ?? 'It is paused.'}</p>`
}

function bar({ recipients, done }: ProgressShown): Html {
  const percent = recipients === 0 ? 100 : Math.floor((done / recipients) * 100)
  return html`<progress max="${Math.max(1, recipients)}" value="${recipients === 0 ? 1 : done}" aria-label="${percent} percent done"></progress>
<p><b>${number.format(done)}</b> of ${number.format(recipients)} recipients, ${percent} %</p>`
}

function paceOf(campaign: CampaignShown, { per_minute, seconds_left }: ProgressShown): string {
  if (!isGoing(campaign)) return 'Nothing is being sent now.'
  if (per_minute === 0) return 'Nobody has been sent it yet.'
  const left = seconds_left === null ? '' : `, about ${durationOf(seconds_left)} left`
  return `${number.format(per_minute)} a minute${left}`
}

function durationOf(seconds: number): string {
  if (seconds < 90) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`
}

const waits: Record<string, string> = {
  first_recipients: 'A few got it first. The others wait for what comes of that',
  local_hours: 'Some wait for their own hour',
  ab_test: 'The others wait for the end of the A/B test',
  provider: 'Mail to one provider waits, because it refused the sender or people complained',
}

function waiting({ for: what, until }: NonNullable<CampaignShown['waits']>): Html | false {
  const words = waits[what]
  if (words === undefined) return false
  return html`<p>${words}${until !== null && `, until ${moment.format(new Date(until))} UTC`}.</p>`
}

function watching({ campaign_id }: CampaignShown, watches: boolean): Html {
  const page = `/campaigns/${campaign_id}`
  return watches
    ? html`<p>This page is loaded anew every few seconds. <a href="${page}">Leave it as it is</a></p>`
    : html`<p><a href="${page}">Look again</a> or <a href="${page}?watch=yes">load this page anew every few seconds</a></p>`
}

const buttons = [
  { control: 'pause', label: 'Pause it', style: '' },
  { control: 'resume', label: 'Resume it', style: '' },
  { control: 'cancel', label: 'Cancel it for good', style: 'danger' },
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
  clicked: 'followed a link',
  unsubscribed: 'unsubscribed',
  bounced: 'came back',
  complained: 'called it spam',
  failed: 'could not be sent',
  unknown: 'may or may not have arrived: the connection broke before the answer',
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
  return html`<section><h2>What came of it</h2>
${
  found.length === 0 && skipped === 0
    ? html`<p>Nothing yet. ${channel === 'email' ? 'Opens and clicks of people are told from those of machines.' : ''}</p>`
    : html`<ul class="plain">${found.map(({ count, label }) => html`<li><b>${number.format(count)}</b> ${label}</li>`)}
${skipped > 0 && html`<li><b>${number.format(skipped)}</b> were left out, such as whoever has not agreed to it</li>`}</ul>`
}
${(counts['sent'] ?? 0) > 0 && !delivery_reported && html`<p class="fine">Whether it arrived is not reported on this way.</p>`}
${(counts['sent'] ?? 0) > 0 && !complaints_reported && html`<p class="fine">Complaints are not reported on this way.</p>`}</section>`
}
