import type { SenderProfile } from '../../../accounts/businesses/business.ts'
import type { Channel } from '../../../contacts/model/contact.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import type { Choice, Preferences } from '../../../subscriptions/preferences.ts'

/** What was just done. */
export type Notice = 'unsubscribed' | 'saved'

const notices: Record<Notice, string> = {
  unsubscribed:
    'Done: you will get no more mailings by email. Those that were about to leave are stopped.',
  saved: 'Your choice is saved.',
}

const channelNames: Record<Channel, string> = { email: 'Email', sms: 'SMS' }

export function preferencesBody(
  { business, choices }: Preferences,
  action: string,
  { notice, refused }: { notice?: Notice | undefined; refused?: string } = {},
): Html {
  const hasEmail = choices.some(({ channel, subscribed }) => channel === 'email' && subscribed)
  return html`<h1>Messages from <bdi>${business}</bdi></h1>
${notice && html`<p class="done" role="status">${notices[notice]}</p>`}
${refused !== undefined && html`<p class="warning" role="alert">${refused}</p>`}
${hasEmail && unsubscribeForm(action)}
<form method="post" action="${action}" class="card">
<fieldset>
<legend>What you get</legend>
<ul class="scopes">${choices.map((choice) => line(choice, business))}</ul>
</fieldset>
<div class="actions"><button class="quiet">Save my choice</button></div>
<p class="fine">You will still get messages about what you order or ask for.</p>
</form>`
}

/** The same that a mail program posts; `page` tells them apart in the ledger of consent. */
function unsubscribeForm(action: string): Html {
  return html`<form method="post" action="${action}" class="card">
<p>Press the button to get no more mailings by email.</p>
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<input type="hidden" name="page" value="yes">
<div class="actions"><button>Unsubscribe</button></div>
</form>`
}

function line({ channel, hint, subscribed }: Choice, business: string): Html {
  return html`<li><input type="hidden" name="shown" value="${channel}">
<label><input type="checkbox" name="channel" value="${channel}"${subscribed && html` checked`}>
<span>${sentence(business, channel)} <span class="fine">${channelNames[channel]} to ${hint}</span></span></label></li>`
}

function sentence(business: string, channel: Channel): string {
  return channel === 'email'
    ? `Send me news and offers from ${business} by email.`
    : `Send me news and offers from ${business} by SMS.`
}

/** What a person said yes or no to: the words of the page, for the ledger of consent. */
export function wordsOf({ name }: SenderProfile, channel: Channel): string {
  return sentence(name, channel)
}

export function goneBody(business: string | undefined): Html {
  return html`<h1>Nothing is sent to you</h1>
<p>${business === undefined ? 'The sender' : html`<bdi>${business}</bdi>`} no longer has your address, so there is nothing left to unsubscribe from. You can close this page.</p>`
}

/** Where the link of a campaign's test leads. */
export function testBody(): Html {
  return html`<h1>A link of a test</h1>
<p>In the campaign itself this link is each recipient's own: it opens the page where they unsubscribe or choose what they get. This one belongs to a test, so it changes nothing.</p>`
}
