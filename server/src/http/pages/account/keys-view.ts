import { roles, type Scope, scopes } from '../../../core/operation.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import { firstScopes } from '../../../oauth/api-keys/create.ts'
import { mark } from '../auth/consent-view.ts'
import { keyInput } from '../shared/form.ts'
import { ago, fullTime, scopeWords } from '../shared/words.ts'

export interface KeyShown {
  key_id: string
  name: string
  made_by: string
  scopes: string[]
  role: string
  allowed_networks: string[]
  recipients_per_day: number
  created_at: string
  expires_at: string | null
  last_used_at: string | null
}

export interface KeyTyped {
  name: string
  scopes: string[]
  role: string
  expires_on: string
  allowed_networks: string
  recipients_per_day: string
}

export interface KeysShown {
  business: { business_id: string; name: string; role: string }
  keys: readonly KeyShown[]
  /** Whether the person signed in within the last few minutes, and may create a key. */
  isFresh: boolean
  now: Date
  formKey: string
  /** The key that was just created, which only this page ever shows. */
  made: { key: string; name: string; may_send: boolean; recipients_per_day: number } | undefined
  fault: { message: string; field: string | undefined; typed: KeyTyped } | undefined
}

export function keysPath(businessId: string): string {
  return `/account/businesses/${businessId}/keys`
}

export function keysBody(shown: KeysShown): Html {
  const { business, keys, made } = shown
  return html`<h1>API keys of <bdi>${business.name}</bdi></h1>
<p class="lead">For your own programs. Whoever has a key acts for this business, so keep it out of pages, apps and repositories. How to use one: <a href="/docs/guides/send-from-your-code">Send from your code</a>.</p>
${made && madeBox(made)}
${
  keys.length === 0
    ? html`<section class="empty"><h2>There is no key yet</h2>
<p>An assistant needs none: it connects by itself.</p></section>`
    : html`<section><h2>Keys</h2><ul class="rows">${keys.map((key) => row(key, shown))}</ul></section>`
}
${shown.isFresh ? makeForm(shown) : signInAgain(business.business_id)}`
}

function madeBox(made: NonNullable<KeysShown['made']>): Html {
  return html`<section class="card" role="status">
<h2>The key “<bdi>${made.name}</bdi>”</h2>
<p class="copy"><code>${made.key}</code></p>
<p class="warning">Copy it now. It is not shown again, and Crier does not keep it.</p>
${made.may_send && html`<p>It may send to ${made.recipients_per_day} recipients in 24 hours.</p>`}
</section>`
}

function signInAgain(businessId: string): Html {
  const next = encodeURIComponent(keysPath(businessId))
  return html`<section class="card"><h2>Make a key</h2>
<p>A key is made within 15 minutes of signing in. Sign in again, and you come back here.</p>
<div class="actions"><a class="button" href="/login?again=yes&amp;next=${next}">Sign in again</a></div></section>`
}

function makeForm(shown: KeysShown): Html {
  const { business, formKey, fault } = shown
  const typed = fault?.typed ?? emptyForm(business.role)
  const most = roles.slice(0, roles.indexOf(business.role as (typeof roles)[number]) + 1)
  return html`<form method="post" action="${keysPath(business.business_id)}" class="card">
<h2>Make a key</h2>
${keyInput(formKey)}
${fault && html`<p class="warning" role="alert">No key was made. ${fault.message}</p>`}
${field('name', 'Name', 'The program that will use it.', html`required maxlength="100" value="${typed.name}"`, fault)}
<fieldset>
<legend>It may</legend>
<ul class="scopes">${scopes.map((scope) => scopeLine(scope, typed.scopes))}</ul>
</fieldset>
<div class="field"><label for="role">With the role</label>
<select id="role" name="role">${most.map((role) => html`<option value="${role}"${role === typed.role && html` selected`}>${role}</option>`)}</select>
<p class="fine">At most what you may do yourself. If you leave the business, the key ends.</p></div>
${field('recipients_per_day', 'Recipients in 24 hours', 'To whom it may send, where it may send at all.', html`inputmode="numeric" required value="${typed.recipients_per_day}"`, fault)}
${field('expires_on', 'Last day', 'Empty for a key without an end.', html`type="date" value="${typed.expires_on}"`, fault)}
${field('allowed_networks', 'Networks it is taken from', 'Such as 203.0.113.7 or 203.0.113.0/24, with spaces between. Empty for anywhere.', html`value="${typed.allowed_networks}"`, fault)}
<div class="actions"><button type="submit">Make the key</button></div>
</form>`
}

function emptyForm(role: string): KeyTyped {
  return {
    name: '',
    scopes: [...firstScopes],
    role,
    expires_on: '',
    allowed_networks: '',
    recipients_per_day: '1000',
  }
}

/** The operation uses another name for one field of the page. */
const fieldNames: Record<string, string> = { expires_at: 'expires_on' }

function field(
  name: string,
  label: string,
  help: string,
  attributes: Html,
  fault: KeysShown['fault'],
): Html {
  const at = fault?.field === undefined ? undefined : (fieldNames[fault.field] ?? fault.field)
  const wrong = at === name
  return html`<div class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" autocomplete="off" aria-describedby="${name}-help" ${attributes}${wrong && html` aria-invalid="true"`}>
<p class="fine" id="${name}-help">${help}</p></div>`
}

function scopeLine(scope: Scope, ticked: readonly string[]): Html {
  const { text, careful } = scopeWords[scope]
  if (scope === 'meta:read') {
    return html`<li class="fixed"><span class="tick" aria-hidden="true">✓</span> ${text} <span class="fine">always</span></li>`
  }
  const checked = ticked.includes(scope) && html` checked`
  const limited = scope === 'messaging:send' && ', to as many recipients as you say below'
  return html`<li><label><input type="checkbox" name="scopes" value="${scope}"${checked}>
<span>${careful && mark()}${text}${careful && html`<span class="careful">: ${careful}${limited}</span>`}</span></label></li>`
}

function row(key: KeyShown, { business, formKey, now }: KeysShown): Html {
  const sends = key.scopes.includes('messaging:send')
  const networks = key.allowed_networks.join(', ')
  return html`<li class="row">
<div class="row-main">
<h3><bdi>${key.name}</bdi> <span class="tag">as ${key.role}</span></h3>
<ul class="chips" aria-label="It may">${key.scopes.map((scope) => html`<li>${scopeWords[scope as Scope].text}</li>`)}</ul>
${sends && html`<p>It sends to at most ${key.recipients_per_day} recipients in 24 hours.</p>`}
${networks !== '' && html`<p>It is taken from ${networks} alone.</p>`}
<p class="fine">Made by ${key.made_by} ${time(key.created_at, now)} · ${key.last_used_at ? html`used ${time(key.last_used_at, now)}` : 'not used yet'} · ${key.expires_at === null ? 'no end' : `${key.expires_at <= now.toISOString() ? 'ended' : 'ends'} ${fullTime(new Date(key.expires_at))}`} · <span class="mono">${key.key_id}</span></p>
</div>
<details class="confirm">
<summary class="button quiet"><span class="closed">Revoke</span><span class="opened">Cancel</span></summary>
<form method="post" action="${keysPath(business.business_id)}/revoke" class="card">
${keyInput(formKey)}
<input type="hidden" name="key_id" value="${key.key_id}">
<p>Revoke “<bdi>${key.name}</bdi>”? The programs that use it are refused at once. Messages already queued still go.</p>
<button type="submit" class="danger">Revoke the key</button>
</form>
</details>
</li>`
}

function time(text: string, now: Date): Html {
  const moment = new Date(text)
  return html`<time datetime="${text}" title="${fullTime(moment)}">${ago(moment, now)}</time>`
}
