/** The page on which a person connects an app. The app's name is untrusted text. */
import type { Membership } from '../../../accounts/businesses/business.ts'
import type { Scope } from '../../../core/operation.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import type { AuthorizationRequest } from '../../../oauth/authorize/authorize.ts'
import { mostRecipientsPerDay } from '../../../usage/connection-limit.ts'
import { keyInput } from '../shared/form.ts'
import { destinationOf, shortName } from '../shared/words.ts'
import type { ConnectWords } from './connect-words.ts'
import type { SignInWords } from './sign-in-words.ts'

/** What a person chooses for a connection besides its scopes. */
export interface ConnectionChoices {
  transactionalPerDay: number
  seesMasked: boolean
  takesDataOut: boolean
}

export interface Consent {
  request: AuthorizationRequest
  /** The scopes that are still ticked. */
  ticked: readonly Scope[]
  choices: ConnectionChoices
  action: string
  formKey: string
  /** The URL to which the browser goes when the person declines. */
  denyUrl: string
  /** Set with a live session, with which the person can continue without a mail. */
  signedIn: { email: string; businesses: Membership[]; otherAddressUrl: string } | undefined
  email?: string
  fault?: string | undefined
  words: ConnectWords
  signInWords: SignInWords
  /** Signing in by a passkey in place of a mail, where that is offered. */
  passkey: Html | false
  /** The way to a company's identity provider, where there is one. */
  company: Html | false
  /** The fields of the second step, for a session that was opened without one. */
  step: Html | undefined
}

export function consentBody(consent: Consent): Html {
  const { request, signedIn, words } = consent
  return html`<form method="post" action="${consent.action}" class="card">
${appHeading(request, words)}
${hiddenRequest(request)}
${keyInput(consent.formKey)}
<fieldset>
<legend>${words.mayDo}</legend>
<ul class="scopes">${request.scopes.map((scope) => scopeLine(scope, consent))}</ul>
</fieldset>
${reach(signedIn?.businesses, words)}
${peopleSeen(consent)}
${sendingLimit(consent)}
${takingOut(consent)}
${signedIn ? continueAs(consent, signedIn) : askEmail(consent)}
</form>`
}

/** The client, and the host that the browser returns to. */
export function appHeading(request: AuthorizationRequest, words: ConnectWords): Html {
  const destination = destinationOf(request.redirectUri)
  const [before, name, after] = words.heading(shortName(request.clientName, words.nameless))
  const [to, between] = words.redirects
  return html`<h1>${before}<bdi>${name}</bdi>${after}</h1>
<p class="destination">${to}<b>${destination.place}</b>${between}${words.notes[destination.kind]}.</p>
<p class="warning"><span aria-hidden="true">⚠</span> ${words.unverified}</p>`
}

/** Repeats the request in the form, so that it need not be stored until the form is submitted. */
function hiddenRequest(request: AuthorizationRequest): Html {
  return html`${parametersOf(request).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`
}

/** The parameters of the request, as the client sent them. */
export function parametersOf(request: AuthorizationRequest): [string, string][] {
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
  return Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  )
}

function scopeLine(scope: Scope, { ticked, words }: Consent): Html {
  const { text, careful } = words.scopes[scope]
  if (scope === 'meta:read') {
    return html`<li class="fixed"><span class="tick" aria-hidden="true">✓</span> ${text} <span class="fine">${words.always}</span></li>`
  }
  const checked = ticked.includes(scope) && html` checked`
  return html`<li><label><input type="checkbox" name="grant" value="${scope}"${checked}>
<span>${careful && mark(words)}${text}${careful && html`<span class="careful">: ${careful}</span>`}</span></label></li>`
}

export function mark(words: ConnectWords): Html {
  return html`<b class="mark" title="${words.sensitive}"><span aria-hidden="true">!</span><span class="unseen">${words.sensitiveMark}</span></b> `
}

/** Shown to whoever grants the right to send, where it can be changed. */
function sendingLimit({ request, choices, words }: Consent): Html | false {
  if (!request.scopes.includes('messaging:send')) return false
  return html`<div class="field">
<label for="transactional-per-day">${words.perDay}</label>
<p id="transactional-help" class="fine">${words.perDayHelp}</p>
<input id="transactional-per-day" name="transactional_per_day" type="number" inputmode="numeric" min="0" max="${String(mostRecipientsPerDay)}"
  value="${String(choices.transactionalPerDay)}" aria-describedby="transactional-help">
</div>`
}

/** Shown to whoever grants something that has answers about people. */
function peopleSeen({ request, choices, words }: Consent): Html | false {
  const seesPeople = request.scopes.some((scope) => scope !== 'meta:read')
  if (!seesPeople) return false
  const choice = (value: string, isChosen: boolean, [text, note]: readonly [string, string]) =>
    html`<li><label><input type="radio" name="sees" value="${value}"${isChosen && html` checked`}>
<span>${text} <span class="fine">${note}</span></span></label></li>`
  return html`<fieldset>
<legend>${words.sees}</legend>
<ul class="scopes">
${choice('masked', choices.seesMasked, words.seesMasked)}
${choice('full', !choices.seesMasked, words.seesFull)}
</ul>
<p class="fine">${words.seesHelp}</p>
</fieldset>`
}

/** The scopes by which data can leave. */
const outgoing: readonly Scope[] = ['audience:read', 'provisioning:write']

function takingOut({ request, choices, words }: Consent): Html | false {
  if (!outgoing.some((scope) => request.scopes.includes(scope))) return false
  return html`<fieldset>
<legend>${words.takesOut}</legend>
<ul class="scopes"><li><label><input type="checkbox" name="takes_data_out" value="yes"${choices.takesDataOut && html` checked`}>
<span>${mark(words)}${words.takesOutMeans}</span></label></li></ul>
<p class="fine">${words.takesOutHelp}</p>
</fieldset>`
}

function reach(businesses: Membership[] | undefined, words: ConnectWords): Html {
  return html`<div class="reach">
${businesses && businessList(businesses, words)}
<p class="fine">${words.reach}</p>
</div>`
}

export function businessList(businesses: readonly Membership[], words: ConnectWords): Html {
  if (businesses.length === 0) return html`<p>${words.noBusiness}</p>`
  return html`<p>${words.canAccess}</p><ul class="plain">${businesses.map(
    (business) =>
      html`<li><bdi>${business.name}</bdi> <span class="fine">${words.roles[business.role]}</span></li>`,
  )}</ul>`
}

function askEmail(consent: Consent): Html {
  return html`<div class="field">
<label for="email">${consent.signInWords.address}</label>
<input id="email" name="email" type="email" autocomplete="${consent.passkey ? 'username webauthn' : 'email'}" required maxlength="254"
  value="${consent.email ?? ''}"${consent.fault !== undefined && html` aria-invalid="true" aria-describedby="fault"`}>
${consent.fault !== undefined && html`<p id="fault" class="fault" role="alert">${consent.fault}</p>`}
</div>
<div class="actions">
<button type="submit">${consent.signInWords.send}</button>
<a class="button quiet" href="${consent.denyUrl}">${consent.words.cancel}</a>
</div>
${consent.passkey}
${consent.company}`
}

function continueAs(consent: Consent, signedIn: NonNullable<Consent['signedIn']>): Html {
  return html`${consent.fault !== undefined && html`<p class="fault" role="alert">${consent.fault}</p>`}
${consent.step}
<div class="actions">
<button type="submit" name="action" value="continue">${consent.words.continueAs(signedIn.email)}</button>
<a class="button quiet" href="${consent.denyUrl}">${consent.words.cancel}</a>
</div>
<p class="fine"><a href="${signedIn.otherAddressUrl}">${consent.words.otherAddress}</a></p>`
}
