import { type Html, html } from '../../platform/html.ts'
import { keyInput } from './form.ts'

export interface BusinessShown {
  business_id: string
  name: string
  role: string
  /** Recipients up to which a campaign needs no approval; null for any number. */
  deploy_limit: number | null
}

/** What became of a form that was just sent. */
export interface Outcome {
  businessId: string
  /** What was typed, where it is no number that may be. */
  wrong: string | undefined
}

export interface BusinessesShown {
  businesses: readonly BusinessShown[]
  formKey: string
  outcome: Outcome | undefined
}

const number = new Intl.NumberFormat('en')

export function businessesBody(shown: BusinessesShown): Html {
  const { businesses } = shown
  return html`<h1>Businesses</h1>
<p class="lead">What apps may do by themselves in each. Only its owners change that.</p>
${
  businesses.length === 0
    ? html`<section class="empty"><h2>You are a member of none</h2>
<p>An owner of a business can add you to it.</p></section>`
    : html`<ul class="rows">${businesses.map((one) => row(one, shown))}</ul>`
}`
}

function row(business: BusinessShown, { formKey, outcome }: BusinessesShown): Html {
  const { business_id, name, role, deploy_limit } = business
  const own = outcome?.businessId === business_id ? outcome : undefined
  return html`<li class="row">
<div class="row-main">
<h2><bdi>${name}</bdi> <span class="tag">you are ${role}</span></h2>
<p>${sentence(deploy_limit)}</p>
${own && own.wrong === undefined && html`<p class="done" role="status">Saved. It holds from now on.</p>`}
<p class="fine"><span class="mono">${business_id}</span></p>
</div>
${role === 'owner' && form(business, formKey, own?.wrong)}
</li>`
}

function sentence(limit: number | null): string {
  if (limit === null) return 'An app sends a campaign to any number of people by itself.'
  if (limit === 0) return 'An app sends no campaign by itself: a person approves each.'
  const people = limit === 1 ? '1 person' : `${number.format(limit)} people`
  return `An app sends a campaign to up to ${people} by itself. Above that a person approves.`
}

function form({ business_id, deploy_limit }: BusinessShown, key: string, wrong?: string): Html {
  const id = `limit-${business_id}`
  const fault = wrong !== undefined
  const above = deploy_limit !== null || fault
  return html`<details class="confirm"${fault && html` open`}>
<summary class="button quiet"><span class="closed">Change</span><span class="opened">Leave it</span></summary>
<form method="post" action="/account/businesses/${business_id}" class="card">
${keyInput(key)}
${fault && html`<p class="warning" role="alert" id="${id}-fault">That is no whole number from 0 to 100,000,000, so nothing was changed.</p>`}
<ul class="scopes">
<li><label><input type="radio" name="approval" value="above"${above && html` checked`}><span>A person approves campaigns above the number below</span></label></li>
<li><label><input type="radio" name="approval" value="never"${!above && html` checked`}><span class="careful">Apps send to any number of people without asking</span></label></li>
</ul>
<div class="field"><label for="${id}">Recipients without approval</label>
<input id="${id}" name="deploy_limit" inputmode="numeric" autocomplete="off" value="${wrong ?? deploy_limit ?? 1000}"${fault && html` aria-invalid="true" aria-describedby="${id}-fault"`}>
<p class="fine">0 means that a person approves every campaign.</p></div>
<button type="submit">Save</button>
</form>
</details>`
}
