import { type Html, html } from '../../../lib/text/html.ts'
import { keyInput } from '../shared/form.ts'

export interface SuppressionShown {
  suppression_id: string
  channel: string | null
  sha256: string | null
  reason: string
  stops: string
  since: string
  address: string | null
}

export interface SuppressionsShown {
  business: { business_id: string; name: string; role: string }
  suppressions: readonly SuppressionShown[]
  next: string | undefined
  /** The search text. */
  sought: string
  formKey: string
  /** The result of a form that was just submitted. */
  said: { text: string; isFault: boolean } | undefined
}

export function suppressionsPath(businessId: string): string {
  return `/account/businesses/${businessId}/suppressions`
}

const reasons: Readonly<Record<string, string>> = {
  bounce: 'Mail to it could not be delivered',
  complaint: 'Its owner reported a message as spam',
  manual: 'Somebody of this business stopped it',
  stop: 'Its owner replied STOP',
  unsubscribed: 'Its owner unsubscribed elsewhere, as an imported list says',
}

export function suppressionsBody(shown: SuppressionsShown): Html {
  const { business, suppressions, next, sought, said } = shown
  const path = suppressionsPath(business.business_id)
  return html`<h1>Suppressed addresses</h1>
<p class="lead">Addresses to which <bdi>${business.name}</bdi> does not send. A spam report stops marketing alone; a failed delivery stops all mail until an owner lifts it.</p>
${said && html`<p class="${said.isFault ? 'warning' : 'done'}" role="${said.isFault ? 'alert' : 'status'}">${said.text}</p>`}
<form method="get" action="${path}" class="card">
<div class="field"><label for="email">Find an email address</label>
<input id="email" name="email" type="email" autocomplete="off" value="${sought}"></div>
<button type="submit" class="quiet">Find</button>
</form>
${
  suppressions.length === 0
    ? html`<section class="empty"><h2>${sought ? 'This address is not suppressed' : 'No address is suppressed'}</h2>
<p>${sought ? 'Messages to it are not held back by this list.' : 'Addresses that bounce or complain appear here.'}</p></section>`
    : html`<ul class="rows">${suppressions.map((suppression) => row(suppression, shown))}</ul>`
}
${next !== undefined && html`<p><a href="${path}?cursor=${next}">Older addresses</a></p>`}`
}

function row(one: SuppressionShown, { business, formKey, sought }: SuppressionsShown): Html {
  const { address, channel, sha256, reason, stops, since, suppression_id } = one
  const unnamed =
    sha256 === null ? 'An address that no contact has' : `SHA-256 ${sha256.slice(0, 16)}…`
  const name = address ?? (sought || unnamed)
  return html`<li class="row">
<div class="row-main">
<h2><bdi>${name}</bdi> <span class="tag">${tagOf(channel)}</span></h2>
<p>${reasons[reason] ?? reason}: it gets ${stops === 'marketing' ? 'no marketing' : 'no messages'}.</p>
<p class="fine">Since <time datetime="${since}">${since.slice(0, 10)}</time></p>
</div>
${business.role === 'owner' && reason !== 'stop' && form(suppression_id, business.business_id, formKey)}
</li>`
}

function form(id: string, businessId: string, formKey: string): Html {
  return html`<details class="confirm">
<summary class="button quiet"><span class="closed">Lift</span><span class="opened">Cancel</span></summary>
<form method="post" action="${suppressionsPath(businessId)}" class="card">
${keyInput(formKey)}
<input type="hidden" name="suppression_id" value="${id}">
<div class="field"><label for="${id}">Why it may be written to again</label>
<input id="${id}" name="reason" required maxlength="500" autocomplete="off">
<p class="fine">The reason is kept. The address returns to this list if it fails or complains again.</p></div>
<button type="submit">Lift the suppression</button>
</form>
</details>`
}

function tagOf(channel: string | null): string {
  if (channel === null) return 'known by its hash alone'
  return channel === 'sms' ? 'text messages' : 'email'
}
