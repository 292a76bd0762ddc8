/** The page on which a person connects an app. The app's name is untrusted text. */
import type { Membership } from '../../../accounts/businesses/business.ts'
import type { Scope } from '../../../core/operation.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import type { AuthorizationRequest } from '../../../oauth/authorize/authorize.ts'
import { mostRecipientsPerDay } from '../../../usage/connection-limit.ts'
import { keyInput } from '../shared/form.ts'
import { destinationOf, scopeWords, shortName } from '../shared/words.ts'

export interface Consent {
  request: AuthorizationRequest
  /** The scopes that are still ticked. */
  ticked: readonly Scope[]
  transactionalPerDay: number
  action: string
  formKey: string
  /** The URL to which the browser goes when the person declines. */
  denyUrl: string
  /** Set with a live session, with which the person can continue without a mail. */
  signedIn: { email: string; businesses: Membership[]; otherAddressUrl: string } | undefined
  email?: string
  fault?: string | undefined
}

export function consentBody(consent: Consent): Html {
  const { request, signedIn } = consent
  return html`<form method="post" action="${consent.action}" class="card">
${appHeading(request)}
${hiddenRequest(request)}
${keyInput(consent.formKey)}
<fieldset>
<legend>It will be able to</legend>
<ul class="scopes">${request.scopes.map((scope) => scopeLine(scope, consent.ticked))}</ul>
</fieldset>
${sendingLimit(consent)}
${reach(signedIn?.businesses)}
${signedIn ? continueAs(consent, signedIn) : askEmail(consent)}
</form>`
}

/** The client, and the host that the browser returns to. */
export function appHeading(request: AuthorizationRequest): Html {
  const { place, note } = destinationOf(request.redirectUri)
  return html`<h1>“<bdi>${shortName(request.clientName)}</bdi>” wants to access your account</h1>
<p class="destination">It redirects you to <b>${place}</b>, ${note}.</p>
<p class="warning"><span aria-hidden="true">⚠</span> The app chose this name itself; it is not verified. Continue only if you just came from this app.</p>`
}

/** Repeats the request in the form, so that it need not be stored until the form is submitted. */
function hiddenRequest(request: AuthorizationRequest): Html {
  const fields: Record<string, string | undefined> = {
    response_type: 'code',
    client_id: request.clientId,
    redirect_uri: request.redirectUri,
    code_challenge: request.codeChallenge,
    code_challenge_method: 'S256',
    state: request.state,
    scope: request.scopes.join(' '),
    resource: request.resource,
  }
  const set = Object.entries(fields).filter(([, value]) => value !== undefined)
  return html`${set.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`
}

function scopeLine(scope: Scope, ticked: readonly Scope[]): Html {
  const { text, careful } = scopeWords[scope]
  if (scope === 'meta:read') {
    return html`<li class="fixed"><span class="tick" aria-hidden="true">✓</span> ${text} <span class="fine">always</span></li>`
  }
  const checked = ticked.includes(scope) && html` checked`
  return html`<li><label><input type="checkbox" name="grant" value="${scope}"${checked}>
<span>${careful && mark()}${text}${careful && html`<span class="careful">: ${careful}</span>`}</span></label></li>`
}

export function mark(): Html {
  return html`<b class="mark" title="Sensitive permission"><span aria-hidden="true">!</span><span class="unseen">Sensitive: </span></b> `
}

/** Shown to whoever grants the right to send, where it can be changed. */
function sendingLimit({ request, transactionalPerDay }: Consent): Html | false {
  if (!request.scopes.includes('messaging:send')) return false
  return html`<div class="field">
<label for="transactional-per-day">Transactional recipients per 24 hours</label>
<p id="transactional-help" class="fine">In each business, for receipts, password resets and similar messages. With a limit of 100 or less, the same message goes to at most 50 people. Marketing has its own limits. You can change this later under Connections.</p>
<input id="transactional-per-day" name="transactional_per_day" type="number" inputmode="numeric" min="0" max="${String(mostRecipientsPerDay)}"
  value="${String(transactionalPerDay)}" aria-describedby="transactional-help">
</div>`
}

function reach(businesses: Membership[] | undefined): Html {
  return html`<div class="reach">
${businesses && businessList(businesses)}
<p class="fine">It can access the businesses you are in now, but not those you join later, unless you connect it again. You can revoke access at any time.</p>
</div>`
}

export function businessList(businesses: readonly Membership[]): Html {
  if (businesses.length === 0)
    return html`<p>You are not a member of a business yet, so it cannot access any.</p>`
  return html`<p>It can access</p><ul class="plain">${businesses.map(
    (business) =>
      html`<li><bdi>${business.name}</bdi> <span class="fine">${business.role}</span></li>`,
  )}</ul>`
}

function askEmail(consent: Consent): Html {
  return html`<div class="field">
<label for="email">Your email address</label>
<input id="email" name="email" type="email" autocomplete="email" required maxlength="254"
  value="${consent.email ?? ''}"${consent.fault !== undefined && html` aria-invalid="true" aria-describedby="fault"`}>
${consent.fault !== undefined && html`<p id="fault" class="fault" role="alert">${consent.fault}</p>`}
</div>
<div class="actions">
<button type="submit">Email me a link</button>
<a class="button quiet" href="${consent.denyUrl}">Cancel</a>
</div>`
}

function continueAs(consent: Consent, signedIn: NonNullable<Consent['signedIn']>): Html {
  return html`${consent.fault !== undefined && html`<p class="fault" role="alert">${consent.fault}</p>`}
<div class="actions">
<button type="submit" name="action" value="continue">Continue as ${signedIn.email}</button>
<a class="button quiet" href="${consent.denyUrl}">Cancel</a>
</div>
<p class="fine"><a href="${signedIn.otherAddressUrl}">Use another address</a></p>`
}
