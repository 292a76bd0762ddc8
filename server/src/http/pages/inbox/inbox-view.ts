import { formatId } from '../../../core/ids.ts'
import type { InboxMessage } from '../../../core/inbox/mail-queries.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import { ago, fullTime } from '../shared/words.ts'

/** A text that was made from HTML has the address of a link in square brackets. */
export function linksIn(text: string): string[] {
  return [...text.matchAll(/https?:\/\/[^\s<>"]+/g)].map(({ 0: link, index }) => {
    const end = text[index - 1] === '[' ? link.lastIndexOf(']') : -1
    return end === -1 ? link : link.slice(0, end)
  })
}

export function inboxBody({
  messages,
  to,
  now,
}: {
  messages: readonly InboxMessage[]
  to: string | null
  now: Date
}): Html {
  return html`<h1>Inbox</h1>
<form method="get" action="/inbox" class="filter" role="search">
<label for="to">To</label>
<input id="to" name="to" type="search" value="${to ?? ''}" placeholder="any address">
<button class="quiet">Filter</button>
</form>
${
  messages.length === 0
    ? html`<section class="empty"><h2>No mail${to !== null && html` to ${to}`} yet</h2>
<p>Mail shows up here within a second or two of being sent. Reload to look again.</p></section>`
    : html`<ul class="rows mails">${messages.map((message) => line(message, now))}</ul>`
}`
}

function line(message: InboxMessage, now: Date): Html {
  const at = message.createdAt
  return html`<li>
<a href="/inbox/${formatId('mail', message.id)}">${message.subject}</a>
<span class="fine">${message.to}</span>
<time class="fine" datetime="${at.toISOString()}" title="${fullTime(at)}">${ago(at, now)}</time>
</li>`
}

const views = ['html', 'text', 'headers', 'source'] as const
type View = (typeof views)[number]
const labels: Record<View, string> = {
  html: 'HTML',
  text: 'Text',
  headers: 'Headers',
  source: 'Source',
}

export function viewOf(query: unknown): View {
  const asked = (query as Record<string, unknown>)['view']
  return views.find((view) => view === asked) ?? 'html'
}

export function messageBody(
  message: InboxMessage & { source: Buffer },
  { view, ownUrls, actions }: { view: View; ownUrls: readonly string[]; actions: Html | false },
): Html {
  const id = formatId('mail', message.id)
  const magic = linksIn(message.text).find((link) =>
    ownUrls.some((url) => link.startsWith(`${url}/sign-in/`)),
  )
  return html`<p><a href="/inbox">← Inbox</a></p>
<h1>${message.subject}</h1>
<p class="fine">From ${message.from} to <b>${message.to}</b> · ${fullTime(message.createdAt)}</p>
${magic !== undefined && html`<p><a class="button" href="${magic}">Follow the sign-in link</a></p>`}
${actions}
<nav class="tabs" aria-label="Forms of the message">${views.map(
    (word) =>
      html`<a href="/inbox/${id}?view=${word}"${word === view && html` aria-current="page"`}>${labels[word]}</a>`,
  )}</nav>
${shown(message, view, id)}`
}

function shown(message: InboxMessage & { source: Buffer }, view: View, id: string): Html {
  const source = message.source.toString('utf8')
  switch (view) {
    case 'html':
      return message.html === null
        ? block(message.text, 'Text')
        : html`<iframe class="mail" title="The message as HTML" sandbox="allow-popups allow-popups-to-escape-sandbox" src="/inbox/${id}/html"></iframe>`
    case 'text':
      return block(message.text, 'Text')
    case 'headers':
      return block(source.split(/\r?\n\r?\n/, 1)[0] ?? '', 'Headers')
    case 'source':
      return block(source, 'Source')
  }
}

/** Focusable by keyboard, because its content may scroll. */
function block(text: string, label: string): Html {
  return html`<pre class="block" tabindex="0" role="region" aria-label="${label}">${text}</pre>`
}
