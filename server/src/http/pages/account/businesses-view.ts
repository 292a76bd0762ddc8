import { type Html, html } from '../../../lib/text/html.ts'
import { keysPath } from './keys-view.ts'
import { suppressionsPath } from './suppressions-view.ts'

export interface BusinessListed {
  business_id: string
  name: string
  role: string
  /** What is required before an email campaign can be sent. */
  missing: readonly string[]
}

const missingWords: Record<string, string> = {
  postal_address: 'a postal address',
  sender_domain: 'a verified domain to send from',
}

export function businessesBody(businesses: readonly BusinessListed[]): Html {
  return html`<h1>Businesses</h1>
<p class="lead">Where you are a member, and what each still needs before it can send a campaign.</p>
${
  businesses.length === 0
    ? html`<section class="empty"><h2>You are not a member of any business</h2>
<p>An owner of a business can invite you to it: see <a href="/account/invitations">your invitations</a>.</p></section>`
    : html`<ul class="rows">${businesses.map(row)}</ul>`
}`
}

function row({ business_id, name, role, missing }: BusinessListed): Html {
  const settings = `/account/businesses/${business_id}`
  return html`<li class="row">
<div class="row-main">
<h2><bdi>${name}</bdi> <span class="tag">you are ${role}</span></h2>
${lacking(missing)}
<p class="fine">${(role === 'owner' || role === 'admin') && html`<a href="${keysPath(business_id)}">API keys</a> · `}<a href="${suppressionsPath(business_id)}">Suppressed addresses</a> · <span class="mono">${business_id}</span></p>
</div>
<div class="actions"><a class="button quiet" href="${settings}" aria-label="Settings of ${name}">Settings</a>
<a class="button quiet" href="${settings}/members" aria-label="Members of ${name}">Members</a></div>
</li>`
}

export function lacking(missing: readonly string[]): Html {
  if (missing.length === 0) return html`<p>Nothing is missing for a campaign by email.</p>`
  const things = missing.map((text) => missingWords[text] ?? text).join(' and ')
  return html`<p class="warning">Before a campaign by email can go out, it needs ${things}.</p>`
}
