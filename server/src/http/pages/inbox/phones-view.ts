import { formatId } from '../../../core/ids.ts'
import type { PhoneText } from '../../../core/inbox/phone-queries.ts'
import { inboxNumber } from '../../../core/inbox/phones.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import { keyInput } from '../shared/form.ts'
import { ago, fullTime } from '../shared/words.ts'

export function phonesBody({ phones, now }: { phones: readonly PhoneText[]; now: Date }): Html {
  return html`<h1>Phones</h1>
<form method="get" action="/phones" class="filter" role="search">
<label for="phone">Phone</label>
<input id="phone" name="phone" type="tel" placeholder="+33 6 12 34 56 78" required>
<button class="quiet">Open</button>
</form>
${
  phones.length === 0
    ? html`<section class="empty"><h2>No texts yet</h2>
<p>A phone shows up here within a second or two of being texted. Reload to look again.</p></section>`
    : html`<ul class="rows mails">${phones.map((text) => line(text, now))}</ul>`
}`
}

function line({ phone, body, isSentByPhone, createdAt }: PhoneText, now: Date): Html {
  return html`<li>
<a href="/phones/${phone.slice(1)}">${phone}</a>
<span class="fine clipped">${isSentByPhone && 'Typed: '}${body}</span>
<time class="fine" datetime="${createdAt.toISOString()}" title="${fullTime(createdAt)}">${ago(createdAt, now)}</time>
</li>`
}

export interface Conversation {
  phone: string
  path: string
  /** Oldest first. */
  texts: readonly PhoneText[]
  formKey: string
  now: Date
}

/** The replies that have a button: keywords that are understood in every country we know of. */
const quickWords = ['STOP', 'START', 'HELP']

export function conversationBody({ phone, path, texts, formKey, now }: Conversation): Html {
  const others = [...new Set(texts.map(({ other }) => other).toReversed())]
  const answered = others.length > 0 ? others : [inboxNumber]
  return html`<p><a href="/phones">← Phones</a></p>
<h1>${phone}</h1>
<section class="phone" aria-label="Texts of ${phone}">
${texts.length === 0 && html`<p class="fine">This phone has no texts. What is typed below comes from it.</p>`}
<ol class="texts">${texts.map((text) => bubble(text, { path, formKey, now }))}</ol>
<form id="newest" method="post" action="${path}" class="answer">
${keyInput(formKey)}
<div class="field"><label for="to">To</label>
<select id="to" name="to">${answered.map((entry) => html`<option>${entry}</option>`)}</select></div>
<div class="field"><label for="body">Text</label>
<input id="body" name="body" autocomplete="off" maxlength="1600" required></div>
<button>Send</button>
</form>
<div class="actions" role="group" aria-label="Answer to ${answered[0] ?? ''} at once">${quickWords.map(
    (word) => html`<form method="post" action="${path}">${keyInput(formKey)}
<input type="hidden" name="to" value="${answered[0] ?? ''}"><button class="quiet small" name="body" value="${word}">${word}</button></form>`,
  )}</div>
</section>`
}

interface PhonePage {
  path: string
  formKey: string
  now: Date
}

const stateWords: Readonly<Record<PhoneText['state'], string>> = {
  taken: 'on its way',
  delivered: 'delivered',
  failed: 'failed',
}

function bubble(text: PhoneText, { path, formKey, now }: PhonePage): Html {
  const { isSentByPhone, other, body, segments, createdAt, messageId, state } = text
  const id = formatId('text', text.id)
  const action = (name: string, label: string) =>
    html`<form method="post" action="${path}/${id}/${name}">${keyInput(formKey)}<button class="quiet small">${label}</button></form>`
  return html`<li id="${id}" class="${isSentByPhone ? 'text typed' : 'text'}">
<p class="fine">${isSentByPhone ? html`To ${other}` : html`<b>${other}</b>`} · <time datetime="${createdAt.toISOString()}" title="${fullTime(createdAt)}">${ago(createdAt, now)}</time></p>
<p class="said">${body}</p>
<p class="fine">${segments === 1 ? '1 segment' : html`${segments} segments`}${messageId !== null && html` · ${stateWords[state]}`}</p>
${
  messageId !== null &&
  state === 'taken' &&
  html`<div class="actions" role="group" aria-label="What becomes of it">${action('delivered', 'Deliver it')}${action('failed', 'Fail it')}</div>`
}
</li>`
}
