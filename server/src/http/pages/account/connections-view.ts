import { formatId } from '../../../core/ids.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import type { ConnectionSummary } from '../../../oauth/connections/connection.ts'
import { keyInput } from '../shared/form.ts'
import { ago, fullTime, scopeWords, shortName } from '../shared/words.ts'

export interface ConnectionsShown {
  connections: readonly ConnectionSummary[]
  now: Date
  formKey: string
  /** The address of the tool-call endpoint, which the person gives to an assistant. */
  endpoint: string
}

export function connectionsBody(shown: ConnectionsShown): Html {
  const { connections, endpoint } = shown
  return html`<h1>Connections</h1>
<p class="lead">Apps that may act for you. Ending one takes effect at once.</p>
${
  connections.length === 0
    ? html`<section class="empty">
<h2>Nothing is connected yet</h2>
<p>Give this address to an assistant or a client. It will send you back here to agree.</p>
${endpointBox(endpoint)}
</section>`
    : html`<ul class="rows">${connections.map((connection) => row(connection, shown))}</ul>
<p class="fine">To connect another one, give it this address.</p>${endpointBox(endpoint)}`
}`
}

/** An address to copy. One click selects all of it. */
export function endpointBox(endpoint: string): Html {
  return html`<p class="copy"><code>${endpoint}</code></p>`
}

function row(connection: ConnectionSummary, { now, formKey }: ConnectionsShown): Html {
  const name = shortName(connection.clientName)
  const id = formatId('connection', connection.id)
  const used = connection.lastUsedAt
  return html`<li class="row">
<div class="row-main">
<h2><bdi>${name}</bdi> <span class="tag">name not verified</span></h2>
<p>Sends you back to <b>${connection.redirectHost}</b></p>
<ul class="chips" aria-label="It may">${connection.scopes.map(
    (scope) => html`<li>${scopeWords[scope].text}</li>`,
  )}</ul>
<p class="fine">In ${businesses(connection)}</p>
<p class="fine">Connected ${time(connection.createdAt, now)} · ${used ? html`used ${time(used, now)}` : 'not used yet'} · <span class="mono">${id}</span></p>
${connection.lateReuses > 0 && lateReuse(connection)}
${connection.codeReuses > 0 && codeReuse(connection)}
</div>
<details class="confirm">
<summary class="button quiet"><span class="closed">Revoke</span><span class="opened">Cancel</span></summary>
<form method="post" action="/account/connections/${id}/revoke" class="card">
${keyInput(formKey)}
<p>Revoke “<bdi>${name}</bdi>”? It stops working at once and is not told. Messages already queued still go.</p>
<button type="submit" class="danger">Revoke access</button>
</form>
</details>
</li>`
}

function businesses({ businesses: reached }: ConnectionSummary): Html {
  if (reached.length === 0) return html`no business any more`
  return html`${reached.map((entry, i) => html`${i > 0 && ', '}<bdi>${entry.name}</bdi>`)}`
}

function time(moment: Date, now: Date): Html {
  return html`<time datetime="${moment.toISOString()}" title="${fullTime(moment)}">${ago(moment, now)}</time>`
}

function lateReuse({ lateReuses, lastLateReuseAt }: ConnectionSummary): Html {
  const last = lastLateReuseAt && `, last on ${fullTime(lastLateReuseAt)}`
  return html`<p class="warning"><span aria-hidden="true">⚠</span> An old refresh token was used ${lateReuses === 1 ? 'once' : `${lateReuses} times`} long after it was replaced${last}. The app may have kept a stale copy, or somebody else has one. If in doubt, revoke.</p>`
}

function codeReuse({ codeReuses, lastCodeReuseAt }: ConnectionSummary): Html {
  const last = lastCodeReuseAt && `, last on ${fullTime(lastCodeReuseAt)}`
  return html`<p class="warning"><span aria-hidden="true">⚠</span> The sign-in code that made this connection was sent again ${codeReuses === 1 ? 'once' : `${codeReuses} times`} after it was used${last}. It was refused. The app may have sent it twice, or somebody else has seen it. If in doubt, revoke.</p>`
}
